"""Risks evaluated one after the other: by keys, and without scripts as plain forms."""

import re

import pytest
import requests
from playwright.sync_api import expect

from service import PATIENCE

from .conftest import AXE

# So many risks are evaluated by keys.
RISKS = 3

COUNT_KEYS = """addEventListener("keydown", () => {
    sessionStorage.keys = Number(sessionStorage.keys ?? 0) + 1;
}, true)"""


@pytest.fixture(scope="module")
def headers(demo):
    """A session of the person whose password the service printed."""
    email, password = demo.credentials()
    signed_in = requests.post(f"{demo.url}/v1/session", json={"email": email, "password": password}, timeout=PATIENCE)
    return {"Authorization": f"Bearer {signed_in.json()['token']}"}


def latest(demo, headers, risk):
    """Likelihood, impact and note of the latest evaluation, as the API has it."""
    path = f"{demo.url}/v1/risks/{risk}/evaluations?limit=1"
    made = requests.get(path, headers=headers, timeout=PATIENCE).json()["data"][0]
    return made["likelihood"], made["impact"], made["note"]


def shown(page):
    """The risk that the page is about."""
    return re.search(r"/(RSK-\d+)/evaluate", page.url)[1]


def test_an_evaluation_takes_at_most_4_keys(open_page, demo, headers):
    page = open_page("/risks")
    page.add_init_script(COUNT_KEYS)
    page.click("text=Evaluate these")
    page.wait_for_load_state()
    expect(page.locator("#likelihood")).to_be_focused()
    expected = []
    for place in range(RISKS):
        risk, rating = shown(page), (1 + place, 5 - place)
        before = int(page.evaluate("sessionStorage.keys ?? 0"))
        for level in rating:
            page.keyboard.press(str(level))
        expect(page.locator("#save")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(".head .acts .dim")).to_contain_text(f"{place + 2} of ")
        expect(page.locator(".toast").first).to_contain_text(f"{risk} evaluated.")
        expect(page.locator("#likelihood")).to_be_focused()
        assert int(page.evaluate("sessionStorage.keys")) - before <= 4
        expected.append((risk, rating))
    for risk, rating in expected:
        assert latest(demo, headers, risk) == (*rating, None), risk


def test_a_rationale_skipping_and_going_back(open_page, demo, headers):
    page = open_page("/risks")
    page.click("text=Evaluate these")
    page.wait_for_load_state()
    expect(page.locator("#likelihood")).to_be_focused()
    first = shown(page)
    for key, place in [("s", "2 of "), ("p", "1 of ")]:
        page.wait_for_load_state()
        page.keyboard.press(key)
        expect(page.locator(".head .acts .dim")).to_contain_text(place)
    page.wait_for_load_state()
    # A digit is corrected by beginning again.
    for key in ["5", "5", "2", "3", "n"]:
        page.keyboard.press(key)
    expect(page.locator("#note")).to_be_focused()
    page.keyboard.type("The pumps work: 12 of 12")
    page.keyboard.press("Enter")
    expect(page.locator(".head .acts .dim")).to_contain_text("2 of ")
    assert latest(demo, headers, first) == (2, 3, "The pumps work: 12 of 12")


def test_selected_risks_are_evaluated_without_scripts(open_page, demo, headers):
    page = open_page("/risks?sort=number", java_script_enabled=False)
    numbers = page.locator("tbody td.id").all_inner_texts()[:2]
    for number in numbers:
        page.check(f"input[name=ids][value={number}]")
    page.click(".bulk button:has-text('Evaluate')")
    for place, number in enumerate(numbers, start=1):
        expect(page.locator(".head .acts .dim")).to_have_text(f"{place} of 2")
        page.check("input[name=likelihood][value='4']")
        page.check("input[name=impact][value='1']")
        page.click("#save")
    page.wait_for_url(re.compile("/risks$"))
    for number in numbers:
        assert latest(demo, headers, number) == (4, 1, None)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_is_accessible_and_narrow(open_page, theme):
    page = open_page("/risks/evaluate", color_scheme=theme, viewport={"width": 320, "height": 800}, bypass_csp=True)
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert [it["id"] for it in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
