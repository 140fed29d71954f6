use proptest::prelude::*;

use super::*;

fn words(text: &str) -> Vec<String> {
    cut(text).map(|cut| cut.word).collect()
}

#[test]
fn words_are_cut_and_folded() {
    let found = words("Müller's Café, STRASSE/straße/STRAẞE");
    assert_eq!(found, ["muller", "s", "cafe", "strasse", "strasse", "strasse"]);
    assert_eq!(words("CVE-2024-1234 ada@example.com"), ["cve", "2024", "1234", "ada", "example", "com"]);
    assert_eq!(words("ΟΔΟΣ οδος Ελλάδα"), ["οδοσ", "οδοσ", "ελλαδα"]);
    assert_eq!(words("İstanbul ISTANBUL ısı"), ["istanbul", "istanbul", "isi"]);
    assert_eq!(words("Malmø Łódź œuvre"), ["malmo", "lodz", "oeuvre"]);
    assert_eq!(words("東京ﾀﾜｰ tower"), ["東", "京", "タ", "ワ", "ー", "tower"]);
    assert_eq!(words("ガラス ｶﾞラス"), ["ガ", "ラ", "ス", "ガ", "ラ", "ス"]);
    assert_eq!(words("a㆒b 𝛓"), ["a", "一", "b", "σ"]);
    assert_eq!(words("한국어"), ["한", "국", "어"]);
    assert_eq!(words("½ 1/2 2½"), ["1", "2", "1", "2", "21", "2"]);
    assert_eq!(words("हिन्दी"), ["हिन्दी"]);
    assert_eq!(words("ﬁle cafe\u{301} caf\u{e9}"), ["file", "cafe", "cafe"]);
    assert_eq!(words(" -- *** \" \u{301} "), Vec::<String>::new());
    assert_eq!(words(&"a".repeat(100)), ["a".repeat(64)]);
}

#[test]
fn texts_are_normalised_before_they_are_cut() {
    // As macOS names files: each Korean syllable as its letters.
    assert_eq!(words("\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}"), ["한", "국"]);
    assert_eq!(words("㍿東京 ﾊﾟ"), ["株", "式", "会", "社", "東", "京", "パ"]);
    assert_eq!(words("น้ำ น\u{e49}\u{e4d}\u{e32}"), ["น\u{e49}\u{e4d}", "า", "น\u{e49}\u{e4d}", "า"]);
    let text = "x \u{1112}\u{1161}\u{11AB}!";
    let cut: Vec<Cut> = cut(text).skip(1).collect();
    let piece = cut.first().and_then(|cut| text.get(cut.start..cut.end));
    assert_eq!(piece, Some("\u{1112}\u{1161}\u{11AB}"));
}

#[test]
fn scripts_without_spaces_are_cut_by_characters() {
    assert_eq!(words("เซิร์ฟ"), ["เ", "ซิ", "ร์", "ฟ"]);
    assert_eq!(words("ພາສາ"), ["ພ", "າ", "ສ", "າ"]);
    assert_eq!(words("ភាសា"), ["ភា", "សា"]);
    assert_eq!(words("မြန်မာ"), ["မြ", "န်", "မာ"]);
    assert_eq!(words("พ.ศ. ๒๕๖๙"), ["พ", "ศ", "๒๕๖๙"]);
}

#[test]
fn marks_of_arabic_and_hebrew_are_passed_over() {
    assert_eq!(words("مُحَمَّد محمد مـحـمـد"), ["محمد"; 3]);
    assert_eq!(words("أحمد إحمد ٱحمد آحمد"), ["احمد"; 4]);
    assert_eq!(words("مستشفى مدرسة"), ["مستشفي", "مدرسه"]);
    assert_eq!(words("שָׁלוֹם שלום"), ["שלום"; 2]);
}

#[test]
fn characters_that_show_nothing_do_not_cut_words() {
    for between in ["\u{ad}", "\u{200b}", "\u{200d}", "\u{2060}", "\u{feff}"] {
        let text = format!("ran{between}som");
        assert_eq!(words(&text), ["ransom"], "{between:?}");
        assert_eq!(words(&format!("{between}ransom{between}")), ["ransom"]);
    }
}

