"""The OpenAPI document has no finding of three validators. What is switched off is in redocly.yaml and spectral.yaml."""

import json
import pathlib
import subprocess

import pytest

from service import PATIENCE, PROGRAM, ROOT

HERE = pathlib.Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def document(tmp_path_factory):
    """The document as the program prints it."""
    path = tmp_path_factory.mktemp("openapi") / "openapi.json"
    path.write_bytes(subprocess.run([PROGRAM, "openapi"], check=True, capture_output=True, timeout=PATIENCE).stdout)
    assert json.loads(path.read_text())["openapi"].startswith("3.1")
    return path


def finds_nothing(*command):
    """Runs a validator; it says what it found by its exit code."""
    done = subprocess.run(command, cwd=ROOT / "e2e", capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, f"{command[0]} found something:\n{done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def test_openapi_spec_validator_finds_nothing(document):
    finds_nothing("openapi-spec-validator", document)


def test_redocly_finds_nothing(document):
    said = finds_nothing("node_modules/.bin/redocly", "lint", "--config", HERE / "redocly.yaml", document)
    assert "warning" not in said.replace("Deprecation warning", "").lower(), said


def test_spectral_finds_nothing(document):
    finds_nothing(
        "node_modules/.bin/spectral", "lint", "--ruleset", HERE / "spectral.yaml", "--fail-severity", "hint", document
    )


def test_spectral_would_find_something(document, tmp_path):
    """The OWASP rules are in force: a text without a limit is found."""
    broken = json.loads(document.read_text())
    # Of the paths one is enough, and quicker.
    broken["paths"] = {path: item for path, item in broken["paths"].items() if path == "/v1/tags"}
    del broken["components"]["schemas"]["Tag"]["properties"]["name"]["maxLength"]
    path = tmp_path / "openapi.json"
    path.write_text(json.dumps(broken))
    with pytest.raises(AssertionError, match="string-limit"):
        test_spectral_finds_nothing(path)
