//! What people read that is not in `templates/`: titles, labels, and what is told after a change. Another language
//! would be a second folder of templates and a second module like this one. Besides, `frame/words.rs` makes labels of
//! the API's words, and `frame/clock.rs` writes times.

mod acceptances;
mod bulk;
mod common;
mod documents;
mod exceptions;
mod figures;
mod imports;
mod incidents;
mod risks;
mod settings;
mod views;

pub(crate) use acceptances::*;
pub(crate) use bulk::*;
pub(crate) use common::*;
pub(crate) use documents::*;
pub(crate) use exceptions::*;
pub(crate) use figures::*;
pub(crate) use imports::*;
pub(crate) use incidents::*;
pub(crate) use risks::*;
pub(crate) use settings::*;
pub(crate) use views::*;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Formats of times, attributes of cookies, names of browsers, labels of words, and a refusal in HTTP's words.
    const OTHERS: [&str; 5] =
        ["frame/clock.rs", "frame/cookie.rs", "frame/device.rs", "frame/words.rs", "frame/same_origin.rs"];

    fn files(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
    }

    /// The sentences of a line of code: literals with a space that begin with a word. Paths of charts have none.
    fn sentences(line: &str) -> impl Iterator<Item = &str> {
        let code = line.split("//").next().unwrap_or_default();
        let literals = code.split('"').skip(1).step_by(2);
        literals.filter(|text| {
            let mut letters = text.chars();
            letters.next().is_some_and(char::is_uppercase)
                && letters.next().is_some_and(|second| second.is_lowercase() || second == ' ')
                && text.contains(' ')
        })
    }

    #[test]
    fn no_handler_has_a_sentence_of_its_own() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut read = 0;
        for path in files(&root) {
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned();
            if name.starts_with("texts/") || OTHERS.contains(&name.as_str()) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            let found: Vec<_> = code.lines().flat_map(sentences).collect();
            assert!(found.is_empty(), "{name}: {found:?}");
            read += 1;
        }
        assert!(read > 50, "{read}");
    }
}
