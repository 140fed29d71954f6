//! Home: what waits for the person, what is open, how far the risks are reduced, what changed lately.

use askama::Template;
use domain::acknowledgement::ToAcknowledge;
use domain::document::{Document, DocumentStatus, ReviewStatus};
use domain::incident::{Category, Incident, Sees};
use domain::performance::DEFAULT_PERIOD_DAYS;
use domain::risk::{EvaluationDue, ReviewDue, Risk, RiskStatus};
use domain::scale::Scales;
use domain::severity::Severity;
use domain::{Scope, UserId};
use jiff::SignedDuration;
use store::View;
use store::acceptances::AcceptanceDetails;
use store::documents::DocumentFilter;
use store::exceptions::ExceptionDetails;
use store::incidents::{IncidentFilter, IncidentSort};
use store::list::{Direction, ListQuery, Sort, TimeRange};
use store::notes::Mentioning;
use store::proposals::Waiting;
use store::risks::{DueFilter, Happened, RiskFilter, RiskSort};
use store::tasks::{TaskDetails, TaskFilter};

use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// So many incidents and tasks of each kind are shown.
const SHOWN: i64 = 5;

/// For so many days it is shown that the person was mentioned.
const MENTIONED_DAYS: i64 = 14;

/// So many of the worst risks are compared with their targets.
const COMPARED: i64 = 20;

/// How long incidents have been open: the words, and after how many days that begins and ends.
const AGES: [(&str, Option<i64>, Option<i64>); 4] = [
    (texts::LESS_THAN_A_DAY, None, Some(1)),
    (texts::UP_TO_A_WEEK, Some(1), Some(7)),
    (texts::UP_TO_30_DAYS, Some(7), Some(30)),
    (texts::MORE_THAN_30_DAYS, Some(30), None),
];

/// The severities from the worst on, as the page lists them.
const SEVERITIES: [Severity; 5] =
    [Severity::Critical, Severity::High, Severity::Medium, Severity::Low, Severity::Undetermined];

#[derive(Template)]
#[template(path = "home.html")]
struct HomePage {
    frame: Layout,
    unassigned: Vec<Incident>,
    mine: Vec<Incident>,
    /// Proposals to approve, and those that were returned to the person.
    proposals: Vec<Waiting>,
    /// The requests for exceptions to documents that the person may decide about.
    exceptions: Vec<ExceptionDetails>,
    tasks: Vec<TaskDetails>,
    /// The documents of the person whose review is late.
    reviews: Vec<Document>,
    risks: OwnRisks,
    /// The documents that the person has to acknowledge.
    acknowledge: Vec<ToAcknowledge>,
    /// The latest comments that mention the person.
    mentions: Vec<Mentioning>,
    lately: Vec<Incident>,
    open: Vec<SeverityCount>,
    ages: Vec<AgeCount>,
    performance: Option<Performance>,
    /// The worst risks that have not reached their target.
    above: Vec<Risk>,
    /// The id of the person.
    me: String,
    /// How comments mention the person: `@` and the e-mail address.
    address: String,
    may_assign: bool,
    may_approve: bool,
    /// Whether the register has no risks yet that the person could add.
    may_start: bool,
    may_invite: bool,
    may_adopt: bool,
    /// Whether the person sees only what they reported.
    sees_own: bool,
}

/// The risks of the person that want something.
#[derive(Default)]
struct OwnRisks {
    /// The open ones whose evaluation or review is late.
    late: Vec<Risk>,
    /// The closed ones that happened all the same.
    happened: Vec<Happened>,
    /// The requests to accept risks, of anybody, that the person may decide about.
    decisions: Vec<AcceptanceDetails>,
    /// The acceptances in force that the person may confirm.
    to_confirm: Vec<AcceptanceDetails>,
}

/// How many open incidents have a severity, and their part of a bar.
struct SeverityCount {
    severity: Severity,
    count: i64,
    /// In hundredths of the bar.
    start: String,
    width: String,
}

