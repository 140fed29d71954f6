use axum::http::StatusCode;
use domain::{Role, Roles};
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::browser::{Browser, Shown};
use crate::html::Page;

const PEOPLE: &str = "/o/acme/settings/people";
const INVITE: &str = "/o/acme/settings/people/invite";
const CLIENTS: &str = "/o/acme/settings/clients";

#[both_engines]
async fn the_organization_is_renamed_and_its_old_address_leads_there(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let address = "/o/acme/settings/organization";
    let page = browser.get(address).await.page;
    let wrong = [
        ("slug", "Not A Slug"),
        ("time_zone", "Mars/Olympus"),
        ("trash_days", "many"),
        ("pseudonym_days", "0"),
    ];
    let refused = browser.submit(&page, address, &wrong).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(refused.page.all("p.error").len(), 4, "{}", refused.page.text());
    let right = [
        ("name", "Acme & Sons"),
        ("slug", "sons"),
        ("time_zone", "Asia/Tokyo"),
        ("trash_days", "7"),
        ("pseudonym_days", "365"),
    ];
    let shown = browser.submit(&refused.page, address, &right).await;
    assert_eq!(
        (shown.status, shown.address.as_str()),
        (StatusCode::OK, "/o/sons/settings/organization"),
        "{}",
        shown.page.text()
    );
    assert_eq!(shown.page.text_of(".side .org span"), "Acme & Sons");
    assert_eq!(shown.page.all("#pseudonym_days")[0].attr("value"), Some("365"));
    let before = browser.get("/o/acme/incidents?sort=number").await;
    assert_eq!(before.address, "/o/sons/incidents?sort=number");
    // A form that was made before somebody else changed it.
    let late = browser.submit(&page, "/o/sons/settings/organization", &[("name", "Late")]).await;
    assert_eq!(late.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", late.page.text());
}

#[both_engines]
async fn several_people_are_invited_at_once(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let page = browser.get(INVITE).await.page;
    let refused = browser.submit(&page, INVITE, &[("people", "ruth@example.org\nnobody")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(refused.page.text_of(".note.bad").contains("Line 2"), "{}", refused.page.text());
    assert_eq!(refused.page.text_of("#people"), "ruth@example.org nobody", "what was typed is kept");
    let both = [("people", "Ruth Castellan ruth@example.org\nDan <dan@example.org>"), ("roles", "viewer")];
    let shown = browser.submit(&refused.page, INVITE, &both).await;
    let links = |page: &Page| -> Vec<String> {
        page.all("input.mono").iter().map(|it| it.attr("value").unwrap().to_owned()).collect()
    };
    let first = links(&shown.page);
    assert_eq!(first.len(), 2, "{}", shown.page.text());
    assert!(first.iter().all(|link| link.contains("/invitation#bwi_")), "{first:?}");
    // The same form again, as after a lost answer: the same links.
    let again = browser.submit(&refused.page, INVITE, &both).await;
    assert_eq!(links(&again.page), first);
    let page = browser.get(PEOPLE).await.page;
    assert_eq!(page.all("[aria-labelledby='invited'] tbody tr").len(), 2);
    let withdraw = page.all("[aria-labelledby='invited'] form")[0].attr("action").unwrap().to_owned();
    let page = browser.submit(&page, &withdraw, &[]).await.page;
    assert_eq!(page.all("[aria-labelledby='invited'] tbody tr").len(), 1);
}

#[both_engines]
async fn a_member_gets_another_role_hands_over_and_is_removed(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let tom = app.person("Tom", Role::Responder).await;
    let incident = json!({"title": "Flood", "description": "", "assigned_to": tom.id});
    app.post("/v1/incidents").bearer(&ada.token).json(incident).expect(201).await;
    let mut browser = Browser::of(&app, &ada).await;
    let address = format!("{PEOPLE}/{}", tom.id);
    let page = browser.get(&address).await.page;
    assert!(page.text_of("[aria-labelledby='duties']").contains("1 open incident"), "{}", page.text());
    let page = browser.submit(&page, &address, &[("roles", "owner")]).await.page;
    assert_eq!(ticked(&page), ["owner"]);
    let remove = format!("{address}/remove");
    let refused = browser.submit(&page, &remove, &[]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "he looks after an incident");
    let page = browser.submit(&refused.page, &format!("{address}/handover"), &[("to", &ada.id)]).await.page;
    assert!(page.text().contains("None"), "{}", page.text());
    let shown = browser.submit(&page, &remove, &[]).await;
    assert_eq!((shown.status, shown.address.as_str()), (StatusCode::OK, PEOPLE), "{}", shown.page.text());
    assert_eq!(shown.page.all("tbody tr").len(), 1);
    // Nobody takes the last admin away.
    let own = format!("{PEOPLE}/{}", ada.id);
    let page = browser.get(&own).await.page;
    let refused = browser.submit(&page, &own, &[("roles", "viewer")]).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.page.text());
}

/// The boxes of roles that are ticked.
fn ticked(page: &Page) -> Vec<String> {
    page.all("#roles input[checked]").iter().map(|it| it.attr("value").unwrap().to_owned()).collect()
}

/// Sends the form of a page with these boxes ticked, and no other.
async fn tick(browser: &mut Browser, page: &Page, address: &str, roles: &[&str]) -> Shown {
    let mut fields = page.form(address);
    fields.retain(|(name, _)| name != "roles");
    fields.extend(roles.iter().map(|role| ("roles".to_owned(), (*role).to_owned())));
    browser.post(address, &fields).await
}

#[both_engines]
async fn a_member_gets_several_roles_and_loses_one(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let tom = app.person("Tom", Roles::new([Role::Auditor, Role::Responder]).unwrap()).await;
    let mut browser = Browser::of(&app, &ada).await;
    let address = format!("{PEOPLE}/{}", tom.id);
    let page = browser.get(&address).await.page;
    assert_eq!(ticked(&page), ["responder", "auditor"]);
    for role in Role::ALL {
        assert!(page.text_of("#roles").contains(role.meaning()), "{role:?} is explained");
    }
    let none = tick(&mut browser, &page, &address, &[]).await;
    assert_eq!((none.status, none.page.all("#roles-error").len()), (StatusCode::UNPROCESSABLE_ENTITY, 1));
    assert_eq!(ticked(&none.page), [""; 0]);
    let page = tick(&mut browser, &none.page, &address, &["auditor", "approver"]).await.page;
    assert_eq!(ticked(&page), ["approver", "auditor"]);
    // A form in which only the name was changed leaves the roles as somebody else has made them.
    let admin = app.client().await;
    let roles = json!({"roles": ["owner", "approver"]});
    app.patch(&format!("/v1/users/{}", tom.id)).bearer(&admin).json(roles).expect(200).await;
    let page = browser.submit(&page, &address, &[("name", "Thomas")]).await.page;
    assert_eq!(ticked(&page), ["owner", "approver"]);
    assert!(browser.get(PEOPLE).await.page.text_of("tbody").contains("Owner, Approver"));
}

#[both_engines]
async fn an_invitation_with_several_roles_names_them(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let page = browser.get(INVITE).await.page;
    assert_eq!(ticked(&page), ["responder"]);
    let mut fields = page.form(INVITE);
    fields.retain(|(name, _)| !["people", "roles"].contains(&name.as_str()));
    fields.push(("people".to_owned(), "ruth@example.org".to_owned()));
    let refused = browser.post(INVITE, &fields).await;
    assert!(refused.page.text_of("[role='alert']").starts_with("Line 1: "), "no roles at all");
    assert_eq!(ticked(&refused.page), [""; 0]);
    let shown = tick(&mut browser, &refused.page, INVITE, &["responder", "approver"]).await;
    let link = shown.page.all("input.mono")[0].attr("value").unwrap().to_owned();
    assert!(
        browser.get(PEOPLE).await.page.text_of("[aria-labelledby='invited']").contains("Responder, Approver")
    );
    let fields = [("token".to_owned(), link.split_once('#').unwrap().1.to_owned())];
    let invitation = browser.post("/invitation", &fields).await.page;
    assert!(invitation.text().contains("as responder, approver."), "{}", invitation.text());
}

#[both_engines]
async fn a_client_is_added_changed_and_switched_off(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let mut browser = Browser::of(&app, &ada).await;
    let new = format!("{CLIENTS}/new");
    let page = browser.get(&new).await.page;
    let refused = browser.submit(&page, &new, &[("name", "SIEM")]).await;
    assert_eq!(
        (refused.status, refused.page.all("#scopes-error").len()),
        (StatusCode::UNPROCESSABLE_ENTITY, 1)
    );
    let page = browser.submit(&refused.page, &new, &[("scopes", "incidents:read")]).await.page;
    let shown: Vec<String> =
        page.all("input.mono").iter().map(|it| it.attr("value").unwrap().to_owned()).collect();
    let [id, secret] = shown.as_slice() else { panic!("{}", page.text()) };
    let form = [("grant_type", "client_credentials"), ("client_id", id), ("client_secret", secret)];
    app.post("/v1/oauth/token").form(&form).expect(200).await;
    let address = format!("{CLIENTS}/{id}");
    let page = browser.get(&address).await.page;
    assert!(!page.text().contains(secret.as_str()), "a secret is shown once");
    let page = browser.submit(&page, &format!("{address}/secrets"), &[]).await.page;
    assert_eq!(page.all("input.mono").len(), 2);
    let page = browser.get(&address).await.page;
    let secrets = page.all("[aria-labelledby='secrets'] li form");
    assert_eq!(secrets.len(), 2);
    let delete = secrets[0].attr("action").unwrap().to_owned();
    let page = browser.submit(&page, &delete, &[]).await.page;
    let off = [("disabled", "yes")];
    let mut fields = page.form(&address);
    fields.extend(off.map(|(name, value)| (name.to_owned(), value.to_owned())));
    let page = browser.post(&address, &fields).await.page;
    assert!(page.text().contains("Disabled"), "{}", page.text());
    app.post("/v1/oauth/token").form(&form).expect(401).await;
}

#[both_engines]
async fn a_person_changes_their_password_and_signs_other_devices_out(app: TestApp) {
    let ada = app.person("Ada", Role::Staff).await;
    let mut desk = Browser::of(&app, &ada).await;
    let mut phone = Browser::of(&app, &ada).await;
    let page = desk.get("/o/acme/account").await.page;
    assert_eq!(page.all("[aria-labelledby='devices'] tbody tr").len(), 2);
    let devices = "/o/acme/account/devices";
    let page = desk.submit(&page, devices, &[]).await.page;
    assert_eq!(page.all("[aria-labelledby='devices'] tbody tr").len(), 1);
    assert_eq!(phone.get("/o/acme").await.address, "/sign-in?to=%2Fo%2Facme");
    let mut phone = Browser::of(&app, &ada).await;
    let password = "/o/acme/account/password";
    let wrong = desk.submit(&page, password, &[("old", "no"), ("new", "a long enough one")]).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    let short = desk.submit(&page, password, &[("old", &ada.password), ("new", "short")]).await;
    assert_eq!(short.page.all("#new-error").len(), 1, "{}", short.page.text());
    let new = "nine green bottles";
    let shown = desk.submit(&page, password, &[("old", &ada.password), ("new", new)]).await;
    assert!(shown.page.text_of(".toast").contains("Password changed"), "{}", shown.page.text());
    assert!(phone.get("/o/acme").await.address.starts_with("/sign-in"));
    let shown = Browser::new(&app).sign_in(&ada.email, new).await;
    assert_eq!((shown.status, shown.address.as_str()), (StatusCode::OK, "/o/acme"));
}

#[both_engines]
async fn a_device_shows_the_pages_as_it_chose(app: TestApp) {
    let ada = app.person("Ada", Role::Responder).await;
    let body = json!({"title": "A", "description": "", "detected_date": "2026-02-28T23:30:00Z"});
    app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    let (mut desk, mut phone) = (Browser::of(&app, &ada).await, Browser::of(&app, &ada).await);
    let page = desk.get("/o/acme/account").await.page;
    let choose = "/o/acme/account/display";
    let wrong = desk.submit(&page, choose, &[("theme", "dark"), ("zone", "Tokio")]).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(wrong.page.text_of("#zone-error").contains("such as Europe/Berlin"), "{}", wrong.page.text());
    assert_eq!(wrong.page.all("input[value=dark][checked]").len(), 1);
    let fields = [("theme", "dark"), ("rows", "compact"), ("keys", "off"), ("zone", "asia/tokyo")].as_slice();
    let kept = desk.submit(&wrong.page, choose, fields).await;
    assert_eq!(kept.status, StatusCode::OK);
    assert_eq!(kept.page.all("html[data-theme=dark][data-density=compact][data-keys=off]").len(), 1);
    let list = desk.get("/o/acme/incidents").await.page;
    assert!(list.text().contains("Times are in Asia/Tokyo"), "{}", list.text());
    assert!(list.text().contains("1 Mar 08:30") || list.text().contains("Today 08:30"), "{}", list.text());
    // The times that are typed are those of the same zone.
    let edit = desk.get("/o/acme/incidents/INC-0001/edit").await.page;
    let fields = [("detected_date", "2026-03-01T09:00")];
    assert_eq!(desk.submit(&edit, "/o/acme/incidents/INC-0001/edit", &fields).await.status, StatusCode::OK);
    let read = app.get("/v1/incidents/1").bearer(&ada.token).expect(200).await;
    assert_eq!(read.json()["detected_date"], "2026-03-01T00:00:00.000000Z");
    assert!(phone.get("/o/acme/incidents").await.page.text().contains("Times are in UTC"));
}

#[both_engines]
async fn a_group_gets_members_and_is_deleted(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let bea = app.person("Bea", Role::Viewer).await;
    let mut browser = Browser::of(&app, &ada).await;
    let list = "/o/acme/settings/groups";
    let page = browser.get(list).await.page;
    let made = browser.submit(&page, list, &[("name", "Berlin"), ("description", "*Here*")]).await;
    assert!(made.address.starts_with(&format!("{list}/")), "{}", made.address);
    let address = made.address.clone();
    let members = |page: &Page| page.all("[aria-labelledby='members'] tbody tr").len();
    let page = browser.submit(&made.page, &format!("{address}/members"), &[("user", &bea.id)]).await.page;
    assert_eq!(members(&page), 1, "{}", page.text());
    let taken = browser.get(list).await.page;
    let taken = browser.submit(&taken, list, &[("name", "BERLIN")]).await;
    assert_eq!(taken.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", taken.page.text());
    let page = browser.submit(&page, &address, &[("name", "Berlin office")]).await.page;
    assert_eq!(page.text_of("h1"), "Berlin office");
    let own = browser.get(&format!("{PEOPLE}/{}", bea.id)).await.page;
    assert!(own.text_of("[aria-labelledby='groups']").contains("Berlin office"), "{}", own.text());
    let remove = format!("{address}/members/{}", bea.id);
    let removed = browser.submit(&page, &remove, &[]).await;
    assert_eq!(members(&removed.page), 0);
    // The viewer reads it, and cannot change it.
    let mut other = Browser::of(&app, &bea).await;
    let seen = other.get(&address).await;
    assert_eq!((seen.status, seen.page.all("main form").len()), (StatusCode::OK, 0), "{}", seen.page.text());
    let shown = browser.submit(&removed.page, &format!("{address}/delete"), &[]).await;
    assert_eq!(shown.address, list);
    assert!(shown.page.text().contains("No groups yet"), "{}", shown.page.text());
}
