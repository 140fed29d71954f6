//! Changing many records of a list at once: it is asked for, tried without changing anything, and then made, with one undo for
//! the whole. Incidents and risks each have an [`Operation`] that says what can be done to them.

mod page;
mod tried;

use std::collections::HashMap;
use std::future::Future;

use db::Tx;
use domain::bulk::{BulkOperation, ItemOutcome, ItemResult};
use domain::{Scope, Word};
use store::bulk::{Bulk, BulkChange, Target, Writes};
use web::Error;
use web::http::answer::Answer;
use web::http::query::Query;

use crate::frame::form::{As, Form};
use crate::frame::layout::Section;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts::{self, Noun};

use page::BulkPage;
pub(super) use tried::{Now, Record};

/// A field of the form that asks for the members of an operation.
pub(super) struct Field {
    /// Its name, which is that of the member.
    pub(super) name: &'static str,
    /// How it is sent.
    pub(super) sent_as: As,
    /// Its label.
    pub(super) label: &'static str,
    /// What the label says besides.
    pub(super) note: &'static str,
    /// How it is filled in.
    pub(super) input: Input,
}

impl Field {
    /// The tag that is put on or taken off.
    pub(super) fn tag() -> Self {
        Self { name: "tag_id", sent_as: As::Text, label: texts::TAG, note: "", input: Input::Tag }
    }
}

