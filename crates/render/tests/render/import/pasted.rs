//! What programs put on the clipboard, and plain text.

use render::import::{Imported, Lost, html, pasted, text};

fn kinds(imported: &Imported) -> Vec<Lost> {
    imported.not_kept.iter().map(|it| it.what).collect()
}

#[test]
fn lists_of_word_are_lists() {
    let item = |level: u8, mark: &str, words: &str| {
        format!(
            "<p class=MsoListParagraphCxSpMiddle style='margin-left:36.0pt;mso-list:l0 level{level} lfo1'><![if !supportLists]>\
             <span style='mso-list:Ignore'>{mark}<span style='font:7.0pt \"Times New Roman\"'>&nbsp;&nbsp;\n </span></span>\
             <![endif]>{words}<o:p></o:p></p>"
        )
    };
    let items = [
        item(1, "1.", "Ask"),
        item(2, "·", "the <b>owner</b>"),
        item(2, "o", "the board"),
        item(1, "2.", "Wait"),
        item(2, "a)", "a day"),
        item(2, "b)", "a week"),
    ];
    let page = format!(
        "<p class=MsoTitle>Access</p><h1><span style='mso-list:Ignore'>1 </span>Rules</h1>{}",
        items.concat()
    );
    let imported = html(&page);
    assert_eq!(imported.title.as_deref(), Some("Access"));
    let expected =
        "# Rules\n\n1. Ask\n   - the **owner**\n   - the board\n2. Wait\n   1. a day\n   2. a week\n";
    assert_eq!(imported.markdown, expected);
    assert_eq!(kinds(&imported), [Lost::Numbering]);
}

#[test]
fn lists_of_the_styles_of_word_and_its_outline_are_known() {
    let item = |class: &str, mark: &str, words: &str| {
        format!(
            "<p class={class}><!--[if !supportLists]--><span style='font-family:Symbol'><span style='mso-list:Ignore'>{mark}<span \
             style='font:7.0pt \"Times New Roman\"'>&nbsp; </span></span></span><!--[endif]-->{words}<o:p></o:p></p>\r\n"
        )
    };
    let items = [
        item("MsoListBulletCxSpFirst", "·", "Keys"),
        item("MsoListBullet2CxSpMiddle", "o", "spare <s>ones</s>"),
        item("MsoListBulletCxSpLast", "·", "Cards"),
        item("MsoListNumber", "1.", "Ask"),
        item("MsoListNumber", "2.", "Wait"),
    ];
    let page = format!(
        "<p class=Policyhead style='mso-outline-level:2'>Rules<o:p></o:p></p>{}<p class=MsoListBullet>No mark</p>",
        items.concat()
    );
    let expected = "## Rules\n\n- Keys\n  - spare ~~ones~~\n- Cards\n\n1. Ask\n2. Wait\n\nNo mark\n";
    assert_eq!(pasted(&page).markdown, expected);
}

#[test]
fn what_is_pasted_keeps_its_title_and_the_levels_of_its_headings() {
    let page = "<html><body>\r\n<!--StartFragment--><h3>Guests</h3><p>Ask.</p><img src=x><!--EndFragment-->\r\n</body></html>";
    let part = pasted(page);
    assert_eq!((part.title.as_deref(), &*part.markdown), (None, "### Guests\n\nAsk.\n"));
    assert_eq!(part.not_kept[0].to_string(), "images and drawings: 1, under “Guests”");
    let word = "<head><title>Draft 7</title></head><p class=MsoTitle>Access<o:p></o:p></p><h1>Rules</h1>";
    assert_eq!(pasted(word).markdown, "# Access\n\n# Rules\n");
    let words = pasted("<meta charset='utf-8'><span style=\"color:black\">only <b>these</b> 2 * 3</span>");
    assert_eq!((&*words.markdown, words.not_kept.len()), ("only **these** 2 \\* 3\n", 0));
}

#[test]
fn footnotes_of_word_comments_and_hidden_text_are_known() {
    let imported = html(
        "<p>Three<a style='mso-footnote-id:ftn1' href=\"#_ftn1\" name=\"_ftnref1\"><span class=MsoFootnoteReference>[1]</span></a> \
         copies<span class=MsoCommentReference><a href=\"#_msocom_1\">[A1]</a></span>.<span style='display:none'>no</span>\
         <del cite=\"mailto:A\" datetime=\"2026-01-01\">x</del><ins cite=\"mailto:A\">y</ins></p>\
         <div style='mso-element:footnote-list'><hr><div style='mso-element:footnote' id=ftn1><p class=MsoFootnoteText>\
         <a href=\"#_ftnref1\" name=\"_ftn1\">[1]</a> One elsewhere.</p><p>Far away.</p></div></div>\
         <div style='mso-element:comment-list'>Why three?</div>",
    );
    assert_eq!(imported.markdown, "Three[^1] copies.y\n\n[^1]: One elsewhere.\n\n    Far away.\n");
    assert_eq!(kinds(&imported), [Lost::Comment, Lost::Hidden, Lost::TrackedChange]);
    let shown = render::html(&imported.markdown).to_string();
    let notes = "<ol class=\"footnotes\">\n<li><p>One elsewhere.</p>\n<p>Far away.</p>\n</li>\n</ol>\n";
    assert_eq!(shown, format!("<p>Three<sup>1</sup> copies.y</p>\n{notes}"));
}

