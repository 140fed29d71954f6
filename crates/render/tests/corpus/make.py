#!/usr/bin/env python3
"""Makes the files of the corpus that programs write: `make.py`, with python-docx and LibreOffice's `soffice` installed.

The files that end with `.pasted.html` are written by hand, after what word processors and wikis put on the clipboard. The
Markdown beside each file is written by the test with BLESS=1, and read by people before it is committed."""
import pathlib, subprocess, tempfile

import docx
from docx.enum.text import WD_BREAK
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn

HERE = pathlib.Path(__file__).parent


def element(name, text=None, **attributes):
    made = OxmlElement(name)
    for key, value in attributes.items():
        made.set(qn("w:" + key), value)
    if text:
        made.text = text
    return made


def link(paragraph, url, words):
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"
    made = element("w:hyperlink")
    made.set(qn("r:id"), paragraph.part.relate_to(url, kind, is_external=True))
    run = element("w:r")
    run.append(element("w:t", words))
    made.append(run)
    paragraph._p.append(made)


def policy():
    """A policy as Word saves it: styles, lists of three levels, a table with merged cells, tracked changes, fields, a text box."""
    document = docx.Document()
    document.core_properties.title = "Template 4"
    document.add_paragraph("Access control policy", style="Title")
    document.add_heading("Purpose", 1)
    text = document.add_paragraph("This policy says ")
    text.add_run("who").bold = True
    text.add_run(" may use ")
    text.add_run("which systems").italic = True
    text.add_run(", and how access ends. It has * and _ and [brackets].")
    document.add_heading("Scope & terms", 2)
    for words in ["Employees", "Contractors", "Suppliers with access"]:
        document.add_paragraph(words, style="List Bullet")
        if words == "Contractors":
            document.add_paragraph("of one day", style="List Bullet 2")
            document.add_paragraph("of a longer time", style="List Bullet 2")
    for words in ["Ask the owner.", "Wait for the answer.", "Record it."]:
        document.add_paragraph(words, style="List Number")
    document.add_heading("Roles", 1)
    table = document.add_table(rows=3, cols=3, style="Table Grid")
    for row, cells in enumerate([["Role", "Duty", "Deputy"], ["Owner", "decides | approves", "Board"], ["Clerk", "records", ""]]):
        for column, words in enumerate(cells):
            table.cell(row, column).text = words
    table.cell(1, 2).merge(table.cell(2, 2))
    text = document.add_paragraph("Changes: ")
    inserted = element("w:ins", id="1", author="A", date="2026-01-01T00:00:00Z")
    inserted.append(parse_xml(f'<w:r {nsdecls("w")}><w:t>ninety days</w:t></w:r>'))
    deleted = element("w:del", id="2", author="A", date="2026-01-01T00:00:00Z")
    deleted.append(parse_xml(f'<w:r {nsdecls("w")}><w:delText>a year</w:delText></w:r>'))
    text._p.append(inserted)
    text._p.append(deleted)
    text.add_run(" after the last use.")
    text = document.add_paragraph("See ")
    link(text, "https://example.org/a_b?c=1&d=2", "the list of systems")
    text.add_run(" or write to ")
    text._p.append(parse_xml(
        f'<w:fldSimple {nsdecls("w")} w:instr=" AUTHOR "><w:r><w:t>the owner</w:t></w:r></w:fldSimple>'))
    text.add_run(".").add_break(WD_BREAK.LINE)
    text.add_run("A second line.")
    document.add_paragraph("Access is a promise.", style="Quote")
    document.add_paragraph("It is kept.", style="Quote")
    text = document.add_paragraph("Run ")
    text.add_run("passwd --expire").font.name = "Consolas"
    text.add_run(" for the account.")
    boxed = parse_xml(
        f'<w:r {nsdecls("w")}><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textbox><w:txbxContent>'
        "<w:p><w:r><w:t>In a box</w:t></w:r></w:p></w:txbxContent></v:textbox></v:shape></w:pict></w:r>")
    text._p.append(boxed)
    document.sections[0].footer.paragraphs[0].text = "Confidential"
    document.save(HERE / "policy.docx")


WRITER = """<html><head><title>Backup policy</title></head><body>
<h1>Backup policy</h1><p>We keep <b>three</b> copies<sup><a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym">1</a></sup>.</p>
<h2>What is kept</h2><ol><li>Databases<ol><li>each hour</li><li>each night</li></ol></li><li>Files<ul><li>of people</li></ul></li></ol>
<h2>How long</h2><table border="1"><tr><th>Kind</th><th>Days</th></tr><tr><td>Hourly</td><td>2</td></tr><tr><td>Nightly</td><td>35</td></tr></table>
<pre>restore --last
  --to /tmp</pre><blockquote>Test each quarter.</blockquote><p>See <a href="https://example.org/">the plan</a>.</p>
<div id="sdfootnote1"><p class="sdfootnote"><a class="sdfootnotesym" name="sdfootnote1sym" href="#sdfootnote1anc">1</a>
One of them elsewhere.</p></div></body></html>"""


def convert(source, kind, name):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["soffice", "--headless", f"-env:UserInstallation=file://{folder}/profile", "--convert-to", kind,
                        "--outdir", folder, str(source)], check=True, capture_output=True)
        made = next(path for path in pathlib.Path(folder).iterdir() if path.is_file())
        (HERE / name).write_bytes(made.read_bytes())


def libreoffice():
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "backup.html"
        source.write_text(WRITER)
        odt = pathlib.Path(folder) / "backup.odt"
        subprocess.run(["soffice", "--headless", f"-env:UserInstallation=file://{folder}/profile", "--convert-to",
                        "odt:writer8", "--infilter=HTML (StarWriter)", "--outdir", folder, str(source)], check=True,
                       capture_output=True)
        convert(odt, "docx:MS Word 2007 XML", "libreoffice.docx")
        convert(odt, "html:HTML (StarWriter)", "libreoffice.html")
        convert(HERE / "policy.docx", "docx:MS Word 2007 XML", "policy-libreoffice.docx")
        convert(HERE / "policy.docx", "html:HTML (StarWriter)", "policy-libreoffice.html")


policy()
libreoffice()
