//! `POST /o/{slug}/incidents/bulk`: one change of many incidents. It is asked for, tried without changing anything, and then
//! made, with one undo for the whole.

use std::collections::HashMap;

use askama::Template;
use domain::bulk::{BulkOperation, ItemOutcome, ItemResult};
use domain::incident::{Incident, ResolutionReason, Status};
use domain::person::Member;
use domain::tag::Tag;
use domain::{IncidentNumber, Scope};
use store::incidents::{BulkChange, Target, change_many};
use web::Error;
use web::http::answer::Answer;
use web::http::query::Query;
use web::http::write::Transaction;
use web::input::{incident_changes, tags};

use super::list::asked_for;
use super::trash::chosen;
use super::{READ, WRITE};
use crate::frame::form::{As, Form, Problems};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// The most rows of a table, people or tags that the page has.
const SHOWN: usize = 100;

domain::words! {
    "ConsoleBulk"
    /// What is changed.
    enum What {
        /// Who works on them.
        Assign = "assign",
        /// Their status.
        Status = "status",
        /// A tag is put on.
        Tag = "tag",
        /// A tag is taken off.
        Untag = "untag",
    }
}

impl What {
    /// The members of the operation, as the form has them.
    fn members(self) -> &'static [(&'static str, As)] {
        match self {
            Self::Assign => &[("assigned_to", As::TextOrNull)],
            Self::Status => &[
                ("to", As::Text),
                ("reason", As::TextOrNull),
                ("resolution_reason", As::TextOrNull),
                ("resolution_summary", As::TextOrNull),
            ],
            Self::Tag | Self::Untag => &[("tag_id", As::Text)],
        }
    }

    /// Reads the operation.
    fn read(self, form: &Form, request: &PageRequest) -> Result<BulkOperation> {
        let (members, clock) = (self.members(), &request.clock);
        let change = |patch| BulkOperation::Change(Box::new(patch));
        Ok(match self {
            Self::Assign => change(form.read_as(members, clock, incident_changes::read_patch)?),
            Self::Status => change(form.read_as(members, clock, incident_changes::read_transition)?),
            Self::Tag => BulkOperation::Tag(form.read_as(members, clock, tags::read_id)?),
            Self::Untag => BulkOperation::Untag(form.read_as(members, clock, tags::read_id)?),
        })
    }

    fn title(self) -> &'static str {
        match self {
            Self::Assign => texts::ASSIGN_INCIDENTS,
            Self::Status => texts::CHANGE_THE_STATUS_OF_INCIDENTS,
            Self::Tag => texts::PUT_A_TAG_ON_INCIDENTS,
            Self::Untag => texts::TAKE_A_TAG_OFF_INCIDENTS,
        }
    }
}

#[derive(Template)]
#[template(path = "incidents/bulk.html")]
struct BulkPage {
    frame: Layout,
    what: What,
    form: Form,
    people: Vec<Member>,
    tags: Vec<Tag>,
    problems: Problems,
    /// What would become of each; none before it was tried.
    tried: Option<Tried>,
}

/// The results of a dry run, those that are refused first.
struct Tried {
    changed: usize,
    unchanged: usize,
    failed: usize,
    gone: usize,
    rows: Vec<Row>,
    total: usize,
    /// Those that the change is made of: what matches a filter only later is not among them.
    ids: String,
}

struct Row {
    number: IncidentNumber,
    title: String,
    status: Option<Status>,
    outcome: &'static str,
    badge: &'static str,
    problem: Option<String>,
}

