//! `GET /o/{slug}/documents/{document}/proposals/{number}`: what would change, who chose it, and what comes next.

use askama::Template;
use domain::document::{
    ChangeSet, Classification, DocumentStatus, DocumentWithItems, ItemKind, KeptText, Next, NextAction,
    PlacedItem, Proposal, ProposalComment, ProposalField, ProposalStatus, RecordedEdit, SelectOption,
    body_of,
};
use domain::risk::RiskStatus;
use domain::{ResourceKind, Scope};
use http::page::{List, Page};
use jiff::Timestamp;
use render::Html;
use serde_json::Value;
use store::proposals::{ConcernedRisk, Impact};

use super::READ;
use super::printed::words;
use super::proposal_draft::{approved_beside, changed_sections, difference, submitted};
use super::show::slug;
use super::shown_step::{ShownStep, StepNames, shown_steps};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// So many comments are shown.
const COMMENTS: i64 = 1_000;

/// So many people are named that a proposal waits for.
const NAMED: usize = 3;

#[derive(Template)]
#[template(path = "documents/proposal.html")]
pub(super) struct ProposalPage {
    frame: Layout,
    it: DocumentWithItems,
    proposal: Proposal,
    /// Whether its approval confirms the latest version.
    confirms: bool,
    edits: Vec<RecordedEdit>,
    /// The comments, the oldest first.
    comments: Vec<ProposalComment>,
    next: Option<String>,
    is_first: bool,
    versions: i64,
    /// Whether it is not closed.
    is_open: bool,
    /// The text that an approval publishes, or with which it was rejected or withdrawn; none of an approved one.
    text: Option<String>,
    /// What that changes in the latest version, if there is one.
    difference: Option<Html>,
    /// What an approval has an effect on.
    impact: Impact,
    /// When the person marked a text of it as read, and what was changed in it since.
    read: Option<(Timestamp, Option<Html>)>,
    may_write: bool,
    may_approve: bool,
    /// Whether the person can withdraw it while it is open.
    may_withdraw: bool,
    /// Whether the version is material unless its submission says otherwise.
    is_material: bool,
    /// Whether somebody else has to approve it.
    is_author: bool,
    /// Whether the pending step waits for this person.
    is_waited_for: bool,
    /// The steps of its approval.
    steps: Vec<ShownStep>,
    /// The document's steps before and after, if it changes them.
    changed_steps: Option<(String, String)>,
    /// What it changes in the sections beside their values, as a unified diff.
    changed_sections: Option<String>,
    may_admin: bool,
    /// The change set of this person.
    own: Option<i64>,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/documents/{document}/proposals/{number}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = proposal_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// The document and the proposal in the path.
pub(super) fn which(request: &PageRequest) -> Result<(String, i64)> {
    let number = request.path(1, ResourceKind::Proposal, |text| text.parse::<i64>().ok())?;
    Ok((slug(request)?, number))
}

/// The page of the proposal in the path, with a form that was refused.
pub(super) async fn proposal_page(
    request: &PageRequest,
    form: Form,
    problems: Problems,
) -> Result<ProposalPage> {
    request.require(READ)?;
    let (slug, number) = which(request)?;
    let mut query = request.query();
    let page = Page::<(i64, String)>::read(&request.list_id(), &mut query);
    query.finish()?;
    let (organization, is_first) = (request.id(), page.after.is_none());
    let mut tx = request.read().await?;
    let draft = store::proposals::draft(&mut tx, organization, &slug, number, None).await?;
    let found =
        store::proposals::list_edits(&mut tx, organization, &slug, number, page.after, page.limit).await?;
    let versions = store::documents::count_versions(&mut tx, organization, &slug).await?;
    let is_open = matches!(draft.proposal.status, ProposalStatus::Open | ProposalStatus::Submitted);
    let is_approved = draft.proposal.status == ProposalStatus::Approved;
    let text = (!is_approved).then(|| body_of(&draft.markdown).to_owned());
    let difference = difference(&mut tx, organization, &draft, text.as_deref()).await?;
    let comments = store::proposals::comments(&mut tx, organization, (&slug, number), None, COMMENTS).await?;
    let seen = store::proposals::seen(&mut tx, organization, request.member.person.id, number).await?;
    let read = seen.zip(text.as_ref().filter(|_| is_open)).map(|(seen, text)| {
        let html = render::difference(("", body_of(&seen.markdown)), ("", text)).html;
        (seen.seen_date, Some(html).filter(|html| !html.as_str().is_empty()))
    });
    let caller = (&request.member.actor(), request.permissions().scopes());
    let impact = store::proposals::impact(&mut tx, organization, &draft, caller).await?;
    let confirms = draft.confirms();
    // What somebody said of a submission that was returned is kept, unless a later edit asks for more.
    let is_material = draft.is_material() || draft.said_of_material().0 == Some(true);
    let said = submitted(&draft);
    let changed_sections = changed_sections(&draft);
    let (before, it, proposal) = (draft.published, draft.document, draft.proposal);
    let (old, new) = (&before.approval_steps, &it.approval_steps);
    let named: Vec<_> = proposal.steps.iter().map(|with| &with.step).chain(old).chain(new).collect();
    let names = StepNames::read(&mut tx, organization, &named).await?;
    let changes_steps = proposal.changes.get(ProposalField::ApprovalSteps).is_some();
    let changed_steps = changes_steps.then(|| (names.line(old), names.line(new)));
    let title = texts::proposal_for(number, &it.document.title);
    let frame = Layout::of(request, &mut tx, title, Section::Documents).await?;
    let position = |edit: &RecordedEdit| (edit.change_set, edit.node_id.clone());
    let shown = List::of(&request.list_id(), found, None, position, |edit| edit);
    let me = request.member.actor();
    let is_mine = |author: &domain::Actor| (author.kind, &author.id) == (me.kind, &me.id);
    Ok(ProposalPage {
        frame,
        read,
        impact,
        confirms,
        edits: shown.data,
        comments: comments.rows,
        next: shown.next_cursor,
        is_first,
        versions,
        is_open,
        text,
        difference,
        may_write: request.may(Scope::DocumentsWrite),
        may_approve: request.may(Scope::DocumentsApprove),
        may_withdraw: request.may(Scope::DocumentsWrite) || proposal.has_author(&me),
        is_material,
        is_author: draft.facts.check_four_eyes(&me, &proposal).is_err(),
        is_waited_for: proposal.waits_for(request.member.person.id, &draft.facts),
        steps: shown_steps(&proposal, &names),
        changed_steps,
        changed_sections,
        may_admin: request.may(Scope::UsersAdmin),
        own: proposal.change_sets.iter().find(|set| is_mine(&set.author)).map(|set| set.number),
        form: if form.has("step") { form } else { said.joined(form) },
        problems,
        it,
        proposal,
    })
}

impl ProposalPage {
    /// The address of the document.
    fn here(&self) -> String {
        format!("{}/documents/{}", self.frame.base, self.it.document.slug)
    }

