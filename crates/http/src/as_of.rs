//! `as_of`, `as_of_seq` and `deleted`: which state of the register a read returns.

use db::Tx;
use domain::{OrgId, Permissions, Scope};
use store::journal::{self, AsOf};
use store::{Deleted, View};

use crate::error::{Error, Result};
use crate::error_codes::ParameterCode;
use crate::query::{Number, OneWord, Query, Time};
use crate::timestamp::Timestamp;

crate::parameters! {
    /// The query parameters of reads.
    pub struct SeenParams {
        /// The register as it was known at this time. With `as_of_seq` the response never changes.
        as_of: Time,
        /// The register as of this journal entry.
        as_of_seq: Number<0, { i64::MAX }>,
        /// Returns deleted records, which needs the scope for deleting these records.
        deleted: OneWord<ShownDeleted>,
    }
}

crate::parameters! {
    /// The query parameters of reads that return no deleted records.
    pub struct AsOfParams {
        /// The register as it was known at this time. With `as_of_seq` the response never changes.
        as_of: Time,
        /// The register as of this journal entry.
        as_of_seq: Number<0, { i64::MAX }>,
    }
}

domain::words! {
    "ShownDeleted"
    /// Which deleted records a read returns.
    pub enum ShownDeleted {
        /// Only deleted records.
        Only = "only",
        /// Deleted records among the others.
        With = "with",
    }
}

crate::parameters! {
    /// The query parameter of reads that return the current state only.
    pub struct DeletedParam {
        /// Returns deleted records, which needs the scope for deleting these records.
        deleted: OneWord<ShownDeleted>,
    }
}

impl DeletedParam {
    /// Which records are returned. The caller needs `scope` to read deleted records.
    pub fn of(permissions: &Permissions, query: &mut Query<'_>, scope: Scope) -> Result<Deleted> {
        checked(Self::read(query).deleted, permissions, scope)
    }
}

fn checked(deleted: Option<ShownDeleted>, permissions: &Permissions, scope: Scope) -> Result<Deleted> {
    let deleted = match deleted {
        None => return Ok(Deleted::Without),
        Some(ShownDeleted::Only) => Deleted::Only,
        Some(ShownDeleted::With) => Deleted::With,
    };
    permissions.require(scope.into())?;
    Ok(deleted)
}

/// The requested state of the register.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    as_of: Option<jiff::Timestamp>,
    as_of_seq: Option<i64>,
    deleted: Deleted,
}

impl Seen {
    /// Reads the parameters. The caller needs `scope` to read deleted records.
    pub fn read(permissions: &Permissions, query: &mut Query<'_>, scope: Scope) -> Result<Self> {
        for name in ["as_of", "as_of_seq", "deleted"] {
            if query.has(name) {
                query.refuse_beside_search(name);
            }
        }
        let SeenParams { as_of, as_of_seq, deleted } = SeenParams::read(query);
        Ok(Self { as_of, as_of_seq, deleted: checked(deleted, permissions, scope)? })
    }

    /// The same for a read that returns no deleted records.
    pub fn read_as_of(query: &mut Query<'_>) -> Self {
        let AsOfParams { as_of, as_of_seq } = AsOfParams::read(query);
        Self { as_of, as_of_seq, deleted: Deleted::Without }
    }

    /// The state that the store reads, and the point in time that the response names: the latter only if it was
    /// requested.
    pub async fn resolve(self, tx: &mut Tx, organization: OrgId) -> Result<(View, AsOfShown)> {
        let deleted = self.deleted;
        if self.as_of.is_none() && self.as_of_seq.is_none() {
            return Ok((View { deleted, ..View::now() }, AsOfShown::default()));
        }
        match journal::resolve(tx, organization, self.as_of, self.as_of_seq).await? {
            Some(AsOf { at, seq }) => {
                let named = AsOfShown { as_of: Some(at.into()), as_of_seq: Some(seq) };
                Ok((View { deleted, ..View::as_of(seq).at(at) }, named))
            }
            None => Err(self.beyond(tx.at())),
        }
    }

    /// The same for a response that shows one state, the present one if none was requested: the state, and its entry.
    pub async fn resolve_to_entry(self, tx: &mut Tx, organization: OrgId) -> Result<(View, i64)> {
        let (view, _) = self.resolve(tx, organization).await?;
        match view.as_of_seq {
            Some(seq) => Ok((view, seq)),
            None => Ok((view, journal::head(tx, organization).await?.seq)),
        }
    }

    fn beyond(self, now: jiff::Timestamp) -> Error {
        if self.as_of.is_some_and(|at| at > now) || self.as_of_seq.is_none() {
            Error::parameter("as_of", ParameterCode::Range, "must not be in the future")
        } else {
            Error::parameter("as_of_seq", ParameterCode::Range, "must not lie beyond the journal's head")
        }
    }
}

/// The point in time that a response names.
#[derive(Debug, Clone, Copy, Default)]
pub struct AsOfShown {
    /// The time.
    pub as_of: Option<Timestamp>,
    /// The number of the journal entry.
    pub as_of_seq: Option<i64>,
}
