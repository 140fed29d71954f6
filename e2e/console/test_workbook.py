"""From nothing and the workbook that people have to a heat map and a printed report, in a browser."""

import re

import pytest
from playwright.sync_api import expect

from service import PATIENCE, ROOT

WORKBOOK = ROOT / "docs" / "risk-register.xlsx"


@pytest.mark.parametrize("has_scripts", [True, False])
def test_a_workbook_becomes_a_heat_map_and_a_report(empty, chromium, has_scripts):
    url, link = empty
    context = chromium.new_context(java_script_enabled=has_scripts)
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(link)
    if not has_scripts:
        page.fill("#code", link.split("#")[1])
    for field, value in {
        "organization": "Harbour Foods",
        "time_zone": "Europe/Berlin",
        "name": "Ada King",
        "email": "ada@example.org",
        "password": "nine green bottles",
    }.items():
        page.fill(f"#{field}", value)
    page.click("button.main")
    home = f"{url}/o/harbour-foods"
    page.wait_for_url(f"{home}/incidents/new")
    # She looks for her risks, and brings the file that she has.
    page.click("nav[aria-label='Main'] >> text=Risks")
    page.click("main >> text=Import a spreadsheet")
    page.set_input_files("#file", WORKBOOK)
    page.click("main button:text-is('Upload')")
    expect(page.locator("#questions")).to_be_visible()
    page.click("main button:text-is('Preview')")
    expect(page.locator("#preview")).to_contain_text("50")
    page.click("main button:has-text('Import 50')")
    page.click("main a:text-is('Heat map')")
    page.wait_for_url(f"{home}/risks/heat-map")
    placed = re.search(r"(\d+) of 50 open risks", page.locator("main .head").inner_text())[1]
    cells = page.locator(".heat .cell b").evaluate_all("all => all.map(it => parseInt(it.textContent))")
    assert sum(cells) == int(placed) >= 40, (cells, placed)
    # The report for the board, as a file that is printed.
    page.goto(f"{home}/reports/risks")
    expect(page.locator("h1")).to_contain_text("Risk report")
    with page.expect_download() as download:
        page.click("main a:has-text('PDF')")
    assert download.value.path().read_bytes().startswith(b"%PDF-")
    context.close()
