//! `/o/{slug}/documents/{document}/offer`: what a newer text of the library changes in a document; takes it into the open proposal,
//! or declines it.

use askama::Template;
use db::Tx;
use domain::document::{Document, DocumentWithItems, KeptText, Offer, OfferedText, Proposal, library};
use domain::json::body;
use domain::{Author, OrgId, Scope};

use super::show::slug;
use super::{READ, WRITE};
use crate::frame::form::As;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

const OFFERED: &[(&str, As)] = &[("sha256", As::Text)];

#[derive(Template)]
#[template(path = "documents/offer.html")]
struct OfferPage {
    frame: Layout,
    document: Document,
    offer: Offer,
    /// What differs between the document and the merged text, as HTML.
    difference: String,
    may_write: bool,
    problems: Problems,
}

/// `GET /o/{slug}/documents/{document}/offer`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = offer_page(&request, Problems::default()).await?;
    request.show(&page)
}

async fn offer_page(request: &PageRequest, problems: Problems) -> Result<OfferPage> {
    request.require(READ)?;
    let (slug, organization) = (slug(request)?, request.id());
    let mut tx = request.read().await?;
    let document = store::documents::get(&mut tx, organization, &slug).await?.document;
    let offer = store::proposals::offer(&mut tx, organization, &slug, library()).await?.offer;
    let frame = Layout::of(request, &mut tx, texts::NEWER_TEXT, Section::Documents).await?;
    let [before, after] = [&offer.own, &offer.merged].map(|it| it.template.as_deref().unwrap_or_default());
    let difference = render::difference(("", before), ("", after)).html.to_string();
    let may_write = request.may(Scope::DocumentsWrite);
    Ok(OfferPage { frame, document, offer, difference, may_write, problems })
}

/// `POST /o/{slug}/documents/{document}/offer`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let form = request.form().await?;
    let slug = slug(&request)?;
    let to = request.to(&format!("/documents/{slug}"));
    let told = if form.has("decline") { texts::OFFER_DECLINED } else { texts::OFFER_TAKEN };
    let done = async {
        let offered = form.read_as(OFFERED, &request.clock, body::<OfferedText>)?;
        if form.has("decline") {
            let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
                store::proposals::decline_offer(tx, organization, author, &slug, library(), &offered).await
            };
            return request.write(&form, change, move |_: DocumentWithItems| to.clone()).await;
        }
        let mut tx = request.read().await?;
        // A fault of this is found again in the write.
        let mut merged = store::proposals::offer(&mut tx, request.id(), &slug, library()).await.ok();
        drop(tx);
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            let read = merged.take();
            store::proposals::take_offer(tx, organization, author, &slug, library(), read, &offered).await
        };
        let next = move |proposal: Proposal| format!("{to}/proposals/{}", proposal.number);
        request.write(&form, change, next).await
    };
    let done = done.await;
    let again = async |problems| offer_page(&request, problems).await;
    request.answer(done, (told, false), again).await
}

impl OfferPage {
    /// What an item is called; its id, if neither text has it.
    fn label<'p>(&'p self, id: &'p str) -> &'p str {
        let mut items = self.offer.own.items.iter().chain(&self.offer.merged.items);
        items.find(|item| item.id == id).map_or(id, |item| &item.label)
    }

    /// The items that are added, changed and removed, each kind with what it is called.
    fn items(&self) -> Vec<(&'static str, Vec<&str>)> {
        let kinds = [
            (texts::ADDED, self.offer.added()),
            (texts::CHANGED, self.offer.changed()),
            (texts::REMOVED, self.offer.removed()),
        ];
        kinds.into_iter().filter(|(_, ids)| !ids.is_empty()).collect()
    }

    /// What a place is called.
    fn place<'p>(&'p self, it: &'p KeptText) -> &'p str {
        it.item.as_deref().map_or(texts::THE_TEXT, |item| self.label(item))
    }
}
