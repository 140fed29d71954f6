//! The risks of the controls that the items of a document name.

use std::collections::HashSet;

use db::Tx;
use domain::Scope;
use domain::document::{Control, PlacedItem};
use store::risks::ControlledRisk;

use crate::frame::page_request::{PageRequest, Result};

/// So many risks are shown; the list of the risks of a control has all of them.
const MOST: usize = 1_000;

/// A control that concerns risks.
pub(super) struct ShownControl {
    /// Its number.
    pub(super) control: Control,
    /// The first item that names it.
    item: String,
    /// Its risks.
    pub(super) risks: Vec<ControlledRisk>,
}

/// The controls of the items that concern risks, in the order of the items; none for who may not read risks.
pub(super) async fn of_items(
    request: &PageRequest,
    tx: &mut Tx,
    items: &[PlacedItem],
) -> Result<Vec<ShownControl>> {
    if !request.may(Scope::RisksRead) {
        return Ok(Vec::new());
    }
    let named = || items.iter().flat_map(|it| it.item.controls.iter().map(|control| (&it.item.id, control)));
    let controls: HashSet<&str> = named().map(|(_, control)| control.as_str()).collect();
    let risks = store::risks::of_controls(tx, request.id(), &controls, MOST).await?;
    let mut seen = HashSet::new();
    let shown = named().filter(|(_, control)| seen.insert(control.as_str())).map(|(item, control)| {
        let concerns = |risk: &&ControlledRisk| risk.controls.iter().any(|it| it == control.as_str());
        let risks = risks.iter().filter(concerns).cloned().collect();
        ShownControl { control: control.clone(), item: item.clone(), risks }
    });
    Ok(shown.filter(|it| !it.risks.is_empty()).collect())
}

impl ShownControl {
    /// Whether its risks are shown with this item.
    pub(super) fn is_at(&self, item: &str) -> bool {
        self.item == item
    }
}
