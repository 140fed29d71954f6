//! `/o/{slug}/documents/{document}/acknowledge`: the newest text, as it was approved, and that one has read it.

use askama::Template;
use domain::acknowledgement::{Coverage, NewAcknowledgement, PersonCoverage};
use domain::document::{Day, DocumentVersion, PublishedText};
use domain::{Author, ResourceKind, Scope, json};
use http::Error;
use render::Html;

use super::show::slug;
use crate::frame::form::As;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// What acknowledging needs.
const ACKNOWLEDGE: &[Scope] = &[Scope::DocumentsAcknowledge];

/// The most versions whose summaries are shown.
const MOST_VERSIONS: i64 = 50;

/// The members of the body that the form has.
const MEMBERS: &[(&str, As)] = &[("sha256", As::Text)];

#[derive(Template)]
#[template(path = "documents/acknowledge.html")]
struct AcknowledgePage {
    frame: Layout,
    title: String,
    it: PublishedText,
    /// Whether the person has acknowledged it; none if they are not asked.
    own: Option<PersonCoverage>,
    /// The versions since the one that the person has acknowledged or was shown, the latest first; else this one.
    changes: Vec<DocumentVersion>,
    /// What changed in the text since then.
    difference: Option<(i64, Html)>,
    /// Whether it is not in force yet.
    is_later: bool,
    may_read: bool,
    /// Whether an earlier version was shown before, instead of which this one is to be acknowledged.
    was_shown: bool,
    problems: Problems,
}

/// `GET /o/{slug}/documents/{document}/acknowledge`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = acknowledge_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/documents/{document}/acknowledge`: records that the person has read the text with the hash that was shown.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(ACKNOWLEDGE)?;
    let slug = slug(&request)?;
    let form = request.form().await?;
    let number: i64 = form.text("number").parse().unwrap_or_default();
    let to = request.to(&format!("/documents/{slug}/acknowledge"));
    let given = async {
        let new = form.read_as(MEMBERS, &request.clock, json::body::<NewAcknowledgement>)?;
        let change = async move |tx: &mut db::Tx, organization, author: &Author| {
            store::acknowledgements::give(tx, organization, author, (&slug, number), &new).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let given = given.await;
    let again = async |problems| acknowledge_page(&request, Some(number), problems).await;
    request.answer(given, (texts::ACKNOWLEDGED, false), again).await
}

/// The page with the newest version: what changed in it since the one that was `shown`, or since the one that was acknowledged.
async fn acknowledge_page(
    request: &PageRequest,
    shown: Option<i64>,
    problems: Problems,
) -> Result<AcknowledgePage> {
    request.require(ACKNOWLEDGE)?;
    let (slug, organization) = (slug(request)?, request.id());
    let mut tx = request.read().await?;
    let document = store::documents::get(&mut tx, organization, &slug).await?.document;
    let newest = document.published_version.ok_or(Error::not_found(ResourceKind::DocumentVersion))?;
    let it = store::documents::version(&mut tx, organization, &slug, newest).await?;
    let coverage = store::acknowledgements::coverage(&mut tx, organization, &slug, None).await?;
    let me = request.member.person.id;
    let own = coverage.people.into_iter().find(|row| row.person.id == me);
    let last = store::acknowledgements::last_acknowledged(&mut tx, organization, &slug, me).await?;
    let shown = shown.filter(|shown| (1..newest).contains(shown));
    let last = shown.or(last).filter(|last| *last < newest);
    let found = store::documents::versions(&mut tx, organization, &slug, None, MOST_VERSIONS).await?.rows;
    let is_new =
        |version: &DocumentVersion| last.map_or(version.number == newest, |last| version.number > last);
    let changes = found.into_iter().filter(is_new).collect();
    let difference = match last {
        Some(last) => {
            let before = store::documents::version(&mut tx, organization, &slug, last).await?;
            Some((last, render::difference(("", before.body()), ("", it.body())).html))
        }
        None => None,
    };
    let is_later = it.version.effective_date > Day::of(request.clock.now());
    let title = it.property("title").unwrap_or_else(|| document.title.to_string());
    let frame = Layout::of(request, &mut tx, title.clone(), Section::Documents).await?;
    let may_read = request.may(Scope::DocumentsRead);
    let was_shown = shown.is_some();
    Ok(AcknowledgePage {
        frame,
        title,
        it,
        own,
        changes,
        difference,
        is_later,
        may_read,
        was_shown,
        problems,
    })
}

impl AcknowledgePage {
    fn is_open(&self) -> bool {
        self.own.as_ref().is_some_and(|own| matches!(own.coverage, Coverage::Open { .. }))
    }

    /// Until when the person has time.
    fn due(&self) -> Option<jiff::Timestamp> {
        match self.own.as_ref()?.coverage {
            Coverage::Open { due, .. } => due,
            _ => None,
        }
    }

    /// The acknowledgement that counts.
    fn given(&self) -> Option<domain::acknowledgement::Given> {
        self.own.as_ref()?.coverage.given()
    }
}
