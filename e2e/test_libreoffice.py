"""Word documents, workbooks and LibreOffice: it opens those that the service writes, and the service reads those that it writes."""

import base64
import csv
import shutil
import subprocess
import xml.etree.ElementTree as xml

import pytest
import requests

from service import PATIENCE, Client

SOFFICE = shutil.which("soffice")

TEXT = """\
# Signing in {#signing-in}

Everyone signs in with a **second factor**[^1], *always*.

1. First step
2. Second step
   - Inner step
3. Third step

## Who does what

| Control | Owner |
|---|---|
| A.5.15 | Operations |
| A.8.5 | Grüße & <Söhne> |

As in {{ref:#signing-in}}.

[^1]: A key or a telephone.
"""

PAGE = """\
<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Backup policy</title></head><body>
<h1>Backup policy</h1><p>We keep <b>three</b> copies.</p>
<h2>What is kept</h2><ol><li>Databases<ul><li>each hour</li><li>each night</li></ul></li><li>Files &amp; mail</li></ol>
<h2>How long</h2><table border="1"><tr><th>Kind</th><th>Days</th></tr><tr><td>Hourly</td><td>2</td></tr>
<tr><td>Nightly</td><td>35</td></tr></table><p>See <a href="https://example.org/">the plan</a>.</p>
</body></html>
"""

READ = """\
We keep **three** copies.

# What is kept

1. Databases
   - each hour
   - each night
2. Files & mail

# How long

| Kind | Days |
|---|---|
| Hourly | 2 |
| Nightly | 35 |

See [the plan](https://example.org/).
"""

REGISTER = """\
Risk register 2026

Risk ID,Risk,Inherent likelihood,Inherent impact,Current likelihood,Current impact,Last assessed,Owner
R-1,Überflutung 🌊,H,5,3,4,2026-01-15,Head of IT
R-2,"Fire, smoke",4.0,2,,,,
"""

# How it reads what does not say what it is: values of CSV with commas, in double quotes, as UTF-8.
FILTERS = {"html": "HTML (StarWriter)", "csv": "CSV:44,34,76,1"}


class Documents:
    """The documents of a service."""

    def __init__(self, service):
        token = service.token(service.client("documents:read documents:write"))["access_token"]
        self.url = f"{service.url}/v1/documents"
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {token}"

    def word(self, slug, text):
        """A Word document of this template."""
        new = {"slug": slug, "title": "Access control", "items": [], "template": text}
        answer = self.session.post(self.url, json=new)
        assert answer.status_code == 201, answer.text
        opened = self.session.post(f"{self.url}/{slug}/proposals")
        assert opened.status_code == 201, opened.text
        which = {"format": "docx", "proposal": opened.json()["number"]}
        answer = self.session.get(f"{self.url}/{slug}/text", params=which)
        assert answer.status_code == 200, answer.text
        return answer.content

    def read(self, slug, file):
        """The title and the template of the document that a file becomes, and what is not kept."""
        upload = {"name": "file.docx", "slug": slug, "content": base64.b64encode(file).decode()}
        answer = self.session.post(f"{self.url}/import", json={"uploads": [upload]})
        assert answer.status_code in (200, 201), answer.text
        document = self.session.get(f"{self.url}/{slug}").json()
        return document["title"], document["template"], answer.json()["uploads"][0]["not_kept"]


@pytest.fixture(scope="module")
def documents(service_with_grace):
    return Documents(service_with_grace)


@pytest.fixture
def converted(tmp_path):
    """A function that has LibreOffice read a file, and write it in another format."""
    packages = "libreoffice-writer-nogui libreoffice-calc-nogui"
    assert SOFFICE, f"soffice is missing: install it (Debian: sudo apt-get install {packages})."

    def convert(file, is_a, to):
        source, out = tmp_path / f"in.{is_a}", tmp_path / "out"
        source.write_bytes(file)
        # A profile of its own: nothing of an earlier run is asked about or repaired.
        profile = f"-env:UserInstallation=file://{tmp_path}/profile"
        by = [f"--infilter={FILTERS[is_a]}"] if is_a in FILTERS else []
        command = [SOFFICE, profile, "--headless", *by, "--convert-to", to, "--outdir", out, source]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        made = out / f"in.{to.split(':')[0]}"
        assert done.returncode == 0 and made.exists(), done.stdout + done.stderr
        return made.read_bytes()

    return convert


