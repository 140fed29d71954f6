"""Writing the text of a document: formatted text is pasted as Markdown, and what it becomes is shown beside it."""

import pytest
from playwright.sync_api import expect

# What a page does with a script does not depend on the engine.
pytestmark = pytest.mark.parametrize("demo", ["sqlite"], indirect=True, scope="session")

WORD = """<html><head><style><!-- p.MsoNormal {margin:0} --></style></head><body><!--StartFragment-->
<h1>Clear desk<o:p></o:p></h1><p class=MsoNormal>Lock your <i>screen</i>.<o:p></o:p></p>
<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><!--[if !supportLists]--><span style='mso-list:Ignore'>1.<span
style='font:7.0pt "Times New Roman"'>&nbsp; </span></span><!--[endif]-->Papers</p>
<p class=MsoListParagraph style='mso-list:l0 level1 lfo1'><!--[if !supportLists]--><span style='mso-list:Ignore'>2.<span
style='font:7.0pt "Times New Roman"'>&nbsp; </span></span><!--[endif]-->Keys</p>
<table><tr><td><p>Room</p></td><td><p>Owner</p></td></tr><tr><td><p>1</p></td><td><p>Ada</p></td></tr></table>
<img src="file:///C:/x.png"><!--EndFragment--></body></html>"""
MARKDOWN = "# Clear desk\n\nLock your *screen*.\n\n1. Papers\n2. Keys\n\n| Room | Owner |\n|---|---|\n| 1 | Ada |"

PASTE = """(field, [html, text]) => {
  const data = new DataTransfer();
  if (html !== "") data.setData("text/html", html);
  data.setData("text/plain", text);
  field.focus();
  return field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}"""


def paste(page, html, text="plain"):
    """Pastes into the text. Returns whether that is left to the browser."""
    # The script gives up after some seconds, which a busy machine may take.
    page.evaluate("AbortSignal.timeout = () => new AbortController().signal")
    return page.locator("#template").evaluate(PASTE, [html, text])


def is_within(page):
    """Whether the page does not scroll sideways."""
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("width", [320, 1600])
def test_formatted_text_is_pasted_as_markdown(open_page, width):
    page = open_page("/documents/new", viewport={"width": width, "height": 900})
    template, told = page.locator("#template"), page.locator("#template-told")
    assert not paste(page, WORD)
    expect(template).to_have_value(MARKDOWN)
    expect(told).to_contain_text("Not kept:")
    expect(told.locator("li")).to_have_text(["images and drawings: 1, under “Clear desk”"])
    expect(page.locator("#preview ol li")).to_have_text(["Papers", "Keys"])
    assert is_within(page)
    template.press("Control+z")
    expect(template).to_have_value("")
    # Within a line it is put there; a part with several lines begins its own.
    template.fill("Lock it")
    assert not paste(page, "<b> now</b>")
    expect(template).to_have_value("Lock it**now**")
    assert not paste(page, "<h2>Keys</h2><p>Too.</p>")
    expect(template).to_have_value("Lock it**now**\n\n## Keys\n\nToo.")
    expect(told).to_have_text("Pasted as Markdown.")
    # What stands in lines of its own is kept apart from what is around it.
    template.fill("Above\nBelow")
    template.evaluate("(field) => field.setSelectionRange(6, 6)")
    assert not paste(page, "<ul><li>Papers</li></ul>")
    expect(template).to_have_value("Above\n\n- Papers\n\nBelow")
    # Without formatting the browser pastes.
    assert paste(page, "")


def test_plain_text_is_pasted_where_the_service_cannot_be_reached(open_page):
    page = open_page("/documents/new")
    page.route("**/documents/import/paste", lambda route: route.fulfill(body="another page"))
    assert not paste(page, WORD, "Clear desk")
    expect(page.locator("#template")).to_have_value("Clear desk")
    expect(page.locator("#template-told")).to_have_text("Pasted as plain text: the formatting is lost.")


def test_what_was_pasted_does_not_go_elsewhere(open_page):
    page = open_page("/documents/new")
    waiting = []
    page.route("**/documents/import/paste", lambda route: waiting.append(route))
    template = page.locator("#template")
    template.fill("Lock it.")
    with page.expect_request("**/documents/import/paste"):
        assert not paste(page, WORD)
    page.locator("#title").fill("Clear desk")
    template.evaluate("(field) => { field.value = 'Lock all.'; }")
    page.locator("#title").focus()
    waiting[0].continue_()
    expect(page.locator("#template-told")).to_contain_text("Not pasted")
    expect(template).to_have_value("Lock all.")
    expect(page.locator("#title")).to_have_value("Clear desk")


@pytest.mark.parametrize("width", [320, 1600])
def test_a_text_is_shown_while_it_is_written(open_page, width):
    page = open_page("/documents/access-control/edit", viewport={"width": width, "height": 900})
    template, preview = page.locator("#template"), page.locator("#preview")
    template.fill("# Rule\n\nLock *it*.\n\n| A | B |\n|---|---|\n| " + "long" * 60 + " | 2 |\n")
    expect(preview.locator("em")).to_have_text("it")
    expect(page.locator("#sections li").first).to_contain_text("Not in the text")
    assert is_within(page)
    template.fill("# Rule\n\nLock {{gone}}.\n")
    expect(page.locator("#in-text")).to_contain_text("Line 3, column 6: there is no item gone")
    # What was shown last stays.
    expect(preview.locator("em")).to_have_text("it")
    assert is_within(page)
    template.fill("# Rule\n\nLock all.\n")
    expect(page.locator("#in-text")).to_have_text("")
    expect(preview).to_contain_text("Lock all.")
    page.reload()
    expect(preview).not_to_contain_text("Lock all.")


def test_the_result_of_a_value_is_shown_before_it_is_proposed(open_page):
    page = open_page("/documents/access-control")
    section = page.locator("article section:has(form.choose input[type=radio])").first
    section.locator("summary").click()
    section.locator("input[type=radio]:not(:checked)").first.check()
    expect(section.locator("[id^=result-]")).to_contain_text("Text with this value")
    assert is_within(page)
