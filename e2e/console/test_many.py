"""Many incidents at once: changed after a look, deleted, and loaded as a file."""

import csv
import io
import re

import pytest
from playwright.sync_api import expect


def tick(page, count):
    """Ticks the boxes of the first rows; the numbers of their incidents."""
    numbers = page.locator("tbody td.id").all_inner_texts()[:count]
    for number in numbers:
        page.check(f"input[name=ids][value={number}]")
    return numbers


@pytest.mark.parametrize("has_scripts", [True, False])
def test_several_are_assigned_after_a_look_and_taken_back(open_page, has_scripts):
    page = open_page("/incidents?category=open&category=closed&sort=number", java_script_enabled=has_scripts)
    before = page.locator("tbody tr").all_inner_texts()[:3]
    tick(page, 3)
    expect(page.locator(".bulk")).to_be_visible()
    page.click(".bulk button:has-text('Assign')")
    page.select_option("#assigned_to", label="Tom Okafor")
    page.click("button:has-text('Preview')")
    expect(page.locator(".figures")).to_contain_text("would change")
    page.click("section.next button.main")
    expect(page.locator(".toast span").first).to_contain_text("updated.")
    for row in range(3):
        expect(page.locator("tbody tr").nth(row)).to_contain_text("Tom Okafor")
    page.click(".toast button:has-text('Undo')")
    expect(page.locator(".toast").first).to_contain_text("Undone")
    assert page.locator("tbody tr").all_inner_texts()[:3] == before


@pytest.mark.parametrize("has_scripts", [True, False])
def test_back_leads_through_the_steps_of_a_change(open_page, has_scripts):
    page = open_page("/incidents", java_script_enabled=has_scripts)
    page.goto(page.url + "?category=open&category=closed&sort=number")
    tick(page, 2)
    page.click(".bulk button:has-text('Change status')")
    page.select_option("#to", label="Contained")
    page.fill("#reason", "Typed before")
    page.click("button:has-text('Preview')")
    expect(page.locator(".figures")).to_be_visible()
    if has_scripts:
        page.go_back()
        expect(page.locator("#reason")).to_have_value("Typed before")
        page.go_back()
        expect(page.locator("tbody input:checked")).to_have_count(2)
        page.click(".bulk button:has-text('Assign')")
        page.select_option("#assigned_to", label="Tom Okafor")
        page.click("button:has-text('Preview')")
        page.click("section.next button.main")
        expect(page.locator(".toast span").first).to_contain_text("updated.")
        # The pages before the change are not shown as they were then, but loaded.
        for _ in range(2):
            with page.expect_event("load"):
                page.evaluate("history.back()")
        expect(page.locator("tbody tr").first).to_contain_text("Tom Okafor")
        page.go_back()
        expect(page.locator(".tabs [aria-current]")).to_have_text("Open")
    else:
        page.click("nav.crumbs a")
        assert page.url.endswith("/incidents?category=open&category=closed&sort=number")


def test_all_of_a_page_or_a_range_is_chosen(open_page):
    page = open_page("/incidents")
    chosen, rows = page.locator("[name=ids]:checked"), page.locator("tbody tr").count()
    page.check("[data-all]")
    expect(chosen).to_have_count(rows)
    expect(page.locator(".bulk output")).to_be_visible()
    page.keyboard.press("Escape")
    expect(chosen).to_have_count(0)
    page.locator("[name=ids]").nth(1).click()
    page.locator("[name=ids]").nth(4).click(modifiers=["Shift"])
    expect(chosen).to_have_count(4)
    expect(page.locator("[data-all]")).not_to_be_checked()
    # A menu is closed by Esc, which keeps what is chosen, or by a click beside it.
    for close in (lambda: page.keyboard.press("Escape"), lambda: page.click("h1")):
        page.click("details[name=filter] summary >> nth=0")
        expect(page.locator("details.drop[open]")).to_have_count(1)
        close()
        expect(page.locator("details.drop[open]")).to_have_count(0)
    expect(chosen).to_have_count(4)


def test_a_link_to_a_part_of_the_page_keeps_what_was_typed(open_page):
    page = open_page("/incidents")
    before = page.url
    page.goto(f"{before}/new")
    page.fill("#title", " ")
    page.click("main form summary")
    page.fill("#description", "Half of a sentence")
    page.click("main form button.main")
    page.click("[role=alert] a[href='#title']")
    page.focus(".skip")
    page.keyboard.press("Enter")
    expect(page.locator("#description")).to_have_value("Half of a sentence")
    assert page.url.endswith("#main")
    page.go_back()
    expect(page.locator("#description")).to_have_value("Half of a sentence")