/// How many open incidents were detected so long ago.
struct AgeCount {
    label: &'static str,
    count: i64,
    /// The query of the list that has them.
    query: String,
}

struct Performance {
    percent: i64,
    risks: i64,
}

/// `GET /o/{slug}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let mut tx = request.read().await?;
    let (organization, viewer, me) = (request.id(), request.viewer(), request.member.person.id);
    let first = request.member.person.name.split_whitespace().next().unwrap_or_default();
    let title = texts::greeting(request.clock.hour(), first);
    let frame = Layout::of(&request, &mut tx, title, Section::Home).await?;
    let is_open = || IncidentFilter { category: vec![Category::Open], ..Default::default() };
    let mut incidents = async |filter: IncidentFilter, by: IncidentSort| -> Result<Vec<Incident>> {
        if frame.open_incidents.is_none() {
            return Ok(Vec::new());
        }
        let sort = Sort { by, direction: Direction::Descending };
        let asked = ListQuery { view: View::now(), filter, sort, after: None };
        Ok(store::incidents::list(&mut tx, organization, &viewer, &asked, SHOWN).await?.rows)
    };
    let may_assign = request.may(Scope::IncidentsWrite);
    let of_nobody = IncidentFilter { assigned_to: vec![None], ..is_open() };
    let unassigned = match may_assign {
        true => incidents(of_nobody, IncidentSort::Severity).await?,
        false => Vec::new(),
    };
    let own = IncidentFilter { assigned_to: vec![Some(me)], ..is_open() };
    let mine = incidents(own, IncidentSort::Severity).await?;
    let lately = incidents(IncidentFilter::default(), IncidentSort::UpdatedDate).await?;
    let tasks = tasks(&request, &mut tx, me).await?;
    let (proposals, exceptions) = of_documents(&request, &mut tx).await?;
    let reviews = reviews(&request, &mut tx, me).await?;
    let (risks, above) = risks(&request, &mut tx, me).await?;
    let since = request.clock.now() - SignedDuration::from_hours(24 * MENTIONED_DAYS);
    let mentions = match frame.open_incidents {
        Some(_) => store::notes::mentioning(&mut tx, organization, &viewer, me, since, SHOWN).await?,
        None => Vec::new(),
    };
    let acknowledge = store::acknowledgements::to_acknowledge(&mut tx, organization, me).await?;
    let sees_own = viewer.sees() == Sees::Opened;
    let is_counted = frame.open_incidents.is_some() && !sees_own;
    let open = match frame.open_incidents.filter(|_| is_counted) {
        Some(open) => shares(&severities(&request, &mut tx, open).await?),
        None => Vec::new(),
    };
    let ages = if is_counted { ages(&request, &mut tx).await? } else { Vec::new() };
    let performance = performance(&request, &mut tx).await?;
    let may_start = frame.open_risks == Some(0) && above.is_empty() && request.may(Scope::RisksWrite);
    request.show(&HomePage {
        may_start,
        address: format!("@{}", request.member.person.email),
        may_invite: request.may(Scope::UsersAdmin),
        may_adopt: request.may(Scope::DocumentsWrite),
        frame,
        unassigned,
        mine,
        proposals,
        exceptions,
        tasks,
        reviews,
        risks,
        acknowledge,
        mentions,
        lately,
        open,
        ages,
        performance,
        above,
        me: me.to_string(),
        may_assign,
        may_approve: request.may(Scope::DocumentsApprove),
        sees_own,
    })
}

/// The figure of the risks, for who may read them.
async fn performance(request: &PageRequest, tx: &mut db::Tx) -> Result<Option<Performance>> {
    if !request.may(Scope::RisksRead) {
        return Ok(None);
    }
    let figure = store::performance::get(tx, request.id(), DEFAULT_PERIOD_DAYS).await?;
    Ok(Some(Performance {
        percent: figure.average_performance_percentage,
        risks: figure.total_risks_evaluated,
    }))
}

