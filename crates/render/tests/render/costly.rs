//! Texts of 64 KiB that are made to take long.

use std::time::{Duration, Instant};

use render::{MOST_BYTES, MOST_HTML_BYTES, html};

/// How long most of them are: longer ones take longer in proportion.
const BYTES: usize = 64 * 1024;

/// Texts that are repeated, with `·` between them.
const REPEATED: &str = "*·_·**a ·*a_ ·*a **a ·a**b·***a*** ·~~·~a·[·]·![·[a](·[a]·[a][b]·[[a]()·![[]()·[a](<b·![a](b)·(·<·<a ·</·<!--·<?·\
    <![CDATA[·<a@b.c>·<http://a>·`·`a``·\\·&·&amp;·&#·|·|a·:-:|·-·- ·* ·+ ·1. ·> ·>·- > ·>- ·- [x] ·- [x] a\n·#·# ·\t· ·\n·\n\n·a\n·- a\n·\
    > a\n·    a\n·```\n·~~~·<b>\n·<div>\n·[a]: b\n·[a]: <·[a]: b '·|a|\n|-|\n·a|\n-|\n·x\n=\n·x\n-\n·http://·www.·www.a.·a@·a.b@c·\
    a_·mailto:a@b.c ·https://a.b ·!·\"·é·日本·👩·\u{202e}·\0·\r·[^1]";

/// The same of two texts, each in one half.
const HALVES: &str =
    "[,]·*,a*·*a ,a*·- ,\n·> ,\n·>,a\n·![,](a)·[a](,)·**a_ ,_b** ·a|,\na·<b,>·`a,``·- ,a\n\n";

/// A part again and again, in `bytes`.
fn full(part: &str, bytes: usize) -> String {
    part.repeat(bytes / part.len())
}

/// Lists that are ever deeper, and then nothing but line breaks, each of which belongs to all of them.
fn deep(steps: usize, indent: &str, item: &str) -> String {
    let text: String = (0..steps).map(|number| format!("{}{item}\n", indent.repeat(number))).collect();
    format!("{text}{}", "\n".repeat(BYTES - text.len()))
}

fn costly() -> Vec<String> {
    let halves = |pair: &str| {
        let (first, second) = pair.split_once(',').unwrap();
        full(first, BYTES / 2) + &full(second, BYTES / 2)
    };
    let repeated = REPEATED.split('·').map(|part| full(part, BYTES));
    let ticks = (1..350).map(|number| format!("a{}", "`".repeat(number))).collect();
    let table = format!("{}\n{}\n{}", full("|a", 16_000), full("|-", 16_000), full("b\n", 32_000));
    let reference = format!("[a]: https://a.example/{}\n\n{}", full("b", 32_000), full("[a]", 33_000));
    let others = [ticks, table, reference, deep(250, "  ", "- a"), deep(240, "\t", "- - a")];
    repeated.chain(HALVES.split('·').map(halves)).chain(others).collect()
}

#[test]
fn no_text_takes_long_or_becomes_large() {
    for text in costly() {
        let begin: String = text.chars().take(20).collect();
        assert!(text.len() <= BYTES, "{begin:?}");
        let start = Instant::now();
        let made = html(&text).as_str().len();
        let took = start.elapsed();
        // It takes a second or two here, and a hundredth of that when it is optimised; one that is not linear takes hours.
        assert!(took < Duration::from_secs(60), "{begin:?} took {took:?}");
        assert!(made <= MOST_HTML_BYTES + 4 * BYTES, "{begin:?} has {made} bytes");
    }
}

#[test]
fn what_is_too_deep_or_too_long_is_shown_as_it_was_written() {
    for text in [full(">", BYTES), full("1. ", BYTES), "x".repeat(MOST_BYTES + 1)] {
        let source = text.replace('>', "&gt;");
        assert_eq!(html(&text).to_string(), format!("<pre><code>{source}</code></pre>\n"));
    }
    assert!(html(&"> ".repeat(20)).as_str().starts_with("<blockquote>"));
}

#[test]
fn a_long_policy_is_markdown() {
    let usual = "## Now\n\nSee **this** [page](https://a.example/b), `code` and:\n\n- one\n- [ ] two\n\n| a | b |\n|---|---|\n| 1 | *2* |\n\n";
    let made = html(&full(usual, MOST_BYTES)).to_string();
    assert!(made.starts_with("<h4>Now</h4>") && !made.contains("**"), "{}", made.len());
}
