//! `GET /o/{slug}/risks/{id}`: how great the risk is, whether it becomes better or worse, and why.

use askama::Template;
use db::Tx;
use domain::accepting::is_decision_missing;
use domain::decision::DecisionState;
use domain::document::Document;
use domain::evaluation::Evaluation;
use domain::person::Member;
use domain::record::Record as _;
use domain::risk::{Risk, RiskReview, RiskStatus};
use domain::scale::{Grade, Scales};
use domain::tag::Tag;
use domain::{RiskNumber, Scope};
use store::documents::DocumentFilter;
use store::exceptions::{ExceptionDetails, ExceptionFilter};
use store::links::{LinkEnd, LinkQuery, LinkReader, Linked};
use store::list::TimeRange;
use store::{Page, View};

use super::acceptances_of::cannot_ask;
use super::chart::Chart;
use super::{Choice, Judged, READ, number};
use crate::frame::form::{Form, MOST_CHOICES};
use crate::frame::layout::{Layout, Section};
use crate::frame::news;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::pages::listed::tasks::Tasks;

/// So many evaluations, links, documents and exceptions are on the page.
const SHOWN: i64 = 50;

/// So many reviews are on the page.
const REVIEWS: i64 = 5;

#[derive(Template)]
#[template(path = "risks/show.html")]
pub(crate) struct ShowPage {
    frame: Layout,
    risk: Risk,
    scales: Scales,
    evaluations: Vec<Evaluation>,
    has_more: bool,
    chart: Option<Chart>,
    /// The latest reviews.
    reviews: Vec<RiskReview>,
    /// The incidents that lead to it.
    links: Page<Linked>,
    tasks: Tasks,
    /// The members who can own a task.
    people: Vec<Member>,
    /// The documents with items that concern it.
    documents: Page<Document>,
    /// The exceptions to documents that lead to it.
    exceptions: Page<ExceptionDetails>,
    /// The tags that it does not have.
    tags: Vec<Tag>,
    may_write: bool,
    may_delete: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/risks/{id}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = show_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// The page of the risk in the path, with a form that was refused.
pub(super) async fn show_page(request: &PageRequest, form: Form, problems: Problems) -> Result<ShowPage> {
    request.require(READ)?;
    let (number, organization) = (number(request)?, request.id());
    let may_delete = request.may(Scope::RisksDelete);
    let mut tx = request.read().await?;
    let risk = store::risks::get(&mut tx, organization, number, request.view(Scope::RisksDelete)).await?;
    let is_deleted = risk.deleted_date.is_some();
    let may_write = request.may(Scope::RisksWrite) && !is_deleted;
    let (found, links, reviews, tasks, documents) = match is_deleted {
        true => (Page::default(), Page::default(), Vec::new(), Tasks::default(), Page::default()),
        false => {
            let found = store::evaluations::list(&mut tx, organization, number, None, SHOWN).await?;
            let reviews = store::risks::reviews(&mut tx, organization, number, None, REVIEWS).await?.rows;
            let links = links(request, &mut tx, number).await?;
            let documents = documents(request, &mut tx, number).await?;
            (found, links, reviews, Tasks::of(request, &mut tx, number.into()).await?, documents)
        }
    };
    let exceptions = exceptions(request, &mut tx, number).await?;
    let (tags, people) = match may_write {
        true => (
            store::tags::list(&mut tx, organization, &[], None, MOST_CHOICES).await?.rows,
            store::people::first(&mut tx, organization, MOST_CHOICES).await?,
        ),
        false => (Vec::new(), Vec::new()),
    };
    let tags = tags.into_iter().filter(|tag| !risk.tags.iter().any(|it| it.id == tag.id)).collect();
    let record = ("risk", number.to_string());
    let problems = news::of_record(request, &mut tx, record, news::seen(&form), problems).await?;
    let frame = Layout::of(request, &mut tx, risk.title.clone(), Section::Risks).await?;
    let frame = frame.watching(request, &mut tx, "risk", number.to_string()).await?;
    let scales = store::scales::known(&mut tx, organization, View::now()).await?;
    let chart = Chart::of(&risk, &scales, &found.rows, &request.clock);
    let (evaluations, has_more) = (found.rows, found.has_more);
    Ok(ShowPage {
        frame,
        risk,
        scales,
        evaluations,
        has_more,
        chart,
        reviews,
        links,
        tasks,
        people,
        documents,
        exceptions,
        tags,
        may_write,
        may_delete,
        form,
        problems,
    })
}

async fn links(request: &PageRequest, tx: &mut Tx, number: RiskNumber) -> Result<Page<Linked>> {
    let reader = LinkReader::new(request.viewer(), request.permissions().scopes());
    let query = LinkQuery { end: LinkEnd::Risk(number), detected: TimeRange::default(), after: None };
    Ok(store::links::list(tx, request.id(), &reader, &query, SHOWN).await?)
}

async fn documents(request: &PageRequest, tx: &mut Tx, number: RiskNumber) -> Result<Page<Document>> {
    if !request.may(Scope::DocumentsRead) {
        return Ok(Page::default());
    }
    let filter = DocumentFilter { risk: vec![number], ..DocumentFilter::default() };
    Ok(store::documents::list(tx, request.id(), &filter, None, SHOWN).await?)
}

/// Those that have not ended, and the open requests.
async fn exceptions(
    request: &PageRequest,
    tx: &mut Tx,
    number: RiskNumber,
) -> Result<Page<ExceptionDetails>> {
    if !request.may(Scope::DocumentsRead) {
        return Ok(Page::default());
    }
    let state = DecisionState::OPEN.to_vec();
    let filter = ExceptionFilter { risk: vec![number], state, ..ExceptionFilter::default() };
    Ok(store::exceptions::list(tx, request.id(), View::now(), &filter, None, SHOWN).await?)
}

impl ShowPage {
    /// The address of the page.
    fn address(&self) -> String {
        format!("{}/risks/{}", self.frame.base, self.risk.number)
    }

    fn is_open(&self) -> bool {
        self.risk.status == RiskStatus::Open
    }

    /// Whether its band wants a decision that there is not.
    fn is_decision_missing(&self) -> bool {
        is_decision_missing(&self.risk, &self.scales)
    }

    /// Whether the person can ask for its acceptance now.
    fn may_ask(&self) -> bool {
        self.may_write && cannot_ask(&self.risk, &self.scales).is_none()
    }

    /// Whether the form that was refused is that of a review.
    fn is_reviewing(&self) -> bool {
        self.form.has("note") && !self.form.has("likelihood")
    }

    /// What the form judges. The current level is chosen, if it is one of the present scale.
    fn judged(&self) -> [Judged; 2] {
        let current = self.risk.current.filter(|it| self.scales.is_present(it.scale_version));
        super::judged(self.scales.present(), &self.form, current.map(|it| it.rating))
    }

    /// The ratings that an evaluation brings with it if those of the risk are by an earlier scale.
    fn choices(&self) -> [Choice; 4] {
        super::choices(self.scales.present(), !self.scales.is_present(self.risk.scale_version))
    }

    /// The band of an evaluation.
    fn grade_of(&self, it: &Evaluation) -> Option<Grade> {
        self.scales.grade(it.rating, it.scale_version)
    }
}
