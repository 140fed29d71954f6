use proptest::prelude::*;

use super::paragraphs::paragraphs;
use super::*;
use crate::document::{Item, ItemKind, SelectOption, library, template_faults};
use crate::text::Prose;

fn option(id: &str, text: &str) -> SelectOption {
    SelectOption {
        id: id.into(),
        label: id.to_uppercase(),
        text: text.into(),
        guidance: None,
        weakens: false,
    }
}

fn select(id: &str, options: &[(&str, &str)]) -> Item {
    let default = options.first().map(|(id, _)| (*id).to_owned());
    let options = options.iter().map(|(id, text)| option(id, text)).collect();
    Item::new(id, "Who?", ItemKind::Select { options, default })
}

fn text(template: &str, items: &[Item]) -> PolicyText {
    PolicyText { template: Some(Prose::stored(template)), items: items.to_vec() }
}

fn is_sound(it: &PolicyText) -> bool {
    it.template.as_deref().is_none_or(|template| template_faults(template, &it.items).is_empty())
}

fn kept(item: &str, member: &str, own: &str, offered: &str) -> KeptText {
    let some = |text: &str| Some(text).filter(|text| !text.is_empty()).map(str::to_owned);
    KeptText { item: some(item), member: some(member), own: some(own), offered: some(offered) }
}

#[test]
fn paragraphs_are_separated_by_empty_lines_outside_of_fences_and_blocks() {
    let whole =
        ["```\na\n\nb\n````", "{% if a == \"b\" %}\n\nx\n\n{% endif %}", "~~~ x\n```\n\n~~~", "- a\n- b"];
    let joined = format!("\n\n# H\n{}\n \n\nend \n", whole.map(|it| format!("\n{it}\n")).concat());
    assert_eq!(paragraphs(&joined), [&["# H"], &whole[..], &["end"]].concat());
    assert_eq!(paragraphs(" \n\n"), Vec::<&str>::new());
}

#[test]
fn each_side_keeps_its_paragraphs_and_the_own_ones_win() {
    let base = text("# A\n\none\n\ntwo\n\nthree\n\nfour\n", &[]);
    let own = text("# A\n\none\n\nour two\n\nthree\n\nfour\n\nour five\n", &[]);
    let offered = text("# B\n\none\n\ntheir two\n\ntheir three\n\nmore\n\nfour\n", &[]);
    let (merged, told) = own.merged(&base, &offered);
    // What the library has in place of the second and the third is one change of it.
    assert_eq!(merged.template.as_deref(), Some("# B\n\none\n\nour two\n\nthree\n\nfour\n\nour five\n"));
    assert_eq!(told, [kept("", "", "our two\n\nthree", "their two\n\ntheir three\n\nmore")]);
    let offered = text("# A\n\none\n\ntwo\n\ntheir three\n\nfour\n", &[]);
    let (merged, told) = own.merged(&base, &offered);
    let both = "# A\n\none\n\nour two\n\ntheir three\n\nfour\n\nour five\n";
    assert_eq!((merged.template.as_deref(), told), (Some(both), vec![]), "neighbours are not the same place");
}

#[test]
fn items_are_merged_member_by_member() {
    let base = [select("mfa", &[("all", "All."), ("none", "None.")]), select("old", &[("a", "A.")])];
    let mut own = base.clone();
    own[0].label = "Which of us?".into();
    let options = |item: &mut Item| match &mut item.kind {
        ItemKind::Select { options, .. } => std::mem::take(options),
        ItemKind::Text { .. } => Vec::new(),
    };
    own[0].kind = ItemKind::Select {
        options: vec![option("all", "All of us."), option("none", "None.")],
        default: Some("none".into()),
    };
    let mut offered = select("mfa", &[("all", "Everybody."), ("some", "Some.")]);
    offered.label = "Who signs in?".into();
    offered.guidance = Some("Think.".into());
    let new = select("new", &[("b", "B.")]);
    let offered = text("{{mfa}}\n\n{{new}}\n", &[new, offered]);
    let own = text("{{mfa}}\n\n{{old}} stays\n", &own);
    let (mut merged, told) = own.merged(&text("{{mfa}}\n\n{{old}}\n", &base), &offered);
    let ids: Vec<_> = merged.items.iter().map(|it| it.id.as_str()).collect();
    assert_eq!(ids, ["new", "mfa", "old"], "an item that the own text uses stays");
    let mfa = &mut merged.items[1];
    assert_eq!((mfa.label.as_str(), mfa.guidance.as_deref()), ("Which of us?", Some("Think.")));
    // Without the option that is its default, the merged item would be none: the own options stay.
    assert_eq!(options(mfa), [option("all", "All of us."), option("none", "None.")]);
    assert_eq!(told[0], kept("", "", "{{old}} stays", "{{new}}"));
    assert!(told.contains(&kept("mfa", "label", "Which of us?", "Who signs in?")), "{told:?}");
    assert!(told.contains(&kept("mfa", "options/all/text", "All of us.", "Everybody.")), "{told:?}");
}

