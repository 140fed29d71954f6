//! What people write, and what a page shows of it.

/// The HTML of a text.
fn html(text: &str) -> String {
    render::html(text).to_string()
}

const REL: &str = "rel=\"nofollow noopener noreferrer\"";

#[test]
fn an_excerpt_has_the_words_alone() {
    for (text, words) in [
        ("# A *b*\n\n- c\n- [x] d\n", "A b c d"),
        ("See [the **plan**](https://a.example), `x < y`\nand ~~no~~ <b>", "See the plan, x < y and no <b>"),
        ("| A | B |\n|---|---|\n| 1 | 2 |", "A B 1 2"),
        ("```sh\nls\n```\nthen", "ls then"),
        ("@ada@a.example, look", "@ada@a.example, look"),
        ("", ""),
    ] {
        assert_eq!(render::plain(text), words, "{text}");
    }
    let long = format!("*{}", "a ".repeat(render::MOST_BYTES));
    assert!(render::plain(&long).starts_with("*a a"), "it is shown as it was written");
}

#[test]
fn paragraphs_keep_their_line_breaks() {
    assert_eq!(html("One\ntwo\n\nthree & <four>"), "<p>One<br>\ntwo</p>\n<p>three &amp; &lt;four&gt;</p>\n");
    assert_eq!(html(""), "");
    assert_eq!(html("a\r\nb"), "<p>a<br>\nb</p>\n");
}

#[test]
fn words_are_stressed_struck_and_code() {
    let expected = "<p><em>a</em> <strong>b</strong> <del>c</del> <code>d &lt;e&gt;</code> <strong>この文は重要です。</strong>但</p>\n";
    assert_eq!(html("*a* **b** ~~c~~ `d <e>` **この文は重要です。**但"), expected);
}

#[test]
fn headings_are_below_those_of_the_page() {
    assert_eq!(html("# A\n## B\n###### C\nD\n==="), "<h3>A</h3>\n<h4>B</h4>\n<h6>C</h6>\n<h3>D</h3>\n");
}

#[test]
fn lists_are_tight_or_loose_and_begin_where_they_say() {
    assert_eq!(html("- a\n- b\n  1. c"), "<ul>\n<li>a</li>\n<li>b<ol>\n<li>c</li>\n</ol>\n</li>\n</ul>\n");
    assert_eq!(html("3. a\n\n4. b"), "<ol start=\"3\">\n<li><p>a</p>\n</li>\n<li><p>b</p>\n</li>\n</ol>\n");
}

#[test]
fn tasks_say_whether_they_are_done() {
    let expected = "<ul>\n<li class=\"task\">☑ a</li>\n<li class=\"task\">☐ b</li>\n<li>c</li>\n</ul>\n";
    assert_eq!(html("- [x] a\n- [ ] b\n- c"), expected);
    let loose = html("- [x] a\n\n- [ ] b");
    assert!(loose.contains("<li class=\"task\"><p>☑ a</p>") && loose.contains("<p>☐ b</p>"), "{loose}");
}

#[test]
fn quotes_lines_and_code_are_blocks() {
    assert_eq!(html("> a\n\n---"), "<blockquote><p>a</p>\n</blockquote>\n<hr>\n");
    assert_eq!(html("```sh\\\"\n<a>\n\n b\n```"), "<pre><code>&lt;a&gt;\n\n b\n</code></pre>\n");
}

#[test]
fn a_table_has_a_head_and_scrolls_by_itself() {
    let expected = "<div class=\"scroll\" tabindex=\"0\"><table>\n<thead>\n<tr><th>A</th><th class=\"right\">B</th><td></td></tr>\n\
                    </thead>\n<tbody>\n<tr><td>1</td><td class=\"right\">2</td><td></td></tr>\n\
                    <tr><td>3</td><td class=\"right\"></td><td></td></tr>\n</tbody>\n</table></div>\n";
    assert_eq!(html("| A | B | |\n|---|--:|---|\n| 1 | 2 |\n| 3 |"), expected);
    let head_alone = html("| A |\n|:-:|");
    assert!(head_alone.contains("<th class=\"center\">A</th></tr>\n</thead>\n</table>"), "{head_alone}");
}

#[test]
fn addresses_are_links() {
    let link = |address: &str, words: &str| format!("<p><a href=\"{address}\" {REL}>{words}</a></p>\n");
    for text in ["https://a.example/b", "<https://a.example/b>"] {
        assert_eq!(html(text), link("https://a.example/b", "https://a.example/b"), "{text}");
    }
    assert_eq!(html("ada@x.org"), link("mailto:ada@x.org", "ada@x.org"));
    assert_eq!(html("[b](HTTP://A.example?x=1&y=%22)"), link("http://a.example/?x=1&amp;y=%22", "b"));
    assert_eq!(html("[b][1]\n\n[1]: https://bücher.example"), link("https://xn--bcher-kva.example/", "b"));
    assert_eq!(
        html("[b](https://a.example 'say \"x\" <y>')"),
        format!("<p><a href=\"https://a.example/\" title=\"say &quot;x&quot; &lt;y&gt;\" {REL}>b</a></p>\n")
    );
    // A link has words.
    assert_eq!(html("[](https://a.example/)"), link("https://a.example/", "https://a.example/"));
}

#[test]
fn other_addresses_are_text_beside_their_words() {
    for (text, shown) in [
        ("[b](/docs)", "b (/docs)"),
        ("[b](#c)", "b (#c)"),
        ("[b]()", "b"),
        ("[](ftp://x)", "ftp://x"),
        ("<ftp://x>", "ftp://x"),
        ("[b](javascript:alert)", "b (javascript:alert)"),
        ("[b](//evil.example)", "b (//evil.example)"),
        ("[b](https://[x)", "b (https://[x)"),
        ("![b](c.png)", "b (c.png)"),
        ("![](data:image/png;base64,AA)", "data:image/png;base64,AA"),
    ] {
        assert_eq!(html(text), format!("<p>{shown}</p>\n"), "{text}");
    }
}

#[test]
fn an_image_is_a_link_and_links_are_not_in_each_other() {
    let link = |address: &str, words: &str| format!("<a href=\"{address}\" {REL}>{words}</a>");
    assert_eq!(html("![b](https://a.example/)"), format!("<p>{}</p>\n", link("https://a.example/", "b")));
    let inside = html("[![b](https://c.example)](https://a.example/)");
    assert_eq!(inside, format!("<p>{}</p>\n", link("https://a.example/", "b")));
    let inside = html("![x [b](https://c.example) y](https://a.example/)");
    assert_eq!(inside, format!("<p>{}</p>\n", link("https://a.example/", "x b y")));
}

#[test]
fn html_is_shown_as_text() {
    assert_eq!(html("a <b onclick=x>c</b>"), "<p>a &lt;b onclick=x&gt;c&lt;/b&gt;</p>\n");
    assert_eq!(html("<div>\na\n</div>"), "<p>&lt;div&gt;<br>\na<br>\n&lt;/div&gt;</p>\n");
    assert_eq!(html("<!-- a -->"), "<p>&lt;!-- a --&gt;</p>\n");
}
