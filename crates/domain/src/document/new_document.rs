//! Documents to create.

use std::collections::HashSet;

use jiff::Timestamp;
use macros::Body;

use super::approval_step::read_steps;
use super::new_item::{NewItem, read_items};
use super::properties::DAYS;
use super::proposal_patch::check_risks;
use super::{
    ApprovalStep, Classification, Document, DocumentKind, DocumentStatus, Item, Language, LibraryText,
    MAX_ITEMS, MAX_STEPS, PrintedSize, SLUG, slug, template_faults,
};
use crate::fault::{FaultCode, Faults};
use crate::ids::{RiskNumber, UserId};
use crate::json::{Fields, checked};
use crate::person::{self, Person};
use crate::tag::{self, TagName};
use crate::text::{Line, LineOrEmpty, Prose, ProseOrEmpty};

/// The members that only the service sets; sending one is a fault.
const READ_ONLY: &[&str] = &[
    "kind",
    "status",
    "published_version",
    "in_force_version",
    "open_proposal",
    "reviewed_date",
    "next_review_date",
    "archived_date",
    "status_reason",
    "created_date",
    "updated_date",
    "version",
];

/// A document to create.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(check = Self::check_template(items, template), read_only = READ_ONLY)]
pub struct NewDocument {
    /// The document's name in URLs, unique in the organization.
    #[body(read = checked(slug), schema = SLUG, example = "access-control")]
    pub slug: String,
    /// One line, not blank.
    #[body(example = "Access control policy")]
    pub title: Line,
    /// Markdown, at most 64 KiB.
    #[body(default, example = "Who may sign in to what, and how.")]
    pub description: ProseOrEmpty,
    /// The owner's id: a member of the organization.
    pub owner: Option<UserId>,
    /// Names of tags, without regard to case.
    #[body(default, read = tag::read_names, most = tag::MAX_PER_RECORD)]
    pub tags: Vec<TagName>,
    /// The document's number in the organization's own system; unique if it is sent.
    #[body(example = "ISMS-POL-04")]
    pub reference: Option<Line>,
    /// Who may have it; printed on every page, and restricts nothing. `internal` by default.
    #[body(default)]
    pub classification: Classification,
    /// For whom it holds, one line.
    #[body(default, example = "Everyone who uses the company's systems")]
    pub audience: LineOrEmpty,
    /// The language of its text (BCP 47); `en` by default.
    #[body(default, example = "en")]
    pub language: Language,
    /// What was in force before, one line.
    #[body(example = "3.2, approved 2025-06-01 by the board")]
    pub earlier: Option<Line>,
    /// Days from one review to the next.
    #[body(range = DAYS, example = 365)]
    pub review_every_days: Option<i64>,
    /// Days after which everybody acknowledges the same version again.
    #[body(range = DAYS, example = 365)]
    pub acknowledge_every_days: Option<i64>,
    /// The text, Markdown with places for the items (docs/documents.md, "Templates"). Without one, the items are printed as a
    /// list. An item prints at most 131,072 characters in all its places together.
    #[body(example = "# Who signs in\n\nAll do.\n")]
    pub template: Option<Prose>,
    /// The steps in which its versions are approved, in this order; without any, one person who may approve does.
    #[body(default, read = read_steps, schema = <Vec<ApprovalStep>>::SCHEMA, most = MAX_STEPS)]
    pub approval_steps: Vec<ApprovalStep>,
    /// The items, in the order of the document; at least 1 unless there is a template.
    #[body(default, read = read_items, schema = <Vec<NewItem>>::SCHEMA, most = MAX_ITEMS)]
    pub items: Vec<Item>,
    /// The text of the library that it is made from.
    #[body(skip)]
    pub library: Option<LibraryText>,
    /// What its text is made from.
    #[body(skip)]
    pub kind: DocumentKind,
}

impl NewDocument {
    /// A document that nothing else is known of.
    pub fn new(slug: &str, title: Line, items: Vec<Item>) -> Self {
        Self {
            slug: slug.to_owned(),
            title,
            description: ProseOrEmpty::default(),
            owner: None,
            tags: Vec::new(),
            reference: None,
            classification: Classification::default(),
            audience: LineOrEmpty::default(),
            language: Language::default(),
            earlier: None,
            review_every_days: None,
            acknowledge_every_days: None,
            template: None,
            approval_steps: Vec::new(),
            items,
            library: None,
            kind: DocumentKind::Policy,
        }
    }

    /// A template prints only items that there are, and none of them too much; without one there is at least one item.
    fn check_template(fields: &mut Fields<'_, '_>, items: Option<&Vec<Item>>, template: Option<&Prose>) {
        let items = match items {
            Some(items) => items.as_slice(),
            None if fields.was_sent("items") => return,
            None => &[],
        };
        let size = PrintedSize::of(template.map(|it| &**it));
        let at = if template.is_some() { "template" } else { "items" };
        for item in items {
            fields.check_with(at, |pointer, faults| size.check_item(item, pointer, faults));
        }
        match template {
            Some(template) => {
                for fault in template_faults(template, items) {
                    fields.fault("template", FaultCode::Template, fault);
                }
            }
            None if items.is_empty() && !fields.was_sent("template") => {
                fields.fault(
                    "items",
                    FaultCode::TooFew,
                    "must have at least one item, unless there is a template",
                );
            }
            None => {}
        }
    }

    /// Checks what needs the register: that `owner` is the member that the field names, and that there are all `risks` but
    /// those of this list that are not. `faults` are those of its tags.
    pub fn check(
        &self,
        owner: Option<Person>,
        risks: &HashSet<RiskNumber>,
        mut faults: Faults,
    ) -> crate::Result<Option<Person>> {
        let owner = person::member(self.owner, owner, "#/owner", &mut faults);
        check_risks(&self.items, risks, &mut faults);
        faults.or(owner)
    }

    /// How many records it becomes: itself, its items and its tags.
    pub fn count(&self) -> usize {
        1 + self.items.len() + self.tags.len()
    }

    /// The record without its items, made at `at`, after [`NewDocument::check`].
    pub fn create(&self, owner: Option<Person>, at: Timestamp) -> Document {
        Document {
            slug: self.slug.clone(),
            kind: self.kind,
            title: self.title.clone(),
            description: self.description.clone(),
            owner,
            reference: self.reference.clone(),
            classification: self.classification,
            audience: self.audience.clone(),
            language: self.language.clone(),
            earlier: self.earlier.clone(),
            review_every_days: self.review_every_days,
            acknowledge_every_days: self.acknowledge_every_days,
            status: DocumentStatus::Draft,
            published_version: None,
            in_force_version: None,
            open_proposal: None,
            proposal_status: None,
            reviewed_date: None,
            next_review_date: None,
            archived_date: None,
            status_reason: None,
            library_policy: self.library.as_ref().map(|it| it.policy.clone()),
            library_sha256: self.library.as_ref().map(|it| it.sha256.clone()),
            library_release: self.library.as_ref().map(|it| it.release),
            taken_sha256: None,
            taken_release: None,
            created_date: at,
            updated_date: at,
            tags: Vec::new(),
            version: 1,
        }
    }
}
