"""Risks evaluated one after the other: by keys, and without scripts as plain forms."""

import json
import re
import urllib.request

import pytest
from playwright.sync_api import expect

from .conftest import AXE

# So many risks are evaluated by keys.
RISKS = 3

COUNT_KEYS = """addEventListener("keydown", () => {
    sessionStorage.keys = Number(sessionStorage.keys ?? 0) + 1;
}, true)"""


def api(demo, method, path, body=None, token=None):
    """What the API answers."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    sent = urllib.request.Request(demo.url + path, json.dumps(body).encode() if body else None, headers, method=method)
    with urllib.request.urlopen(sent) as answer:
        return json.load(answer)


@pytest.fixture(scope="module")
def token(demo):
    """A session of the person whose password the service printed."""
    email, password = demo.credentials()
    return api(demo, "POST", "/v1/session", {"email": email, "password": password})["token"]


def latest(demo, token, risk):
    return api(demo, "GET", f"/v1/risks/{risk}/evaluations?limit=1", token=token)["data"][0]


def shown(page):
    """The risk that the page is about."""
    return re.search(r"/(RSK-\d+)/evaluate", page.url)[1]


def test_an_evaluation_takes_at_most_4_keys(open_page, demo, token):
    page = open_page("/risks")
    page.add_init_script(COUNT_KEYS)
    page.click("text=Evaluate these")
    expect(page.locator("#likelihood")).to_be_focused()
    expected = []
    for place in range(RISKS):
        risk, rating = shown(page), (1 + place, 5 - place)
        before = int(page.evaluate("sessionStorage.keys ?? 0"))
        for level in rating:
            page.keyboard.press(str(level))
        expect(page.locator("#save")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator(".acts .dim")).to_contain_text(f"{place + 2} of ")
        expect(page.locator(".toast").first).to_contain_text(f"{risk} evaluated.")
        expect(page.locator("#likelihood")).to_be_focused()
        assert int(page.evaluate("sessionStorage.keys")) - before <= 4
        expected.append((risk, rating))
    for risk, rating in expected:
        made = latest(demo, token, risk)
        assert (made["likelihood"], made["impact"], made["note"]) == (*rating, None), risk


def test_a_rationale_skipping_and_going_back(open_page, demo, token):
    page = open_page("/risks")
    page.click("text=Evaluate these")
    expect(page.locator("#likelihood")).to_be_focused()
    first = shown(page)
    page.keyboard.press("s")
    expect(page.locator(".acts .dim")).to_contain_text("2 of ")
    page.keyboard.press("p")
    expect(page.locator(".acts .dim")).to_contain_text("1 of ")
    # A digit is corrected by beginning again.
    for key in ["5", "5", "2", "3", "n"]:
        page.keyboard.press(key)
    expect(page.locator("#note")).to_be_focused()
    page.keyboard.type("The pumps work: 12 of 12")
    page.keyboard.press("Enter")
    expect(page.locator(".acts .dim")).to_contain_text("2 of ")
    made = latest(demo, token, first)
    assert (made["likelihood"], made["impact"], made["note"]) == (2, 3, "The pumps work: 12 of 12")


def test_selected_risks_are_evaluated_without_scripts(open_page, demo, token):
    page = open_page("/risks?sort=number", java_script_enabled=False)
    numbers = page.locator("tbody td.id").all_inner_texts()[:2]
    for number in numbers:
        page.check(f"input[name=ids][value={number}]")
    page.click(".bulk button:has-text('Evaluate')")
    for place, number in enumerate(numbers, start=1):
        expect(page.locator(".acts .dim")).to_have_text(f"{place} of 2")
        page.check("input[name=likelihood][value='4']")
        page.check("input[name=impact][value='1']")
        page.click("#save")
    page.wait_for_url(re.compile("/risks$"))
    for number in numbers:
        made = latest(demo, token, number)
        assert (made["likelihood"], made["impact"]) == (4, 1)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_is_accessible_and_narrow(open_page, theme):
    page = open_page("/risks/evaluate", color_scheme=theme, viewport={"width": 320, "height": 800}, bypass_csp=True)
    page.evaluate(AXE)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert [it["id"] for it in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
