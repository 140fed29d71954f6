//! Texts of somebody who wants more than to be read.

use proptest::prelude::*;

use crate::sanitiser::check;

const CORPUS: &[&str] = &[
    "<script>alert(1)</script>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)><style>*{}</style></svg>",
    "<svg><![CDATA[<img src=x onerror=alert(1)>]]></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
    "<a href=\"javascript:alert(1)\" style='x:y' onclick=alert(1)>x",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<!-- <b> --> <!--> x <!--- --!> <?php ?> <!DOCTYPE x> <![CDATA[ y ]]>",
    "<div>\n<form action=//evil.example><input name=password></form>",
    "<plaintext>",
    "<textarea>",
    "<title>",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\">",
    "</section></div></body></html><h1>x</h1>",
    "<b",
    "<b <i",
    "</",
    "<a href=\"",
    "<!--",
    "<![CDATA[",
    "&lt;b&gt;",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](<java\u{1}script:alert(1)>)",
    "[x](&#106;avascript&colon;alert&lpar;1&rpar;)",
    "[x](&#x6A;ava&Tab;script&#58;alert(1))",
    "[x](\\javascript:alert(1))",
    "[x](<&#1;javascript:alert(1)>)",
    "[x](<\u{a0}javascript:alert(1)>)",
    "[x](vbscript:msgbox(1))",
    "[x](file:///etc/passwd)",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "![x](data:image/svg+xml,<svg/onload=alert(1)>)",
    "[x](blob:https://a.example/1)",
    "[x](https:evil.example)",
    "[x](http:/\\evil.example)",
    "[x](https://a.example\"onmouseover=alert(1))",
    "[x](https://[::1]:80/)",
    "[x](https://[)",
    "[x](https://a.example/%zz%00)",
    "[x](https://a:b@c.example/)",
    "<mailto:a\"b@c.example>",
    "[x](mailto:a@b.example?body=\"><script>)",
    "<https://a.example/\"onmouseover=alert(1)>",
    "<javascript:alert(1)>",
    "[x](https://a.example '\"onmouseover=alert(1)')",
    "[x](https://a.example \"\\\"><script>alert(1)</script>\")",
    "[x](https://a.example (&quot;&gt;&lt;script&gt;))",
    "![\"onerror=alert(1)](https://a.example/x.png)",
    "[a [b](https://b.example) c](https://c.example)",
    "[![a](https://b.example)](https://c.example)",
    "![a [b ![c](https://d.example)](https://e.example)](https://f.example)",
    "[<b>](https://a.example)",
    "[](https://a.example)",
    "[x]\n\n[x]: javascript:alert(1)",
    "[x]: <javascript:alert(1)> \"'onclick=x\"",
    "https://a.example/<script>",
    "www.a.example/\"x",
    "javascript://a.example/%0aalert(1)",
    "a@b.example<script>",
    "``` \"><script>\n</code></pre><script>\n```",
    "`</code><script>`",
    "~~~\n</pre>",
    "    </code></pre><script>",
    "|<script>|\"|\n|-|-|\n|</table>|<td>|",
    "- [x] <script>",
    "- [ ](javascript:alert(1))",
    "> <script>\n> x",
    "# <script>",
    "<script>\n===",
    "*<b>*__</b>__~~<i>~~",
    "\u{202e}txt.exe\u{2066}x",
    "[\u{202e}moc.doog](https://evil.example)",
    "a\0b",
    "[x](https://a.example/\0)",
    "&#0;&#1;&#13;&#xD800;&#x110000;",
    "\u{1}\u{7f}\u{85}\u{a0}\u{2028}\u{feff}\u{fffe}",
    "\r\rx\r",
    "x\\\ny  \nz",
];

#[test]
fn hostile_texts_make_no_markup() {
    for text in CORPUS {
        check(text);
        for around in ["**", "`", "> ", "- ", "| ", "[", "<div>\n", "```\n", "# "] {
            check(&format!("{around}{text}"));
            check(&format!("{around}{text}{}", around.trim_end()));
        }
    }
}

/// What joins two texts.
const BETWEEN: &[&str] = &[
    "",
    " ",
    "\n",
    "\n\n",
    "\n    ",
    "\n> ",
    "\n- ",
    "\n1. ",
    "\n| ",
    "|",
    "*",
    "**",
    "_",
    "~~",
    "`",
    "```\n",
    "[",
    "](",
    ")",
    "![",
    "<",
    ">",
    "\"",
    "'",
    "\\",
    "&",
    "\n---\n",
    "\n===\n",
    "\t",
    "|\n|-|-|\n|",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn no_mixture_of_them_does(parts in prop::collection::vec(
        (prop::sample::select(CORPUS), prop::sample::select(BETWEEN)), 1..12))
    {
        let text: String = parts.into_iter().flat_map(|(text, between)| [text, between]).collect();
        check(&text);
    }

    #[test]
    fn no_text_does(text in "[\\[\\]()!<>*_`~|:\"'&#;\\\\/ \n\ta-cx1+=.@\\-\u{0}\u{202e}]{0,80}") {
        check(&text);
    }
}