/// `POST /o/{slug}/incidents/bulk`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(READ)?;
    request.require(WRITE)?;
    let form = request.form().await?;
    let (Some(what), Some(target)) = (what(&form), target(&form, &request)?) else {
        return Ok(request.lead_to("/incidents", texts::NOTHING_WAS_CHOSEN));
    };
    let step = form.text("step").to_owned();
    if step.is_empty() {
        return request.show(&bulk_page(&request, what, form, None, Problems::default()).await?);
    }
    let operation = match what.read(&form, &request) {
        Ok(operation) => operation,
        Err(error) => return refused(&request, what, form, error).await,
    };
    let bulk = BulkChange { target, operation, is_atomic: form.has("atomic") };
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        change_many(tx, organization, author, &bulk).await
    };
    if step == "try" {
        return match request.dry_run(change).await {
            Ok(results) => {
                let page = bulk_page(&request, what, form, Some(results), Problems::default()).await?;
                request.show(&page)
            }
            Err(error) => refused(&request, what, form, error).await,
        };
    }
    let to = back(&request, &form);
    let respond = move |results: Vec<ItemResult>| Ok(told(Tried::count(&results).changed, to.clone()));
    match request.write_with(&form, Transaction::Own, change, respond).await {
        Ok(answer) => {
            let changed = count_told(&answer);
            let text = texts::are_changed(changed);
            Ok(request.lead(answer, text, changed > 0))
        }
        Err(error) => refused(&request, what, form, error).await,
    }
}

/// An answer that leads to a page and tells how many were changed, also when it is given again.
pub(super) fn told(changed: usize, to: String) -> Answer {
    let rows = u64::try_from(changed).unwrap_or(u64::MAX);
    Answer { changed_rows: rows, body: changed.to_string().into(), ..Answer::see_other(to) }
}

