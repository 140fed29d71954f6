//! Every kind of entry there is, for the table in `docs/journal.md`; a test checks that the code appends these and no
//! others.

use std::collections::BTreeSet;
use std::fmt::Write;

/// A kind of entry: its name, the chain it is in, and when it is appended.
struct Kind(&'static str, &'static str, &'static str);

impl Kind {
    /// The kind of record that its subject is.
    fn subject(&self) -> &'static str {
        match self.0.split_once('.') {
            Some(("evaluation", _)) => "risk",
            Some((noun, _)) => noun,
            None => self.0,
        }
    }
}

const OWN: &str = "the organization's";
const INSTANCE: &str = "the instance's";
const BOTH: &str = "both";

const KINDS: &[Kind] = &[
    Kind("acknowledgement.recorded", OWN, "A person acknowledged a version of a document."),
    Kind("acknowledgement_request.created", OWN, "People were asked to acknowledge a document."),
    Kind("acknowledgement_request.ended", OWN, "A request to acknowledge a document was ended."),
    Kind("client.created", OWN, "An OAuth client was created."),
    Kind("client.updated", OWN, "A client or its secrets were changed."),
    Kind("document.archived", OWN, "A document was archived; its open proposal and requests ended with it."),
    Kind("document.confirmed", OWN, "The latest version of a document was approved again."),
    Kind("document.created", OWN, "A document was created with its items."),
    Kind("document.deleted", OWN, "A document that was never published was deleted, with its proposals."),
    Kind("document.edited", OWN, "Edits were recorded in a change set of the open proposal."),
    Kind("document.offer_declined", OWN, "A newer text of the library was declined."),
    Kind("document.published", OWN, "A version of a document was approved and published."),
    Kind("document.restored", OWN, "An archived document was taken into use again."),
    Kind("document.reviewed", OWN, "A document was reviewed without a change."),
    Kind("document.tag_added", OWN, "A tag was added to a document."),
    Kind("document.tag_removed", OWN, "A tag was removed from a document."),
    Kind("document.updated", OWN, "Fields of a document were changed."),
    Kind("evaluation.recorded", OWN, "A risk was evaluated."),
    Kind(
        "exception.changed",
        OWN,
        "An exception to a document became stale or is in force again, or a later one took its place.",
    ),
    Kind("exception.decided", OWN, "A request for an exception to a document was accepted or refused."),
    Kind(
        "exception.decision_recorded",
        OWN,
        "A decision of others about a request for an exception to a document was recorded.",
    ),
    Kind(
        "exception.four_eyes_waived",
        OWN,
        "An admin let those decide about a request for an exception to a document who made it.",
    ),
    Kind("exception.requested", OWN, "Somebody asked for an exception to a document."),
    Kind("exception.revoked", OWN, "An exception to a document was revoked."),
    Kind("exception.withdrawn", OWN, "A request for an exception to a document was withdrawn."),
    Kind("group.created", OWN, "A group of members was created."),
    Kind("group.updated", OWN, "The name or the description of a group was changed."),
    Kind("group.member_added", OWN, "A member was added to a group."),
    Kind("group.member_removed", OWN, "A member was removed from a group, or from the organization."),
    Kind("group.deleted", OWN, "A group was deleted, and has no members any more."),
    Kind("import.created", OWN, "A spreadsheet was sent to be imported."),
    Kind(
        "import.updated",
        OWN,
        "What is imported of a spreadsheet was chosen, or a question about it answered.",
    ),
    Kind("import.planned", OWN, "A dry run of an import said what would become of its rows."),
    Kind("import.run", OWN, "Rows of an import were written; the entries before it tell of the records."),
    Kind("import.cancelled", OWN, "An import was cancelled."),
    Kind("incident.created", OWN, "An incident was declared."),
    Kind("incident.updated", OWN, "Fields of an incident were changed."),
    Kind("incident.status_changed", OWN, "The status of an incident was changed."),
    Kind(
        "incident.imported",
        OWN,
        "An import set the status or dates of the past of an incident, by the scope `incidents:override`.",
    ),
    Kind("incident.legal_hold_changed", OWN, "The legal hold of an incident was set or cleared."),
    Kind("incident.task_created", OWN, "A task of an incident was created."),
    Kind("incident.task_updated", OWN, "A task of an incident was changed."),
    Kind("incident.task_deleted", OWN, "A task of an incident was deleted."),
    Kind("incident.task_restored", OWN, "A deleted task of an incident was restored."),
    Kind("incident.review_created", OWN, "The review of an incident, or a new edition of it, was started."),
    Kind("incident.review_updated", OWN, "The review of an incident was changed."),
    Kind("incident.review_published", OWN, "The review of an incident was published."),
    Kind("incident.link_added", OWN, "A link was added to an incident."),
    Kind("incident.link_removed", OWN, "A link was removed from an incident."),
    Kind("incident.redacted", OWN, "A text was permanently removed from an incident and its entries."),
    Kind("incident.reported", OWN, "An external system reported an incident that is closed or dismissed."),
    Kind("incident.tag_added", OWN, "A tag was added to an incident."),
    Kind("incident.tag_removed", OWN, "A tag was removed from an incident."),
    Kind("incident.deleted", OWN, "An incident was deleted; it can be restored."),
    Kind("incident.restored", OWN, "A deleted incident was restored."),
    Kind("incident.note_added", OWN, "A note was added to an incident."),
    Kind("incident.note_updated", OWN, "A note was edited, pinned or unpinned."),
    Kind("incident.note_deleted", OWN, "A note was deleted; it can be restored."),
    Kind("incident.note_restored", OWN, "A deleted note was restored."),
    Kind("incident.purged", OWN, "A deleted incident was permanently removed."),
    Kind("invitation.created", OWN, "A person was invited."),
    Kind("invitation.accepted", OWN, "An invitation was accepted."),
    Kind("invitation.withdrawn", OWN, "An invitation was withdrawn."),
    Kind("membership.created", OWN, "A person became a member; the id is the person's."),
    Kind("membership.activated", OWN, "A member accepted an invitation and can sign in."),
    Kind("membership.updated", OWN, "A member's name or roles were changed."),
    Kind("membership.deleted", OWN, "A member was removed."),
    Kind("membership.deputy_changed", OWN, "A member named a deputy, or withdrew that."),
    Kind("organization.created", INSTANCE, "An organization was created."),
    Kind("organization.four_eyes_changed", BOTH, "Four eyes were switched on or off for an organization."),
    Kind("organization.updated", BOTH, "The name or the settings of the organization were changed."),
    Kind("proposal.approved", OWN, "A proposal was approved by everybody whom its steps need."),
    Kind("proposal.decision_recorded", OWN, "A decision of others was recorded in a step of a proposal."),
    Kind("proposal.four_eyes_waived", OWN, "An admin let the authors of a proposal approve it."),
    Kind(
        "proposal.changed",
        OWN,
        "The template, title or other fields that a proposal publishes were changed.",
    ),
    Kind("proposal.commented", OWN, "Somebody commented on a proposal, or replied to a comment."),
    Kind("proposal.comment_resolved", OWN, "A comment on a proposal was resolved."),
    Kind("proposal.deleted", OWN, "A proposal was deleted with its document, which was never published."),
    Kind(
        "proposal.opened",
        OWN,
        "The first edit opened a proposal of a document, or somebody did without an edit.",
    ),
    Kind("proposal.person_replaced", OWN, "An admin let somebody approve in the place of another person."),
    Kind("proposal.rejected", OWN, "A proposal was rejected."),
    Kind("proposal.returned", OWN, "A submitted proposal was returned, or a change opened it again."),
    Kind("proposal.step_approved", OWN, "A person approved a proposal in its pending step."),
    Kind("proposal.submitted", OWN, "A proposal was submitted for approval."),
    Kind("proposal.withdrawn", OWN, "A proposal was withdrawn."),
    Kind("reset_link.created", OWN, "A link was created with which a member can choose another password."),
    Kind("reset_link.used", OWN, "A member chose another password with a reset link."),
    Kind(
        "reset_link.withdrawn",
        OWN,
        "A reset link was withdrawn, also by a newer one or because its member was removed.",
    ),
    Kind(
        "risk.acceptance_changed",
        OWN,
        "An acceptance became stale or is in force again, a later one took its place, or its risk was closed.",
    ),
    Kind("risk.acceptance_confirmed", OWN, "Somebody who decides about a risk now confirmed its acceptance."),
    Kind("risk.acceptance_decided", OWN, "A request to accept a risk was accepted or refused."),
    Kind(
        "risk.acceptance_four_eyes_waived",
        OWN,
        "An admin let those decide about a request to accept a risk who made it.",
    ),
    Kind(
        "risk.acceptance_recorded",
        OWN,
        "A decision of others about a request to accept a risk was recorded.",
    ),
    Kind("risk.acceptance_requested", OWN, "Somebody asked to accept a risk."),
    Kind("risk.acceptance_revoked", OWN, "An acceptance of a risk was revoked."),
    Kind("risk.acceptance_withdrawn", OWN, "A request to accept a risk was withdrawn."),
    Kind("risk.created", OWN, "A risk was registered."),
    Kind("risk.updated", OWN, "Fields of a risk were changed."),
    Kind("risk.deleted", OWN, "A risk was deleted; it can be restored."),
    Kind("risk.restored", OWN, "A deleted risk was restored."),
    Kind("risk.reviewed", OWN, "A risk was reviewed."),
    Kind("risk.purged", OWN, "A deleted risk was permanently removed."),
    Kind("risk.tag_added", OWN, "A tag was added to a risk."),
    Kind("risk.tag_removed", OWN, "A tag was removed from a risk."),
    Kind("risk.task_created", OWN, "A task of a risk was created."),
    Kind("risk.task_updated", OWN, "A task of a risk was changed."),
    Kind("risk.task_deleted", OWN, "A task of a risk was deleted."),
    Kind("risk.task_restored", OWN, "A deleted task of a risk was restored."),
    Kind("scale.changed", OWN, "The scale of likelihood and impact got a new version."),
    Kind("session.started", OWN, "A person signed in."),
    Kind("session.ended", OWN, "A session was ended before it expired."),
    Kind("signing_key.created", INSTANCE, "A signing key was created."),
    Kind("signing_key.updated", INSTANCE, "A signing key became active or was retired."),
    Kind("signing_key.deleted", INSTANCE, "A signing key was deleted."),
    Kind("tag.created", OWN, "A tag was created."),
    Kind("tag.updated", OWN, "A tag was changed."),
    Kind("tag.merged", OWN, "A tag was merged into another one."),
    Kind("tag.deleted", OWN, "A tag was deleted."),
    Kind("tag.restored", OWN, "The deletion or the merge of a tag was undone."),
    Kind("user.created", INSTANCE, "A person was added to the instance."),
    Kind(
        "user.operator_changed",
        INSTANCE,
        "A person became an operator of the service, or is no longer one.",
    ),
    Kind("user.password_set", INSTANCE, "A person's password was set."),
    Kind("user.password_rehashed", INSTANCE, "The same password was stored at a higher cost."),
    Kind(
        "user.sign_ins_refused",
        INSTANCE,
        "Sign-ins of a person were refused: one entry after each such hour, with the count.",
    ),
    Kind("view.created", OWN, "A view of a list was saved."),
    Kind("view.updated", OWN, "A saved view was changed, shared or unshared."),
    Kind("view.deleted", OWN, "A saved view was permanently deleted."),
];