OPEN_DOCUMENT = {name: f"urn:oasis:names:tc:opendocument:xmlns:{name}:1.0" for name in ("office", "table", "text")}


def words(element):
    """What is written in an element."""
    return " ".join("".join(element.itertext()).split())


def test_an_exported_document_opens_in_libreoffice_with_its_structure(documents, converted):
    file = converted(documents.word("exported", TEXT), "docx", "fodt")
    root = xml.fromstring(file)
    text = root.find("office:body/office:text", OPEN_DOCUMENT)

    def found(path, inside=text):
        return inside.findall(path, OPEN_DOCUMENT)

    level = f"{{{OPEN_DOCUMENT['text']}}}outline-level"
    headings = [(heading.get(level), words(heading)) for heading in found(".//text:h")]
    assert headings == [("1", "1 Signing in"), ("2", "1.1 Who does what")]
    tables = [[[words(cell) for cell in row] for row in found(".//table:table-row", table)] for table in found(".//table:table")]
    assert tables[-1] == [["Control", "Owner"], ["A.5.15", "Operations"], ["A.8.5", "Grüße & <Söhne>"]]
    item = "text:list/text:list-item"
    assert [words(it) for it in found(f"{item}/text:p")] == ["First step", "Second step", "Third step"]
    assert [words(it) for it in found(f"{item}/{item}/text:p")] == ["Inner step"]
    assert [words(note) for note in found(".//text:p//text:note/text:note-body")] == ["A key or a telephone."]
    assert "As in 1." in [words(paragraph) for paragraph in found("text:p")]
    # The header of each page says that nobody has approved it.
    assert any("Draft" in words(it) for it in root.findall("office:master-styles", OPEN_DOCUMENT))


def test_an_exported_document_comes_back_from_libreoffice_as_it_was(documents, converted):
    saved = converted(documents.word("saved", TEXT), "docx", "docx")
    title, template, not_kept = documents.read("saved-again", saved)
    numbered = TEXT.replace("# Signing in {#signing-in}", "# 1 Signing in").replace("## Who", "## 1.1 Who")
    expected = numbered.replace("{{ref:#signing-in}}", "1").replace("<Söhne>", "\\<Söhne>")
    # The table of the first page stands before the text.
    assert (title, template[template.index("# 1 ") :]) == ("Access control", expected)
    assert [it.split(":")[0] for it in not_kept] == ["headers and footers of pages"]


def test_an_exported_document_is_printed_by_libreoffice(documents, converted):
    assert converted(documents.word("printed", TEXT), "docx", "pdf").startswith(b"%PDF-")


def test_a_document_that_libreoffice_wrote_is_read(documents, converted):
    title, template, not_kept = documents.read("written", converted(PAGE.encode(), "html", "docx"))
    assert (title, template, not_kept) == ("Backup policy", READ, [])


# What a spreadsheet would compute, shorten or read as markup if it were not a text.
TITLES = ["=1+1", "+49 30 12", "007", "Grüße & <Söhne>", "Two  spaces"]


@pytest.fixture(scope="module")
def register(service_with_grace):
    """A function that reads below the risks of a service."""
    token = service_with_grace.token(service_with_grace.client("risks:read risks:write"))["access_token"]
    url, session = f"{service_with_grace.url}/v1/risks", requests.Session()
    session.headers["Authorization"] = f"Bearer {token}"
    for number, title in enumerate(TITLES):
        inherent, target = {"likelihood": 4, "impact": 5}, {"likelihood": 2, "impact": 2}
        made = session.post(url, json={"title": title, "inherent": inherent, "target": target})
        assert made.status_code == 201, made.text
        rating = {"likelihood": 3, "impact": 1 + number, "note": f"={number}"}
        rated = session.post(f"{url}/{made.json()['id']}/evaluations", json=rating)
        assert rated.status_code == 201, rated.text

    def read(path, **query):
        answer = session.get(f"{url}/{path}", params=query)
        assert answer.status_code == 200, answer.text
        return answer

    return read


