"""Two people at the same record, and what is at hand on every page."""

import re

import pytest
from playwright.sync_api import expect


def test_the_slower_of_two_loses_nothing(open_page):
    first, second = open_page("/risks/RSK-2/edit"), open_page("/risks/RSK-2/edit")
    first.fill("#title", "Medicines leave their range in storage")
    first.fill("#category", "Cold chain")
    first.click("main button.main")
    first.wait_for_url(re.compile(r"/RSK-2$"))
    second.fill("#title", "Medicines get warm in storage")
    second.click("main button.main")
    expect(second.locator(".note.bad")).to_contain_text("changed it (Today")
    assert second.input_value("#title") == "Medicines get warm in storage"
    assert second.inner_text("q") == "Medicines leave their range in storage"
    assert second.input_value("#category") == "Cold chain"
    second.click("main button.main")
    second.wait_for_url(re.compile(r"/RSK-2$"))
    assert second.inner_text("h1") == "Medicines get warm in storage"


def test_an_open_page_notices_a_change_and_keeps_what_is_typed(open_page):
    reader, writer = open_page("/incidents/INC-0003"), open_page("/incidents/INC-0003")
    reader.fill("#text", "Half a sentence")
    assert reader.locator("#news").is_hidden()
    writer.fill("#text", "Something new.")
    writer.click("section:has(#timeline) form button.main")
    reader.wait_for_selector("#news:visible")
    assert reader.input_value("#text") == "Half a sentence"
    reader.click("#news a")
    expect(reader.locator(".say >> nth=0")).to_contain_text("Something new.")


def test_an_open_list_says_how_many_are_new(open_page):
    reader, writer = open_page("/incidents"), open_page("/incidents/new")
    rows = reader.locator("tbody tr").count()
    writer.fill("#title", "Forklift stuck in aisle 9")
    writer.click("main form button.main")
    writer.wait_for_url(re.compile(r"/INC-\d+"))
    reader.wait_for_selector("#news:visible")
    expect(reader.locator("#news")).to_contain_text("1 new since you opened this list.")
    assert reader.locator("tbody tr").count() == rows
    reader.click("#news a")
    expect(reader.locator("tbody tr").first).to_contain_text("Forklift stuck in aisle 9")


@pytest.mark.parametrize("has_scripts", [True, False])
def test_risks_are_evaluated_and_explained(open_page, has_scripts):
    page = open_page("/risks/RSK-7", java_script_enabled=has_scripts)
    page.check("input[name=likelihood][value='1']")
    page.fill("#note", "A second generator")
    page.click("section:has(#evaluate) button.main")
    expect(page.locator("table:has-text('Evaluations') tbody tr >> nth=0")).to_contain_text("A second generator")
    page.click("nav >> text=Heat map")
    page.click(".heat a >> nth=0")
    assert page.locator("main aside li").count() >= 1
    page.click("nav >> text=Performance")
    expect(page.locator(".formula.sm").first).to_contain_text("%")


@pytest.mark.parametrize("has_scripts", [True, False])
def test_documents_are_chosen_in_place(open_page, has_scripts):
    page = open_page("/documents", java_script_enabled=has_scripts)
    page.click("tbody a.t >> nth=0")
    page.click(".sheet summary >> nth=0")
    page.locator(".sheet form input[type=radio]:visible, .sheet form textarea:visible").first.wait_for()
    radios = page.locator(".sheet form input[type=radio]:visible")
    if radios.count():
        page.locator(".sheet form input[type=radio]:visible:not(:checked)").last.check()
    page.locator(".sheet form button:visible").first.click()
    expect(page.locator(".toasts")).to_contain_text("open proposal")


def test_anything_is_found_by_keyboard(open_page):
    page = open_page()
    page.keyboard.press("Control+k")
    expect(page.locator("#palette #q")).to_be_focused()
    page.keyboard.type("heat")
    expect(page.locator("#places li")).to_have_count(2)  # the map, and a search
    marked = page.locator("#places [aria-selected=true]")
    page.keyboard.press("ArrowDown")
    expect(marked).to_contain_text("Search everything")
    page.keyboard.press("ArrowUp")
    expect(marked).to_have_text("Heat map")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/risks/heat-map$"))
    page.keyboard.press("?")
    page.wait_for_url(re.compile(r"/keys$"))
    page.keyboard.press("g")
    page.keyboard.press("i")
    page.wait_for_url(re.compile(r"/incidents$"))
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.closest('tr').rowIndex") == 2
    page.keyboard.press("x")
    assert page.locator("tbody input:checked").count() == 1
    page.keyboard.press("/")
    page.keyboard.type("cold")
    expect(page.locator("input[type=search]:focus")).to_have_value("cold")


PRESS = """([key, code, more]) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true, ...more }))"""


def test_shortcuts_work_on_every_keyboard_and_not_while_somebody_writes(open_page):
    page = open_page("/incidents")

    def press(key, code, **more):
        page.evaluate(PRESS, [key, code, more])
        return page.evaluate("document.activeElement.closest('tr')?.rowIndex ?? 0")

    assert press("J", "KeyJ") == 1, "Caps Lock"
    assert press("о", "KeyJ") == 2, "a Cyrillic layout"
    assert press("О", "KeyJ") == 3, "a Cyrillic layout with Caps Lock"
    assert press("л", "KeyK") == 2
    assert press("j", "KeyC") == 3, "a Latin layout that has its letters elsewhere"
    assert press("j", "KeyJ", isComposing=True) == 3, "a word is being composed"
    page.focus("main input[type=search]")
    assert press("о", "KeyJ") == 0, "in a field"
    expect(page.locator("main input[type=search]")).to_be_focused()
    press("л", "KeyK", ctrlKey=True, isComposing=True)
    expect(page.locator("#palette")).to_be_hidden()
    page.evaluate(PRESS, ["л", "KeyK", {"ctrlKey": True}])
    expect(page.locator("#palette")).to_be_visible()


def test_pages_print_black_on_white_without_the_frame(open_page):
    page = open_page("/incidents/INC-0001", color_scheme="dark")
    page.emulate_media(media="print")
    assert page.locator(".side").is_hidden()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)")
    assert len(page.pdf()) > 10_000


def test_a_form_is_answered_in_place(open_page):
    page = open_page("/incidents/INC-0002", viewport={"width": 1280, "height": 500})
    page.evaluate("window.isSamePage = true")
    page.fill("#task", "Look into it")
    page.locator("#task").scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    page.press("#task", "Enter")
    page.wait_for_selector("section:has(#tasks) >> text=Look into it")
    assert page.evaluate("window.isSamePage") is True
    assert abs(page.evaluate("scrollY") - before) < 60
    assert page.evaluate("document.activeElement.id") == "task"
    expect(page.locator(".toasts")).to_contain_text("Task added.")
    # What leads to another page begins there at its top, and the way back is the browser's.
    page.click("[data-key='e']")
    page.wait_for_url(re.compile(r"/edit$"))
    page.fill("#source", "A call")
    page.click("main button.main")
    page.wait_for_url(re.compile(r"/INC-0002$"))
    assert page.evaluate("scrollY") == 0
    page.go_back()
    page.wait_for_url(re.compile(r"/edit$"))
    assert page.input_value("#source") == "A call"
