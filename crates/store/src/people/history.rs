//! The states that memberships had: who was a member when, and with which roles.

use std::collections::HashMap;

use db::{FromRow, Param, Row, Tx};
use domain::acknowledgement::Stay;
use domain::person::{Member, Person};
use domain::{OrgId, Role, UserId};
use uuid::Uuid;

use super::row::{MemberRow, Membership};
use crate::ledger::error::Result;
use crate::ledger::list::{Filter, Select};
use crate::ledger::record::{Columns as _, Reader, Record as _, Statements, Stored};
use crate::ledger::view::View;

/// A person who is or was a member, with every state of the membership.
pub(crate) struct MemberHistory {
    /// The person, with the present name, or the last one that they had here.
    pub(crate) person: Person,
    /// The first state first.
    states: Vec<Membership>,
}

impl MemberHistory {
    /// When they were a member.
    pub(crate) fn memberships(&self) -> Vec<Stay> {
        self.stays(|_| true)
    }

    /// When they were a member who can sign in.
    pub(crate) fn activations(&self) -> Vec<Stay> {
        self.stays(|state| state.activated_date.is_some())
    }

    /// When they were a member with this role.
    pub(crate) fn with_role(&self, role: Role) -> Vec<Stay> {
        self.stays(|state| state.roles.has(role))
    }

    /// When they were a member of whom something holds.
    fn stays(&self, holds: impl Fn(&Membership) -> bool) -> Vec<Stay> {
        let mut stays: Vec<Stay> = Vec::new();
        for state in &self.states {
            let from = state.updated_date;
            let open = stays.last_mut().filter(|stay| stay.until.is_none());
            match (open, state.removed_date.is_none() && holds(state)) {
                (None, true) => stays.push(Stay { from, until: None }),
                (Some(stay), false) => stay.until = Some(from),
                _ => {}
            }
        }
        stays
    }
}

/// Everybody who is or was a member, or one of them.
pub(crate) async fn histories(
    tx: &mut Tx,
    organization: OrgId,
    person: Option<UserId>,
) -> Result<Vec<MemberHistory>> {
    let select = Select::<MemberRow>::of(organization, View::with_deleted());
    let one = person.map(|person| Filter::is("person", person.uuid().into()));
    let rows: Vec<Stored<MemberRow>> = select.filters(one).all(tx).await?;
    let mut earlier = earlier(tx, organization, person.as_ref().map(std::slice::from_ref)).await?;
    let histories = rows.into_iter().map(|Stored(row)| {
        let states = earlier.remove(&row.membership.person).unwrap_or_default();
        let states = states.into_iter().map(|(state, _)| state).chain([row.membership.clone()]).collect();
        MemberHistory { person: Member::from(row).person, states }
    });
    Ok(histories.collect())
}

/// The earlier states of the memberships of these people in order, each with the entry that ended it; of everybody without any.
pub(super) async fn earlier(
    tx: &mut Tx,
    organization: OrgId,
    people: Option<&[UserId]>,
) -> Result<HashMap<UserId, Vec<(Membership, i64)>>> {
    let Statements { columns, joins, .. } = Membership::statements();
    let ids: Vec<Uuid> = people.unwrap_or_default().iter().map(|person| person.uuid()).collect();
    let places: Vec<String> = (0..ids.len()).map(|place| format!("${}", place + 2)).collect();
    let condition = match people {
        Some(_) => format!(" AND r.person IN ({})", places.join(", ")),
        None => String::new(),
    };
    let sql = format!(
        "SELECT {columns}, r.seq_to FROM membership_history AS r{joins}
         WHERE r.organization = $1{condition} ORDER BY r.person, r.seq_from"
    );
    let organization = organization.uuid();
    let params: Vec<&dyn Param> =
        std::iter::once(&organization).chain(&ids).map(|id| -> &dyn Param { id }).collect();
    let mut states: HashMap<_, Vec<_>> = HashMap::new();
    for Earlier(state, seq_to) in tx.query(&sql, &params).await? {
        states.entry(state.person).or_default().push((state, seq_to));
    }
    Ok(states)
}

struct Earlier(Membership, i64);

impl FromRow for Earlier {
    fn from_row(row: &Row<'_>) -> db::Result<Self> {
        let mut row = Reader::new(row);
        Ok(Self(Membership::read(&mut row)?, row.next()?))
    }
}
