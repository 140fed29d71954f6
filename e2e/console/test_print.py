"""What a page is on paper."""

import re

import pytest

# What is printed does not depend on the engine.
pytestmark = pytest.mark.parametrize("demo", ["sqlite"], indirect=True, scope="session")

PAGES = ["", "/incidents", "/incidents/INC-0001", "/risks/RSK-1", "/incidents/figures", "/risks/performance"]
CONTROLS = "button:not(.tick), input, select, textarea, summary .i, .btn, .empty, nav:not(.crumbs, .tabs, .pager)"
SHOWN = "(all) => all.filter(it => it.checkVisibility()).map(it => it.outerHTML.slice(0, 200))"
PRINTED = "(all) => all.filter(it => it.checkVisibility()).map(it => [it.innerText, getComputedStyle(it, '::after').content])"
FULL = re.compile(r'"\d{1,2} [A-Z][a-z]+ \d{4} \d\d:\d\d(:\d\d)? [A-Z]{3,4}"')


def test_a_printed_page_has_no_controls_and_full_dates(open_page):
    page = open_page(viewport={"width": 700, "height": 1000}, color_scheme="dark")
    home = page.url
    dates = []
    for path in PAGES:
        page.goto(home + path)
        page.emulate_media(media="print")
        assert page.eval_on_selector_all(CONTROLS, SHOWN) == [], path
        heads = page.locator(".sec > header:visible")
        alone = [it.inner_text() for it in heads.all() if it.evaluate("it => !it.nextElementSibling?.checkVisibility()")]
        assert alone == [], f"{path} has heads without anything below"
        dates += page.eval_on_selector_all("time", PRINTED)
        page.emulate_media(media="screen")
    assert len(dates) > 20
    assert [it for it in dates if it[0] or not FULL.fullmatch(it[1])] == []


def test_a_document_is_printed_as_its_text_in_force(open_page):
    page = open_page("/documents")
    proposed = None
    for address in page.eval_on_selector_all("main tbody a", "all => all.map(it => it.href)"):
        page.goto(address)
        if page.locator(".sheet ins").count():
            proposed = page.locator(".sheet ins").first
            break
    assert proposed, "the demo proposes a change"
    assert proposed.is_visible()
    page.emulate_media(media="print")
    assert page.eval_on_selector_all(f"{CONTROLS}, ins, .crumbs, .guide", SHOWN) == []
    assert page.locator(".sheet del").first.evaluate("it => getComputedStyle(it).textDecorationLine") == "none"
    assert page.locator("h1").is_visible() and page.locator(".sheet h2").first.is_visible()
