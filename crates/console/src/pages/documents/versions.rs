//! `/o/{slug}/documents/{document}/versions`: what was published, and one version as it was approved.

use askama::Template;
use domain::ResourceKind;
use domain::document::{Document, DocumentVersion, ProposalField, PublishedText};
use http::page::{List, Page};
use lists::approval_record::{ApprovalRecord, Decision, When, approvers};
use render::Html;
use store::proposals::SetValue;

use super::READ;
use super::show::slug;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::words::label_of;
use crate::texts;

#[derive(Template)]
#[template(path = "documents/versions.html")]
struct VersionsPage {
    frame: Layout,
    document: Document,
    /// The version that is in force.
    in_force: Option<i64>,
    /// The versions, each with the names of those who approved it.
    rows: Vec<(DocumentVersion, String)>,
    versions: i64,
    next: Option<String>,
    is_first: bool,
}

#[derive(Template)]
#[template(path = "documents/version.html")]
struct VersionPage {
    frame: Layout,
    document: Document,
    in_force: Option<i64>,
    it: PublishedText,
    /// Who approved it, and how.
    approvers: String,
    decisions: Vec<Decision>,
    /// What it changes in another version.
    difference: Option<Difference>,
    /// Whether the difference was asked for.
    is_compared: bool,
    /// Who set the values of its sections.
    values: Vec<SetValue>,
    versions: i64,
}

/// What a version changes in another one.
struct Difference {
    /// The number of the other one.
    from: i64,
    /// In the text; none if it is the same.
    html: Option<Html>,
    /// In the properties that are approved with the text: the label, what it was and what it is.
    properties: Vec<(&'static str, String, String)>,
}

/// `GET /o/{slug}/documents/{document}/versions`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let (slug, organization) = (slug(&request)?, request.id());
    let mut query = request.query();
    let page = Page::<i64>::read(&request.list_id(), &mut query);
    query.finish()?;
    let is_first = page.after.is_none();
    let mut tx = request.read().await?;
    let document = store::documents::get(&mut tx, organization, &slug).await?.document;
    let found = store::documents::versions(&mut tx, organization, &slug, page.after, page.limit).await?;
    let versions = store::documents::count_versions(&mut tx, organization, &slug).await?;
    let in_force = store::documents::in_force(&mut tx, organization, &slug, request.clock.now()).await?;
    let title = texts::versions_of(&document.title);
    let frame = Layout::of(&request, &mut tx, title, Section::Documents).await?;
    let proposals: Vec<_> = found.rows.iter().map(|version| version.proposal).collect();
    let proposals = store::proposals::with_approvals(&mut tx, organization, &proposals).await?;
    let named = |it: DocumentVersion| {
        let names = approvers(&it, proposals.get(&it.proposal));
        (it, names)
    };
    let shown = List::of(&request.list_id(), found, None, |row| row.number, named);
    request.show(&VersionsPage {
        frame,
        document,
        in_force: in_force.map(|it| it.version.number),
        rows: shown.data,
        versions,
        next: shown.next_cursor,
        is_first,
    })
}

/// `GET /o/{slug}/documents/{document}/versions/{number}`: what it changes in the version before, or in the version `from`.
pub(crate) async fn show(request: PageRequest) -> Result {
    request.require(READ)?;
    let (slug, organization) = (slug(&request)?, request.id());
    let number = request.path(1, ResourceKind::DocumentVersion, |text| text.parse::<i64>().ok())?;
    let mut tx = request.read().await?;
    let it = store::documents::version(&mut tx, organization, &slug, number).await?;
    let versions = store::documents::count_versions(&mut tx, organization, &slug).await?;
    let mut query = request.query();
    let wanted = query.integer("from", 1, versions);
    query.finish()?;
    let from = wanted.unwrap_or(number - 1);
    let difference = if (1..=versions).contains(&from) && from != number {
        let before = store::documents::version(&mut tx, organization, &slug, from).await?;
        Some(difference(&request, &before, &it))
    } else {
        None
    };
    let values = store::proposals::provenance(&mut tx, organization, &slug, number).await?.values;
    let document = store::documents::get(&mut tx, organization, &slug).await?.document;
    let in_force = store::documents::in_force(&mut tx, organization, &slug, request.clock.now()).await?;
    let title = texts::version_of(number, &it.property("title").unwrap_or_default());
    let frame = Layout::of(&request, &mut tx, title, Section::Documents).await?;
    let in_force = in_force.map(|it| it.version.number);
    let record = ApprovalRecord::read(&mut tx, organization, it.version.proposal).await?;
    let approvers =
        record.as_ref().map_or_else(|| approvers(&it.version, None), |record| record.approvers(&it.version));
    let decisions = record.map(|record| record.decisions()).unwrap_or_default();
    let is_compared = wanted.is_some() && difference.is_some();
    request.show(&VersionPage {
        frame,
        document,
        in_force,
        it,
        approvers,
        decisions,
        difference,
        is_compared,
        values,
        versions,
    })
}

/// What a version changes in another one.
fn difference(request: &PageRequest, before: &PublishedText, after: &PublishedText) -> Difference {
    use ProposalField::{Audience, Classification, Language, Reference, Title};
    let html = render::difference(("", before.body()), ("", after.body())).html;
    let shown = |field: ProposalField, it: &PublishedText| {
        let value = it.property(field.as_str()).unwrap_or_default();
        if field == Classification { label_of(&value) } else { value }
    };
    let pair = |field| (texts::proposal_field(field), shown(field, before), shown(field, after));
    let mut properties: Vec<_> = [Title, Reference, Classification, Audience, Language].map(pair).into();
    let [from, since] = [before, after].map(|it| request.clock.date(&it.version.effective_date));
    if before.property("effective_date") != after.property("effective_date") {
        properties.push((texts::IN_FORCE_FROM, from, since));
    }
    properties.retain(|(_, before, after)| before != after);
    Difference {
        from: before.version.number,
        html: Some(html).filter(|it| !it.as_str().is_empty()),
        properties,
    }
}

impl VersionsPage {
    /// The part of the document that is shown.
    fn tab(&self) -> &'static str {
        "versions"
    }

    fn is_in_force(&self, version: &DocumentVersion) -> bool {
        self.in_force == Some(version.number)
    }
}

impl VersionPage {
    /// The part of the document that is shown.
    fn tab(&self) -> &'static str {
        "versions"
    }

    fn is_in_force(&self) -> bool {
        self.in_force == Some(self.it.version.number)
    }

    /// Whether it is compared with this version.
    fn is_from(&self, number: i64) -> bool {
        self.difference.as_ref().is_some_and(|it| it.from == number)
    }

    fn day(&self, when: &When) -> String {
        match when {
            When::At(at) => self.frame.clock.day(at),
            When::On(day) => self.frame.clock.date(day),
        }
    }

    /// The title as it was approved.
    fn title(&self) -> String {
        self.it.property("title").unwrap_or_default()
    }
}
