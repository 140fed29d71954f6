"""The package, and a throw-away machine to install it on."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PROGRAM = pathlib.Path(os.environ.get("BAILIWICK", TARGET / "debug/bailiwick")).resolve()


@pytest.fixture(scope="session")
def package():
    """The Debian package of the program that was built last; BAILIWICK=target/dist/bailiwick names the released one."""
    if not shutil.which("dpkg-deb"):
        pytest.skip("packages are made on Debian")
    made = subprocess.run([ROOT / "packaging/deb", PROGRAM], check=True, stdout=subprocess.PIPE, text=True)
    return pathlib.Path(made.stdout.strip())


class Machine:
    """A running systemd with nothing else; what is done there is seen nowhere else."""

    def __init__(self):
        agent = pathlib.Path(__file__).with_name("agent.py")
        command = [ROOT / "packaging/machine", sys.executable, agent]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def try_(self, command):
        """Runs a shell command; its exit code, and all it printed."""
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        code, output = json.loads(self.process.stdout.readline())
        return code, output

    def run(self, command):
        """Runs a shell command that must succeed; what it printed."""
        code, output = self.try_(command)
        assert code == 0, f"{command}\n{output}"
        return output.strip()

    def json(self, command):
        return json.loads(self.run(command))

    def stop(self):
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()


@pytest.fixture(scope="module")
def machine():
    if os.geteuid() != 0 or not shutil.which("systemctl"):
        pytest.skip("a machine of one's own takes root, and Debian's systemd")
    # Some containers do not allow mounts; in CI, where everything must be tested, that is a failure.
    if subprocess.run([ROOT / "packaging/machine", "true"]).returncode != 0 and "CI" not in os.environ:
        pytest.skip("this machine does not let a machine start in it")
    running = Machine()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def installed(machine, package):
    """The machine with the package installed as an operator does."""
    machine.run(f"dpkg -i {package}")
    return machine
