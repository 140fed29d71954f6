//! What stands beside a text while it is written, and formatted text that is pasted.

use axum::http::StatusCode;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::acknowledgements::published;
use crate::browser::Browser;
use crate::documents::written;

const NEW: &str = "/o/acme/documents/new";
const EDIT: &str = "/o/acme/documents/access-control/edit";
const LIVE: [(&str, &str); 2] = [("preview", "yes"), ("live", "1")];

#[both_engines]
async fn formatted_text_is_pasted_as_markdown(app: TestApp) {
    let mut ada = written(&app).await;
    let page = ada.get(EDIT).await.page;
    let paste = page.all("#template")[0].attr("data-paste").unwrap().to_owned();
    assert_eq!(paste, "/o/acme/documents/import/paste");
    assert_eq!(ada.get(NEW).await.page.all("#template")[0].attr("data-paste"), Some(&*paste));
    let word = "<html><head><meta charset=windows-1252></head><body><!--StartFragment--><h2>Gäste</h2><p class=MsoListParagraph \
                style='mso-list:l0 level1 lfo1'><!--[if !supportLists]--><span style='mso-list:Ignore'>·</span><!--[endif]-->ask \
                <b>first</b><o:p></o:p></p><img src=x><!--EndFragment--></body></html>";
    let pasted = ada.upload(&paste, "a", word.as_bytes()).await;
    assert_eq!(pasted.status, StatusCode::OK);
    let text: String = pasted.page.all("#pasted")[0].text().collect();
    assert_eq!(text.trim_start(), "## Gäste\n\n- ask **first**");
    assert_eq!(
        pasted.page.text_of("#told"),
        "Pasted as Markdown. Not kept: images and drawings: 1, under “Gäste”"
    );
    let kept = ada.upload(&paste, "a", b"<p>All of <i>it</i></p>").await.page;
    assert_eq!(kept.text_of("#told"), "Pasted as Markdown.");
    assert_eq!(ada.upload(&paste, "a", b"").await.page.text_of("#pasted"), "");
    assert_eq!((pasted.page.all("[data-block]").len(), kept.all("[data-block]").len()), (1, 0));
    let long = "x".repeat(2 * 1024 * 1024 + 1);
    assert_eq!(ada.upload(&paste, "a", long.as_bytes()).await.status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(
        ada.post(&paste, &[("html".to_owned(), "A".to_owned())]).await.status,
        StatusCode::UNSUPPORTED_MEDIA_TYPE
    );
    let vera = app.person("Vera", Role::Viewer).await;
    let refused = Browser::of(&app, &vera).await.upload(&paste, "a", b"A").await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
}

#[both_engines]
async fn a_new_text_is_shown_while_it_is_written(app: TestApp) {
    let ada = app.person("Ada Byron", Role::Admin).await;
    let mut ada = Browser::of(&app, &ada).await;
    let page = ada.get(NEW).await.page;
    let form = page.all("form[data-live]")[0];
    for id in form.attr("data-live").unwrap().split(' ') {
        assert_eq!(page.all(&format!("#{id}")).len(), 1, "{id}");
    }
    let mut write =
        async |text: &str| ada.submit(&page, NEW, &[&LIVE[..], &[("template", text)]].concat()).await;
    // A title is not needed yet.
    let shown = write("# Rule\n\nLock *it*.").await;
    assert_eq!(shown.status, StatusCode::OK);
    assert_eq!(shown.page.texts("#preview em"), ["it"]);
    assert_eq!(shown.page.text_of("#in-text"), "");
    let faulty = write("# Rule\n\nLock {{it}}.").await.page;
    let fault = "Line 3, column 6: there is no item it Lock {{it}}.";
    assert!(faulty.text_of("#in-text").contains(fault), "{}", faulty.text_of("#in-text"));
    assert_eq!(faulty.all("#preview").len(), 0, "what was shown before stays");
    let file = "---\nslug: a\ntitle: A\nitems:\n- {id: x, kind: text, label: Who, default: Ada}\n- {id: y, kind: text, label: Else}\n---\n";
    let shown = write(&format!("{file}{{{{x}}}} signs in.")).await.page;
    assert!(shown.text_of("#preview").contains("Ada signs in."), "{}", shown.text_of("#preview"));
    assert_eq!(shown.texts("#sections li"), ["Who{{x}}", "Else{{y}} Not in the text"]);
    let faulty = write(&format!("{file}{{{{z}}}}")).await.page;
    assert!(faulty.text_of("#in-text").contains("line 1, column 1: there is no item z"), "{}", faulty.text());
    assert_eq!(faulty.all("#sections").len(), 0);
    assert_eq!(ada.get("/o/acme/documents").await.page.all("tbody tr").len(), 0, "nothing is stored");
}

#[both_engines]
async fn a_text_is_shown_while_it_is_edited(app: TestApp) {
    let mut ada = written(&app).await;
    let page = ada.get(EDIT).await.page;
    let mut write =
        async |fields: &[(&str, &str)]| ada.submit(&page, EDIT, &[&LIVE[..], fields].concat()).await.page;
    let shown = write(&[(
        "template",
        "# Rule\n\n{{contact}}\n\n{% if mfa == \"admins\" %}Few.{% else %}All.{% endif %}",
    )])
    .await;
    assert!(shown.text_of("#preview").contains("All."), "{}", shown.text_of("#preview"));
    assert!(!shown.text_of("#sections").contains("Not in the text"), "{}", shown.text_of("#sections"));
    let shown = write(&[("template", "{{contact}}")]).await;
    assert!(shown.texts("#sections li")[0].contains("Not in the text"), "{:?}", shown.texts("#sections li"));
    let faulty = write(&[("template", "A\n{{mfb}} {{contact"), ("title", "")]).await;
    let told = faulty.text_of("#in-text");
    for fault in ["Line 2, column 9: }} is missing in this line", "Title"] {
        assert!(told.contains(fault), "{told}");
    }
    assert_eq!(faulty.all("#preview").len(), 0);
    let sections = write(&[("items", "- {id: new, kind: text, label: New}"), ("template", "{{new}}")]).await;
    assert_eq!(sections.texts("#sections code"), ["{{new}}"]);
    assert_eq!(
        ada.get(EDIT).await.page.texts("#sections code"),
        ["{{mfa}}", "{{contact}}"],
        "nothing is stored"
    );
    let template = [("template", "# Rule\n\n{{mfa}}\n\nFor {{contact}}.")];
    ada.submit(&page, EDIT, &template).await;
    assert!(ada.get(EDIT).await.page.text_of("#preview").contains("1 Rule"), "it is there at once");
}

#[both_engines]
async fn the_text_with_a_value_is_shown_before_it_is_proposed(app: TestApp) {
    let mut ada = written(&app).await;
    let (document, edits) = ("/o/acme/documents/access-control", "/o/acme/documents/access-control/edits");
    let choice = [("item", "mfa"), ("kind", "select"), ("value", "admins")];
    let page = ada.get(document).await.page;
    let shown = ada.submit(&page, edits, &[&LIVE[..], &choice].concat()).await.page;
    assert!(
        shown.text_of("#result-mfa").contains("Two factors for admins."),
        "{}",
        shown.text_of("#result-mfa")
    );
    assert_eq!(shown.text_of("#result-contact"), "");
    let long = "x".repeat(21);
    let wrong = [("item", "contact"), ("kind", "text"), ("value", long.as_str())];
    let shown = ada.submit(&page, edits, &[&LIVE[..], &wrong].concat()).await.page;
    let told = shown.text_of("#result-contact");
    assert!(told.contains("at most 20 characters") && !told.contains("xxx"), "{told}");
    assert_eq!(shown.all("#item-mfa ins").len(), 0, "nothing is stored");
    let form = ada.get(EDIT).await.page;
    let template = "First.\n\nWe say: {{mfa}} Really.\n\n{% if mfa == \"everybody\" %}All.{% endif %}";
    ada.submit(&form, EDIT, &[("template", template)]).await;
    let mut result = async |value: &str| {
        let choice = [("item", "mfa"), ("kind", "select"), ("value", value)];
        let shown = ada.submit(&page, edits, &[&LIVE[..], &choice].concat()).await.page;
        shown.text_of("#result-mfa div")
    };
    assert_eq!(result("everybody").await, "We say: Two factors for everybody. Really. All.");
    assert_eq!(result("admins").await, "We say: Two factors for admins. Really.");
    let page = ada.get(document).await.page;
    ada.submit(&page, edits, &choice).await;
    let again = ada.submit(&page, edits, &[&LIVE[..], &choice].concat()).await.page;
    assert!(again.text_of("#result-mfa").contains("The text stays the same."), "{}", again.text());
}

#[both_engines]
async fn the_preview_of_a_published_document_has_what_is_proposed(app: TestApp) {
    let ada = published(&app).await;
    let edits = json!([{"node_id": "contact", "node_type": "text", "value": "Eve"}]);
    app.patch("/v1/documents/policy").bearer(&ada.token).json(edits).expect(200).await;
    let (mut browser, edit) = (Browser::of(&app, &ada).await, "/o/acme/documents/policy/edit");
    let page = browser.get(edit).await.page;
    assert!(page.text_of("#preview").contains("Call Eve."), "{}", page.text_of("#preview"));
    let often = "{{contact}}".repeat(5_900);
    let long = json!([{"node_id": "contact", "node_type": "text", "value": "x".repeat(100)}]);
    app.patch("/v1/documents/policy").bearer(&ada.token).json(long).expect(200).await;
    let page = browser.get(edit).await.page;
    let refused = browser.submit(&page, edit, &[&LIVE[..], &[("template", &often)]].concat()).await.page;
    let told = refused.text_of("#in-text");
    assert!(told.contains("contact would print more than 131072 characters"), "{told}");
    assert_eq!(refused.all("#preview").len(), 0);
}