/// How many such an answer says.
pub(super) fn count_told(answer: &Answer) -> usize {
    std::str::from_utf8(&answer.body).ok().and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// The page again, with what was wrong.
async fn refused(request: &PageRequest, what: What, form: Form, error: Error) -> Result {
    let problems = Problems::of(error)?;
    request.show_again(&bulk_page(request, what, form, None, problems).await?)
}

fn what(form: &Form) -> Option<What> {
    What::ALL.iter().copied().find(|what| form.is("do", what.as_str()))
}

/// The incidents that are ticked, or all of the list that they were ticked in.
pub(super) fn target(form: &Form, request: &PageRequest) -> Result<Option<Target>> {
    if form.has("all") {
        let text = list_query(form).query();
        let mut query = Query::new(Some(&text));
        let filter = asked_for(&mut query, request);
        query.finish()?;
        return Ok(Some(Target::Filter(Box::new(filter))));
    }
    let ids = chosen(form);
    Ok((!ids.is_empty()).then_some(Target::Ids(ids)))
}

/// The list that they were ticked in.
pub(super) fn back(request: &PageRequest, form: &Form) -> String {
    let list = Form::of_query(form.text("query")).query_with("cursor", None);
    request.to(&format!("/incidents{}", list.trim_end_matches('?')))
}

/// The filters of the list.
fn list_query(form: &Form) -> Form {
    Form::of_query(form.text("query")).filled().without(&["sort", "cursor", "limit"])
}

async fn bulk_page(
    request: &PageRequest,
    what: What,
    form: Form,
    results: Option<Vec<ItemResult>>,
    problems: Problems,
) -> Result<BulkPage> {
    let mut tx = request.read().await?;
    let (organization, most) = (request.id(), i64::try_from(SHOWN).unwrap_or(i64::MAX));
    let (asks, may_read_tags) = (results.is_none(), request.may(Scope::TagsRead));
    let people = match what {
        What::Assign if asks => store::people::list(&mut tx, organization, &[], None, most).await?,
        _ => Vec::new(),
    };
    let tags = match what {
        What::Tag | What::Untag if asks && may_read_tags => {
            store::tags::list(&mut tx, organization, None, most).await?.rows
        }
        _ => Vec::new(),
    };
    let tried = match results {
        Some(results) => Some(Tried::read(&mut tx, request, &results).await?),
        None => None,
    };
    let frame = Layout::of(request, &mut tx, what.title(), Section::Incidents).await?;
    Ok(BulkPage { frame, what, form, people, tags, problems, tried })
}

impl Tried {
    fn count(results: &[ItemResult]) -> Self {
        let count = |is: fn(&ItemOutcome) -> bool| results.iter().filter(|it| is(&it.outcome)).count();
        Self {
            changed: count(|it| *it == ItemOutcome::Changed),
            unchanged: count(|it| *it == ItemOutcome::Unchanged),
            failed: count(|it| matches!(it, ItemOutcome::Failed(_))),
            gone: count(|it| *it == ItemOutcome::NotFound),
            rows: Vec::new(),
            total: results.len(),
            ids: String::new(),
        }
    }

    async fn read(tx: &mut db::Tx, request: &PageRequest, results: &[ItemResult]) -> Result<Self> {
        let mut sorted: Vec<&ItemResult> = results.iter().collect();
        sorted.sort_by_key(|it| match it.outcome {
            ItemOutcome::Failed(_) => 0,
            ItemOutcome::NotFound => 1,
            ItemOutcome::Changed => 2,
            ItemOutcome::Unchanged => 3,
        });
        sorted.truncate(SHOWN);
        // What is not found is not told of: it may be deleted, or not for the person to see.
        let found = sorted.iter().filter(|it| it.outcome != ItemOutcome::NotFound);
        let numbers: Vec<IncidentNumber> = found.map(|it| it.id).collect();
        let found = store::incidents::get_many(tx, request.id(), &request.viewer(), &numbers).await?;
        let found: HashMap<IncidentNumber, Incident> = found.into_iter().map(|it| (it.number, it)).collect();
        let rows = sorted.into_iter().map(|it| Row::of(it, found.get(&it.id))).collect();
        let is_meant = |it: &&ItemResult| matches!(it.outcome, ItemOutcome::Changed | ItemOutcome::Failed(_));
        let ids: Vec<String> = results.iter().filter(is_meant).map(|it| it.id.to_string()).collect();
        Ok(Self { rows, ids: ids.join(" "), ..Self::count(results) })
    }
}

impl Row {
    fn of(result: &ItemResult, incident: Option<&Incident>) -> Self {
        let (outcome, badge, problem) = match &result.outcome {
            ItemOutcome::Changed => (texts::WOULD_CHANGE, "blue", None),
            ItemOutcome::Unchanged => (texts::IS_SO_ALREADY, "", None),
            ItemOutcome::NotFound => (texts::NOT_FOUND, "", None),
            ItemOutcome::Failed(error) => {
                let (_, title, detail) = Error::from(error.clone()).in_words();
                ("refused", "bad", Some(if detail.is_empty() { title } else { detail }))
            }
        };
        Self {
            number: result.id,
            title: incident.map(|it| it.title.clone()).unwrap_or_default(),
            status: incident.map(|it| it.status),
            outcome,
            badge,
            problem,
        }
    }
}

impl BulkPage {
    /// What was sent, to be sent again: which incidents, and from the second step on what is done to them.
    fn hidden(&self) -> Vec<(String, String)> {
        let members = self.what.members();
        let is_kept = |name: &str| match name {
            "step" | "once" | "atomic" => false,
            "ids" | "all" => self.tried.is_none(),
            _ => self.tried.is_some() || !members.iter().any(|(member, _)| *member == name),
        };
        let fields = self.form.clone().into_fields().into_iter().filter(|(name, _)| is_kept(name));
        let ids = self.tried.iter().map(|tried| ("ids".to_owned(), tried.ids.clone()));
        fields.chain(ids).collect()
    }

    /// How many are meant.
    fn meant(&self) -> String {
        match chosen(&self.form).len() {
            _ if self.form.has("all") => texts::ALL_INCIDENTS_OF_THE_LIST.to_owned(),
            1 => "1 incident".to_owned(),
            count => format!("{count} incidents"),
        }
    }

    fn statuses(&self) -> &'static [Status] {
        Status::ALL
    }

    fn reasons(&self) -> &'static [ResolutionReason] {
        ResolutionReason::ALL
    }
}
