"""The console in a real browser: Debian's chromium, driven by Playwright, on the demo organization."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import uuid

import pytest
from playwright.sync_api import expect, sync_playwright

from service import PATIENCE, PROGRAM, ROOT

AXE = (ROOT / "e2e" / "node_modules" / "axe-core" / "axe.min.js").read_text()
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


class Demo:
    """The service with its demo organization, on one of the engines."""

    def __init__(self, engine, *settings):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="bailiwick-console-"))
        environment = os.environ | {"HOME": str(self.folder), "BAILIWICK_RATE_LIMIT": "0"}
        if engine == "postgres":
            environment["DATABASE_URL"] = new_database()
        self.said = self.folder / "said"
        with self.said.open("wb") as said:
            self.process = subprocess.Popen(
                [PROGRAM, "serve", "--demo", "--listen", "127.0.0.1:0", "--data", str(self.folder / "data"), *settings],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=said,
                text=True,
            )
        self.url = self.process.stdout.readline().removeprefix("listening on ").strip()

    def credentials(self):
        """The address and the password that the service prints for a newcomer."""
        said = ""
        while "risk-performance" not in said:
            said = self.said.read_text()
            assert self.process.poll() is None, said
        return re.search(r"e-mail (\S+)", said)[1], re.search(r"password (\S+)", said)[1]

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(timeout=PATIENCE) == 0
        self.process.stdout.close()
        said = self.said.read_text()
        shutil.rmtree(self.folder)
        assert " ERROR " not in said and "panicked" not in said, said[-4000:]


def new_database():
    """A database of its own on the cluster of the tests."""
    cluster = os.environ.get("BAILIWICK_TEST_POSTGRES")
    if not cluster:
        known = subprocess.run([ROOT / "scripts" / "test-postgres", "url"], capture_output=True, text=True, timeout=PATIENCE)
        cluster = known.stdout.strip()
    assert cluster, "no PostgreSQL runs: scripts/test-postgres start"
    name = f"console_{uuid.uuid4().hex}"
    subprocess.run(["psql", "--quiet", cluster, "-c", f"CREATE DATABASE {name}"], check=True, timeout=PATIENCE)
    return f"{cluster.rsplit('/', 1)[0]}/{name}"


@pytest.fixture(scope="session")
def chromium():
    assert CHROMIUM, "chromium is missing: install it (Debian: sudo apt-get install chromium)."
    with sync_playwright() as playwright:
        expect.set_options(timeout=1000 * PATIENCE)
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox"], timeout=1000 * PATIENCE
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def demo(request):
    running = Demo(request.param)
    yield running
    running.stop()


def sign_in(page, demo, address=None):
    """Signs in as the person whose password the service printed, at another address if it has one; ends at home."""
    email, password = demo.credentials()
    address = address or demo.url
    page.goto(address)
    page.fill("#email", email)
    page.fill("#password", password)
    page.click("button")
    page.wait_for_url(f"{address}/o/*")


@pytest.fixture(scope="session")
def signed_in(demo, chromium):
    """The cookies of the person who signs in, and the address of her organization."""
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    sign_in(page, demo)
    state, home = context.storage_state(), page.url
    context.close()
    return state, home


def is_complaint(said):
    """Whether a browser complains; a refused form is no complaint."""
    return said.type in ("error", "warning") and "422 (Unprocessable" not in said.text


def is_fault(error):
    """Whether a script failed; a fade between two pages that the next key cut short is no fault."""
    return "Transition was" not in str(error)


@pytest.fixture
def open_page(demo, chromium, signed_in):
    """Opens pages; at the end of the test none has complained, or loaded anything from elsewhere."""
    contexts, complaints = [], []

    def open_one(path="", **options):
        state, home = signed_in
        context = chromium.new_context(storage_state=state, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("console", lambda said: complaints.append(said.text) if is_complaint(said) else None)
        page.on("pageerror", lambda error: complaints.append(str(error)) if is_fault(error) else None)
        page.on("request", lambda it: None if it.url.startswith(demo.url) else complaints.append(it.url))
        response = page.goto(home + path)
        assert response.status == 200, (path, response.status)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture(params=["sqlite", "postgres"])
def empty(request, tmp_path):
    """The address and the link that the service prints on an empty register."""
    environment = os.environ | {"HOME": str(tmp_path), "BAILIWICK_RATE_LIMIT": "0"}
    if request.param == "postgres":
        environment["DATABASE_URL"] = new_database()
    with (tmp_path / "said").open("wb") as said:
        command = [PROGRAM, "serve", "--listen", "127.0.0.1:0", "--data", str(tmp_path / "data")]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=said, text=True)
    url = process.stdout.readline().removeprefix("listening on ").strip()
    link = re.search(r"set up Bailiwick at (\S+)", process.stdout.readline())[1]
    yield url, link
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=PATIENCE) == 0
    process.stdout.close()
