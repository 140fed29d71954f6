"""A TypeScript client, its types made by openapi-typescript, compiles strictly and does a day's work with the service."""

import os
import pathlib
import shutil
import subprocess

import pytest

from service import PATIENCE, PROGRAM, ROOT, Service

HERE = pathlib.Path(__file__).resolve().parent / "typescript"
PROGRAMS = ROOT / "e2e" / "node_modules" / ".bin"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The scenario beside the types made for it."""
    folder = tmp_path_factory.mktemp("typescript")
    for file in HERE.iterdir():
        shutil.copy(file, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "node_modules").symlink_to(ROOT / "e2e" / "node_modules")
    document = subprocess.run([PROGRAM, "openapi"], check=True, capture_output=True, timeout=PATIENCE).stdout
    (folder / "openapi.json").write_bytes(document)
    run(folder, PROGRAMS / "openapi-typescript", "openapi.json", "--output", "bailiwick.ts")
    return folder


def run(folder, *command, **environment):
    done = subprocess.run(
        command, cwd=folder, env=os.environ | environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, f"{command[0]}:\n{done.stdout}{done.stderr}"


def test_it_compiles_strictly(folder):
    run(folder, PROGRAMS / "tsc", "--project", ".")


def test_it_does_a_days_work(folder):
    with Service() as service:
        client = service.client()
        run(
            folder,
            "node",
            "scenario.ts",
            BASE_URL=service.url,
            ORGANIZATION_ID=service.organization,
            CLIENT_ID=client.id,
            CLIENT_SECRET=client.secret,
        )
