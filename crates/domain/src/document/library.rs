//! The policies that come with the program, as files in `crates/domain/library/`.

use std::sync::LazyLock;

use super::{LibraryText, NewDocument, file};
use crate::fault::Faults;
use crate::json::Pointer;

/// Each file with its release. A file whose template or items change gets the next number, so that no older text is offered as newer.
const FILES: [(i64, &str); 10] = [
    (1, include_str!("../../library/information-security.md")),
    (1, include_str!("../../library/acceptable-use.md")),
    (1, include_str!("../../library/access-control.md")),
    (1, include_str!("../../library/incident-response.md")),
    (1, include_str!("../../library/backup-and-recovery.md")),
    (1, include_str!("../../library/supplier-security.md")),
    (1, include_str!("../../library/data-protection.md")),
    (1, include_str!("../../library/secure-development.md")),
    (1, include_str!("../../library/device-and-network-security.md")),
    (1, include_str!("../../library/statement-of-applicability.md")),
];

/// The policies of the library, each as a new document.
pub fn library() -> &'static [NewDocument] {
    static LIBRARY: LazyLock<Vec<NewDocument>> = LazyLock::new(|| {
        let policies = FILES.iter().filter_map(|(release, file)| {
            let policy = file::read(file, Pointer::ROOT, &mut Faults::new())?;
            Some(NewDocument { library: Some(LibraryText::of(&policy, *release)), ..policy })
        });
        policies.collect()
    });
    &LIBRARY
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::document::template::Template;

    #[test]
    fn every_policy_is_read_prints_all_its_items_and_is_in_normal_form() {
        for (_, text) in FILES {
            let mut faults = Faults::new();
            let policy = file::read(text, Pointer::ROOT, &mut faults).filter(|_| faults.is_empty());
            let policy = policy.unwrap_or_else(|| panic!("{faults:?}\n{}", &text[..200]));
            let template = policy.template.as_deref().unwrap();
            let printed: HashSet<_> = Template::parse(template).unwrap().items().collect();
            for item in &policy.items {
                assert!(printed.contains(item.id.as_str()), "{}: {}", policy.slug, item.id);
            }
            assert_eq!(file::write(&policy), text, "{}", policy.slug);
        }
        let slugs: HashSet<_> = library().iter().map(|policy| &policy.slug).collect();
        let references: HashSet<_> =
            library().iter().filter_map(|policy| policy.reference.as_ref()).collect();
        assert_eq!((slugs.len(), references.len()), (FILES.len(), FILES.len()));
    }

    /// The hash of each text in its release. A file that was changed gets the next number, and then its new hash here.
    const RELEASED: [(&str, i64, &str); 10] = [
        ("information-security", 1, "f47376a9e931bec2"),
        ("acceptable-use", 1, "6cdfde0465c06fe3"),
        ("access-control", 1, "f50f7d1da1762ba4"),
        ("incident-response", 1, "6741ced3de906c0e"),
        ("backup-and-recovery", 1, "fa3e4e2edb93fa66"),
        ("supplier-security", 1, "1abd2ac84b4243c8"),
        ("data-protection", 1, "a59038cb3d3f7c8c"),
        ("secure-development", 1, "213c5c9c168a4dbe"),
        ("device-and-network-security", 1, "cfee9484cac1a73a"),
        ("statement-of-applicability", 1, "4aed274c4adcd9c6"),
    ];

    #[test]
    fn a_changed_text_has_a_new_release() {
        let texts = library().iter().filter_map(|policy| policy.library.as_ref());
        let texts: Vec<_> = texts.map(|it| (it.policy.as_str(), it.release, &it.sha256[..16])).collect();
        assert_eq!(texts, RELEASED);
    }

    #[test]
    fn the_statement_of_applicability_has_the_93_controls_of_annex_a() {
        let statement = library().iter().find(|policy| policy.slug == "statement-of-applicability").unwrap();
        let controls: HashSet<_> = statement.items.iter().flat_map(|item| &item.controls).collect();
        let themes = [(5, 37), (6, 8), (7, 14), (8, 34)];
        for (theme, count) in themes {
            for number in 1..=count {
                let control = format!("A.{theme}.{number}");
                assert!(controls.iter().any(|it| it.as_str() == control), "{control}");
            }
        }
        assert_eq!(controls.len(), 93);
    }
}
