//! What is sent to change many records at once, whatever kind they are.

use domain::FaultCode;
use domain::bulk::BulkOperation;
use http::json::Fields;
use store::bulk::{BulkChange, Target, Writes};

/// Either ids or a filter names the records.
pub(super) fn check_target(fields: &mut Fields<'_, '_>) {
    match (fields.was_sent("ids"), fields.was_sent("filter")) {
        (true, true) => fields.fault("filter", FaultCode::Conflict, "cannot be sent together with ids"),
        (false, false) => fields.fault("ids", FaultCode::Required, "is required, or a filter"),
        _ => {}
    }
}

/// The change of the records with these ids, or of those that the filter finds.
pub(super) fn change<N, F, P>(
    ids: Option<Vec<N>>,
    filter: Option<F>,
    operation: BulkOperation<P>,
    is_atomic: bool,
) -> Option<BulkChange<N, F, P>> {
    let target = ids.map(Target::Ids).or(filter.map(|filter| Target::Filter(Box::new(filter))));
    let writes = if is_atomic { Writes::One } else { Writes::Several };
    Some(BulkChange { target: target?, operation, writes })
}
