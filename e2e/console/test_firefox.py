"""The same pages in Debian's Firefox."""

import shutil
import subprocess

from service import PATIENCE, ROOT

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")


def test_the_main_path_in_firefox(demo):
    assert FIREFOX, "firefox is missing: install it (Debian: sudo apt-get install firefox-esr)."
    email, password = demo.credentials()
    program = ROOT / "e2e" / "console" / "firefox.mjs"
    done = subprocess.run(
        ["node", program, demo.url, email, password, FIREFOX], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stdout + done.stderr
