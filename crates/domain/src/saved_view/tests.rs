use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::actor::ActorKind;
use crate::fault::FaultCode;
use crate::role::Role;

fn actor(id: &str) -> Actor {
    Actor { kind: ActorKind::User, id: id.to_owned(), name: id.to_owned() }
}

fn view(list: ViewedList, shared: bool) -> SavedView {
    let filter =
        [("status", "new"), ("status", "investigating"), ("assigned_to", "me")].into_iter().collect();
    let new = NewSavedView { list, name: "Mine".to_owned(), filter, sort: None, shared };
    new.create(SavedViewId(uuid::Uuid::nil()), &actor("ada"), Timestamp::UNIX_EPOCH)
}

#[test]
fn a_name_has_1_to_80_characters_on_one_line() {
    let codes = |text: &str| {
        let mut faults = Faults::new();
        name(text, "#/name", &mut faults);
        faults.into_vec().into_iter().map(|fault| fault.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(&"é".repeat(80)), []);
    assert_eq!(codes(&"é".repeat(81)), [FaultCode::TooLong]);
    assert_eq!(codes(" "), [FaultCode::Blank]);
    assert_eq!(codes("a\nb"), [FaultCode::ControlCharacter]);
}

#[test]
fn the_order_of_values_and_repetitions_make_no_difference() {
    let one: ViewFilter = [("status", "new"), ("status", "closed"), ("q", "mail")].into_iter().collect();
    let other = [("q", "mail"), ("status", "closed"), ("status", "new"), ("status", "new")];
    assert_eq!(one, other.into_iter().collect());
    assert_eq!(one.pairs().collect::<Vec<_>>(), [("q", "mail"), ("status", "closed"), ("status", "new")]);
}

#[test]
fn a_patch_merges_the_filter_by_parameter() {
    let before = view(ViewedList::Incidents, false);
    let status = [(String::from("status"), Some(BTreeSet::from([String::from("closed")])))];
    let more = [(String::from("assigned_to"), None), (String::from("source"), None)];
    let filter = FilterPatch(status.into_iter().chain(more).collect());
    let patch = SavedViewPatch { filter, ..SavedViewPatch::default() };
    let after = patch.apply(&before, Timestamp::MAX).unwrap();
    assert_eq!(after.filter, [("status", "closed")].into_iter().collect());
    assert_eq!((after.version, after.updated_date), (2, Timestamp::MAX));
    assert_eq!((&after.name, &after.sort, after.shared), (&before.name, &before.sort, false));
    assert_eq!(patch.apply(&after, Timestamp::MAX), None, "a second time it changes nothing");
}

#[test]
fn a_patch_that_says_what_is_so_changes_nothing() {
    let before = SavedView { sort: Some("number".to_owned()), ..view(ViewedList::Risks, true) };
    let filter = before.filter.0.iter().map(|(name, values)| (name.clone(), Some(values.clone())));
    let patch = SavedViewPatch {
        name: Some(before.name.clone()),
        filter: FilterPatch(filter.collect()),
        sort: Change::Set("number".to_owned()),
        shared: Some(true),
    };
    assert_eq!(patch.apply(&before, Timestamp::MAX), None);
    let cleared = SavedViewPatch { sort: Change::Clear, ..SavedViewPatch::default() };
    assert_eq!(cleared.apply(&before, Timestamp::MAX).unwrap().sort, None);
}

#[test]
fn shared_views_and_ones_own_exist_for_who_reads_the_list() {
    for role in Role::ALL {
        for &list in ViewedList::ALL {
            let reads = list.is_read_with(role.scopes());
            assert_eq!(reads, *role != Role::Staff || list == ViewedList::Incidents, "{role:?} {list}");
            let (own, other) =
                (ViewReader::new(&actor("ada"), role.scopes()), ViewReader::new(&actor("bo"), role.scopes()));
            assert_eq!((own.sees(&view(list, false)), own.sees(&view(list, true))), (reads, reads));
            assert_eq!((other.sees(&view(list, false)), other.sees(&view(list, true))), (false, reads));
        }
    }
    let client = Actor { kind: ActorKind::Client, ..actor("ada") };
    let client = ViewReader::new(&client, Scopes::all());
    assert!(!client.sees(&view(ViewedList::Risks, false)), "another actor with the same id");
}

#[test]
fn sharing_needs_the_scope_that_changes_the_records_of_the_list() {
    assert_eq!(view(ViewedList::Incidents, true).required_scopes(), Scope::IncidentsWrite.into());
    assert_eq!(view(ViewedList::Risks, true).required_scopes(), Scope::RisksWrite.into());
    assert_eq!(view(ViewedList::Risks, false).required_scopes(), Scopes::default());
}

proptest! {
    #[test]
    fn a_filter_is_stored_and_read_back(pairs in prop::collection::vec((".{0,8}", ".{0,8}"), 0..8)) {
        let filter: ViewFilter = pairs.iter().cloned().collect();
        prop_assert_eq!(ViewFilter::from_stored(&filter.to_stored()), Some(filter.clone()));
        prop_assert!(pairs.iter().all(|(name, value)| filter.pairs().any(|pair| pair == (name, value))));
    }
}
