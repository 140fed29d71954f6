//! Documents that come in as files: as Markdown behind YAML, and as the bytes of what people have.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::Role;
use serde_json::{Value, json};
use testkit::{TestApp, both_engines};

const IMPORT: &str = "/v1/documents/import";
const FILE: &str = "---\nslug: locks\ntitle: Locks\n---\nLock it.\n";
const WORD: &[u8] = include_bytes!("../../../render/tests/corpus/policy.docx");
const PAGE: &[u8] = b"<h1>Visitors</h1><p>Sign the <em>book</em>.</p><img src=x>";

fn upload(name: &str, bytes: &[u8]) -> Value {
    json!({"name": name, "content": STANDARD.encode(bytes)})
}

#[both_engines]
async fn uploads_become_drafts_and_the_answer_lists_what_is_not_kept(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let uploads = [upload("Zugang.docx", WORD), upload("a.html", PAGE), upload("b.html", PAGE)];
    let body = json!({"files": [FILE], "uploads": uploads});
    let made = app.post(IMPORT).bearer(&ada.token).json(body).expect(200).await;
    let slugs = |of: &str, member: &str| -> Vec<String> {
        let list = made.json()[of].as_array().unwrap();
        list.iter().map(|it| it[member].as_str().unwrap().to_owned()).collect()
    };
    let expected = ["access-control-policy", "visitors", "visitors-2"];
    assert_eq!(slugs("uploads", "slug"), expected);
    assert_eq!(slugs("uploads", "name"), ["Zugang.docx", "a.html", "b.html"]);
    assert_eq!(slugs("documents", "slug"), [&["locks"], &expected[..]].concat());
    let not_kept = made.json()["uploads"][1]["not_kept"].as_array().unwrap();
    assert!(not_kept.len() == 1 && not_kept[0].as_str().unwrap().contains("image"), "{not_kept:?}");
    let visitors = app.get("/v1/documents/visitors").bearer(&ada.token).expect(200).await;
    assert!(visitors.text("template").contains("Sign the *book*."), "{}", visitors.json());
}

#[both_engines]
async fn all_faults_of_uploads_are_told_and_nothing_is_created(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let uploads = json!([
        upload("a.html", PAGE),
        {"name": "b.html", "content": "no base64!"},
        upload("c.docx", b"no archive"),
        upload("d.pdf", b"%PDF-1.7"),
        {"content": ""},
    ]);
    let body = json!({"uploads": uploads, "library": ["none"]});
    let refused = app.post(IMPORT).bearer(&ada.token).json(body).expect(422).await;
    let faults = refused.json()["errors"].as_array().unwrap();
    let pointers: Vec<_> = faults.iter().map(|it| it["pointer"].as_str().unwrap()).collect();
    let places = ["1/content", "2/content", "3/content", "4/name"].map(|place| format!("#/uploads/{place}"));
    assert_eq!(pointers[..4], places);
    assert_eq!(pointers[4..], ["#/library/0"]);
    app.post(IMPORT).bearer(&ada.token).json(json!({"uploads": []})).expect(422).await;
    // A slug that is in use is found in the write.
    app.post(IMPORT).bearer(&ada.token).json(json!({"files": [FILE]})).expect(200).await;
    let body = json!({"uploads": [upload("a.html", PAGE), upload("Locks.txt", b"Lock it.")]});
    let refused = app.post(IMPORT).bearer(&ada.token).json(body).expect(422).await;
    assert_eq!(refused.json()["errors"][0]["pointer"], "#/uploads/1/slug");
    app.get("/v1/documents/visitors").bearer(&ada.token).expect(404).await;
}

#[both_engines]
async fn nothing_that_is_imported_is_published(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let body = json!({"files": [FILE], "uploads": [upload("a.html", PAGE)], "library": ["access-control"]});
    let made = app.post(IMPORT).bearer(&ada.token).json(body).expect(200).await;
    for document in made.json()["documents"].as_array().unwrap() {
        let path = format!("/v1/documents/{}", document["slug"].as_str().unwrap());
        let read = app.get(&path).bearer(&ada.token).expect(200).await;
        assert_eq!(read.text("status"), "draft", "{path}");
        for member in ["published_version", "open_proposal"] {
            assert_eq!(read.json()[member], Value::Null, "{path}");
        }
        let versions = app.get(&format!("{path}/versions")).bearer(&ada.token).expect(200).await;
        assert_eq!(versions.json()["data"], json!([]), "{path}");
        app.get(&format!("{path}/text")).bearer(&ada.token).expect(404).await;
    }
    let told = app.get("/v1/journal?limit=200").bearer(&ada.token).expect(200).await;
    let told: Vec<_> = told.json()["data"].as_array().unwrap().iter().map(|it| it["kind"].clone()).collect();
    assert_eq!(told.iter().filter(|kind| **kind == "document.created").count(), 3);
    let others = ["proposal.", "document.published"];
    assert!(
        !told.iter().any(|kind| others.iter().any(|it| kind.as_str().unwrap().starts_with(it))),
        "{told:?}"
    );
    assert_eq!(app.delete("/v1/documents/visitors").bearer(&ada.token).await.status, 204);
}

#[both_engines]
async fn what_an_upload_says_beside_its_content_stands_instead_of_it(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let import = |upload: Value| app.post(IMPORT).bearer(&ada.token).json(json!({"uploads": [upload]}));
    import(upload("a.html", PAGE)).expect(200).await;
    let again = import(upload("a.html", PAGE)).expect(422).await;
    assert_eq!(again.faults(), ["#/uploads/0/slug duplicate"]);
    let with = |name: &str, bytes: &[u8], given: Value| {
        let mut sent = upload(name, bytes);
        sent.as_object_mut().unwrap().extend(given.as_object().unwrap().clone());
        import(sent)
    };
    for (name, bytes, given, expected) in [
        ("a.html", PAGE, json!({"slug": "guests"}), ("guests", "Visitors")),
        ("a.html", PAGE, json!({"title": "Suppliers"}), ("suppliers", "Suppliers")),
        ("a.md", FILE.as_bytes(), json!({"slug": "keys", "title": "Keys"}), ("keys", "Keys")),
    ] {
        let made = with(name, bytes, given).expect(200).await;
        let document = &made.json()["documents"][0];
        assert_eq!(
            (document["slug"].as_str(), document["title"].as_str()),
            (Some(expected.0), Some(expected.1))
        );
        assert_eq!(made.json()["uploads"][0]["slug"], expected.0);
    }
    let refused = with("a.html", PAGE, json!({"slug": "Not One", "title": " "})).expect(422).await;
    let faults = refused.faults();
    assert!(faults.iter().any(|it| it.starts_with("#/uploads/0/slug ")), "{faults:?}");
    assert!(faults.iter().any(|it| it.starts_with("#/uploads/0/title ")), "{faults:?}");
    assert_eq!(faults.len(), 2, "{faults:?}");
}
