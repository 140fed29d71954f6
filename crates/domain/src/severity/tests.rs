mod page;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::samples::selection;
use super::*;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// `BLESS=1 cargo nextest run -p domain the_committed_samples` rewrites the file.
#[test]
fn the_committed_samples_are_those_of_the_code() {
    let path = repository().join("docs/severity-samples.txt");
    let text = samples(50).join("\n") + "\n";
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == text,
        "docs/severity-samples.txt is stale: BLESS=1 cargo nextest run -p domain the_committed_samples"
    );
}

#[test]
fn samples_differ_and_a_longer_list_begins_with_the_shorter_one() {
    let fifty = samples(50);
    assert_eq!(fifty.iter().collect::<HashSet<_>>().len(), 50);
    assert_eq!(samples(7), fifty[..7]);
    assert_eq!(samples(0), [""; 0]);
    let all = samples(usize::MAX);
    assert!(all.len() > 4_000 && all[..50] == fifty, "{}", all.len());
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
    for level in Severity::ALL {
        let name = phrase::capitalized(level.as_str());
        let (among_fifty, among_all) = (count(&fifty, &name), count(&all, &name));
        assert!(among_fifty >= 3 && among_all >= 20, "{name}: {among_fifty}, {among_all}");
    }
}

fn count(samples: &[String], level: &str) -> usize {
    samples.iter().filter(|sample| sample.starts_with(level)).count()
}

#[test]
fn each_sample_names_level_decision_and_unknowns() {
    for answers in selection() {
        let missing = match &answers {
            Answers::Bailiwick(_, answers) => bailiwick::explained(answers),
            Answers::Cisa(_, answers) => cisa::explained(answers),
        };
        assert_eq!(missing, None, "{}", answers.assess().reasoning);
    }
}

/// Texts as each released version stored them, with the level that they gave. A version that is added gets a row; no
/// row is ever removed.
const STORED: &[(&str, Severity)] = &[
    (r#"{"ruleset":"bailiwick-1","impact":{}}"#, Severity::Undetermined),
    (
        r#"{"ruleset":"bailiwick-1","impact":{"data":0,"legal":1,"money":2,"people":0,"reputation":1,"service":3},"urgency":"contained","personal_data_people":499,"administrator_credentials":false}"#,
        Severity::High,
    ),
    (r#"{"ruleset":"bailiwick-1","impact":{"people":3},"urgency":"over"}"#, Severity::Critical),
    (r#"{"ruleset":"cisa-ncisss-1","factors":{}}"#, Severity::Undetermined),
    (
        r#"{"ruleset":"cisa-ncisss-1","factors":{"actor":"criminal","cross_sector_dependency":"it","functional_impact":"significant_critical","information_impact":"privacy_data_loss","location":"business_network_management","observed_activity":"presence","potential_impact":"moderate","recoverability":"supplemented"}}"#,
        Severity::High,
    ),
];

#[test]
fn what_any_version_stored_stays_readable() {
    let mut versions = HashSet::new();
    for (text, severity) in STORED {
        let answers = Answers::from_stored(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(answers.to_stored(), *text);
        assert_eq!(answers.assess().severity, *severity, "{text}");
        versions.insert(answers.ruleset());
    }
    assert_eq!(versions, Ruleset::ALL.iter().copied().collect(), "each version has a stored text");
}

#[test]
fn a_text_of_an_unknown_form_is_not_read() {
    for text in [
        "",
        "null",
        "{}",
        r#"{"ruleset":"bailiwick-2"}"#,
        r#"{"ruleset":"bailiwick-1","weather":3}"#,
        r#"{"ruleset":"bailiwick-1","impact":{"service":5}}"#,
        r#"{"ruleset":"bailiwick-1","impact":{"weather":1}}"#,
        r#"{"ruleset":"bailiwick-1","urgency":"soon"}"#,
        r#"{"ruleset":"bailiwick-1","personal_data_people":-1}"#,
        r#"{"ruleset":"bailiwick-1","factors":{"actor":"apt"}}"#,
        r#"{"ruleset":"cisa-ncisss-1","factors":{"actor":"neighbour"}}"#,
        r#"{"ruleset":"cisa-ncisss-1","factors":{"weather":"none"}}"#,
        r#"{"ruleset":"cisa-ncisss-1","impact":{"service":1}}"#,
        r#"{"ruleset":"cisa-ncisss-1","urgency":"over"}"#,
    ] {
        assert_eq!(Answers::from_stored(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn stored_answers_are_read_back(own in bailiwick::some_answers(), scored in cisa::some_answers()) {
        let all = [Answers::Bailiwick(&bailiwick::BAILIWICK_1, own), Answers::Cisa(&cisa::CISA_NCISSS_1, scored)];
        for answers in all {
            let text = answers.to_stored();
            prop_assert!(!text.contains([' ', '\n']) && !text.contains("null"), "{text}");
            prop_assert_eq!(Answers::from_stored(&text), Some(answers));
        }
    }
}