#[test]
fn phrases_stand_in_quotation_marks_of_any_kind() {
    for quoted in ["“lost keys”", "„lost keys“", "«lost keys»", "»lost keys«", "”lost keys”"]
    {
        assert_eq!(SearchQuery::parse(quoted).terms, [term(&["lost", "keys"], false)], "{quoted}");
        assert_eq!(SearchQuery::parse(&format!("-{quoted}")).excluded, [term(&["lost", "keys"], false)]);
    }
}

#[test]
fn cuts_say_where_words_stand() {
    let text = "Ein Café!";
    let cuts: Vec<Cut> = cut(text).collect();
    let pieces: Vec<_> = cuts.iter().filter_map(|cut| text.get(cut.start..cut.end)).collect();
    assert_eq!(pieces, ["Ein", "Café"]);
}

fn term(words: &[&str], is_prefix: bool) -> Term {
    Term { words: words.iter().map(|&word| word.to_owned()).collect(), is_prefix }
}

#[test]
fn queries_have_words_beginnings_phrases_and_exclusions() {
    let query = SearchQuery::parse(r#"Mail ransom* "lost keys" -drill -"a test" -te* 10.0.0.1"#);
    assert_eq!(
        query.terms,
        [
            term(&["mail"], false),
            term(&["ransom"], true),
            term(&["lost", "keys"], false),
            term(&["10", "0", "0", "1"], false)
        ]
    );
    assert_eq!(query.excluded, [term(&["drill"], false), term(&["a", "test"], false), term(&["te"], true)]);
}

#[test]
fn the_last_word_that_is_typed_is_a_beginning() {
    let typed = |text: &str| SearchQuery::typed(text).terms;
    assert_eq!(typed("cold refrig"), [term(&["cold"], false), term(&["refrig"], true)]);
    assert_eq!(typed("CVE-2024"), [term(&["cve", "2024"], true)]);
    assert_eq!(typed("cold room "), [term(&["cold"], false), term(&["room"], false)]);
    assert_eq!(typed("\"cold room\""), [term(&["cold", "room"], false)]);
    assert_eq!(SearchQuery::typed("-drill").excluded, [term(&["drill"], false)]);
}

#[test]
fn a_mistyped_word_is_one_letter_away() {
    let away = one_letter_away("ransom");
    for meant in ["random", "ranson", "ransoms", "transom", "ranso", "arnsom", "raansom"] {
        assert!(away.contains(meant), "{meant}");
    }
    for other in ["ransom", "ran", "rasnmo", "ransomed"] {
        assert!(!away.contains(other), "{other}");
    }
    assert!(one_letter_away("пажар").contains("пожар") && one_letter_away("محمود").contains("محمد"));
    for nothing in ["cat", "2024", "東", &"a".repeat(25)] {
        assert!(one_letter_away(nothing).is_empty(), "{nothing}");
    }
}

#[test]
fn a_query_is_corrected_where_the_word_stands() {
    let text = "\"Rnsom note\" -drill rnsom";
    assert_eq!(corrected(text, "rnsom", "ransom").as_deref(), Some("\"ransom note\" -drill ransom"));
    assert_eq!(corrected(&"x ".repeat(250), "x", "long"), None);
}

#[test]
fn malformed_queries_are_read_as_words() {
    assert_eq!(SearchQuery::parse(r#""open phrase"#).terms, [term(&["open", "phrase"], false)]);
    assert_eq!(SearchQuery::parse("a AND b OR (c)").terms.len(), 5);
    assert_eq!(
        SearchQuery::parse("foo\"bar baz\"").terms,
        [term(&["foo"], false), term(&["bar", "baz"], false)]
    );
    for nothing in ["", "-", "*", "\"", "\"\"", "- -", "🚒", "***"] {
        assert!(SearchQuery::parse(nothing).is_empty(), "{nothing}");
    }
    assert_eq!(SearchQuery::parse("mail MAIL mail").terms.len(), 1);
}

fn texts(title: &str, description: &str, rest: &[&str]) -> Texts {
    let mut texts = Texts::default();
    texts.add(Weight::Title, title);
    texts.add(Weight::Description, description);
    rest.iter().for_each(|text| texts.add(Weight::Rest, text));
    texts
}

#[test]
fn the_weight_is_the_worst_of_the_best() {
    let texts =
        texts("Mail server down", "The mail queue is full", &["restarted the queue", "disk was full"]);
    let weight = |query: &str| SearchQuery::parse(query).weight_in(&texts);
    assert_eq!(weight("mail"), Some(Weight::Title));
    assert_eq!(weight("mail queue"), Some(Weight::Description));
    assert_eq!(weight("server restart*"), Some(Weight::Rest));
    assert_eq!(weight("restart"), None);
    assert_eq!(weight("\"queue is full\""), Some(Weight::Description));
    assert_eq!(weight("\"full is\""), None);
    assert_eq!(weight("\"queue disk\""), None, "a phrase does not go on in the next text");
    assert_eq!(weight("mail -down"), None);
    assert_eq!(weight("-missing"), Some(Weight::Rest));
    assert_eq!(weight("\"\""), None);
}

#[test]
fn snippets_mark_what_was_searched() {
    let query = SearchQuery::parse("cafe \"the key*\" ke*");
    let snippet = Snippet::of("Lost in the Café: the keys.", &query).unwrap_or_default();
    let marked: Vec<_> =
        snippet.parts.iter().filter(|part| part.is_match).map(|part| part.text.as_str()).collect();
    assert_eq!(marked, ["Café", "keys"]);
    assert!(!snippet.is_cut_before && !snippet.is_cut_after);
    assert_eq!(Snippet::of("nothing", &query), None);
    let long = format!("{} Café {}", "before ".repeat(60), "after ".repeat(60));
    let snippet = Snippet::of(&long, &query).unwrap_or_default();
    assert!(snippet.is_cut_before && snippet.is_cut_after);
    let text: String = snippet.parts.iter().map(|part| part.text.as_str()).collect();
    assert!(text.starts_with("before ") && text.ends_with("after") && text.contains("Café"), "{text}");
    assert!(text.len() <= 250, "{}", text.len());
}

#[test]
fn a_snippet_is_short_however_long_what_was_found_is() {
    let between = format!("the {} key", ".".repeat(60_000));
    for (text, query) in [(between, "\"the key\""), ("é".repeat(30_000), "é*"), ("漢".repeat(20_000), "漢")]
    {
        let text = format!("{} {text} {}", "before ".repeat(60), "after ".repeat(60));
        let snippet = Snippet::of(&text, &SearchQuery::parse(query)).unwrap_or_default();
        let piece: String = snippet.parts.iter().map(|part| part.text.as_str()).collect();
        assert!(text.contains(&piece) && piece.len() < 1_200, "{query}: {}", piece.len());
        assert!(snippet.parts.iter().any(|part| part.is_match), "{query}");
        assert!(snippet.is_cut_before && snippet.is_cut_after);
    }
}

proptest! {
    #[test]
    fn a_word_is_its_own_word(text in "\\PC{0,40}") {
        for cut in cut(&text) {
            prop_assert_eq!(words(&cut.word).concat(), cut.word.clone());
        }
    }

    #[test]
    fn a_text_is_found_by_its_words_and_as_a_phrase(text in "[\\PC ]{0,40}") {
        let texts = texts(&text, "", &[]);
        let found = words(&text);
        if !found.is_empty() {
            let expected = Some(Weight::Title);
            prop_assert_eq!(SearchQuery::parse(&found.join(" ")).weight_in(&texts), expected);
            // Quotation marks end a phrase.
            let phrase = text.replace(['"', '“', '”', '„', '‟', '«', '»', '「', '」', '＂'], " ");
            prop_assert_eq!(SearchQuery::parse(&format!("\"{phrase}\"")).weight_in(&texts), expected);
            let half: String = found.concat().chars().take(1).collect();
            prop_assert_eq!(SearchQuery::parse(&format!("{half}*")).weight_in(&texts), expected);
        }
        prop_assert_eq!(Texts::parse(&texts.stored()), Some(texts));
    }

    #[test]
    fn a_snippet_is_a_piece_of_its_text(text in "\\PC{0,400}", query in "\\PC{0,20}") {
        let query = SearchQuery::parse(&query);
        for snippet in Snippet::of(&text, &query).into_iter().chain([Snippet::whole(&text, &query)]) {
            let piece: String = snippet.parts.iter().map(|part| part.text.as_str()).collect();
            prop_assert!(text.contains(&piece));
        }
        prop_assert_eq!(Snippet::of(&text, &query).is_some(), query.terms.iter().any(|term| {
            let mut texts = Texts::default();
            texts.add(Weight::Title, &text);
            term.weight_in(&texts).is_some()
        }));
    }
}
