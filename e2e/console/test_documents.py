"""Documents: a file is opened in the form, and a text is edited."""

import pytest

# What a page looks like does not depend on the engine.
pytestmark = pytest.mark.parametrize("demo", ["sqlite"], indirect=True, scope="session")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_file_is_opened_and_its_text_edited(open_page, scripts):
    page = open_page("/documents/new", java_script_enabled=scripts)
    html = b"<h1>Clear desk</h1><p>Lock your <em>screen</em>.</p><img src='x.png'>"
    page.set_input_files("#file", {"name": "policy.html", "mimeType": "text/html", "buffer": html})
    page.get_by_role("button", name="Open file").click()
    page.get_by_text("Not kept from the file").wait_for()
    assert page.input_value("#title") == "Clear desk"
    assert "Lock your *screen*." in page.input_value("#template")
    page.fill("#slug", f"clear-desk-{str(scripts).lower()}")
    page.get_by_role("button", name="Create draft", exact=True).click()
    page.get_by_role("link", name="Edit text").click()
    page.fill("#template", "# Rule\n\nLock {{gone}}.\n")
    page.get_by_role("button", name="Save in proposal").click()
    faults = page.locator("[aria-labelledby=faults]")
    faults.wait_for()
    assert "Line 3, column 6: there is no item gone\nLock {{gone}}." in faults.inner_text()
    page.fill("#template", "# Rule\n\nLock it.\n")
    page.get_by_role("button", name="Save in proposal").click()
    page.get_by_role("heading", name="Text after approval").wait_for()
    assert "Lock it." in page.inner_text(".sheet")