    /// The address of the page.
    fn address(&self) -> String {
        format!("{}/proposals/{}", self.here(), self.proposal.number)
    }

    /// The part of the document that is shown: a closed proposal is none of the present ones.
    fn tab(&self) -> &'static str {
        if self.is_open { "proposal" } else { "" }
    }

    /// The beginning of a hash.
    fn short(&self, hash: &str) -> String {
        hash.chars().take(16).collect()
    }

    fn is_submitted(&self) -> bool {
        self.proposal.status == ProposalStatus::Submitted
    }

    /// What the form of an approval names beside the hash of the text.
    fn approved_beside(&self) -> String {
        approved_beside(&self.proposal)
    }

    /// Whether one approval is all that it needs.
    fn publishes(&self) -> bool {
        matches!(&self.steps[..], [step] if step.with.step.needed == 1)
    }

    /// Whether somebody can help an approval that cannot go on.
    fn may_help(&self) -> bool {
        self.is_submitted() && (self.may_admin || self.may_approve && !self.is_author)
    }

    fn may_submit(&self) -> bool {
        let is_ready = self.proposal.next.as_ref().is_some_and(|next| next.action == NextAction::Submit);
        self.may_write && is_ready
    }

    /// Whether this person can open a proposal with the same changes.
    fn may_copy(&self) -> bool {
        let is_ended = matches!(self.proposal.status, ProposalStatus::Rejected | ProposalStatus::Withdrawn);
        let document = &self.it.document;
        let is_archived = document.status == DocumentStatus::Archived;
        self.may_write && is_ended && document.open_proposal.is_none() && !is_archived
    }

    fn may_resolve(&self) -> bool {
        self.is_open && (self.may_write || self.may_approve)
    }

    /// Whether this person can end the proposal, or let it be edited again.
    fn may_end(&self) -> bool {
        self.is_open && (self.may_withdraw || self.may_approve && self.is_submitted())
    }

    fn may_return(&self) -> bool {
        self.is_submitted() && (self.may_write || self.may_approve)
    }

    fn may_take_back(&self, edit: &RecordedEdit) -> bool {
        self.is_open && self.may_write && self.own == Some(edit.change_set)
    }

    /// Whether the form proposes a material version.
    fn is_material(&self) -> bool {
        match self.form.has("step") {
            true => self.form.has("material_value"),
            false => self.is_material,
        }
    }

    /// How many open incidents a risk has.
    fn open_incidents(&self, risk: &ConcernedRisk) -> String {
        texts::open_incidents(risk.open_incidents)
    }

    /// How many open incidents of a risk are not named.
    fn more_incidents(&self, risk: &ConcernedRisk) -> i64 {
        risk.open_incidents - i64::try_from(risk.incidents.len()).unwrap_or_default()
    }

