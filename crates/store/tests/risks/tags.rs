//! Tags, and tags on risks.

use domain::incident::Viewer;
use domain::tag::TagLabel;
use domain::{FaultCode, ResourceKind, RiskNumber, TagId};
use store::View;
use testkit::{TestDb, both_engines};

use crate::risks::support::*;

#[both_engines]
async fn a_name_is_taken_in_every_case(db: TestDb) {
    let (acme, other) = (db.organization("Acme").await, db.organization("Other").await);
    let tag = create_tag(&db, acme, "Straße").await.unwrap();
    assert_eq!(store::tags::get(&mut db.read().await.unwrap(), acme, tag.id).await, Ok(tag.clone()));
    assert_eq!(conflict(&create_tag(&db, acme, "STRASSE ").await), "name_taken");
    create_tag(&db, other, "Straße").await.unwrap();
    assert_eq!(
        store::tags::get(&mut db.read().await.unwrap(), other, tag.id).await,
        not_found(ResourceKind::Tag)
    );
    let payload = r##"{"name":[null,"Straße"],"color":[null,"#64748b"]}"##;
    let entry = ("tag.created".to_owned(), tag.id.to_string(), payload.to_owned());
    assert_eq!(journal(&db, acme, 0).await, [entry], "the refused one left nothing");
    assert_eq!(faults(&db, acme).await, [""; 0]);
}

#[both_engines]
async fn tags_are_listed_by_name(db: TestDb) {
    let org = db.organization("Acme").await;
    for name in ["supplier", "Cloud", "phishing", "ärger", "access"] {
        create_tag(&db, org, name).await.unwrap();
    }
    let mut tx = db.read().await.unwrap();
    let (mut seen, mut after) = (Vec::new(), None::<String>);
    loop {
        let page = store::tags::list(&mut tx, org, &[], after.as_deref(), 2).await.unwrap();
        after = page.rows.last().map(|tag| tag.name.to_string());
        seen.push(page.rows.into_iter().map(|tag| String::from(tag.name)).collect::<Vec<_>>().join(" "));
        if !page.has_more {
            break;
        }
    }
    assert_eq!(seen, ["access Cloud", "phishing supplier", "ärger"]);
}

