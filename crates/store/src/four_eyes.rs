//! Who does not decide about what they have asked for, in SQL: [`domain::decision::Decision::takes`].

use domain::UserId;
use domain::decision::FourEyes;

use crate::ledger::list::Filter;

/// The person who has asked for the decision `r`, themselves or by a client that they have created.
pub(crate) const ASKER: &str =
    "CASE r.requested_by_kind WHEN 'user' THEN r.requested_by_id WHEN 'client' THEN
    (SELECT client.created_by_id FROM client WHERE client.organization = r.organization
         AND client.id = r.requested_by_id AND client.created_by_kind = 'user') END";

/// What a person may decide about under four eyes; none if they are off. The rows `r` have the columns of a decision.
pub(crate) fn taken_by(person: UserId, four_eyes: &FourEyes) -> Option<Filter<'static>> {
    by_two(four_eyes, Filter::OtherThan(ASKER.to_owned(), person.to_string().into()))
}

/// What fulfils a condition under four eyes, unless they are waived for it; none if they are off.
pub(crate) fn by_two(four_eyes: &FourEyes, condition: Filter<'static>) -> Option<Filter<'static>> {
    let groups = vec![vec![Filter::Present("four_eyes_waived")], vec![condition]];
    (!four_eyes.is_off).then_some(Filter::AnyOf("four_eyes", groups))
}