    /// How many risks are not named.
    fn more_risks(&self) -> i64 {
        let named = self.impact.risks.as_ref().map_or(0, Vec::len);
        self.impact.risk_count.unwrap_or_default() - i64::try_from(named).unwrap_or_default()
    }

    /// How many comments are open.
    fn open_comments(&self) -> usize {
        self.comments.iter().filter(|comment| comment.is_open()).count()
    }

    /// The comments that are no replies.
    fn threads(&self) -> impl Iterator<Item = &ProposalComment> {
        self.comments.iter().filter(|comment| comment.reply_to.is_none())
    }

    /// The replies to a comment.
    fn replies(&self, to: &ProposalComment) -> impl Iterator<Item = &ProposalComment> {
        self.comments.iter().filter(|comment| comment.reply_to == Some(to.number))
    }

    fn may_adopt(&self, comment: &ProposalComment) -> bool {
        self.is_open && self.may_write && comment.is_open() && comment.suggested_item.is_some()
    }

    /// What a form of a comment shows that was refused; another one is empty.
    fn said(&self, reply_to: Option<&i64>) -> &str {
        let replied = self.form.text("reply_to").parse::<i64>().ok();
        let is_it = self.form.has("comment") && replied.as_ref() == reply_to;
        if is_it { self.form.text("text") } else { "" }
    }

    /// The options that a comment can suggest: each item with its options.
    fn suggestions(&self) -> impl Iterator<Item = (&PlacedItem, &[SelectOption])> {
        self.it.items.iter().filter_map(|placed| match &placed.item.kind {
            ItemKind::Select { options, .. } => Some((placed, options.as_slice())),
            ItemKind::Text { .. } => None,
        })
    }

    fn waits_for(&self, next: &Next) -> &'static str {
        texts::waits_for(next.action)
    }

    /// The people who can act next.
    fn who(&self, next: &Next) -> String {
        let names: Vec<_> = next.who.iter().map(|person| person.name.as_str()).collect();
        texts::names(&names, NAMED)
    }

    fn item(&self, id: &str) -> Option<&PlacedItem> {
        self.it.items.iter().find(|placed| placed.item.id == id)
    }

    fn label(&self, id: &str) -> String {
        self.item(id).map_or_else(|| id.to_owned(), |placed| placed.item.label.clone())
    }

    /// What a place is called where own words stay.
    fn place(&self, it: &KeptText) -> String {
        it.item.as_deref().map_or_else(|| texts::THE_TEXT.to_owned(), |item| self.label(item))
    }

    /// A value of an item in words.
    fn says(&self, id: &str, value: &str) -> String {
        self.item(id).map_or_else(|| value.to_owned(), |placed| words(placed, value))
    }

    /// The author of an edit.
    fn author(&self, edit: &RecordedEdit) -> &str {
        let set = self.proposal.change_sets.iter().find(|set| set.number == edit.change_set);
        set.map_or("", |set| &set.author.name)
    }

    /// The authors with changes, each once.
    fn authors(&self) -> Vec<&str> {
        let sets = self.proposal.change_sets.iter().filter(|set| set.has_changes());
        sets.map(|set| set.author.name.as_str()).collect()
    }

    /// What it changes beside the values of sections: the name, and of what is one line the value before and after.
    fn properties(&self) -> Vec<(&'static str, Option<(String, String)>)> {
        let word = |value: &Value| Classification::parse(value.as_str()?).map(|it| self.frame.label(&it));
        let line =
            |value: &Value| word(value).unwrap_or_else(|| value.as_str().unwrap_or_default().to_owned());
        let fields = self.proposal.changes.fields().into_iter();
        let pair = |field| match field {
            ProposalField::ApprovalSteps => self.changed_steps.clone(),
            ProposalField::Template | ProposalField::Items => None,
            _ => self.proposal.changes.get(field).map(|[before, after]| (line(before), line(after))),
        };
        fields.map(|field| (texts::proposal_field(field), pair(field))).collect()
    }

    /// Who changed a part of the document beside the values of sections.
    fn editors(&self) -> Vec<(&str, String)> {
        let sets = self.proposal.change_sets.iter().filter(|set| !set.fields.is_empty());
        let names = |set: &ChangeSet| {
            set.fields.iter().map(|field| texts::proposal_field(*field)).collect::<Vec<_>>().join(", ")
        };
        sets.map(|set| (set.author.name.as_str(), names(set))).collect()
    }

    /// The labels of the required items that have no value.
    fn missing(&self) -> Vec<&str> {
        let is_missing = |placed: &&PlacedItem| self.proposal.missing.contains(&placed.item.id);
        self.it.items.iter().filter(is_missing).map(|placed| placed.item.label.as_str()).collect()
    }

    fn is_weaker(&self, edit: &RecordedEdit) -> bool {
        let option = self.item(&edit.node_id).and_then(|placed| placed.item.kind.option(&edit.value));
        option.is_some_and(|option| option.weakens)
    }
}
