"""Saved views: a list gets a name and a tab, is shared, gets other filters, and is deleted."""

import json

import pytest
from playwright.sync_api import expect

from .conftest import AXE


def current(page):
    return page.locator(".tabs a[aria-current]")


def save(page, name):
    page.click("summary:has-text('Save view')")
    page.fill("#view-name", name)
    page.click(".menu button:text-is('Save')")
    expect(page.locator(".toast span").first).to_contain_text("View saved.")


@pytest.mark.parametrize("has_scripts", [True, False])
def test_a_list_is_saved_shared_changed_and_deleted(open_page, has_scripts):
    name = f"Severe {has_scripts}"
    page = open_page("/incidents?severity=critical&severity=high&sort=severity", java_script_enabled=has_scripts)
    rows = page.locator("tbody tr").all_inner_texts()
    save(page, name)
    expect(current(page)).to_have_text(name)
    assert page.locator("tbody tr").all_inner_texts() == rows
    page.click("nav >> text=Incidents")
    expect(current(page)).to_have_text("Open")
    page.click(f".tabs a:has-text('{name}')")
    expect(current(page)).to_have_text(name)
    page.click("text=Edit view")
    page.check("input[name=shared]")
    page.click("main form.stack button.main")
    expect(current(page)).to_have_text(f"{name} shared")
    page.goto(page.url.split("?")[0] + "?status=contained")
    page.click("summary:has-text('Save view')")
    page.select_option("#view-id", label=f"{name} (shared)")
    page.click("text=Update view")
    expect(current(page)).to_have_text(f"{name} shared")
    assert "status=contained" in page.url
    page.click("text=Edit view")
    page.click("text=Delete view")
    expect(page.locator(".toast span").first).to_contain_text("View deleted.")
    expect(page.locator(f".tabs a:has-text('{name}')")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pages_of_a_view_are_accessible_and_fit(open_page, theme):
    page = open_page("/risks?owner=me", color_scheme=theme, bypass_csp=True)
    save(page, f"A rather long name of a view, as somebody may well write it, in {theme}")
    address = page.locator("text=Edit view").get_attribute("href")
    home = page.url.split("/o/")[0]
    query = "list=risks&query=owner%3Dnone"
    for path in [page.url.removeprefix(home), address, "/".join(address.split("/")[:-1]) + f"/new?{query}", "menu"]:
        if path == "menu":
            page.goto(f"{home}{address.split('/views')[0]}/risks?owner=none")
            page.click("summary:has-text('Save view')")
        else:
            page.goto(home + path)
        page.evaluate(AXE)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
        told = [(it["id"], [node["html"][:200] for node in it["nodes"][:3]]) for it in found]
        assert told == [], f"{path} in {theme}: {json.dumps(told, indent=1)}"
        for width in [320, 390, 768, 1280]:
            page.set_viewport_size({"width": width, "height": 800})
            scrolls = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            assert scrolls <= 0, f"{path} at {width} px scrolls by {scrolls} px"
    page.goto(home + address)
    page.click("text=Delete view")
    # Otherwise the browser may end before it has sent that.
    expect(page.locator(".toast span").first).to_contain_text("View deleted.")
