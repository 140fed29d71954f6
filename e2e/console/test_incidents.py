"""The main path of an incident, with and without JavaScript."""

import re

import pytest


@pytest.mark.parametrize("has_scripts", [True, False])
def test_an_incident_from_the_first_word_to_the_last(open_page, has_scripts):
    page = open_page("/incidents/new", java_script_enabled=has_scripts)
    page.fill("#title", "Labels printed twice")
    page.click("main button.main")
    page.wait_for_url(re.compile(r"/incidents/INC-\d+$"))
    assert page.inner_text("h1") == "Labels printed twice"
    page.click("text=Take it")
    assert page.inner_text("[aria-current=step] b") == "Investigating"
    page.fill("#text", "The printer repeats each job.\n\n<script>alert(1)</script>")
    page.click("section:has(#timeline) form button.main")
    assert "<script>alert(1)</script>" in page.inner_text(".say >> nth=0")
    page.fill("#task", "Restart the spooler")
    page.click("section:has(#tasks) form:has(#task) button")
    page.click("[aria-label='Done: Restart the spooler']")
    assert "1 of 1 done" in page.inner_text("section:has(#tasks)")
    page.click("text=Assess")
    page.click("text=It is over")
    page.select_option("#service", "1")
    page.click("text=Save this severity")
    assert page.inner_text("#why") == "Why low"
    page.click("button:has-text('Contain')")
    page.select_option("select[name=resolution_reason] >> nth=0", "fixed")
    page.click("form:has(select[name=resolution_reason]) >> nth=0 >> button")
    assert page.inner_text("[aria-current=step] b") == "Resolved"
    page.fill("textarea[name=resolution_summary]", "A job was queued twice; the spooler was restarted.")
    page.click("form:has(textarea[name=resolution_summary]) button")
    assert page.inner_text("[aria-current=step] b") == "Closed"
    page.click(".toast button")
    assert page.inner_text("[aria-current=step] b") == "Resolved"


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
    page.click("text=Assess")
    page.select_option("#people", "4")
    page.wait_for_selector("#assessment >> text=By these answers: critical")


def test_nothing_is_shown_by_the_back_button_after_signing_out(demo, chromium):
    context = chromium.new_context()
    page = context.new_page()
    email, password = demo.credentials()
    page.goto(demo.url)
    page.fill("#email", email)
    page.fill("#password", password)
    page.click("button")
    page.wait_for_url(f"{demo.url}/o/*")
    page.click("[aria-label='Your account']")
    page.click("text=Sign out")
    page.wait_for_url(f"{demo.url}/sign-in")
    page.go_back()
    page.wait_for_url(re.compile("/sign-in"))
    assert page.inner_text("h1") == "Sign in"
    context.close()