#[test]
fn what_cannot_be_merged_stays_as_it_is_and_is_told() {
    let base = text("# A {#a}\n\n{{ref:#a}}\n", &[]);
    let own = text("# Our\n\nno more\n", &[]);
    let offered = text("# A {#a}\n\n{{ref:#a}}\n\n{{ref:#a}} again\n", &[]);
    let (merged, told) = own.merged(&base, &offered);
    assert_eq!(merged, own);
    let whole = |it: &PolicyText| it.template.as_deref().unwrap().to_owned();
    assert_eq!(told, [kept("", "", &whole(&own), &whole(&offered))]);
}

#[test]
fn what_the_document_removed_does_not_come_back_with_an_offered_paragraph() {
    let items = [select("a", &[("x", "X."), ("y", "Y.")]), select("b", &[("x", "X.")])];
    let base = text("{{a}}\n\n{{b}}\n\nend\n", &items);
    let own = text("{{a}}\n\nend\n", &[select("a", &[("x", "X.")])]);
    let chosen = "{% if a == \"y\" %}\n\nyes\n\n{% endif %}";
    let offered =
        text(&format!("{chosen}\n\n{{{{a}}}}\n\n{{{{b}}}}\n\nnew\n\nend\n\n{{{{b}}}} again\n"), &items);
    let (merged, told) = own.merged(&base, &offered);
    assert_eq!(merged, PolicyText { template: Some("{{a}}\n\nnew\n\nend\n".into()), ..own });
    assert!(told.contains(&kept("", "", "", chosen)), "{told:?}");
    assert!(told.contains(&kept("", "", "", "{{b}} again")), "{told:?}");
    // Also if only the items differ.
    let unprinted = text("end\n", &items);
    let own = text("end\n", &items[..1]);
    let (merged, told) = own.merged(&unprinted, &text("end\n\n{{b}}\n", &items));
    assert_eq!((merged, told), (own, vec![kept("", "", "", "{{b}}")]));
}

#[test]
fn a_proposal_stores_the_first_places_of_its_texts_and_the_beginnings_of_long_ones() {
    let long = "ä".repeat(2_001);
    let earlier = [kept("a", "label", "Ours", "Theirs"), kept("", "", &long, "x")];
    let stored = kept_after(&[], &earlier);
    let beginning = format!("{}…", "ä".repeat(2_000));
    assert_eq!(stored, [earlier[0].clone(), kept("", "", &beginning, "x")]);
    assert_eq!(kept_from_stored(&kept_to_stored(&stored).unwrap()), Some(stored.clone()));
    let newer = [kept("a", "label", "Ours", "Still theirs")];
    assert_eq!(kept_after(&stored, &newer), [newer[0].clone(), stored[1].clone()]);
    let many: Vec<_> = (0..300).map(|at| kept("a", &at.to_string(), "x", "y")).collect();
    assert_eq!(kept_after(&stored, &many), many[..200]);
}

#[test]
fn only_an_unknown_text_of_the_same_policy_is_offered() {
    let [present, other] = [&library()[0], &library()[1]];
    let made = present.create(None, Timestamp::UNIX_EPOCH);
    assert_eq!(made.offered(library()), None);
    let newer = NewDocument { template: Some("New.".into()), ..present.clone() };
    let text = LibraryText::of(&newer, 2);
    let newer = [NewDocument { library: Some(text.clone()), ..newer }];
    assert_eq!(made.offered(&newer), Some(&text));
    assert_eq!(made.offered(std::slice::from_ref(other)), None);
    let declined = made.decline(&text, Timestamp::UNIX_EPOCH);
    assert_eq!((declined.offered(&newer), declined.version), (None, 2));
    let taken = Document { taken_release: Some(2), ..made.clone() };
    assert_eq!(taken.offered(&newer), None);
    assert_eq!(taken.offered(library()), None, "an older text is none that is newer");
    assert_eq!(Document { library_release: Some(2), ..made.clone() }.offered(library()), None);
    let archived = Document { archived_date: Some(Timestamp::UNIX_EPOCH), ..made };
    assert_eq!(archived.offered(&newer), None);
    assert_eq!(PolicyText::from_stored(&text.text).unwrap().template, Some("New.".into()));
}

