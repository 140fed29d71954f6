//! Searching: the page of everything, and the boxes of the lists.

use domain::Role;
use serde_json::json;
use testkit::{TestApp, TestPerson, both_engines};

use crate::browser::Browser;

async fn filled(app: &TestApp) -> TestPerson {
    let ada = app.person("Ada", Role::Admin).await;
    for (title, description) in
        [("Café <b>closed</b>", "The cold room failed."), ("Cold room failed", ""), ("Door open", "")]
    {
        let body = json!({"title": title, "description": description});
        app.post("/v1/incidents").bearer(&ada.token).json(body).expect(201).await;
    }
    let rating = json!({"likelihood": 2, "impact": 3});
    for title in ["Cold chain breaks", "Flood"] {
        let risk = json!({"title": title, "description": "", "inherent": rating, "target": rating});
        app.post("/v1/risks").bearer(&ada.token).json(risk).expect(201).await;
    }
    app.follow_search().await;
    ada
}

#[both_engines]
async fn everything_is_searched_the_best_first_with_what_was_found_marked(app: TestApp) {
    let ada = filled(&app).await;
    let mut browser = Browser::of(&app, &ada).await;
    let page = browser.get("/o/acme/search?q=COLD").await.page;
    assert_eq!(page.texts(".hits a.t"), ["Cold room failed", "Cold chain breaks", "Café <b>closed</b>"]);
    assert_eq!(page.texts(".hits mark"), ["Cold", "Cold", "cold"]);
    assert_eq!(page.texts("nav.tabs a"), ["All 3", "Incidents 2", "Risks 1", "Documents 0"]);
    let risks = browser.get("/o/acme/search?q=cold&kind=risk").await.page;
    assert_eq!(risks.texts(".hits a.t"), ["Cold chain breaks"]);
    let phrase = browser.get("/o/acme/search?q=%22cold+room%22+-cafe").await.page;
    assert_eq!(phrase.texts(".hits mark"), ["Cold room"]);
    let none = browser.get("/o/acme/search?q=nowhere").await.page;
    assert_eq!(none.texts(".empty h2"), ["No results"]);
    let beginning = browser.get("/o/acme/search?q=col").await.page;
    assert_eq!(beginning.texts(".hits mark"), ["Cold", "Cold", "cold"]);
    let meant = browser.get("/o/acme/search?q=clod+room").await.page;
    assert_eq!(meant.texts("a[href$='?q=cold+room']"), ["cold room"]);
    let nothing = browser.get("/o/acme/search").await.page;
    assert_eq!(nothing.texts(".hits, .empty, nav.tabs"), [""; 0]);
    let first = browser.get("/o/acme/search?q=cold&limit=1").await.page;
    assert_eq!((first.texts(".hits a.t").len(), first.texts(".pager a")), (1, vec!["Next page".to_owned()]));
    // Somebody who declares incidents only finds her own.
    let sam = app.person("Sam", Role::Staff).await;
    let page = Browser::of(&app, &sam).await.get("/o/acme/search?q=cold").await.page;
    assert_eq!(page.texts("nav.tabs a"), ["All 0", "Incidents 0"]);
}

#[both_engines]
async fn a_list_is_searched_beside_its_filters(app: TestApp) {
    let ada = filled(&app).await;
    let mut browser = Browser::of(&app, &ada).await;
    let titles = ".tbl.list tbody a.t";
    let page = browser.get("/o/acme/incidents?q=room").await.page;
    assert_eq!(page.texts(titles), ["Cold room failed", "Café <b>closed</b>"]);
    let beginning = browser.get("/o/acme/incidents?q=roo").await.page;
    assert_eq!(beginning.texts(titles), ["Cold room failed", "Café <b>closed</b>"]);
    let sorted = browser.get("/o/acme/incidents?q=room&sort=number").await.page;
    assert_eq!(sorted.texts(titles), ["Café <b>closed</b>", "Cold room failed"]);
    let none = browser.get("/o/acme/incidents?q=room&status=closed").await.page;
    assert_eq!(none.texts(titles), [""; 0]);
    let meant = browser.get("/o/acme/incidents?q=clod+room&category=open").await.page;
    assert_eq!(meant.texts(".empty a[href='?category=open&q=cold+room']"), ["cold room"]);
    let risks = browser.get("/o/acme/risks?q=fl*").await.page;
    assert_eq!(risks.texts(titles), ["Flood"]);
    let go = browser.get("/o/acme/go?q=cold").await.page;
    assert!(go.texts("#places li").contains(&"Search everything for “cold”".to_owned()));
}

