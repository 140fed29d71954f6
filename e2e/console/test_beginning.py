"""From nothing to a first incident and a second person, in a browser, on the real binary."""

import re

import pytest

from service import PATIENCE


def follow(chromium, link, has_scripts):
    """A page of another browser that followed a link with a code."""
    page = chromium.new_context(java_script_enabled=has_scripts).new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(link)
    if not has_scripts:
        page.fill("#token", link.split("#")[1])
        page.click("button.main")
    page.wait_for_selector("#password")
    assert "#" not in page.url, "the code leaves the address bar"
    return page


@pytest.mark.parametrize("has_scripts", [True, False])
def test_a_register_begins_in_the_browser(empty, chromium, has_scripts):
    url, link = empty
    context = chromium.new_context(java_script_enabled=has_scripts)
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(link)
    if has_scripts:
        assert "#" not in page.url, "the code leaves the address bar"
    else:
        page.fill("#code", link.split("#")[1])
    page.fill("#organization", "Müller & Söhne")
    if has_scripts:
        assert page.input_value("#time_zone") != "", "the browser knows it"
    page.fill("#time_zone", "Berlin")
    page.fill("#name", "Ada King")
    page.fill("#email", "ada@example.org")
    page.fill("#password", "short")
    page.click("button.main")
    assert page.locator("#password-error").count() == 1
    assert page.input_value("#organization") == "Müller & Söhne"
    page.fill("#password", "nine green bottles")
    page.click("button.main")
    page.wait_for_url(f"{url}/o/muller-sohne/incidents/new")
    assert "Europe/Berlin" in page.inner_text("main")
    page.fill("#title", "The first one")
    page.click("main button.main")
    page.wait_for_url(re.compile(r"/incidents/INC-0001$"))
    assert page.goto(f"{url}/begin").status == 404, "the link is dead"
    # An operator sees the service, and invites somebody.
    page.goto(f"{url}/o/muller-sohne/settings/service")
    assert page.locator("tbody tr").count() >= 1
    page.goto(f"{url}/o/muller-sohne/settings/people/invite")
    page.fill("#people", "Ruth Castellan ruth@example.org\nBen Otieno ben@example.org auditor approver")
    page.click("main button.main")
    links = page.input_value("#secrets").split()
    assert [links[1], links[3]] == [page.input_value("#secret-1"), page.input_value("#secret-2")]
    ruth = follow(chromium, page.input_value("#secret-1"), has_scripts)
    assert ruth.inner_text("h1") == "Ada King invited you"
    ruth.fill("#password", "ten brown bottles")
    ruth.click("button.main")
    ruth.wait_for_url(f"{url}/o/muller-sohne")
    assert "Ruth" in ruth.inner_text("h1")
    # Who forgets a password gets a link to choose another one.
    page.goto(f"{url}/o/muller-sohne/settings/people")
    page.click("main >> text=Ruth Castellan")
    page.click("text=Create reset link")
    again = follow(chromium, page.input_value("#secret-1"), has_scripts)
    again.fill("#password", "eleven red bottles")
    again.click("button.main")
    again.wait_for_url(f"{url}/o/muller-sohne")
    ruth.goto(f"{url}/o/muller-sohne")
    assert "/sign-in" in ruth.url, "her other devices are signed out"
    for it in (context, ruth.context, again.context):
        it.close()
