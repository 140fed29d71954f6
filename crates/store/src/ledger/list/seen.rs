//! The records that a caller sees, as a condition. [`Viewer`] has the rule; both say the same.

use db::Value;
use domain::incident::{Sees, Viewer};

use super::Text;

/// The condition on incidents called `r`. In a view of the past the present row decides: who sees an incident today sees
/// what it was.
pub(super) fn seen_by<'q>(viewer: &'q Viewer, text: &mut Text<'q>) -> String {
    let is_past = text.seq().is_some();
    let row = if is_past { "today" } else { "r" };
    let condition = seen(row, viewer, text);
    if is_past && viewer.sees() != Sees::All {
        format!(
            // Not EXISTS, which PostgreSQL turns into a join: then it reads every incident for one page.
            "(SELECT {condition} FROM incident AS today
              WHERE today.organization = r.organization AND today.number = r.number)"
        )
    } else {
        condition
    }
}

/// The condition on parts of incidents called `r`: their incident is seen and not deleted.
pub(super) fn of_seen_incident<'q>(viewer: &'q Viewer, text: &mut Text<'q>) -> String {
    format!(
        "EXISTS (SELECT 1 FROM incident AS whole
                 WHERE whole.organization = r.organization AND whole.number = r.incident
                   AND whole.deleted_date IS NULL AND {})",
        seen("whole", viewer, text)
    )
}

/// The condition on parts of risks called `r`: their risk is not deleted, at the time of the view.
pub(crate) fn of_risk(seq: Option<&str>) -> String {
    let of = |table: &str, then: &str| {
        format!(
            "EXISTS (SELECT 1 FROM {table} AS whole WHERE whole.organization = r.organization
                     AND whole.number = r.risk AND whole.deleted_date IS NULL{then})"
        )
    };
    let Some(seq) = seq else { return of("risk", "") };
    let begun = format!(" AND whole.seq_from <= {seq}");
    format!(
        "({} OR {})",
        of("risk", &begun),
        of("risk_history", &format!("{begun} AND whole.seq_to > {seq}"))
    )
}

/// The condition on present incidents called `row`.
pub(crate) fn seen<'q>(row: &str, viewer: &'q Viewer, text: &mut Text<'q>) -> String {
    match viewer.sees() {
        Sees::All => "1 = 1".to_owned(),
        Sees::Unrestricted => format!("({row}.restricted IS NULL OR {})", involved(row, viewer, text)),
        Sees::Opened => opened(row, viewer, text),
    }
}

fn involved<'q>(row: &str, viewer: &'q Viewer, text: &mut Text<'q>) -> String {
    let opened = opened(row, viewer, text);
    let Some(user) = viewer.user() else { return opened };
    let assignee = text.add(Value::Uuid(user.uuid()));
    let reader = text.add(Value::from(format!("%{user}%")));
    format!("({opened} OR {row}.assigned_to = {assignee} OR {row}.readers LIKE {reader})")
}

fn opened<'q>(row: &str, viewer: &'q Viewer, text: &mut Text<'q>) -> String {
    let Some(actor) = viewer.actor() else { return "1 = 0".to_owned() };
    // The kind as a constant: the index of the incidents that people opened has it in its condition.
    let kind = actor.kind.as_str();
    let id = text.add(Value::from(actor.id.as_str()));
    format!("({row}.opened_by_kind = '{kind}' AND {row}.opened_by_id = {id})")
}
