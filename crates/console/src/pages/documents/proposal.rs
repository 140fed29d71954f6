//! `GET /o/{slug}/documents/{document}/proposals/{number}`: what would change, and who chose it.

use std::collections::HashMap;

use askama::Template;
use domain::ResourceKind;
use domain::document::{DocumentWithItems, PlacedItem, Proposal, RecordedEdit};
use http::page::{List, Page};

use super::READ;
use super::show::{slug, words};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

#[derive(Template)]
#[template(path = "documents/proposal.html")]
struct ProposalPage {
    frame: Layout,
    it: DocumentWithItems,
    proposal: Proposal,
    edits: Vec<RecordedEdit>,
    next: Option<String>,
    is_first: bool,
}

/// `GET /o/{slug}/documents/{document}/proposals/{number}`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let slug = slug(&request)?;
    let number = request.path(1, ResourceKind::Proposal, |text| text.parse::<i64>().ok())?;
    let mut query = request.query();
    let page = Page::<(i64, i64)>::read(&request.list_id(), &mut query);
    query.finish()?;
    let (organization, is_first) = (request.id(), page.after.is_none());
    let mut tx = request.read().await?;
    let draft = store::proposals::draft(&mut tx, organization, &slug, number, None).await?;
    let (it, proposal) = (draft.document, draft.proposal);
    let found =
        store::proposals::list_edits(&mut tx, organization, &slug, number, page.after, page.limit).await?;
    let title = texts::proposal_for(number, &it.document.title);
    let frame = Layout::of(&request, &mut tx, title, Section::Documents).await?;
    let position = |(edit, place): &(RecordedEdit, i64)| (edit.change_set, *place);
    let shown = List::of(&request.list_id(), found, None, position, |(edit, _)| edit);
    let (edits, next) = (shown.data, shown.next_cursor);
    request.show(&ProposalPage { frame, it, proposal, edits, next, is_first })
}

impl ProposalPage {
    fn item(&self, edit: &RecordedEdit) -> Option<&PlacedItem> {
        self.it.items.iter().find(|placed| placed.item.id == edit.node_id)
    }

    fn label(&self, edit: &RecordedEdit) -> String {
        self.item(edit).map_or_else(|| edit.node_id.clone(), |placed| placed.item.label.clone())
    }

    fn says(&self, edit: &RecordedEdit) -> String {
        self.item(edit).map_or_else(|| edit.value.clone(), |placed| words(placed, &edit.value))
    }

    /// What the author had chosen before.
    fn said(&self, edit: &RecordedEdit) -> Option<String> {
        let previous = edit.previous.as_deref().filter(|value| !value.is_empty())?;
        Some(self.item(edit).map_or_else(|| previous.to_owned(), |placed| words(placed, previous)))
    }

    fn author(&self, edit: &RecordedEdit) -> String {
        let authors: HashMap<i64, &str> =
            self.proposal.change_sets.iter().map(|set| (set.number, set.author.name.as_str())).collect();
        authors.get(&edit.change_set).copied().unwrap_or_default().to_owned()
    }

    /// The labels of the items that must say something before it can be published.
    fn missing(&self) -> Vec<&str> {
        let is_missing = |placed: &&PlacedItem| self.proposal.missing.contains(&placed.item.id);
        self.it.items.iter().filter(is_missing).map(|placed| placed.item.label.as_str()).collect()
    }

    fn is_weaker(&self, edit: &RecordedEdit) -> bool {
        use domain::document::ItemKind;
        match self.item(edit).map(|placed| &placed.item.kind) {
            Some(ItemKind::Select { options, .. }) => {
                options.iter().any(|option| option.id == edit.value && option.weakens)
            }
            _ => false,
        }
    }
}
