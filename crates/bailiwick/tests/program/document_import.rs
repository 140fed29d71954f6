//! `bailiwick document import`: files that people have become drafts.

use crate::service::Installation;

/// A file of the corpus that the reading of documents is tested with.
fn file(name: &str) -> String {
    format!("{}/../render/tests/corpus/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn word_documents_become_drafts_and_tell_what_is_not_kept() {
    let installation = Installation::new();
    installation.organization();
    let done = installation.run(&["document", "import", &file("policy.docx"), &file("word.pasted.html")]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let lines: Vec<&str> = done.out.lines().collect();
    assert_eq!(lines.first(), Some(&"access-control-policy  Access control policy"), "{}", done.out);
    assert!(lines.iter().any(|line| line.starts_with("  ") && line.contains("image")), "{}", done.out);
    assert!(lines.contains(&"incident-response  Incident response"), "{}", done.out);
}

#[test]
fn a_file_that_cannot_be_read_leaves_all_out() {
    let installation = Installation::new();
    installation.organization();
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("Minutes.docx");
    std::fs::write(&broken, "not a Word document").unwrap();
    let policy = file("policy.docx");
    let done = installation.run(&["document", "import", &policy, broken.to_str().unwrap()]);
    assert_eq!(done.code, Some(1), "{}", done.out);
    assert!(done.err.contains("Minutes.docx: the file is not a Word document (.docx)"), "{}", done.err);
    // Its slug is still free.
    assert_eq!(installation.run(&["document", "import", &policy]).code, Some(0));
}
