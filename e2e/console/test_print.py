"""What a page is on paper."""

import re

import pytest
from playwright.sync_api import expect

# What is printed does not depend on the engine.
pytestmark = pytest.mark.parametrize("demo", ["sqlite"], indirect=True, scope="session")

PAGES = ["", "/incidents", "/incidents/INC-0001", "/risks/RSK-1", "/incidents/figures", "/risks/performance"]
CONTROLS = "button:not(.tick), input, select, textarea, summary .i, .btn, .empty, nav:not(.crumbs, .tabs, .pager)"
SHOWN = "(all) => all.filter(it => it.checkVisibility()).map(it => it.outerHTML.slice(0, 200))"
PRINTED = "(all) => all.filter(it => it.checkVisibility()).map(it => [it.innerText, getComputedStyle(it, '::after').content])"
ALONE = """(all) => all.filter(it => it.checkVisibility())
    .filter(it => ![...it.parentElement.children].some(other => other !== it && other.checkVisibility()))
    .map(it => it.innerText)"""
STRUCK = "(all) => all.filter(it => getComputedStyle(it).textDecorationLine !== 'none').map(it => it.innerText)"
HEAD = re.compile(r"Harrowmere .+\s\d{1,2} [A-Z][a-z]+ \d{4} \d\d:\d\d(:\d\d)? [A-Z]{3,4}")
FULL = re.compile(r'"\d{1,2} [A-Z][a-z]+ \d{4} \d\d:\d\d(:\d\d)? [A-Z]{3,4}"')


def test_a_printed_page_has_no_controls_and_full_dates(open_page):
    page = open_page(viewport={"width": 700, "height": 1000}, color_scheme="dark")
    home = page.url
    dates = []
    for path in PAGES:
        page.goto(home + path)
        page.emulate_media(media="print")
        assert page.eval_on_selector_all(CONTROLS, SHOWN) == [], path
        assert HEAD.fullmatch(page.locator(".print-head").inner_text()), path
        assert page.eval_on_selector_all(".sec > header", ALONE) == [], f"{path} has heads without anything below"
        dates += page.eval_on_selector_all("time", PRINTED)
        page.emulate_media(media="screen")
    assert len(dates) > 20
    assert [it for it in dates if it[0] or not FULL.fullmatch(it[1])] == []


def test_a_document_is_printed_as_its_text_in_force(open_page):
    page = open_page("/documents")
    proposed = []
    for address in page.eval_on_selector_all("main tbody a.t", "all => all.map(it => it.href)"):
        page.goto(address)
        proposed = page.locator(".sheet ins").all_inner_texts()
        if proposed:
            break
    assert proposed, "the demo proposes a change"
    page.emulate_media(media="print")
    assert page.eval_on_selector_all(f"{CONTROLS}, ins, .crumbs, .guide", SHOWN) == []
    assert page.eval_on_selector_all(".sheet del", STRUCK) == []
    assert page.locator("h1").is_visible() and page.locator(".sheet h2").first.is_visible()
    page.emulate_media(media="screen")
    assert page.locator(".sheet ins").all_inner_texts() == proposed


def test_a_proposal_is_printed_with_its_changes(open_page):
    page = open_page("/documents")
    page.locator("main a[href*='/proposals/']").first.click()
    page.wait_for_url("**/proposals/*")
    page.emulate_media(media="print")
    assert page.locator("main td ins").count() > 0
    assert page.locator("main td ins").evaluate_all("all => all.every(it => it.checkVisibility())")
    assert page.eval_on_selector_all(CONTROLS, SHOWN) == []


def test_a_draft_of_a_review_is_printed_as_its_text(open_page):
    page = open_page("/incidents/new")
    page.fill("#title", "To be reviewed")
    page.click("main button.main")
    page.wait_for_url(re.compile(r"/incidents/INC-\d+$"))
    page.goto(page.url + "/review")
    page.fill("#summary", "The **roof** leaked.")
    page.click("main button.main")
    expect(page.locator(".toast").first).to_contain_text("Review saved.")
    expect(page.locator(".printed")).to_be_hidden()
    page.emulate_media(media="print")
    assert page.eval_on_selector_all(CONTROLS, SHOWN) == []
    expect(page.locator(".printed strong")).to_have_text("roof")
    expect(page.locator(".head .badge")).to_have_text("Draft")
    expect(page.locator(".tip")).to_be_hidden()
