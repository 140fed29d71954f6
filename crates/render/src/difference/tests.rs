use proptest::prelude::*;

use super::*;

fn compared(before: &str, after: &str) -> Difference {
    difference(("one", before), ("two", after))
}

#[test]
fn changed_words_are_marked_in_their_line() {
    let before = "# Rule\n\nLock your screen.\n\nEnd.\n\nMore.\n";
    let it = compared(before, "# Rule\n\nLock your <b>door</b>.\n\nEnd.\n\nMore.\n");
    assert_eq!(it.html.as_str(), "<p>Lock your <del>screen.</del><ins>&lt;b&gt;door&lt;/b&gt;.</ins></p>");
    assert!(it.unified.starts_with("--- one\n+++ two\n"), "{}", it.unified);
    assert!(it.unified.contains("\n-Lock your screen.\n+Lock your <b>door</b>.\n"), "{}", it.unified);
}

#[test]
fn words_that_are_replaced_one_after_the_other_are_a_phrase() {
    let it = compared("A few named people change it.\n", "Nobody has access to change it.\n");
    let expected = "<p><del>A few named people</del><ins>Nobody has access to</ins> change it.</p>";
    assert_eq!(it.html.as_str(), expected);
}

#[test]
fn equal_texts_do_not_differ_and_long_ones_are_compared_as_wholes() {
    assert_eq!(compared("a\n", "a\n").unified, "");
    let long = "word\n".repeat(MOST + 1);
    let it = compared(&long, &format!("{long}more\n"));
    assert!(it.html.as_str().starts_with("<p><del>word</del></p>"));
    let words = "word ".repeat(MOST + 1);
    let it = compared(&words, &format!("{words}more"));
    assert_eq!(it.html.as_str().matches("<p>").count(), 1);
}

/// The text of the HTML without what is marked so.
fn without(html: &str, element: &str) -> String {
    let (start, end) = (format!("<{element}>"), format!("</{element}>"));
    let mut kept = String::new();
    let mut rest = html;
    while let Some((before, after)) = rest.split_once(&start) {
        kept.push_str(before);
        rest = after.split_once(&end).unwrap().1;
    }
    kept.push_str(rest);
    ["<p>", "</p>", "<hr>", "<del>", "</del>", "<ins>", "</ins>"]
        .iter()
        .fold(kept, |text, tag| text.replace(tag, ""))
}

proptest! {
    #[test]
    fn a_changed_line_has_all_words_of_both_texts(before in "[a-c ]{0,30}", after in "[a-c ]{0,30}") {
        prop_assume!(before != after);
        let it = compared(&before, &after);
        prop_assert_eq!(without(it.html.as_str(), "ins"), before);
        prop_assert_eq!(without(it.html.as_str(), "del"), after);
    }
}