/// How many of these open incidents have each severity. Those that have no other one are undetermined.
async fn severities(request: &PageRequest, tx: &mut db::Tx, open: i64) -> Result<Vec<(Severity, i64)>> {
    let (mut counts, mut others) = (Vec::new(), open);
    for severity in SEVERITIES.into_iter().filter(|it| *it != Severity::Undetermined) {
        let filter =
            IncidentFilter { severity: vec![severity], category: vec![Category::Open], ..Default::default() };
        let (viewer, view) = (request.viewer(), View::now());
        let count = store::incidents::count(tx, request.id(), &viewer, view, &filter).await?;
        others -= count;
        counts.push((severity, count));
    }
    counts.push((Severity::Undetermined, others));
    Ok(counts)
}

/// The open incidents by how long ago they were detected.
async fn ages(request: &PageRequest, tx: &mut db::Tx) -> Result<Vec<AgeCount>> {
    let before = |days: i64| request.clock.now() - SignedDuration::from_hours(24 * days);
    let mut counts = Vec::new();
    for (label, least, most) in AGES {
        let detected = TimeRange { from: most.map(before), before: least.map(before) };
        let filter = IncidentFilter { category: vec![Category::Open], detected, ..Default::default() };
        let (viewer, view) = (request.viewer(), View::now());
        let count = store::incidents::count(tx, request.id(), &viewer, view, &filter).await?;
        let ends = [("detected_from", detected.from), ("detected_to", detected.before)];
        let ends = ends.into_iter().filter_map(|(name, at)| Some((name, request.clock.exact(&at?))));
        counts.push(AgeCount { label, count, query: Form::of(ends).query() });
    }
    Ok(counts)
}

/// The worst open risks that are above their targets.
async fn above_target(request: &PageRequest, tx: &mut db::Tx, scales: &Scales) -> Result<Vec<Risk>> {
    let filter = RiskFilter { status: vec![RiskStatus::Open], ..Default::default() };
    let sort = Sort { by: RiskSort::CurrentScore, direction: Direction::Descending };
    let asked = ListQuery { view: View::now(), filter, sort, after: None };
    let worst = store::risks::list_graded(tx, request.id(), &asked, scales, COMPARED).await?.rows;
    let is_above = |risk: &Risk| {
        let grades = risk.grades.current.as_ref().zip(risk.grades.target.as_ref());
        grades.is_some_and(|(current, target)| current.order > target.order)
    };
    Ok(worst.into_iter().filter(is_above).take(usize::try_from(SHOWN).unwrap_or_default()).collect())
}

impl HomePage {
    /// Whether nothing waits for the person.
    fn is_idle(&self) -> bool {
        self.is_without_duties() && self.unassigned.is_empty()
    }

    /// Whether nothing waits for the person but what nobody has taken yet.
    fn is_without_duties(&self) -> bool {
        let own = [self.mine.len(), self.tasks.len(), self.proposals.len(), self.reviews.len()];
        let OwnRisks { late, happened, decisions, to_confirm } = &self.risks;
        let risks = [late.len(), happened.len(), decisions.len(), to_confirm.len(), self.exceptions.len()];
        own.into_iter().chain(risks).sum::<usize>() == 0
    }

    /// What a comment that mentions the person says, without the marks of Markdown, and with their name in the place of
    /// their address.
    fn said(&self, comment: &Mentioning) -> String {
        render::plain(&comment.note.text).replace(&self.address, &format!("@{}", self.frame.name))
    }
}

/// The proposals and the requests for exceptions that wait for the person.
async fn of_documents(
    request: &PageRequest,
    tx: &mut db::Tx,
) -> Result<(Vec<Waiting>, Vec<ExceptionDetails>)> {
    if !request.may(Scope::DocumentsRead) {
        return Ok(Default::default());
    }
    let (may_approve, actor) = (request.may(Scope::DocumentsApprove), request.member.actor());
    let proposals = store::proposals::waiting(tx, request.id(), &actor, may_approve, SHOWN).await?;
    if !may_approve {
        return Ok((proposals, Vec::new()));
    }
    let exceptions = store::exceptions::waiting(tx, request.id(), &actor, SHOWN).await?;
    Ok((proposals, exceptions))
}