/// Texts that are sound, of few paragraphs and items.
fn texts() -> impl Strategy<Value = PolicyText> {
    let id = || prop::sample::select(vec!["a", "b", "c"]);
    let options = prop::sample::subsequence(vec!["x", "y", "z"], 1..=3).prop_shuffle();
    let item = (options, "[pq]{0,1}", "[KL]").prop_map(|(options, said, label)| {
        let options: Vec<_> = options.into_iter().map(|id| (id, said.as_str())).collect();
        Item { label, ..select("", &options) }
    });
    let items = (
        prop::sample::subsequence(vec!["a", "b", "c"], 0..=3).prop_shuffle(),
        prop::collection::vec(item, 3),
    );
    let paragraph = prop_oneof![
        "[stuv]",
        id().prop_map(|id| format!("{{{{{id}}}}}")),
        (id(), "[xyz]")
            .prop_map(|(id, option)| format!("{{% if {id} == \"{option}\" %}}\n\nyes\n\n{{% endif %}}")),
        Just("```\n\n```".to_owned()),
    ];
    let paragraphs = prop::collection::vec(paragraph, 1..6);
    (items, paragraphs).prop_map(|((ids, items), paragraphs)| {
        let items: Vec<_> =
            ids.into_iter().zip(items).map(|(id, item)| Item { id: id.to_owned(), ..item }).collect();
        let is_right = |it: &String| template_faults(it, &items).is_empty();
        let paragraphs: Vec<_> = paragraphs.into_iter().filter(is_right).chain(["end".to_owned()]).collect();
        text(&format!("{}\n", paragraphs.join("\n\n")), &items)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_merge_loses_nothing_that_only_one_changed_and_is_sound([base, own, offered] in [texts(), texts(), texts()]) {
        let nothing = Vec::new();
        prop_assert_eq!(own.merged(&base, &base), (own.clone(), nothing.clone()));
        prop_assert_eq!(base.merged(&base, &offered), (offered.clone(), nothing.clone()));
        prop_assert_eq!(own.merged(&base, &own), (own.clone(), nothing));
        let (merged, _) = own.merged(&base, &offered);
        prop_assert!(is_sound(&merged), "{:?}", merged);
        let names = |text: &PolicyText| text.items.iter().flat_map(|it| {
            let options = it.kind.option_ids().into_iter().flatten().map(|option| format!("{}/{option}", it.id));
            options.chain([it.id.clone()]).collect::<Vec<_>>()
        }).collect::<Vec<_>>();
        let (before, after) = (names(&own), names(&merged));
        for removed in names(&base).into_iter().filter(|it| !before.contains(it)) {
            // An option of an item that the document removed is gone with that.
            prop_assert!(!after.contains(&removed), "{} of {:?}", removed, merged);
        }
        prop_assert_eq!(merged.merged(&offered, &offered).0, merged);
    }

    #[test]
    fn paragraphs_that_only_one_changed_are_merged(
        words in prop::collection::vec("[a-f]", 3..9), first in any::<prop::sample::Index>(), second in any::<prop::sample::Index>(),
    ) {
        let (first, second) = (first.index(words.len()), second.index(words.len()));
        prop_assume!(first != second);
        // Each has its own number, so that no two are the same.
        let numbered: Vec<_> = words.iter().enumerate().map(|(at, word)| format!("{word}{at}")).collect();
        let with = |changes: &[(usize, &str)]| {
            let mut words = numbered.clone();
            changes.iter().for_each(|(at, word)| words[*at] = (*word).to_owned());
            text(&format!("{}\n", words.join("\n\n")), &[])
        };
        let (own, offered) = (with(&[(first, "own")]), with(&[(second, "offered")]));
        let both = with(&[(first, "own"), (second, "offered")]);
        prop_assert_eq!(own.merged(&with(&[]), &offered), (both, Vec::new()));
    }
}
