//! How tags are on risks.

use domain::{ResourceKind, RiskNumber};

use super::subject;
use crate::ledger::list::TagLink;
use crate::ledger::tag_links::TagLinks;

/// How tags are on risks.
pub(crate) const TAGS: TagLinks = TagLinks {
    link: TagLink { table: "risk_tag", record: "risk", key: "number" },
    subject: |number| subject(RiskNumber(*number)),
    added: "risk.tag_added",
    removed: "risk.tag_removed",
    missing: ResourceKind::RiskOrTag,
    record: ResourceKind::Risk,
    noun: "A risk",
};
