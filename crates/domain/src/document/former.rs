//! Documents as they were before a change of what is not approved.

use std::collections::HashMap;

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{Document, DocumentStatus};
use crate::ids::UserId;
use crate::person::Person;
use crate::text::{Line, ProseOrEmpty, Reason};
use crate::time;

/// The person whom the owner of a document was before a change, which is told as its journal entry has it: from what each field
/// changed, to what.
pub fn former_owner(changed: &Map<String, Value>) -> Option<UserId> {
    changed.get("owner")?.get(0)?.as_str().and_then(UserId::parse)
}

impl Document {
    /// The document as it was before a change of its properties or its archiving, as the state that begins at `at`. `changed` is
    /// as [`former_owner`] says, and `people` has who that is.
    pub fn former(
        &self,
        changed: &Map<String, Value>,
        people: &HashMap<UserId, Person>,
        at: Timestamp,
    ) -> Self {
        let mut former = self.changed(at);
        for (field, values) in changed {
            let value = values.get(0).unwrap_or(&Value::Null);
            let text = value.as_str();
            match field.as_str() {
                "description" => former.description = ProseOrEmpty::stored(text.unwrap_or_default()),
                "owner" => former.owner = former_owner(changed).and_then(|id| people.get(&id).cloned()),
                "earlier" => former.earlier = text.map(Line::stored),
                "review_every_days" => former.review_every_days = value.as_i64(),
                "acknowledge_every_days" => former.acknowledge_every_days = value.as_i64(),
                "status" => former.status = text.and_then(DocumentStatus::parse).unwrap_or(former.status),
                "status_reason" => former.status_reason = text.map(Reason::stored),
                "archived_date" => former.archived_date = text.and_then(time::parse),
                _ => {}
            }
        }
        former.with_next_review()
    }
}
