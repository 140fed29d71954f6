"""What a phone has of its own: the bar at the foot, fields as wide as the screen, and toasts that cover nothing."""

import re

import pytest
from playwright.sync_api import expect

# What a page looks like does not depend on the engine.
pytestmark = pytest.mark.parametrize("demo", ["sqlite"], indirect=True, scope="session")

PHONES = [{"width": 375, "height": 700}, {"width": 320, "height": 600}]

# The boxes of the visible fields of the page that take a text or a choice.
FIELDS = """() => [...document.querySelectorAll("main :is(.input, .area, .select):not([type=color])")]
    .filter((field) => field.checkVisibility() && field.closest(".facts") === null).map((field) => [field.id || field.name, field.clientWidth])"""

OVERLAPS = """([one, other]) => {
    const [a, b] = [one, other].map((selector) => document.querySelector(selector).getBoundingClientRect());
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}"""


def declared(open_page, phone, has_scripts=True):
    page = open_page("/incidents/new", viewport=phone, has_touch=True, java_script_enabled=has_scripts)
    page.fill("#title", "Declared on a phone")
    page.click("main button.main")
    page.wait_for_url(re.compile(r"/incidents/INC-\d+$"))
    return page


@pytest.mark.parametrize("phone", PHONES)
@pytest.mark.parametrize("has_scripts", [True, False])
def test_the_next_step_and_the_comment_are_at_the_foot(open_page, phone, has_scripts):
    page = declared(open_page, phone, has_scripts)
    bar = page.locator(".thumb")
    box = bar.bounding_box()
    assert box["y"] + box["height"] == pytest.approx(phone["height"], abs=1), "it is at the foot of the screen"
    assert box["width"] == pytest.approx(phone["width"], abs=1)
    bar.get_by_text("Comment").click()
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.type("Written with a thumb")
    if has_scripts:
        assert not page.evaluate(OVERLAPS, [".thumb", "#text"])
    bar.get_by_text("Start investigating").click()
    expect(page.locator("[aria-current=step] b")).to_have_text("Investigating")
    if has_scripts:
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        assert not page.evaluate(OVERLAPS, [".thumb", ".foot"]), "nothing is under it at the end"
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(bar).to_be_hidden()


@pytest.mark.parametrize("phone", PHONES)
def test_a_toast_covers_nothing_that_is_typed(open_page, phone):
    page = declared(open_page, phone)
    page.locator(".thumb").get_by_text("Start investigating").click()
    expect(page.locator(".toast:not([hidden])")).to_be_visible()
    assert not page.evaluate(OVERLAPS, [".toast", ".thumb"])
    for field in ["#task", "#text"]:
        for place in ["start", "center", "end"]:
            page.locator(field).evaluate(f"field => field.scrollIntoView({{block: '{place}'}})")
            page.locator(field).focus()
            assert not page.evaluate(OVERLAPS, [".toast", field]), (field, place)


@pytest.mark.parametrize("path", ["/incidents/new", "/risks/new", "/risks/RSK-1", "/tags", "/incidents/INC-0001"])
def test_fields_have_the_width_of_the_screen(open_page, path):
    for phone in PHONES:
        page = open_page(path, viewport=phone, has_touch=True)
        narrow = [it for it in page.evaluate(FIELDS) if it[1] < 0.6 * phone["width"]]
        assert narrow == [], phone


def test_a_tag_takes_two_lines(open_page):
    page = open_page("/tags", viewport=PHONES[0], has_touch=True)
    heights = page.eval_on_selector_all("tbody tr", "all => all.map(it => it.offsetHeight)")
    assert len(heights) > 5 and max(heights) < 80, heights


def test_a_task_has_room_for_its_title(open_page):
    for phone in PHONES:
        page = open_page("/incidents/INC-0060", viewport=phone, has_touch=True)
        widths = page.eval_on_selector_all(".todo > li:has(.tick) > .grow", "all => all.map(it => it.clientWidth)")
        assert len(widths) > 1 and min(widths) > 0.55 * phone["width"], widths


def test_the_list_of_documents_says_whom_a_proposal_waits_for(open_page):
    for width in [320, 480, 720]:
        page = open_page("/documents", viewport={"width": width, "height": 700})
        names = page.locator("tbody .names").all()
        assert len(names) > 1 and all(it.is_visible() for it in names), width
        assert not page.evaluate(OVERLAPS, ["tr:has(.names) .main a", "tr:has(.names) .names"]), width
        wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wider) == 0, width
