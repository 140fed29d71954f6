"""The main path of an incident, with and without JavaScript."""

import re

import pytest
from playwright.sync_api import expect

from service import PATIENCE

from .conftest import sign_in


@pytest.mark.parametrize("has_scripts", [True, False])
def test_an_incident_from_the_first_word_to_the_last(open_page, has_scripts):
    page = open_page("/incidents/new", java_script_enabled=has_scripts)
    page.fill("#title", "Labels printed twice")
    page.click("main button.main")
    page.wait_for_url(re.compile(r"/incidents/INC-\d+$"))
    expect(page.locator("h1")).to_have_text("Labels printed twice")
    page.click("text=Start investigating")
    expect(page.locator("[aria-current=step] b")).to_have_text("Investigating")
    page.fill("#text", "The printer repeats each job.\n\n<script>alert(1)</script>")
    page.click("section:has(#timeline) form button.main")
    expect(page.locator(".say >> nth=0")).to_contain_text("<script>alert(1)</script>")
    page.fill("#task", "Restart the spooler")
    page.click("section:has(#tasks) form:has(#task) button")
    page.click("[aria-label='Mark as done: Restart the spooler']")
    expect(page.locator("section:has(#tasks)")).to_contain_text("1 of 1 done")
    page.click("a:text-is('Assess')")
    page.click("text=It is over")
    page.select_option("#service", "1")
    page.click("text=Save severity")
    expect(page.locator(".facts .sev")).to_have_text("Low")
    page.click("button:has-text('Mark as contained')")
    page.select_option("select[name=resolution_reason] >> nth=0", "fixed")
    page.click("form:has(select[name=resolution_reason]) >> nth=0 >> button")
    expect(page.locator("[aria-current=step] b")).to_have_text("Resolved")
    page.fill("textarea[name=resolution_summary]", "A job was queued twice; the spooler was restarted.")
    page.click("form:has(textarea[name=resolution_summary]) button")
    expect(page.locator("[aria-current=step] b")).to_have_text("Closed")
    page.click(".toast button")
    expect(page.locator("[aria-current=step] b")).to_have_text("Resolved")


def test_the_keyboard_alone_declares(open_page):
    page = open_page()
    page.keyboard.press("c")
    page.wait_for_url(re.compile(r"/incidents/new$"))
    page.wait_for_selector("#title:focus")
    page.keyboard.type("Typed without a mouse")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/incidents/INC-\d+$"))
    assert page.inner_text("h1") == "Typed without a mouse"
    page.keyboard.press("g")
    page.keyboard.press("i")
    page.wait_for_url(re.compile(r"/incidents$"))


def test_a_severity_is_shown_while_it_is_answered(open_page):
    page = open_page("/incidents/new")
    page.fill("#title", "A question of severity")
    page.click("main button.main")
    page.wait_for_url(re.compile(r"/incidents/INC-\d+$"))
    page.click("a:text-is('Assess')")
    page.select_option("#people", "4")
    page.wait_for_selector("#assessment >> text=Calculated severity: Critical")


def test_nothing_is_shown_by_the_back_button_after_signing_out(demo, chromium):
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    sign_in(page, demo)
    page.click("[aria-label='Your account']")
    page.click("text=Sign out")
    page.wait_for_url(f"{demo.url}/sign-in")
    page.go_back()
    page.wait_for_url(re.compile("/sign-in"))
    assert page.inner_text("h1") == "Sign in"
    context.close()


def test_tasks_are_moved_by_keyboard_and_deleted_with_undo(open_page):
    page = open_page("/incidents/new")
    page.fill("#title", "Two tasks")
    page.click("main button.main")
    tasks = page.locator(".todo .grow > bdi")
    for title in ("First", "Second"):
        page.fill("#task", title)
        page.press("#task", "Enter")
        expect(tasks.last).to_have_text(title)
    page.focus("#tick-2")
    page.keyboard.press("Alt+ArrowUp")
    expect(tasks).to_have_text(["Second", "First"])
    page.wait_for_selector("#tick-2:focus")
    page.click("#task-2")
    page.click("#task-2 + form button[value=down]")
    expect(tasks).to_have_text(["First", "Second"])
    page.wait_for_selector("#task-2:focus")
    page.click("#task-1")
    page.click("#task-1 + form button[name=delete]")
    expect(tasks).to_have_text(["Second"])
    page.keyboard.press("z")
    expect(tasks).to_have_text(["First", "Second"])
    page.click("#task-1")
    page.click("#task-1 + form >> text=Edit")
    assert page.locator("#reason").is_hidden()
    page.select_option("#status", "not_doing")
    page.fill("#reason", "Nobody asked")
    page.click("main button.main")
    expect(page.locator("section:has(#tasks)")).to_contain_text("Nobody asked")


def test_a_mention_is_taken_from_a_list(open_page):
    page = open_page("/incidents/INC-0001")
    page.focus("#text")
    page.keyboard.type("Look, @")
    options = page.locator("[role=listbox] [role=option]")
    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    expect(options).to_have_count(0)
    page.keyboard.press("Backspace")
    page.keyboard.type("@")
    page.keyboard.press("ArrowDown")
    chosen = page.locator("[role=option][aria-selected=true]")
    assert page.get_attribute("#text", "aria-activedescendant") == chosen.get_attribute("id")
    name = chosen.locator("bdi").inner_text()
    page.keyboard.press("Enter")
    assert re.fullmatch(r"Look, @\S+@\S+ ", page.input_value("#text"))
    page.keyboard.press("Control+Enter")
    expect(page.locator(".say >> nth=0")).to_have_text(f"Look, @{name}")