#[both_engines]
async fn a_tag_goes_on_a_risk_once_and_comes_off(db: TestDb) {
    let org = db.organization("Acme").await;
    let risk = create(&db, org, titled("Fire")).await;
    let [cloud, access] = [create_tag(&db, org, "cloud").await, create_tag(&db, org, "access").await];
    let [cloud, access] = [cloud.unwrap(), access.unwrap()];
    let before = head(&db, org).await;
    db.clock.advance_seconds(1);
    add_tag(&db, org, 1, cloud.id).await.unwrap();
    add_tag(&db, org, 1, access.id).await.unwrap();
    assert_eq!(conflict(&add_tag(&db, org, 1, cloud.id).await), "tag_already_associated");

    let label =
        |tag: &domain::tag::Tag| TagLabel { id: tag.id, name: tag.name.clone(), color: tag.color.clone() };
    let tagged = get(&db, org, 1, View::now()).await.unwrap();
    assert_eq!(tagged.tags, [label(&access), label(&cloud)], "by name");
    assert_eq!((tagged.version, tagged.updated_date, tagged.seq_from), (1, risk.updated_date, risk.seq_from));

    remove_tag(&db, org, 1, cloud.id).await.unwrap();
    assert_eq!(remove_tag(&db, org, 1, cloud.id).await, not_found(ResourceKind::RiskOrTag), "not on it");
    assert_eq!(list(&db, org, View::now()).await[0].tags, [label(&access)]);
    assert_eq!(list(&db, org, View::as_of(before)).await[0].tags, []);
    assert_eq!(list(&db, org, View::as_of(before + 2)).await[0].tags, [label(&access), label(&cloud)]);
    add_tag(&db, org, 1, cloud.id).await.unwrap();
    assert_eq!(get(&db, org, 1, View::as_of(before + 3)).await.unwrap().tags, [label(&access)]);

    let mut tx = db.read().await.unwrap();
    let page = store::listed::list_tags::<domain::risk::Risk>(
        &mut tx,
        org,
        &Viewer::service(),
        RiskNumber(1),
        None,
        1,
    )
    .await
    .unwrap();
    assert_eq!((page.rows, page.has_more), (vec![access.clone()], true));
    let page = store::listed::list_tags::<domain::risk::Risk>(
        &mut tx,
        org,
        &Viewer::service(),
        RiskNumber(1),
        Some("Access"),
        1,
    )
    .await
    .unwrap();
    assert_eq!((page.rows, page.has_more), (vec![cloud.clone()], false));
    drop(tx);

    let entry = |kind: &str, payload: String| (kind.to_owned(), "RSK-1".to_owned(), payload);
    let entries = journal(&db, org, before).await;
    assert_eq!(entries.len(), 4);
    let one = cloud.id;
    assert_eq!(entries[0], entry("risk.tag_added", format!(r#"{{"tags/{one}":[null,true]}}"#)));
    assert_eq!(entries[2], entry("risk.tag_removed", format!(r#"{{"tags/{one}":[true,null]}}"#)));
    assert_eq!(faults(&db, org).await, [""; 0]);
}

#[both_engines]
async fn an_unknown_risk_or_tag_has_one_answer(db: TestDb) {
    let (acme, other) = (db.organization("Acme").await, db.organization("Other").await);
    create(&db, acme, titled("Fire")).await;
    create(&db, acme, titled("Deleted")).await;
    create(&db, other, titled("Theirs")).await;
    delete(&db, acme, 2).await.unwrap();
    let ours = create_tag(&db, acme, "cloud").await.unwrap().id;
    let theirs = create_tag(&db, other, "cloud").await.unwrap().id;
    let nobodys = TagId(uuid::Uuid::from_u128(7));
    for (risk, tag) in [(1, theirs), (1, nobodys), (2, ours), (3, ours)] {
        assert_eq!(add_tag(&db, acme, risk, tag).await, not_found(ResourceKind::RiskOrTag), "{risk} {tag}");
        assert_eq!(
            remove_tag(&db, acme, risk, tag).await,
            not_found(ResourceKind::RiskOrTag),
            "{risk} {tag}"
        );
    }
    add_tag(&db, acme, 1, ours).await.unwrap();
    assert_eq!(add_tag(&db, other, 1, ours).await, not_found(ResourceKind::RiskOrTag));
    assert_eq!(remove_tag(&db, other, 1, ours).await, not_found(ResourceKind::RiskOrTag));
    assert_eq!(get(&db, other, 1, View::now()).await.unwrap().tags, []);
    let mut tx = db.read().await.unwrap();
    assert_eq!(store::tags::list(&mut tx, other, &[], None, 9).await.unwrap().rows.len(), 1);
    assert!(
        store::listed::list_tags::<domain::risk::Risk>(
            &mut tx,
            other,
            &Viewer::service(),
            RiskNumber(1),
            None,
            9
        )
        .await
        .unwrap()
        .rows
        .is_empty()
    );
    assert_eq!(
        store::listed::list_tags::<domain::risk::Risk>(
            &mut tx,
            acme,
            &Viewer::service(),
            RiskNumber(2),
            None,
            9
        )
        .await,
        not_found(ResourceKind::Risk)
    );
}

#[both_engines]
async fn a_risk_has_at_most_50_tags_and_each_entry_names_one(db: TestDb) {
    let org = db.organization("Acme").await;
    create(&db, org, titled("Fire")).await;
    let mut tags = Vec::new();
    for n in 0..51 {
        tags.push(create_tag(&db, org, &format!("tag {n}")).await.unwrap().id);
    }
    let before = head(&db, org).await;
    for tag in &tags[..50] {
        add_tag(&db, org, 1, *tag).await.unwrap();
    }
    let refused = add_tag(&db, org, 1, tags[50]).await.unwrap_err().0;
    let domain::Error::Invalid(told) = refused else { panic!("{refused:?}") };
    assert_eq!((told[0].pointer.as_str(), told[0].code), ("#/tag_id", FaultCode::TooManyTags));
    assert!(matches!(
        add_tag(&db, org, 1, tags[0]).await.unwrap_err().0,
        domain::Error::TagAlreadyAssociated(_)
    ));
    let entries = journal(&db, org, before).await;
    assert_eq!(entries.len(), 50);
    assert!(entries.iter().all(|(_, _, payload)| payload.len() < 64), "{entries:?}");

    remove_tag(&db, org, 1, tags[7]).await.unwrap();
    add_tag(&db, org, 1, tags[50]).await.unwrap();
    assert_eq!(get(&db, org, 1, View::now()).await.unwrap().tags.len(), 50);
    assert_eq!(faults(&db, org).await, [""; 0]);
}
