//! The policies of Harrowmere: drafts, each with a proposal that waits for its approval.

mod access_control;
mod backup_and_recovery;
mod incident_response;

use super::people::Who;
use super::when::When;

/// A policy document.
#[derive(Debug)]
pub(super) struct DemoDocument {
    /// What addresses it.
    pub(super) slug: &'static str,
    /// As it is shown.
    pub(super) title: &'static str,
    /// What it is for.
    pub(super) description: &'static str,
    /// Who answers for it; a person.
    pub(super) owner: Who,
    /// When it was written.
    pub(super) created: When,
    /// Its places, in the order of the text.
    pub(super) items: &'static [DemoItem],
    /// What was proposed for them, the oldest first.
    pub(super) changes: &'static [DemoChange],
}

/// A place of a document where a choice or a text goes.
#[derive(Debug)]
pub(super) struct DemoItem {
    /// Unique in the document.
    pub(super) id: &'static str,
    /// As it is shown.
    pub(super) label: &'static str,
    /// Help for choosing; Markdown.
    pub(super) guidance: &'static str,
    /// Whether a proposal without it is incomplete.
    pub(super) required: bool,
    /// What goes there.
    pub(super) kind: DemoItemKind,
}

/// What goes into an item.
#[derive(Debug)]
pub(super) enum DemoItemKind {
    /// One of these; the first is the recommended one and the default.
    Select(&'static [DemoOption]),
    /// A text of at most so many characters.
    Text {
        /// The most characters.
        max_length: i64,
        /// Whether it may have lines.
        multiline: bool,
    },
}

/// One choice of an item.
#[derive(Debug)]
pub(super) struct DemoOption {
    /// Unique in the item.
    pub(super) id: &'static str,
    /// As it is shown in the list.
    pub(super) label: &'static str,
    /// What the policy says when it is chosen.
    pub(super) text: &'static str,
    /// Why one would, or would not.
    pub(super) guidance: &'static str,
    /// Whether it protects less than the recommended one.
    pub(super) weakens: bool,
}

/// Selections that one caller made at one time.
#[derive(Debug)]
pub(super) struct DemoChange {
    /// Who.
    pub(super) by: Who,
    /// When.
    pub(super) when: When,
    /// Item and value: the id of an option, or the text.
    pub(super) selections: &'static [(&'static str, &'static str)],
}

/// The documents, by slug.
pub(super) const DOCUMENTS: &[DemoDocument] =
    &[access_control::DOCUMENT, backup_and_recovery::DOCUMENT, incident_response::DOCUMENT];

const fn select(
    id: &'static str,
    label: &'static str,
    guidance: &'static str,
    options: &'static [DemoOption],
) -> DemoItem {
    DemoItem { id, label, guidance, required: true, kind: DemoItemKind::Select(options) }
}

const fn line(id: &'static str, label: &'static str, guidance: &'static str) -> DemoItem {
    DemoItem {
        id,
        label,
        guidance,
        required: true,
        kind: DemoItemKind::Text { max_length: 200, multiline: false },
    }
}

const fn paragraph(id: &'static str, label: &'static str, guidance: &'static str) -> DemoItem {
    DemoItem {
        id,
        label,
        guidance,
        required: false,
        kind: DemoItemKind::Text { max_length: 2_000, multiline: true },
    }
}

const fn option(
    id: &'static str,
    label: &'static str,
    text: &'static str,
    guidance: &'static str,
) -> DemoOption {
    DemoOption { id, label, text, guidance, weakens: false }
}

const fn weaker(
    id: &'static str,
    label: &'static str,
    text: &'static str,
    guidance: &'static str,
) -> DemoOption {
    DemoOption { id, label, text, guidance, weakens: true }
}
