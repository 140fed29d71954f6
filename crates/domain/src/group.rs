//! Groups: named lists of members. A role is what somebody may do; a group is who somebody is.

use jiff::Timestamp;
use macros::Body;

use crate::change::{Change, merge};
use crate::ids::GroupId;
use crate::text::{Line, ProseOrEmpty};

/// The most characters of a group's name.
pub const NAME_CHARACTERS: usize = 100;

/// A group of members of an organization. Its name is unique there in its [`crate::text::folded`] form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Its id.
    pub id: GroupId,
    /// Its name, as it was written.
    pub name: GroupName,
    /// Whom it is for, as Markdown.
    pub description: Option<ProseOrEmpty>,
    /// How many members it has.
    pub members: i64,
    /// When it was deleted. It has had no members since.
    pub deleted_date: Option<Timestamp>,
    /// When it was made.
    pub created_date: Timestamp,
    /// When it was last changed, or a member was added or removed.
    pub updated_date: Timestamp,
    /// Counts its changes from 1, those of its members too.
    pub version: i64,
    /// The journal's number of its latest change.
    pub seq_from: i64,
}

/// The name of a group: one line, not blank.
pub type GroupName = Line<NAME_CHARACTERS>;

/// The members that only the service sets.
const READ_ONLY: &[&str] = &["id", "member_count", "created_date", "updated_date", "version"];

/// A group to create. It has no members at first.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(read_only = READ_ONLY)]
pub struct NewGroup {
    /// Its name, unique in the organization without regard to case, forms of letters and characters that nobody sees.
    #[body(example = "Engineering")]
    pub name: GroupName,
    /// Whom the group is for, as Markdown, at most 64 KiB.
    #[body(example = "Everybody who can change the product.")]
    pub description: Option<ProseOrEmpty>,
}

/// A merge patch (RFC 7396) of a group: absent members stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Body)]
#[body(patch, read_only = READ_ONLY)]
pub struct GroupPatch {
    /// Its name, unique in the organization without regard to case, forms of letters and characters that nobody sees.
    #[body(example = "Engineering")]
    pub name: Option<GroupName>,
    /// Whom the group is for, as Markdown, at most 64 KiB.
    #[body(example = "Everybody who can change the product.")]
    pub description: Change<ProseOrEmpty>,
}

impl NewGroup {
    /// The record, made at `at`. The journal's number is still 0.
    pub fn create(&self, id: GroupId, at: Timestamp) -> Group {
        Group {
            id,
            name: self.name.clone(),
            description: self.description.clone(),
            members: 0,
            deleted_date: None,
            created_date: at,
            updated_date: at,
            version: 1,
            seq_from: 0,
        }
    }
}

impl GroupPatch {
    /// The group with the patch, changed at `at`; none if it changes nothing.
    pub fn apply(&self, before: &Group, at: Timestamp) -> Option<Group> {
        let mut after = before.clone();
        merge!(self into after: name, description);
        (after != *before).then(|| after.changed(at))
    }
}

impl Group {
    /// The same, changed at `at`.
    fn changed(self, at: Timestamp) -> Self {
        Self { updated_date: at, version: self.version + 1, ..self }
    }

    /// The group after a member was added or removed at `at`.
    #[must_use]
    pub fn with_member(self, is_added: bool, at: Timestamp) -> Self {
        let members = self.members + if is_added { 1 } else { -1 };
        Self { members, ..self.changed(at) }
    }

    /// The group after it was deleted at `at`.
    #[must_use]
    pub fn deleted(self, at: Timestamp) -> Self {
        Self { members: 0, deleted_date: Some(at), ..self.changed(at) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_counts_and_a_deleted_group_has_no_members() {
        let new = NewGroup { name: GroupName::stored("Berlin"), description: None };
        let at = Timestamp::UNIX_EPOCH;
        let group = new.create(GroupId(uuid::Uuid::nil()), at);
        assert_eq!(GroupPatch::default().apply(&group, at), None);
        let group = group.with_member(true, at).with_member(true, at).with_member(false, at);
        assert_eq!((group.members, group.version), (1, 4));
        let deleted = group.deleted(at);
        assert_eq!((deleted.members, deleted.version, deleted.deleted_date), (0, 5, Some(at)));
    }
}
