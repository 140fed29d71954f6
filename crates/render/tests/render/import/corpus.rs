//! Files of programs, each beside the Markdown that it becomes and the list of what is not kept.

use std::fs;
use std::path::{Path, PathBuf};

use render::import::{Imported, decoded, docx, html};

/// The files of the corpus that are documents.
pub(super) fn files() -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|it| it == "docx" || it == "html")).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

fn imported(path: &Path, file: &[u8]) -> Imported {
    match path.extension().unwrap().to_str().unwrap() {
        "docx" => docx(file).unwrap(),
        _ => html(&decoded(file)),
    }
}

#[test]
fn each_file_becomes_the_committed_markdown() {
    let files = files();
    assert!(files.len() >= 6, "{}", files.len());
    for (path, file) in files {
        let imported = imported(&path, &file);
        let lost: String = imported.not_kept.iter().map(|it| format!("- {it}\n")).collect();
        let title = imported.title.unwrap_or_default();
        let made = format!("Title: {title}\n\n{}\nNot kept:\n{lost}", imported.markdown);
        let beside = path.with_added_extension("md");
        if std::env::var_os("BLESS").is_some() {
            fs::write(&beside, &made).unwrap();
        }
        assert_eq!(made, fs::read_to_string(&beside).unwrap(), "{}", path.display());
    }
}
