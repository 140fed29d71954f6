"""How many steps the main paths of an incident take. A step is a tap, a click or a key that is not typed text."""

import re

import pytest
from playwright.sync_api import expect

# How many steps a path takes does not depend on the engine.
pytestmark = pytest.mark.parametrize("demo", ["sqlite"], indirect=True, scope="session")

PHONE = {"viewport": {"width": 375, "height": 700}, "has_touch": True, "is_mobile": True}


class Person:
    """Counts the steps of somebody who uses a page."""

    def __init__(self, page):
        self.page = page
        self.steps = 0

    def tap(self, what):
        self.steps += 1
        self.page.locator(what).tap()

    def press(self, key):
        self.steps += 1
        self.page.keyboard.press(key)

    def choose(self, what, value):
        """Opens a list of choices and takes one: a browser has no touch events for it."""
        self.steps += 2
        self.page.select_option(what, value)

    def write(self, text):
        self.page.keyboard.type(text)


@pytest.fixture
def on_a_phone(open_page):
    return Person(open_page(**PHONE))


def declare(person, title):
    person.tap("[aria-label='Declare incident']")
    expect(person.page.locator("#title")).to_be_focused()
    person.write(title)
    person.press("Enter")
    person.page.wait_for_url(re.compile(r"/incidents/INC-\d+$"))


def test_declaring_takes_three_steps(on_a_phone):
    declare(on_a_phone, "Counted on a phone")
    assert on_a_phone.steps <= 3


def test_declaring_by_keyboard_takes_three_steps(open_page):
    person = Person(open_page())
    person.press("c")
    expect(person.page.locator("#title")).to_be_focused()
    person.write("Counted at a desk")
    person.press("Enter")
    person.page.wait_for_url(re.compile(r"/incidents/INC-\d+$"))
    assert person.steps <= 3


def test_taking_an_incident_and_starting_takes_two_steps(on_a_phone):
    declare(on_a_phone, "Taken on a phone")
    on_a_phone.steps = 0
    on_a_phone.tap(".next button:has-text('Assign to me')")
    expect(on_a_phone.page.locator(".next")).not_to_contain_text("Assign to me")
    on_a_phone.tap(".thumb button")
    expect(on_a_phone.page.locator("[aria-current=step] b")).to_have_text("Investigating")
    assert on_a_phone.steps <= 2


def test_commenting_takes_two_steps(on_a_phone):
    declare(on_a_phone, "Commented on a phone")
    on_a_phone.steps = 0
    on_a_phone.tap(".thumb a:has-text('Comment')")
    expect(on_a_phone.page.locator("#text")).to_be_focused()
    on_a_phone.write("The spooler was restarted.")
    on_a_phone.press("Control+Enter")
    expect(on_a_phone.page.locator(".say").first).to_contain_text("The spooler was restarted.")
    assert on_a_phone.steps <= 2


def test_resolving_takes_three_steps(on_a_phone):
    declare(on_a_phone, "Resolved on a phone")
    on_a_phone.tap(".thumb button")
    expect(on_a_phone.page.locator("[aria-current=step] b")).to_have_text("Investigating")
    on_a_phone.tap(".thumb button")
    expect(on_a_phone.page.locator("[aria-current=step] b")).to_have_text("Contained")
    on_a_phone.steps = 0
    on_a_phone.choose(".next select[name=resolution_reason] >> nth=0", "fixed")
    on_a_phone.tap("form:has(select[name=resolution_reason]) >> nth=0 >> button")
    expect(on_a_phone.page.locator("[aria-current=step] b")).to_have_text("Resolved")
    assert on_a_phone.steps <= 3


def test_resolving_a_new_incident_takes_three_steps(on_a_phone):
    declare(on_a_phone, "Resolved at once")
    on_a_phone.steps = 0
    on_a_phone.tap("summary:has-text('Other actions')")
    on_a_phone.tap(".next button:text-is('Resolve')")
    expect(on_a_phone.page.locator("[aria-current=step] b")).to_have_text("Resolved")
    assert on_a_phone.steps <= 3


def test_the_next_step_and_the_assignee_are_in_one_row(open_page):
    person = Person(open_page())
    person.press("c")
    expect(person.page.locator("#title")).to_be_focused()
    person.write("In one row")
    person.press("Enter")
    expect(person.page.locator(".toast span").first).to_have_text(re.compile(r"INC-\d+ declared\."))
    start, assign = person.page.locator(".next button.main"), person.page.locator(".next button:has-text('Assign to me')")
    assert start.bounding_box()["y"] == assign.bounding_box()["y"]
    person.page.locator("body").press("Control+k")
    expect(person.page.locator("#palette #q")).to_be_focused()
    person.write("assign to me")
    expect(person.page.locator("#places [aria-selected=true]")).to_have_text(re.compile("Assign to me"))
    person.press("Enter")
    expect(person.page.locator(".facts .who").first).not_to_have_text("Unassigned")
    expect(assign).to_have_count(0)
    expect(person.page.locator("[aria-current=step] b")).to_have_text("New")