def sheets(file):
    """The texts of the cells of each table of a spreadsheet, and how many cells have a formula."""
    root, table = xml.fromstring(file), f"{{{OPEN_DOCUMENT['table']}}}"

    def rows(sheet):
        for row in sheet.iter(f"{table}table-row"):
            cells = []
            for cell in row.findall("table:table-cell", OPEN_DOCUMENT):
                text = "\n".join(written(line) for line in cell.findall("text:p", OPEN_DOCUMENT))
                cells += [text] * min(int(cell.get(f"{table}number-columns-repeated", 1)), 100)
            while cells and not cells[-1]:
                cells.pop()
            if cells:
                yield cells

    formulas = sum(cell.get(f"{table}formula") is not None for cell in root.iter(f"{table}table-cell"))
    return {sheet.get(f"{table}name"): list(rows(sheet)) for sheet in root.iter(f"{table}table")}, formulas


def written(line):
    """The text of a line, with its spaces."""
    spaces, count = (f"{{{OPEN_DOCUMENT['text']}}}{name}" for name in ("s", "c"))
    inside = (" " * int(it.get(count, 1)) if it.tag == spaces else written(it) for it in line)
    return (line.text or "") + "".join(text + (it.tail or "") for text, it in zip(inside, line))


def test_the_report_of_risks_opens_in_libreoffice_with_its_cells(register, converted):
    report = register("report").json()
    found, formulas = sheets(converted(register("report", format="xlsx").content, "xlsx", "fods"))
    assert formulas == 0
    assert [["Open risks", report["summary"][0]], ["Changes", report["summary"][1]]] == found["Summary"][3:5]
    for heat_map in report["heat_maps"]:
        counts = {(it["likelihood"], it["impact"]): str(it["count"] or "") for it in heat_map["cells"]}
        expected = [[counts[likelihood, impact] for impact in range(1, 6)] for likelihood in range(5, 0, -1)]
        rows = found[f"Open risks by {heat_map['basis']} rating"][2:]
        assert [(row + [""] * 6)[1:6] for row in rows] == expected

    def rated(rating):
        return f"{rating['score']} {rating['band']}"

    worst = [
        [it["id"], it["title"], "", rated(it["inherent"]), rated(it["current"]), rated(it["target"]), trend["trend"]]
        for it, trend in zip(report["worst"], report["trends"])
    ]
    assert found["Worst risks"][1:] == worst and {row[1] for row in worst} >= set(TITLES)
    changes = [
        [it["kind"].replace("_", " ").capitalize(), f"{it['risk']['id']} {it['risk']['title']}"]
        for it in report["changes"]
    ]
    assert [row[:2] for row in found["Changes and decisions"][1:]] == changes


def test_exported_risks_open_in_libreoffice_without_formulas(register, converted):
    file = register("export", format="csv").content
    exported = list(csv.reader(file.decode("utf-8-sig").splitlines()))
    tables, formulas = sheets(converted(file, "csv", "fods"))
    (rows,), title = tables.values(), exported[0].index("title")
    assert formulas == 0 and rows[0] == exported[0]
    # A spreadsheet reads what looks like a number as one.
    assert [row[title] for row in rows[1:]] == [row[title].replace("007", "7") for row in exported[1:]]


@pytest.mark.parametrize("ending", ["xlsx", "ods"])
def test_a_register_that_libreoffice_saved_is_imported(service_with_grace, converted, ending):
    service = service_with_grace
    organization = service.command("organization", "create", "--name", f"Register as {ending}")["id"]
    file = service.folder / f"register.{ending}"
    file.write_bytes(converted(REGISTER.encode(), "csv", ending))
    call = ["import", "risks", "--organization", organization, str(file), "--accept-proposals"]
    found = service.command(*call, "--dry-run")
    assert (found["header_rows"], found["faults"]) == ([3], [])
    assert service.command(*call)["counts"]["created"] == 2
    client = service.command(
        "client", "create", "--organization", organization, "--name", "e2e", "--scopes", "risks:read"
    )
    token = service.token(Client(client["client_id"], client["client_secret"]))["access_token"]
    answer = requests.get(f"{service.url}/v1/risks?sort=number", headers={"Authorization": f"Bearer {token}"})
    flood, fire = answer.json()["data"]
    assert (flood["external_ref"], flood["title"], flood["owner_name"]) == ("R-1", "Überflutung 🌊", "Head of IT")
    assert (flood["inherent"]["score"], flood["current"]["score"], fire["inherent"]["score"]) == (20, 12, 8)
    assert flood["current"]["evaluated_at"].startswith("2026-01-15")
    assert (fire["title"], fire["current"]) == ("Fire, smoke", None)