/// The kinds of entries in the chains of organizations.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    in_organizations().map(|Kind(kind, ..)| *kind)
}

/// The kinds of entries about this kind of record.
pub(crate) fn kinds_about(subject: &str) -> impl Iterator<Item = &'static str> {
    KINDS.iter().filter(move |kind| kind.subject() == subject).map(|kind| kind.0)
}

/// The kinds of records that these entries are about, each once.
pub fn subject_kinds() -> impl Iterator<Item = &'static str> {
    in_organizations().map(Kind::subject).collect::<BTreeSet<_>>().into_iter()
}

fn in_organizations() -> impl Iterator<Item = &'static Kind> {
    KINDS.iter().filter(|Kind(_, chain, _)| *chain != INSTANCE)
}

/// The table as docs/journal.md has it.
pub fn kinds_table() -> String {
    let mut out = String::from("| kind | subject | chain | when |\n| --- | --- | --- | --- |\n");
    for of @ Kind(kind, chain, when) in KINDS {
        let subject = of.subject();
        // Writing to a String cannot fail.
        let _ = writeln!(out, "| `{kind}` | {subject} | {chain} | {when} |");
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::Path;

    use super::*;
    use crate::ledger::record::Owner;
    use crate::registry::REGISTRY;

    const BEGIN: &str = "<!-- Made from crates/store/src/ledger/journal/kinds.rs: BLESS=1 cargo nextest run -p store the_committed_kinds -->\n";
    const END: &str = "<!-- end of kinds -->\n";

    #[test]
    fn the_committed_kinds_are_those_of_the_code() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/journal.md");
        let page = std::fs::read_to_string(&path).unwrap();
        let (head, rest) = page.split_once(BEGIN).unwrap();
        let (committed, tail) = rest.split_once(END).unwrap();
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, [head, BEGIN, &kinds_table(), END, tail].concat()).unwrap();
            return;
        }
        assert!(
            committed == kinds_table(),
            "docs/journal.md is stale: BLESS=1 cargo nextest run -p store the_committed_kinds"
        );
    }

    #[test]
    fn subjects_are_registered_records_in_their_chain_or_sessions() {
        for of @ Kind(kind, chain, _) in KINDS {
            match REGISTRY.kinds.iter().find(|record| record.name == of.subject()) {
                Some(record) if *chain != BOTH => {
                    let is_instances = *chain == INSTANCE;
                    assert_eq!(record.owner == Owner::Instance, is_instances, "{kind}");
                }
                Some(_) => {}
                // Sessions and imports are no records: they end.
                None => assert!(["session", "import"].contains(&of.subject()), "{kind}"),
            }
        }
    }

    #[test]
    fn every_kind_about_incidents_is_worded_in_their_timeline() {
        for kind in kinds_about("incident") {
            assert!(domain::timeline::is_worded(kind), "{kind}");
        }
    }

    #[test]
    fn every_kind_in_the_code_is_in_the_table() {
        fn read(folder: &Path, text: &mut String) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    read(&path, text);
                } else if path.file_name().is_some_and(|name| name != "kinds.rs") {
                    text.push_str(&std::fs::read_to_string(&path).unwrap());
                }
            }
        }
        let mut code = String::new();
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut code);
        let nouns: HashSet<_> =
            KINDS.iter().filter_map(|kind| kind.0.split_once('.')).map(|it| it.0).collect();
        let is_kind = |text: &&str| {
            let is_word =
                |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
            text.split_once('.').is_some_and(|(noun, verb)| nouns.contains(noun) && is_word(verb))
        };
        let found: HashSet<&str> = code.split('"').filter(is_kind).collect();
        let known: HashSet<&str> = KINDS.iter().map(|kind| kind.0).collect();
        assert_eq!(found, known);
    }
}
