//! The policies that come with the program, as files in `crates/domain/library/`.

use std::sync::LazyLock;

use super::{LibraryText, NewDocument, file};
use crate::fault::Faults;
use crate::json::Pointer;

const FILES: [&str; 10] = [
    include_str!("../../library/information-security.md"),
    include_str!("../../library/acceptable-use.md"),
    include_str!("../../library/access-control.md"),
    include_str!("../../library/incident-response.md"),
    include_str!("../../library/backup-and-recovery.md"),
    include_str!("../../library/supplier-security.md"),
    include_str!("../../library/data-protection.md"),
    include_str!("../../library/secure-development.md"),
    include_str!("../../library/device-and-network-security.md"),
    include_str!("../../library/statement-of-applicability.md"),
];

/// The policies of the library, each as a new document.
pub fn library() -> &'static [NewDocument] {
    static LIBRARY: LazyLock<Vec<NewDocument>> = LazyLock::new(|| {
        let policies = FILES.iter().filter_map(|file| file::read(file, Pointer::ROOT, &mut Faults::new()));
        policies.map(|it| NewDocument { library: Some(LibraryText::of(&it)), ..it }).collect()
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
        for text in FILES {
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