/// The documents of the person whose review is late.
async fn reviews(request: &PageRequest, tx: &mut db::Tx, me: UserId) -> Result<Vec<Document>> {
    if !request.may(Scope::DocumentsRead) {
        return Ok(Vec::new());
    }
    let filter = DocumentFilter {
        status: vec![DocumentStatus::Published],
        owner: vec![Some(me)],
        review: vec![ReviewStatus::Overdue],
        ..DocumentFilter::default()
    };
    Ok(store::documents::list(tx, request.id(), &filter, None, SHOWN).await?.rows)
}

/// The risks of the person, and the worst that are above their targets, for who may read them.
async fn risks(request: &PageRequest, tx: &mut db::Tx, me: UserId) -> Result<(OwnRisks, Vec<Risk>)> {
    if !request.may(Scope::RisksRead) {
        return Ok(Default::default());
    }
    let scales = store::scales::known(tx, request.id(), View::now()).await?;
    let own = own_risks(request, tx, &scales, me).await?;
    Ok((own, above_target(request, tx, &scales).await?))
}

async fn own_risks(request: &PageRequest, tx: &mut db::Tx, scales: &Scales, me: UserId) -> Result<OwnRisks> {
    let reviews = DueFilter { review: vec![ReviewDue::Overdue], ..DueFilter::default() };
    let evaluations = DueFilter { evaluation: vec![EvaluationDue::Overdue], ..DueFilter::default() };
    let mut late: Vec<Risk> = Vec::new();
    for due in [reviews, evaluations] {
        let filter = RiskFilter { owner: vec![Some(me)], due, ..RiskFilter::default() };
        let sort = Sort { by: RiskSort::NextReviewDate, direction: Direction::Ascending };
        let asked = ListQuery { view: View::now(), filter, sort, after: None };
        let mut found = store::risks::list_graded(tx, request.id(), &asked, scales, SHOWN).await?.rows;
        found.retain(|it| !late.iter().any(|other| other.number == it.number));
        late.append(&mut found);
    }
    let happened = store::risks::happened(tx, request.id(), &request.viewer(), me, SHOWN).await?;
    let (actor, scopes) = (request.member.actor(), request.permissions().scopes());
    let (decisions, to_confirm) =
        store::acceptances::waiting(tx, request.id(), scales, (&actor, scopes), SHOWN).await?;
    Ok(OwnRisks { late, happened, decisions, to_confirm })
}

async fn tasks(request: &PageRequest, tx: &mut db::Tx, me: UserId) -> Result<Vec<TaskDetails>> {
    let filter = TaskFilter {
        owner: vec![Some(me)],
        status: domain::task::TaskStatus::OPEN.to_vec(),
        ..Default::default()
    };
    let asked = ListQuery { view: View::now(), filter, sort: Sort::default(), after: None };
    Ok(store::tasks::list(tx, request.id(), &request.viewer(), &asked, SHOWN).await?.rows)
}

/// The parts of a bar whose whole is all open incidents.
fn shares(counts: &[(Severity, i64)]) -> Vec<SeverityCount> {
    let total: i64 = counts.iter().map(|(_, count)| count).sum();
    let hundredths = |count: i64| match total {
        0 => 0,
        _ => count * 10_000 / total,
    };
    let percent = |hundredths: i64| format!("{}.{:02}%", hundredths / 100, hundredths % 100);
    let mut before = 0;
    let share = |(severity, count): &(Severity, i64)| {
        let start = percent(hundredths(before));
        before += count;
        SeverityCount { severity: *severity, count: *count, start, width: percent(hundredths(*count)) }
    };
    counts.iter().map(share).collect()
}