/// How a field is filled in.
pub(super) enum Input {
    /// A person of the organization is chosen, or nobody.
    Person,
    /// A tag is chosen.
    Tag,
    /// A word of a list is chosen: the words with their labels.
    Word(Vec<(&'static str, String)>),
    /// A time is chosen.
    Time,
    /// A text of one line is written, of at most so many characters.
    Line(usize),
    /// A text is written.
    Prose,
}

/// What can be done to many records of a kind at once.
pub(super) trait Operation: Word {
    /// The kind of record.
    type Record: Bulk;
    /// What the records are called.
    const NOUN: Noun;
    /// The address of their list within the organization.
    const ADDRESS: &'static str;
    /// What their list is called.
    const LIST_NAME: &'static str;
    /// Where the navigation has them.
    const SECTION: Section;
    /// What reading them needs: one of these.
    const READ: &'static [Scope];
    /// What changing them needs.
    const WRITE: &'static [Scope];
    /// What deleting them needs.
    const DELETE: &'static [Scope];

    /// The words of the button below the list.
    fn label(self) -> &'static str;

    /// The title of the page.
    fn title(self) -> &'static str;

    /// What the page asks for.
    fn fields(self) -> Vec<Field>;

    /// Reads what was filled in.
    fn read(self, form: &Form, request: &PageRequest) -> Result<BulkOperation<Patch<Self>>>;

    /// Reads the filters of the list.
    fn filter(query: &mut Query<'_>, request: &PageRequest) -> Filter<Self>;

    /// Reads a number that is ticked.
    fn number(text: &str) -> Option<Number<Self>>;

    /// Those of these records that the person sees.
    fn records(
        tx: &mut Tx,
        request: &PageRequest,
        numbers: &[Number<Self>],
    ) -> impl Future<Output = store::Result<HashMap<Number<Self>, Record>>> + Send;
}

type Number<O> = <<O as Operation>::Record as Bulk>::Number;
type Filter<O> = <<O as Operation>::Record as Bulk>::Filter;
type Patch<O> = <<O as Operation>::Record as Bulk>::Patch;

/// The members of an operation, as the form has them.
pub(super) fn members(operation: impl Operation) -> Vec<(&'static str, As)> {
    operation.fields().into_iter().map(|field| (field.name, field.sent_as)).collect()
}

/// The buttons below a list.
pub(super) fn buttons<O: Operation>() -> Vec<(&'static str, &'static str)> {
    O::ALL.iter().map(|operation| (operation.as_str(), operation.label())).collect()
}

/// `POST …/bulk`
pub(super) async fn submit<O: Operation>(mut request: PageRequest) -> Result {
    request.require(O::READ)?;
    request.require(O::WRITE)?;
    let form = request.form().await?;
    let (Some(operation), Some(target)) = (O::parse(form.text("do")), target::<O>(&form, &request)?) else {
        return Ok(request.lead_to(O::ADDRESS, texts::NOTHING_WAS_CHOSEN));
    };
    let step = form.text("step").to_owned();
    if step.is_empty() {
        return request.show(&BulkPage::read(&request, operation, form, None, Problems::default()).await?);
    }
    let read = match operation.read(&form, &request) {
        Ok(read) => read,
        Err(error) => return refused(&request, operation, form, error).await,
    };
    let writes = if form.has("atomic") { Writes::One } else { Writes::Several };
    let bulk = BulkChange { target, operation: read, writes };
    let write = request.write_of(&form);
    if step == "try" {
        return match write.plan_many::<O::Record>(&bulk).await {
            Ok(results) => {
                let problems = form_problems(&request, operation, &results);
                let page = BulkPage::read(&request, operation, form, Some(results), problems).await?;
                request.show(&page)
            }
            Err(error) => refused(&request, operation, form, error).await,
        };
    }
    let to = back::<O>(&request, &form);
    let respond = move |results: &[ItemResult<Number<O>>]| Ok(told(changed_count(results), to.clone()));
    match write.change_many::<O::Record>(bulk, respond).await {
        Ok(answer) => {
            let changed = count_told(&answer);
            Ok(request.lead(answer, texts::are_changed(changed, O::NOUN), changed > 0))
        }
        Err(error) => refused(&request, operation, form, error).await,
    }
}

/// `POST …/delete`: moves the chosen records to the trash.
pub(super) async fn delete<O: Operation>(mut request: PageRequest) -> Result {
    request.require(O::DELETE)?;
    let form = request.form().await?;
    let Some(target) = target::<O>(&form, &request)? else {
        return Ok(request.lead_to(O::ADDRESS, texts::NOTHING_WAS_CHOSEN));
    };
    let to = back::<O>(&request, &form);
    let bulk = BulkChange { target, operation: BulkOperation::Delete, writes: Writes::Several };
    let respond = move |results: &[ItemResult<Number<O>>]| Ok(told(changed_count(results), to.clone()));
    let answer = request.write_of(&form).change_many::<O::Record>(bulk, respond).await?;
    let deleted = count_told(&answer);
    let text = match chosen::<O>(&form).as_slice() {
        [number] if deleted == 1 => texts::is_in_the_trash(number),
        _ => texts::are_in_the_trash(deleted, O::NOUN),
    };
    Ok(request.lead(answer, text, deleted > 0))
}

fn changed_count<N>(results: &[ItemResult<N>]) -> usize {
    results.iter().filter(|it| it.outcome == ItemOutcome::Changed).count()
}

/// An answer that leads to a page and tells how many were changed, also when it is given again.
fn told(changed: usize, to: String) -> Answer {
    let rows = u64::try_from(changed).unwrap_or(u64::MAX);
    Answer { changed_rows: rows, body: changed.to_string().into(), ..Answer::see_other(to) }
}

/// How many such an answer says.
fn count_told(answer: &Answer) -> usize {
    std::str::from_utf8(&answer.body).ok().and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// The page again, with what was wrong.
async fn refused<O: Operation>(request: &PageRequest, operation: O, form: Form, error: Error) -> Result {
    let problems = labelled(Problems::of(error)?, request, operation);
    request.show_again(&BulkPage::read(request, operation, form, None, problems).await?)
}

/// What is wrong with the form if nothing would be changed by it: each fault of those that are refused, once.
fn form_problems<O: Operation>(
    request: &PageRequest,
    operation: O,
    results: &[ItemResult<Number<O>>],
) -> Problems {
    let faults = results.iter().filter_map(|it| match &it.outcome {
        ItemOutcome::Failed(domain::Error::Invalid(faults)) => Some(faults.iter()),
        _ => None,
    });
    match changed_count(results) {
        0 => labelled(Problems::at_fields(faults.flatten()), request, operation),
        _ => Problems::default(),
    }
}

/// The problems with the labels of the fields of an operation.
fn labelled(problems: Problems, request: &PageRequest, operation: impl Operation) -> Problems {
    let fields = operation.fields();
    let label = |name: &str| fields.iter().find(|field| field.name == name).map(|field| field.label);
    problems.labelled(label, &request.clock)
}

/// The records whose boxes are ticked, or that are named with spaces between them.
fn chosen<O: Operation>(form: &Form) -> Vec<Number<O>> {
    form.all("ids").flat_map(str::split_whitespace).filter_map(O::number).collect()
}

/// The records that are ticked, or all of the list that they were ticked in.
fn target<O: Operation>(form: &Form, request: &PageRequest) -> Result<Option<Target<Number<O>, Filter<O>>>> {
    if form.has("all") {
        let list = Form::of_query(form.text("query")).filled().without(&["sort", "cursor", "limit"]).query();
        let mut query = Query::new(Some(&list));
        let filter = O::filter(&mut query, request);
        query.finish()?;
        return Ok(Some(Target::Filter(Box::new(filter))));
    }
    let ids = chosen::<O>(form);
    Ok((!ids.is_empty()).then_some(Target::Ids(ids)))
}

/// The list that they were ticked in, from its beginning.
fn back<O: Operation>(request: &PageRequest, form: &Form) -> String {
    let list = Form::of_query(form.text("query")).query_with("cursor", None);
    request.to(&format!("{}{}", O::ADDRESS, list.trim_end_matches('?')))
}
