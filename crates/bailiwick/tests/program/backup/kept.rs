//! How many backups are kept.

use super::{back_up, names, path};
use crate::service::Installation;

#[test]
fn old_backups_go_and_the_newest_sound_ones_stay() {
    let installation = Installation::new();
    installation.organization();
    let to = tempfile::tempdir().unwrap();
    std::fs::write(to.path().join("notes.txt"), "mine").unwrap();
    std::fs::create_dir(to.path().join("bailiwick-old")).unwrap();
    let name = |made: &serde_json::Value| path(made).file_name().unwrap().to_str().unwrap().to_owned();
    let first = name(&back_up(&installation, to.path(), &[]));
    let second = back_up(&installation, to.path(), &["--keep", "3"]);
    let third = back_up(&installation, to.path(), &["--keep", "3"]);
    assert_eq!(third["removed"], serde_json::json!([]));
    // An incomplete backup is neither counted nor removed: an operator should check it.
    let copy = path(&second).join("bailiwick.db");
    let length = std::fs::metadata(&copy).unwrap().len();
    std::fs::File::options().write(true).open(&copy).unwrap().set_len(length / 2).unwrap();
    let fourth = back_up(&installation, to.path(), &["--keep", "2"]);
    assert_eq!(fourth["removed"], serde_json::json!([to.path().join(&first)]));
    let kept =
        [name(&second), name(&third), name(&fourth), "bailiwick-old".to_owned(), "notes.txt".to_owned()];
    let mut kept = kept.to_vec();
    kept.sort();
    assert_eq!(names(to.path()), kept);
    // A failure removes nothing.
    let missing = Installation::in_folder(&to.path().join("nowhere"));
    assert_eq!(missing.run(&["backup", "--keep", "1", "--to", to.path().to_str().unwrap()]).code, Some(1));
    assert_eq!(names(to.path()), kept);
}
