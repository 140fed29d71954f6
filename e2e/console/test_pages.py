"""What holds for every page of the console, in both themes and at every width."""

import json

import pytest

from service import PATIENCE

from .conftest import AXE

# What a page looks like does not depend on the engine.
pytestmark = pytest.mark.parametrize("demo", ["sqlite"], indirect=True, scope="session")

WIDTHS = [320, 600, 768, 960, 1024, 1200, 1920]


def pages(page):
    """The pages that the navigation and the lists lead to: one of each kind."""
    home = page.url
    found, kinds = [""], set()
    queue = [home]
    seen = {home}
    while queue:
        page.goto(queue.pop(0))
        for link in page.eval_on_selector_all("a[href]:not([download])", "links => links.map(link => link.href)"):
            address = link.split("#")[0].split("?")[0]
            if not address.startswith(home) or address in seen:
                continue
            seen.add(address)
            path = address[len(home) :]
            # INC-0001 and INC-0002 are of one kind.
            kind = tuple("#" if any(it.isdigit() for it in part) else part for part in path.split("/"))
            if kind not in kinds:
                kinds.add(kind)
                found.append(path)
                queue.append(address)
    return found


@pytest.fixture(scope="module")
def every_page(chromium, signed_in):
    state, home = signed_in
    context = chromium.new_context(storage_state=state)
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(home)
    found = pages(page)
    context.close()
    assert len(found) >= 6, found
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(open_page, every_page, theme):
    page = open_page(color_scheme=theme, viewport={"width": 1280, "height": 900}, bypass_csp=True)
    home = page.url
    for path in every_page:
        page.goto(home + path)
        page.evaluate(AXE)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        told = [(it["id"], [node["html"][:200] for node in it["nodes"][:3]]) for it in found]
        assert told == [], f"{path} in {theme}: {json.dumps(told, indent=1)}"


def test_no_page_scrolls_sideways(open_page, every_page):
    page = open_page()
    home = page.url
    wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    for path in every_page:
        page.set_viewport_size({"width": WIDTHS[0], "height": 800})
        page.goto(home + path)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            scrolls = page.evaluate(wider)
            assert scrolls <= 0, f"{path} at {width} px scrolls by {scrolls} px"
        page.set_viewport_size({"width": 1280, "height": 900})
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        scrolls = page.evaluate(wider)
        assert scrolls <= 0, f"{path} with text of 200 % scrolls by {scrolls} px"
