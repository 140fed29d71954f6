"""Two services under paths of one host, behind nginx with the lines that docs/operation.md gives."""

import pytest
from playwright.sync_api import expect

from proxy import documented_location, free_port, nginx
from service import PATIENCE

from .conftest import Demo, is_complaint, is_fault, sign_in

PATHS = ["/bailiwick", "/second"]


@pytest.fixture(scope="module")
def behind(tmp_path_factory):
    """The services, each by its public URL."""
    port = free_port()
    urls = [f"https://127.0.0.1:{port}{path}" for path in PATHS]
    demos = {url: Demo("sqlite", "--public-url", url, "--trusted-proxies", "127.0.0.1") for url in urls}
    lines = [documented_location("location ~", demos[url].url).replace(PATHS[0], path) for url, path in zip(urls, PATHS)]
    with nginx(port, "\n".join(lines), tmp_path_factory.mktemp("nginx")):
        yield demos
    for demo in demos.values():
        demo.stop()


@pytest.fixture
def browser_page(chromium, behind):
    """A page that complains of nothing and loads nothing outside of the services."""
    complaints = []
    # The proxy's certificate is of an authority of its own.
    context = chromium.new_context(ignore_https_errors=True)
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.on("console", lambda said: complaints.append(said.text) if is_complaint(said) else None)
    page.on("pageerror", lambda error: complaints.append(str(error)) if is_fault(error) else None)
    inside = tuple(behind)
    page.on("request", lambda it: None if f"{it.url}/".startswith(tuple(f"{url}/" for url in inside)) else complaints.append(it.url))
    yield page
    context.close()
    assert complaints == []


def test_the_console_works_under_a_path(behind, browser_page):
    (url, demo), page = next(iter(behind.items())), browser_page
    sign_in(page, demo, url)
    home = page.url
    # A list, a record, forms whose pages are shown in place, and what takes one back.
    page.click("nav[aria-label='Main'] a[data-key='g i']")
    page.wait_for_url(f"{home}/incidents")
    page.locator("main .tbl.list tbody a.t").first.click()
    page.wait_for_url(f"{home}/incidents/INC-*")
    page.fill("main form[action$='/notes'] textarea", "Seen under a path.")
    page.click("main form[action$='/notes'] button.main")
    expect(page.locator("main")).to_contain_text("Seen under a path.")
    page.goto(f"{home}/incidents/new")
    page.fill("#title", "Declared under a path")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{home}/incidents/INC-*")
    record = page.url
    page.click("button:has-text('Start investigating')")
    expect(page.locator("[aria-current=step] b")).to_have_text("Investigating")
    page.click(".toast button[data-key='z']")
    expect(page.locator("[aria-current=step] b")).not_to_have_text("Investigating")
    assert page.url.split("#")[0] == record, page.url
    # Go to anything, from another page than the one to go to, and a search.
    page.goto(f"{home}/incidents")
    page.keyboard.press("Control+k")
    page.fill("#palette input[name='q']", record.rsplit("/", 1)[1])
    page.locator("#places [aria-selected=true]").get_by_text(record.rsplit("/", 1)[1]).wait_for()
    page.keyboard.press("Enter")
    page.wait_for_url(record)
    page.goto(f"{home}/search?q=the")
    assert page.locator("main h1").count() == 1
    # A file, and the documentation with its own parts.
    page.goto(f"{home}/incidents")
    with page.expect_download() as download:
        page.click("a[download]")
    assert download.value.url.startswith(f"{home}/incidents/export")
    page.goto(f"{url}/docs")
    page.locator(".opblock").first.wait_for()
    page.click("text=Errors")
    page.wait_for_url(f"{url}/docs/errors")
    page.click("text=Bailiwick")
    page.wait_for_url(home)


def test_a_person_is_signed_in_to_two_services_of_a_host(behind, browser_page):
    page, homes = browser_page, []
    for url, demo in behind.items():
        sign_in(page, demo, url)
        homes.append(page.url)
    for home in homes:
        page.goto(f"{home}/account")
        assert page.url == f"{home}/account", "signed in"
    page.click(".me summary")
    page.click("form[action$='/sign-out'] button")
    page.wait_for_url("**/second/sign-in")
    page.goto(homes[0])
    assert page.url == homes[0], "still signed in to the other one"