#[both_engines]
async fn the_library_is_searched_page_by_page(app: TestApp) {
    let ada = app.person("Ada", Role::Admin).await;
    let items = json!([{"id": "contact", "kind": "text", "label": "Whom to ask", "max_length": 20}]);
    for (slug, title) in [("access", "Doors and gates"), ("keys", "Keys of a door"), ("waste", "Waste")] {
        let reference = format!("ISMS-{slug}");
        let document = json!({"slug": slug, "title": title, "reference": reference, "items": items});
        app.post("/v1/documents").bearer(&ada.token).json(document).expect(201).await;
    }
    app.follow_search().await;
    let mut browser = Browser::of(&app, &ada).await;
    let titles = ".tbl.list tbody a.t";
    let first = browser.get("/o/acme/documents?q=door*&limit=1").await.page;
    assert_eq!(first.texts(titles), ["Doors and gates"]);
    let next = first.links().into_iter().find(|link| link.contains("cursor=")).unwrap();
    let second = browser.get(&next).await.page;
    assert_eq!(second.texts(titles), ["Keys of a door"]);
    assert_eq!(second.texts(".pager a"), ["Export all 2 as CSV", "First page"]);
    let gone_to = browser.get("/o/acme/go?q=isms-wa").await.page;
    assert!(gone_to.texts("#places li").iter().any(|place| place.starts_with("Waste")), "by its reference");
    let none = browser.get("/o/acme/documents?q=window").await.page;
    assert_eq!(
        (none.text_of(".empty h2"), none.texts("form.filters a").last().map(String::as_str)),
        ("No results".into(), Some("Clear"))
    );
    let all = browser.get("/o/acme/documents?q=").await.page;
    assert_eq!(all.texts(titles).len(), 3);
}

/// The statuses that a list has ticked by itself do not narrow a search, and those that somebody chose do.
#[both_engines]
async fn a_search_from_the_list_of_open_incidents_finds_closed_ones(app: TestApp) {
    let ada = filled(&app).await;
    let closed = json!({"to": "dismissed", "resolution_reason": "test"});
    app.post("/v1/incidents/2/transitions").bearer(&ada.token).json(closed).expect(200).await;
    let mut browser = Browser::of(&app, &ada).await;
    let list = browser.get("/o/acme/incidents").await.page;
    let open = "new investigating contained resolved";
    assert_eq!(list.all(&format!("input[name='default_status'][value='{open}']")).len(), 1);
    let ticked = "default_status=new+investigating+contained+resolved&sort=&status=investigating";
    let all = browser.get(&format!("/o/acme/incidents?{ticked}&status=new&q=cold")).await.page;
    assert_eq!(all.texts("tbody a.t"), ["Café <b>closed</b>"]);
    let ticked =
        "default_status=new+investigating+contained&status=new&status=investigating&status=contained";
    let all = browser.get(&format!("/o/acme/incidents?{ticked}&sort=&q=cold")).await.page;
    assert_eq!(all.texts("tbody a.t"), ["Cold room failed", "Café <b>closed</b>"]);
    assert!(all.all("a[href*='default_status'], .head a[href*='status=new']").is_empty(), "links stay short");
    // All of them are chosen by a category until others are.
    let list = browser.get("/o/acme/incidents?category=closed").await.page;
    assert_eq!(list.all("form.filters input[name='category'][value='closed']").len(), 1);
    let other = "category=closed&default_status=dismissed+closed&status=new";
    let new = browser.get(&format!("/o/acme/incidents?{other}")).await.page;
    assert_eq!(new.texts("tbody .stat"), ["New", "New"]);
    let none = browser.get("/o/acme/incidents?q=nowhere").await.page;
    assert!(none.text_of(".empty").contains("All words must match."), "{}", none.text());
}

/// A list that is shown after a change waits until the search knows of it.
#[both_engines]
async fn a_change_that_is_undone_in_a_searched_list_is_shown(app: TestApp) {
    let ada = filled(&app).await;
    let mut browser = Browser::of(&app, &ada).await;
    let list = browser.get("/o/acme/incidents?q=cold").await.page;
    let mut fields = list.form("/o/acme/incidents/bulk");
    fields.push(("ids".to_owned(), "INC-0002".to_owned()));
    let deleted = browser.post("/o/acme/incidents/delete", &fields).await.page;
    assert_eq!(deleted.texts("tbody a.t"), ["Café <b>closed</b>"]);
    // Whenever the change is written, and not at once.
    let follow = async {
        loop {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            app.follow_search().await;
        }
    };
    let undone = tokio::select! {
        undone = browser.submit(&deleted, "/o/acme/undo", &[]) => undone,
        () = follow => unreachable!("it goes on"),
    };
    assert_eq!(undone.page.texts("tbody a.t"), ["Cold room failed", "Café <b>closed</b>"]);
}

#[both_engines]
async fn the_number_of_a_record_leads_to_it_from_every_search(app: TestApp) {
    let ada = filled(&app).await;
    let mut browser = Browser::of(&app, &ada).await;
    for page in ["search", "incidents", "risks"] {
        for number in ["INC-0001", "inc-1", "+INC-1+"] {
            let found = browser.get(&format!("/o/acme/{page}?q={number}")).await;
            assert_eq!(found.address, "/o/acme/incidents/INC-0001", "{page} {number}");
        }
        let none = browser.get(&format!("/o/acme/{page}?q=INC-999")).await;
        assert!(none.page.text().contains("No results"), "{page}");
    }
}

/// A tag that no incident of the list has is still called by its name.
#[both_engines]
async fn a_chosen_tag_is_named_although_nothing_has_it(app: TestApp) {
    let ada = filled(&app).await;
    let tag = app.post("/v1/tags").bearer(&ada.token).json(json!({"name": "unused"})).expect(201).await;
    let mut browser = Browser::of(&app, &ada).await;
    for list in ["incidents", "risks"] {
        let page = browser.get(&format!("/o/acme/{list}?tag={}", tag.text("id"))).await.page;
        let set: Vec<_> = page.texts(".filters summary b").into_iter().filter(|it| it == "unused").collect();
        assert_eq!(set, ["unused"], "{list}");
    }
}
