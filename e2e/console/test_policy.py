"""A policy from the library to its printed, acknowledged text, as three people: a writer, an approver and a reader."""

import re
import shutil
import subprocess

import pytest
from playwright.sync_api import expect

from service import PATIENCE

from .test_beginning import follow

# Where pages lead does not depend on the engine.
pytestmark = pytest.mark.parametrize("demo", ["sqlite"], indirect=True, scope="session")

POLICY = "/documents/device-and-network-security"
TITLE = "Device and network security policy"
PEOPLE = """\
Nora Quist nora@harrowmere.example owner
Piet Valk piet@harrowmere.example approver
Rosa Lind rosa@harrowmere.example viewer"""


@pytest.fixture
def people(chromium, open_page):
    """The address of the organization, and a page of each of the three, who were invited."""
    page = open_page("/settings/people/invite")
    home = page.url.removesuffix("/settings/people/invite")
    page.fill("#people", PEOPLE)
    page.click("main button.main")
    pages = [follow(chromium, page.input_value(f"#secret-{number}"), True) for number in (1, 2, 3)]
    for joined in pages:
        joined.fill("#password", "nine green bottles")
        joined.click("button.main")
        joined.wait_for_url(home)
    yield home, *pages
    for joined in pages:
        joined.context.close()


def press(page, name, told):
    """Presses a button, and reads what the page tells then."""
    page.get_by_role("button", name=name, exact=True).click()
    expect(page.locator(".toasts")).to_contain_text(told)


def choose(page, address, item, option):
    """Proposes another option for a section, and goes on to the proposal."""
    page.goto(address)
    page.click(f"#item-{item} summary")
    page.check(f"#item-{item} input[value={option}]")
    page.click(f"#item-{item} form button")
    expect(page.locator(".toasts")).to_contain_text("Added to the open proposal.")
    page.goto(address)
    page.get_by_role("navigation", name="Document").get_by_role("link", name="Proposal").click()
    page.wait_for_url("**/proposals/*")


def set_steps(page, steps):
    """Has the later versions of the document approved in these steps."""
    page.get_by_role("link", name="Change steps").click()
    for row, (name, who) in enumerate(steps):
        page.fill(f"#approval_steps_{row}_name", name)
        page.select_option(f"#approval_steps_{row}_who", **who)
    press(page, "Save steps", "Steps changed in this proposal.")


def submit(page, summary):
    """Submits the proposal that is shown. Returns its address."""
    page.fill("#summary", summary)
    press(page, "Submit for approval", "Submitted for approval.")
    return page.url


def states(page):
    """What became of each step of the proposal."""
    return page.locator("section[aria-labelledby=approval] tbody .badge")


def printed(page, address, folder):
    """The words of a version's PDF, in their order, without hyphens at the ends of lines."""
    assert shutil.which("pdftotext"), "pdftotext is missing: install it (Debian: sudo apt-get install poppler-utils)."
    page.goto(address)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as PDF").click()
    file = folder / "policy.pdf"
    download.value.save_as(file)
    command = ["pdftotext", "-raw", file, "-"]
    text = subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE).stdout
    return " ".join(re.sub(r"[-\u00ad\u2010]\n", "", text).split())


def test_a_policy_is_written_approved_acknowledged_and_printed(people, tmp_path):
    home, writer, approver, reader = people
    writer.goto(home + "/documents/new")
    writer.check(f"input[name=library][value={POLICY.rpartition('/')[2]}]")
    press(writer, "Create drafts", "Draft created.")
    assert writer.url == home + POLICY
    # The steps of the first version hold from the second one on.
    choose(writer, home + POLICY, "malware", "watched")
    set_steps(writer, [("Policy board", {"value": "role:approver"}), ("Management", {"label": "Piet Valk"})])
    first = submit(writer, "From the library. Alerts are watched at night.")
    assert writer.get_by_role("button", name="Approve").count() == 0
    approver.goto(first)
    expect(states(approver)).to_have_text(["Pending"])
    press(approver, "Approve and publish", "Approved.")
    choose(writer, home + POLICY, "email", "quarantine")
    second = submit(writer, "Forged mail is treated as spam.")
    assert second != first
    approver.goto(second)
    expect(states(approver)).to_have_text(["Pending", "Waiting"])
    assert "as spam" in approver.inner_text("section[aria-labelledby=difference]")
    # Both steps name him, so that one approval counts in both.
    press(approver, "Approve", "Approved.")
    expect(states(approver)).to_have_text(["Done", "Done"])
    # Who reads is asked, and says so.
    writer.goto(home + POLICY + "/acknowledgements")
    writer.select_option("#who", value="role:viewer")
    press(writer, "Ask to acknowledge", "People are asked to acknowledge it.")
    expect(writer.locator("tbody tr")).to_contain_text(["Rosa Lind"])
    reader.goto(home)
    reader.locator("section[aria-labelledby=acknowledge]").get_by_role("link", name=TITLE, exact=True).click()
    expect(reader.locator("article.sheet")).to_contain_text("A provider watches its alerts day and night")
    press(reader, "I have read and understood this", "Acknowledged.")
    writer.reload()
    expect(writer.locator("tbody tr")).to_contain_text(["Version 2"])
    text = printed(reader, home + POLICY + "/versions/2", tmp_path)
    for words in [
        TITLE,
        "A provider watches its alerts day and night",
        "treat mail that fails the check as spam",
        "From the library. Alerts are watched at night.",
        "Forged mail is treated as spam.",
        "Piet Valk",
    ]:
        assert words in text, words