#[test]
fn google_docs_says_emphasis_by_weight_and_nests_lists_by_class() {
    let imported = html(
        "<meta charset=utf-8><b style=\"font-weight:normal;\" id=\"docs-internal-guid-1\"><p dir=ltr><span style=\"font-weight:700\">Bold\
         </span><span style=\"font-style:italic;color:#ff0000\"> red</span></p><ul><li dir=ltr aria-level=1><p>one</p></li><ul><li \
         aria-level=2><p>two</p></li></ul><li><p>three</p></li></ul></b>\
         <ol class=\"lst-kix_a-0 start\" start=1><li>a</li></ol><ol class=\"lst-kix_a-1 start\" start=1><li>b</li></ol>\
         <ol class=\"lst-kix_a-0\" start=2><li>c</li></ol>",
    );
    assert_eq!(imported.markdown, "**Bold** *red*\n\n- one\n  - two\n- three\n\n1. a\n   1. b\n2. c\n");
    assert_eq!(kinds(&imported), [Lost::Colour]);
}

#[test]
fn a_page_of_a_wiki_keeps_tables_code_and_tasks() {
    let imported = html(
        "<title>Plan - Wiki</title><h2 id=x>Plan</h2><h3>Now</h3><ul class=inline-task-list><li class=checked>done</li></ul>\
         <div class=table-wrap><table class=confluenceTable><colgroup><col></colgroup><tbody><tr><th><p>A</p></th><th>B</th></tr>\
         <tr><td rowspan=2>1</td><td><p>x</p><ul><li>y</li></ul></td></tr><tr><td>2|3</td></tr></tbody></table></div>\
         <pre class=syntaxhighlighter-pre>a  {\n  b</pre><p><img src=a.png>Go<br><br>on <a href=/wiki/x>there</a>, \
         <a href=\"https://a.example/b c\">here</a>!</p><table><tr><td>Note <b>well</b></td></tr></table>",
    );
    assert_eq!(imported.title.as_deref(), Some("Plan"));
    let expected = "# Now\n\n- ☑ done\n\n| A | B |\n|---|---|\n| 1 | x • y |\n| | 2\\|3 |\n\n```\na  {\n  b\n```\n\nGo\n\n\
                    on there, [here](https://a.example/b%20c)!\n\n> Note **well**\n";
    assert_eq!(imported.markdown, expected);
    let lost = [Lost::MergedCell, Lost::BlocksInCell, Lost::Image, Lost::Link, Lost::Box];
    assert_eq!(kinds(&imported), lost);
    let said: Vec<String> = imported.not_kept.iter().map(ToString::to_string).collect();
    assert_eq!(said[2], "images and drawings: 1, under “Now”");
}

#[test]
fn addresses_in_a_text_stay_as_they_are() {
    let page = "<p>See https://a.example/b_c?d=1&amp;e_f=2, http://x.example/a_b. or www.a_b.example and a_b@c.example</p>";
    let imported = html(page);
    let shown = render::html(&imported.markdown).to_string();
    let words: String = scraper::Html::parse_fragment(&shown).root_element().text().collect();
    assert_eq!(
        words.trim(),
        "See https://a.example/b_c?d=1&e_f=2, http://x.example/a_b. or www.a_b.example and a_b@c.example"
    );
}

#[test]
fn plain_text_has_paragraphs_lists_and_tables() {
    let imported = text(
        "Access\nfor all\n\n• one\n\t○ two\n• three\n1) a\n2) b\n\nRole\tDuty\nClerk\trecords\n\n1986. A year",
    );
    let expected = "Access\nfor all\n\n- one\n  - two\n- three\n\n1. a\n2. b\n\n| Role | Duty |\n|---|---|\n| Clerk | records |\n\n\
                    1986\\. A year\n";
    assert_eq!(imported.markdown, expected);
}

#[test]
fn what_a_template_reads_is_text() {
    let imported = html("<p>{{name}} <code>{{code}}</code></p><pre>{% if a == \"b\" %}</pre>");
    assert_eq!(imported.markdown, "\\{\\{name}} \\{\\{code\\}\\}\n\n\\{% if a == \"b\" %}\n");
}

#[test]
fn elements_that_are_not_closed_end_where_browsers_end_them() {
    let imported = html(
        "<p>a<p>b<ul><li>c<li>d<ul><li>e</ul></ul><table><tr><td>f<td>g<tr><td>h<td>i</table><b>j</div>k",
    );
    assert_eq!(imported.markdown, "a\n\nb\n\n- c\n- d\n  - e\n\n| f | g |\n|---|---|\n| h | i |\n\n**jk**\n");
}

#[test]
fn what_stands_in_lines_of_its_own_is_told() {
    let is_block = |html: &str| pasted(html).is_block;
    assert!(!is_block("only <b>these</b>") && !is_block("<p>One paragraph.</p>") && !is_block(""));
    for block in ["<h2>A</h2>", "<ul><li>one</ul>", "<table><tr><td>a<td>b</table>", "<p>a<p>b"] {
        assert!(is_block(block), "{block}");
    }
}

#[test]
fn a_text_that_would_be_written_too_long_ends() {
    for before in ["<blockquote>".repeat(16), String::new()] {
        let page = format!("{before}{}", "<p>x</p>".repeat(100_000));
        let read = pasted(&page);
        assert!(read.markdown.len() <= 1024 * 1024 + 64, "{} bytes", read.markdown.len());
        assert_eq!(read.not_kept.iter().any(|it| it.what == Lost::Rest), !before.is_empty(), "{before}");
    }
    let lines = format!("{}{}", "<blockquote>".repeat(16), "x<br>".repeat(200_000));
    let read = pasted(&lines);
    assert!(read.markdown.len() <= 1024 * 1024 + 64, "{} bytes", read.markdown.len());
    assert_eq!(read.not_kept.last().map(|it| it.what), Some(Lost::Rest));
}
