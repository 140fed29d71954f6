"""Forms in a real browser: only what was touched is sent, and nobody acts on what a page does not show any more."""

import re

import pytest
from playwright.sync_api import expect


def declare(page, title):
    """Declares an incident; returns its address within the organization."""
    page.fill("#title", title)
    page.click("main form button.main")
    page.wait_for_url(re.compile(r"/incidents/INC-\d+$"))
    return re.search(r"/incidents/INC-\d+$", page.url)[0]


@pytest.mark.parametrize("has_scripts", [True, False])
def test_a_time_that_is_not_touched_is_not_sent(open_page, has_scripts):
    page = open_page("/incidents/new", java_script_enabled=has_scripts)
    address = declare(page, "Gate will not close")
    page = open_page(f"{address}/edit", java_script_enabled=has_scripts)
    page.fill("#occurred_date", "2026-01-05T10:00:00")
    page.click("main button.main")
    page.wait_for_url(re.compile(r"/INC-\d+$"))
    page = open_page(f"{address}/edit", java_script_enabled=has_scripts)
    # The browser has dropped the seconds, which are zero.
    assert page.input_value("#occurred_date") in ("2026-01-05T10:00", "2026-01-05T10:00:00")
    page.fill("#title", "Gate does not close")
    page.click("main button.main")
    page.wait_for_url(re.compile(r"/INC-\d+$"))
    expect(page.locator(".line li >> nth=0")).to_contain_text("changed the title")
    expect(page.locator(".line li >> nth=0")).not_to_contain_text("occurred")
    page = open_page(f"{address}/edit", java_script_enabled=has_scripts)
    page.click("main button.main")
    expect(page.locator(".toasts")).to_contain_text("Nothing to change")
    assert page.locator(".toasts button").count() == 0


@pytest.mark.parametrize("has_scripts", [True, False])
def test_a_time_that_exists_twice_is_chosen(open_page, has_scripts):
    page = open_page("/account", java_script_enabled=has_scripts)
    home = page.url.removesuffix("/account")
    page.fill("#zone", "Europe/Berlin")
    page.click("form[action$='/display'] button")
    expect(page.locator(".toasts")).to_contain_text("this device")
    page.goto(f"{home}/incidents/new")
    edit = f"{home}{declare(page, 'Clock of the till is wrong')}/edit"
    page.goto(edit)
    page.fill("#occurred_date", "2025-10-26T02:30")
    page.click("main button.main")
    expect(page.locator("#occurred_date-error")).to_contain_text("exists twice")
    page.check("input[name=occurred_date_instant] >> nth=1")
    page.click("main button.main")
    page.wait_for_url(re.compile(r"/INC-\d+$"))
    assert page.locator("time[datetime='2025-10-26T01:30:00.000000Z']").count() >= 1
    # The form shows which of the two it is, and keeps it.
    page.goto(edit)
    assert page.locator("input[name=occurred_date_instant] >> nth=1").is_checked()
    page.fill("#source", "A call")
    page.click("main button.main")
    page.wait_for_url(re.compile(r"/INC-\d+$"))
    assert page.locator("time[datetime='2025-10-26T01:30:00.000000Z']").count() >= 1


@pytest.mark.parametrize("has_scripts", [True, False])
def test_who_comes_second_is_told_who_was_first(open_page, has_scripts):
    page = open_page("/incidents/new", java_script_enabled=has_scripts)
    address = declare(page, "Lift stuck")
    first, second = (open_page(address, java_script_enabled=has_scripts) for _ in range(2))
    first.click("text=Start investigating")
    expect(first.locator("[aria-current=step] b")).to_have_text("Investigating")
    second.click("text=Assign to me")
    expect(second.locator("[role=alert]")).to_contain_text("assigned the incident to themselves (Today")
    assert second.locator("text=Assign to me").count() == 0
    assert second.locator(".toasts button").count() == 0
    second.click(".next button:has-text('Mark as contained')")
    expect(second.locator("[aria-current=step] b")).to_have_text("Contained")


def test_the_key_of_the_next_step_opens_it_and_never_makes_it(open_page):
    page = open_page("/incidents/new")
    address = declare(page, "Pallet fell")
    page = open_page(address)
    page.keyboard.press("r")
    expect(page.locator("form[data-key=r] button.main")).to_be_focused()
    expect(page.locator("[aria-current=step] b")).to_have_text("New")
    page.keyboard.press("Enter")
    expect(page.locator("[aria-current=step] b")).to_have_text("Investigating")
    page.click("form[data-key=r] button.main")
    expect(page.locator("[aria-current=step] b")).to_have_text("Contained")
    # A step that asks for something begins in its first field.
    page.locator("body").press("r")
    expect(page.locator("#resolved-reason")).to_be_focused()
    expect(page.locator("[aria-current=step] b")).to_have_text("Contained")
