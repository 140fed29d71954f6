"""Pictures of the main pages, as docs/tour.md shows them: e2e/screenshots."""

from playwright.sync_api import sync_playwright

from service import ROOT

from .conftest import CHROMIUM, Demo, sign_in

TARGET = ROOT / "docs" / "screenshots"
PAGES = {
    "home": "",
    "incidents": "/incidents",
    "view": "/incidents?category=open&severity=critical&severity=high&sort=-severity",
    "search": "/search?q=cold+room*",
    "figures": "/incidents/figures",
    "incident": "/incidents/INC-0049",
    "severity": "/incidents/INC-0049/severity",
    "declare": "/incidents/new",
    "risks": "/risks",
    "risk": "/risks/RSK-1",
    "heat-map": "/risks/heat-map?cell=3x4",
    "performance": "/risks/performance",
    "document": "/documents/access-control",
    "journal": "/journal",
    "people": "/settings/people",
    "clients": "/settings/clients",
    "account": "/account",
}
DARK = ["home", "incident", "heat-map"]
PHONE = ["home", "incidents", "incident", "declare"]


def picture(browser, state, home, names, suffix, **options):
    context = browser.new_context(storage_state=state, **options)
    page = context.new_page()
    for name in names:
        response = page.goto(home + PAGES[name])
        assert response.status == 200, (name, response.status)
        page.screenshot(path=TARGET / f"{name}{suffix}.png")
    context.close()


def main():
    TARGET.mkdir(exist_ok=True)
    demo = Demo("sqlite")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = browser.new_context()
        page = context.new_page()
        sign_in(page, demo)
        state, home = context.storage_state(), page.url
        context.close()
        desk, phone = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
        picture(browser, state, home, PAGES, "", viewport=desk)
        picture(browser, state, home, DARK, "-dark", viewport=desk, color_scheme="dark")
        picture(browser, state, home, PHONE, "-phone", viewport=phone, has_touch=True)
        browser.close()
    demo.stop()


if __name__ == "__main__":
    main()
