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
    // A refusal of the register names the file too.
    let page = folder.path().join("Other.html");
    std::fs::write(&page, "<h1>Other</h1><p>Text</p>").unwrap();
    let again = installation.run(&["document", "import", page.to_str().unwrap(), &policy]);
    assert_eq!(again.code, Some(1), "{}", again.out);
    assert!(again.err.contains("policy.docx: slug: "), "{}", again.err);
}

#[test]
fn files_with_the_same_title_become_documents_of_their_own() {
    let installation = Installation::new();
    installation.organization();
    let folder = tempfile::tempdir().unwrap();
    let title = "Information security policy for suppliers and partners in all countries";
    let pages = ["a.html", "b.html"].map(|name| folder.path().join(name));
    pages.iter().for_each(|page| std::fs::write(page, format!("<h1>{title}</h1><p>Text</p>")).unwrap());
    let [a, b] = pages.each_ref().map(|page| page.to_str().unwrap());
    let done = installation.run(&["document", "import", a, b]);
    assert_eq!(done.code, Some(0), "{}", done.err);
    let slugs: Vec<_> =
        done.out.lines().filter_map(|line| line.split_once("  ")).map(|(slug, _)| slug).collect();
    let slug = "information-security-policy-for-suppliers-and-partners-in-all-countries";
    assert_eq!(slugs, [slug, &format!("{slug}-2")]);
}
