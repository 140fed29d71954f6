//! The heat map of the histories compared with a count of the model.

use std::collections::BTreeMap;

use domain::OrgId;
use domain::risk::Rating;
use store::View;
use store::risks::{RatingBasis, RiskFilter};
use testkit::TestDb;

use crate::risks::model::{Model, Risk};

/// So many risks of a cell are named.
const NAMED: usize = 2;

fn rating_of(risk: &Risk, basis: RatingBasis) -> Option<Rating> {
    match basis {
        RatingBasis::Inherent => Some(risk.inherent),
        RatingBasis::Current => risk.latest().map(|(_, it)| it.rating),
        RatingBasis::Target => risk.target,
    }
}

/// Compares the heat maps by each rating, and the lists of their cells, with the state of the model.
pub(crate) async fn check(db: &TestDb, org: OrgId, view: View, model: &Model) {
    let mut tx = db.read().await.unwrap();
    let scales = store::scales::known(&mut tx, org, view).await.unwrap();
    let all = RiskFilter::default();
    for basis in RatingBasis::ALL {
        let (mut cells, mut without) = (BTreeMap::<_, Vec<i64>>::new(), 0);
        let numbered: Vec<(i64, &Risk)> = (1..).zip(&model.risks).filter(|(_, it)| !it.deleted).collect();
        for (number, risk) in numbered.into_iter().rev() {
            match rating_of(risk, *basis) {
                Some(rating) => cells.entry((rating.likelihood, rating.impact)).or_default().push(number),
                None => without += 1,
            }
        }
        let rated = (*basis, &scales);
        let map = store::risks::heat_map(&mut tx, org, view, rated, &all, 2).await.unwrap();
        assert_eq!((map.not_placed, map.not_evaluated), (0, without), "{basis:?}");
        let mut found = BTreeMap::new();
        for it in map.cells {
            let cell = (it.rating.likelihood, it.rating.impact);
            let listed = store::risks::list_by_rating(&mut tx, org, view, rated, &all, (it.rating, 1_000));
            let listed: Vec<i64> =
                listed.await.unwrap().rows.iter().map(|risk| risk.number.number()).collect();
            assert_eq!(usize::try_from(it.count), Ok(listed.len()), "{basis:?} {cell:?}");
            let named: Vec<i64> = it.numbers.iter().map(|number| number.number()).collect();
            assert_eq!(named, listed[..listed.len().min(NAMED)], "{basis:?} {cell:?}");
            found.insert(cell, listed);
        }
        assert_eq!(found, cells, "{basis:?}");
    }
}
