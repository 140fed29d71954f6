"""The list of what is in the program (SBOM), and the licences that go with it."""

import json
import pathlib
import re
import subprocess

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = pathlib.Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.timeout(1800)


@pytest.fixture(scope="module")
def text():
    subprocess.run([ROOT / "packaging/tools"], check=True)
    return listed()


def listed():
    return subprocess.run([ROOT / "packaging/sbom"], check=True, stdout=subprocess.PIPE, text=True).stdout


def linked():
    """Name and version of each package that the program is linked from."""
    command = "cargo tree --locked --package bailiwick --edges normal --target x86_64-unknown-linux-gnu --prefix none --format {p}"
    lines = subprocess.run(command.split(), cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return {(name, version.removeprefix("v")) for name, version, *_ in map(str.split, filter(None, lines))}


def test_it_is_cyclonedx(text):
    assert JsonStrictValidator(SchemaVersion.V1_5).validate_str(text) is None


def test_it_names_what_is_linked_and_nothing_else(text):
    document = json.loads(text)
    components = {(one["name"], one["version"]) for one in document["components"]}
    main = document["metadata"]["component"]
    assert main["name"] == "bailiwick"
    crates = {one for one in components if one[0] not in ["sqlite", "aws-lc"]} | {(main["name"], main["version"])}
    # A macro runs in the compiler and is listed by one of the two only.
    assert linked() - crates == set()
    assert {"proptest", "insta", "reqwest-middleware"} & {name for name, _ in crates} == set()
    assert components - crates == {one for one in components if one[0] in ["sqlite", "aws-lc"]}
    assert len(components - crates) == 2


def test_everything_has_a_licence_and_a_name_that_scanners_know(text):
    for one in json.loads(text)["components"]:
        assert one["purl"], one
        assert one["licenses"], one


def test_every_reference_leads_somewhere(text):
    document = json.loads(text)
    known = {one["bom-ref"] for one in [*document["components"], document["metadata"]["component"]]}
    for one in document["dependencies"]:
        assert {one["ref"], *one.get("dependsOn", [])} <= known, one


def test_the_c_libraries_are_the_ones_that_are_built_in(text):
    versions = {one["name"]: one["version"] for one in json.loads(text)["components"] if one["purl"].startswith("pkg:generic/")}
    assert set(versions) == {"sqlite", "aws-lc"}
    assert re.fullmatch(r"3\.\d+\.\d+", versions["sqlite"]), versions


def test_it_is_the_same_every_time_and_says_nothing_of_this_machine(text):
    assert listed() == text
    assert str(ROOT) not in text and str(pathlib.Path.home()) not in text and "/tmp" not in text


def test_licences_come_with_their_texts():
    told = subprocess.run([ROOT / "packaging/licences"], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert "\ntokio " in told and "Permission is hereby granted, free of charge" in told
    assert {line.split(":")[0] for line in told.split("\n\n")[1].splitlines()} >= {" ".join(one) for one in linked() if one[0] in ["tokio", "ring", "rusqlite"]}
