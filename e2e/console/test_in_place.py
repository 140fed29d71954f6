"""Values that are changed where they are shown, and "Go to" over the page."""

import re

import pytest
from playwright.sync_api import expect

from .conftest import AXE

INCIDENT = "/incidents/INC-0003"


def fact(page, title):
    return page.locator(f"main aside a[title='{title}']")


def test_a_value_is_changed_where_it_is_shown(open_page):
    page = open_page(INCIDENT)
    page.evaluate("window.isSamePage = true")
    page.fill("#text", "Half a sentence")
    before = fact(page, "Change kind").inner_text()
    fact(page, "Change kind").click()
    expect(page.locator(".place select")).to_be_focused()
    expect(page.locator(".place :is(input:not([type=hidden]), select, textarea)")).to_have_count(1)
    page.select_option(".place select", label="Drill" if before != "Drill" else "Real")
    page.keyboard.press("Enter")
    expect(page.locator(".toast").first).to_contain_text("Kind of INC-0003 updated.")
    expect(fact(page, "Change kind")).not_to_have_text(before)
    expect(fact(page, "Change kind")).to_be_focused()
    expect(page.locator("#text")).to_have_value("Half a sentence")
    page.click(".toast button:has-text('Undo')")
    expect(fact(page, "Change kind")).to_have_text(before)
    assert page.evaluate("window.isSamePage")


def test_a_refused_value_stays_in_its_form_and_escape_closes_it(open_page):
    page = open_page(INCIDENT)
    fact(page, "Change detected at").click()
    page.fill(".place input[type=datetime-local]", "2199-01-01T00:00")
    page.click(".place button")
    expect(page.locator(".place .error")).to_contain_text("must not be in the future")
    expect(page.locator(".place input[type=datetime-local]")).to_have_value(re.compile("^2199-01-01T00:00"))
    page.keyboard.press("Escape")
    expect(page.locator(".place")).to_have_count(0)
    expect(fact(page, "Change detected at")).to_be_focused()


def test_the_facts_lead_to_forms_without_scripts(open_page):
    page = open_page(INCIDENT, java_script_enabled=False)
    fact(page, "Change assignee").click()
    page.select_option("#assigned_to", label="Tom Okafor")
    page.click("main button.main")
    expect(fact(page, "Change assignee")).to_contain_text("Tom Okafor")


def test_the_tags_of_a_risk_are_changed_in_its_row(open_page):
    page = open_page("/risks", viewport={"width": 1600, "height": 800})
    tags = page.locator("tbody tr >> nth=0 >> a[title='Change tags']")
    number = page.locator("tbody tr >> nth=0 >> .id").inner_text()
    before = tags.inner_text()
    tags.click()
    page.locator(".place").get_by_role("button", name="Add the tag").click()
    expect(page.locator(".toast").first).to_contain_text(f"Tags of {number} updated.")
    expect(page.locator(".place")).to_have_count(0)
    expect(tags).not_to_have_text(before)
    page.click(".toast button:has-text('Undo')")
    expect(tags).to_have_text(before)


def test_a_row_is_changed_by_its_keys_and_keeps_its_place(open_page):
    page = open_page("/incidents?sort=number", viewport={"width": 1400, "height": 500})
    row = page.locator("tbody tr").nth(9)
    others = page.locator("tbody tr").nth(2)
    page.check("input[name=ids] >> nth=4")
    row.locator("a.t").focus()
    scroll = page.evaluate("scrollY")
    page.keyboard.press("a")
    assigned = page.locator(".place select")
    expect(assigned).to_be_focused()
    assigned.select_option(label="Tom Okafor" if "Tom Okafor" not in row.inner_text() else "Unassigned")
    name = assigned.locator("option:checked").inner_text()
    others.evaluate("row => { row.isSameRow = true; }")
    page.keyboard.press("Enter")
    expect(row).to_contain_text(name)
    expect(row.locator("a.t")).to_be_focused()
    assert page.evaluate("scrollY") == scroll and others.evaluate("row => row.isSameRow")
    expect(page.locator("input[name=ids]:checked")).to_have_count(1)
    page.keyboard.press("e")
    page.select_option(".place select", "critical")
    page.fill(".place textarea", "Both sites are down.")
    page.keyboard.press("Control+Enter")
    expect(row).to_contain_text("Critical")
    address = page.url
    page.keyboard.press("z")
    expect(page.locator(".toast").first).to_contain_text("Undone")
    assert page.url == address


def test_a_row_that_the_list_does_not_show_any_more_goes(open_page):
    page = open_page("/incidents?status=investigating")
    row = page.locator("tbody tr").first
    number = row.locator("td.id").inner_text()
    row.locator("a.t").focus()
    page.keyboard.press("r")
    expect(page.locator(".place button:has-text('Mark as contained')")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(f"tbody tr:has-text('{number}')")).to_have_count(0)
    expect(page.locator("tbody tr").first.locator("a.t")).to_be_focused()


def test_go_to_offers_what_was_shown_lately_and_what_can_be_done(open_page):
    page = open_page("/risks/RSK-2")
    home = page.url.split("/risks")[0]
    page.goto(home + INCIDENT)
    page.keyboard.press("Control+k")
    expect(page.locator("#recent a")).to_contain_text(["RSK-2"])
    expect(page.locator("#palette h2").first).to_have_text("Recent")
    page.keyboard.type("add com")
    expect(page.locator("#places [aria-selected=true]")).to_have_text("Add comment")
    page.keyboard.press("Enter")
    expect(page.locator("#text")).to_be_focused()
    page.locator("body").press("Control+k")
    expect(page.locator("#palette #q")).to_be_focused()
    page.keyboard.type("change sev")
    expect(page.locator("#places [aria-selected=true]")).to_have_text("Change severity")
    page.keyboard.press("Enter")
    expect(page.locator(".place #severity")).to_be_focused()
    page.keyboard.press("Escape")
    expect(fact(page, "Change severity")).to_be_focused()
    page.keyboard.press("Control+k")
    page.keyboard.type("x")
    page.keyboard.press("Escape")
    expect(page.locator("#palette")).to_be_hidden()
    expect(fact(page, "Change severity")).to_be_focused()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_in_what_opens(open_page, theme):
    page = open_page(INCIDENT, color_scheme=theme, bypass_csp=True)
    page.evaluate(AXE)
    for opener, opened in [("a[title='Change assignee']", ".place select"), ("a.seek", "#places [aria-selected=true]")]:
        page.click(opener)
        expect(page.locator(opened)).to_be_visible()
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        assert [(it["id"], [node["html"][:200] for node in it["nodes"][:3]]) for it in found] == []
        page.keyboard.press("Escape")


def test_keys_find_their_way_back(open_page):
    page = open_page("/incidents")
    page.keyboard.press("/")
    expect(page.locator("form.filters [type=search]")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(page.locator("tbody a.t").first).to_be_focused()
    page.locator("summary:has-text('Columns')").press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.locator("summary:has-text('Columns')")).to_be_focused()
    home = page.url.split("/incidents")[0]
    page.goto(home + "/risks/RSK-2")
    page.keyboard.press("e")
    expect(page.locator("[name=likelihood]:checked")).to_be_focused()
    page.goto(home)
    # Policies to acknowledge are before the incidents.
    for _ in range(page.locator("section[aria-labelledby=acknowledge] li").count() + 1):
        page.keyboard.press("j")
    page.keyboard.press("a")
    expect(page.locator(".toast").first).to_contain_text("assigned to Marta Lindqvist.")
    page.keyboard.press("z")
    expect(page.locator(".toast").first).to_contain_text("Undone.")