@pytest.mark.parametrize("has_scripts", [True, False])
def test_a_search_from_the_list_looks_through_closed_incidents(open_page, has_scripts):
    page = open_page("/incidents?category=closed", java_script_enabled=has_scripts)
    title = page.locator("tbody a.t").first.inner_text()
    page.click("nav.tabs a:has-text('Open')")
    page.fill("form.filters input[name=q]", f'"{title}"')
    page.keyboard.press("Enter")
    expect(page.locator("tbody a.t", has_text=title).first).to_be_visible()


@pytest.mark.parametrize("has_scripts", [True, False])
def test_several_are_deleted_and_taken_back(open_page, has_scripts):
    page = open_page("/incidents?category=open&category=closed&sort=number", java_script_enabled=has_scripts)
    numbers = tick(page, 2)
    page.click(".bulk button:has-text('Delete')")
    expect(page.locator(".toast span").first).to_contain_text("2 incidents moved to trash.")
    page.click(".toast button:has-text('Undo')")
    expect(page.locator(".toast").first).to_contain_text("Undone")
    home = page.url.split("/incidents")[0]
    for number in numbers:
        assert page.goto(f"{home}/incidents/{number}").status == 200


@pytest.mark.parametrize("has_scripts", [True, False])
def test_several_risks_are_tagged_deleted_and_taken_back(open_page, has_scripts):
    page = open_page("/risks?status=open&status=closed&sort=number", java_script_enabled=has_scripts)
    before = page.locator("tbody tr").all_inner_texts()
    numbers = tick(page, 2)
    page.click(".bulk button:has-text('Change category')")
    page.fill("#category", "Moved together")
    page.click("button:has-text('Preview')")
    expect(page.locator(".figures")).to_contain_text("would change")
    page.click("section.next button.main")
    expect(page.locator(".toast span").first).to_contain_text("2 risks updated.")
    page.click(".toast button:has-text('Undo')")
    expect(page.locator(".toast").first).to_contain_text("Undone")
    assert page.locator("tbody tr").all_inner_texts() == before
    assert tick(page, 2) == numbers
    page.click(".bulk button:has-text('Delete')")
    expect(page.locator(".toast span").first).to_contain_text("2 risks moved to trash.")
    page.click(".toast button:has-text('Undo')")
    expect(page.locator(".toast").first).to_contain_text("Undone")
    assert page.locator("tbody tr").all_inner_texts() == before


@pytest.mark.parametrize("locale, separator", [("en-GB", ","), ("de-DE", ";")])
def test_a_list_is_loaded_as_a_file(open_page, locale, separator):
    page = open_page("/incidents?category=open&category=closed&severity=high", locale=locale)
    link = page.locator("a[download]").first
    total = int(re.search(r"\d+", link.inner_text())[0])
    with page.expect_download() as waiting:
        link.click()
    name = waiting.value.suggested_filename
    assert re.fullmatch(r"[a-z-]+-incidents-\d{4}-\d\d-\d\d\.csv", name), name
    content = waiting.value.path().read_bytes()
    assert content.startswith(b"\xef\xbb\xbf"), "a byte order mark"
    text = content.decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=separator))
    assert len(rows) == total > 0
    assert {row["Severity"] for row in rows} == {"High"}
    detected = next(name for name in rows[0] if name.startswith("Detected at ("))
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", row[detected]) for row in rows)


def test_the_columns_of_a_device_and_its_theme(open_page):
    page = open_page("/account")
    page.click("label:has(input[name=theme][value=dark])")
    page.click("section:has(#display) button")
    expect(page.locator("html[data-theme=dark]")).to_have_count(1)
    page.click("nav >> text=Incidents")
    page.click("summary:has-text('Columns')")
    page.uncheck("input[name=columns][value=tags]")
    page.check("input[name=columns][value=source]")
    page.click("form.menu button:has-text('Apply')")
    expect(page.locator("thead")).to_contain_text("Source")
    expect(page.locator("thead")).not_to_contain_text("Tags")


def test_the_journal_is_proved_and_loaded(open_page):
    page = open_page("/journal")
    page.click("text=Verify now")
    expect(page.locator(".note.good")).to_contain_text("Audit chain intact")
    with page.expect_download() as waiting:
        page.click("main a[download]")
    lines = waiting.value.path().read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 900 and lines[0].startswith('{"seq":1,')
