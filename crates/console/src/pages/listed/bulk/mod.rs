//! Changing many records of a list at once: it is asked for, tried without changing anything, and then made, with one undo for
//! the whole. Each kind of record has an [`Operation`] that says what can be done to them.

mod page;
mod tried;

use std::collections::HashMap;
use std::future::Future;

use db::Tx;
use domain::Word;
use domain::bulk::{BulkOperation, ItemOutcome, ItemResult};
use http::Error;
use http::answer::Answer;
use http::query::Query;
use store::bulk::{Bulk, BulkChange, Target, Writes};

use crate::frame::form::{As, Form};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

use super::{Noun, chosen, to_list};
pub(crate) use page::{About, BulkPage};
pub(crate) use tried::{Now, Record, Tried, shown};

/// A field of the form that asks for the members of an operation.
pub(crate) struct Field {
    /// Its name, which is that of the member.
    pub(crate) name: &'static str,
    /// How it is sent.
    pub(crate) sent_as: As,
    /// Its label.
    pub(crate) label: &'static str,
    /// What the label says besides.
    pub(crate) note: &'static str,
    /// How it is filled in.
    pub(crate) input: Input,
}

impl Field {
    /// The tag that is put on or taken off.
    pub(crate) fn tag() -> Self {
        Self { name: "tag_id", sent_as: As::Text, label: texts::TAG, note: "", input: Input::Tag }
    }
}

/// How a field is filled in.
pub(crate) enum Input {
    /// A person of the organization is chosen, or nobody.
    Person,
    /// A tag is chosen.
    Tag,
    /// A word of a list is chosen: the words with their labels.
    Word(Vec<(String, String)>),
    /// A time is chosen.
    Time,
    /// A text of one line is written, of at most so many characters.
    Line(usize),
    /// A text is written.
    Prose,
}

/// What can be done to many records of a kind at once.
pub(crate) trait Operation: Word {
    /// The kind of record.
    type Record: Noun<Operation = Self>;

    /// The words of the button below the list.
    fn label(self) -> &'static str;

    /// The title of the page.
    fn title(self) -> &'static str;

    /// What the page asks for.
    fn fields(self) -> Vec<Field>;

    /// What the preview says about undoing it, besides that this is possible; empty for nothing.
    fn undo_note(self, _form: &Form) -> &'static str {
        ""
    }

    /// Reads what was filled in.
    fn read(self, form: &Form, request: &PageRequest) -> Result<BulkOperation<Patch<Self>>>;

    /// Those of these records that the person sees.
    fn records(
        tx: &mut Tx,
        request: &PageRequest,
        numbers: &[Number<Self>],
    ) -> impl Future<Output = store::Result<HashMap<Number<Self>, Record>>> + Send;
}

/// The number of a record of an operation.
pub(crate) type Number<O> = <<O as Operation>::Record as Bulk>::Number;
type Patch<O> = <<O as Operation>::Record as Bulk>::Patch;

/// The members of an operation, as the form has them.
pub(crate) fn members(operation: impl Operation) -> Vec<(&'static str, As)> {
    operation.fields().into_iter().map(|field| (field.name, field.sent_as)).collect()
}

/// The buttons below a list.
pub(crate) fn buttons<O: Operation>() -> Vec<(&'static str, &'static str)> {
    O::ALL.iter().map(|operation| (operation.as_str(), operation.label())).collect()
}

/// `POST …/bulk`
pub(in crate::pages) async fn submit<N: Noun>(mut request: PageRequest) -> Result {
    request.require(N::READ)?;
    request.require(N::WRITE)?;
    let form = request.form().await?;
    let (Some(operation), Some(target)) =
        (N::Operation::parse(form.text("do")), target_of::<N>(&form, &request)?)
    else {
        return Ok(request.lead_to(&format!("/{}", N::NAME), texts::NOTHING_SELECTED));
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
        return match write.plan_many::<N>(&bulk).await {
            Ok(results) => {
                let problems = form_problems(&request, &operation.fields(), &results);
                let page = BulkPage::read(&request, operation, form, Some(results), problems).await?;
                request.show(&page)
            }
            Err(error) => refused(&request, operation, form, error).await,
        };
    }
    let to = back(&to_list::<N>(&request), &form);
    let respond = move |results: &[ItemResult<N::Number>]| Ok(told(changed_count(results), to.clone()));
    match write.change_many::<N>(bulk, respond).await {
        Ok(answer) => {
            let changed = count_told(&answer);
            Ok(request.lead(answer, texts::updated(changed, N::WORDS), changed > 0))
        }
        Err(error) => refused(&request, operation, form, error).await,
    }
}

/// `POST …/delete`: moves the chosen records to the trash.
pub(in crate::pages) async fn delete<N: Noun>(mut request: PageRequest) -> Result {
    request.require(N::DELETE)?;
    let form = request.form().await?;
    let Some(target) = target_of::<N>(&form, &request)? else {
        return Ok(request.lead_to(&format!("/{}", N::NAME), texts::NOTHING_SELECTED));
    };
    let to = back(&to_list::<N>(&request), &form);
    let bulk = BulkChange { target, operation: BulkOperation::Delete, writes: Writes::Several };
    let respond = move |results: &[ItemResult<N::Number>]| Ok(told(changed_count(results), to.clone()));
    let answer = request.write_of(&form).change_many::<N>(bulk, respond).await?;
    let deleted = count_told(&answer);
    let text = match chosen::<N>(&form).as_slice() {
        [number] if deleted == 1 => texts::record_deleted(number),
        _ => texts::moved_to_trash(deleted, N::WORDS),
    };
    Ok(request.lead(answer, text, deleted > 0))
}

pub(crate) fn changed_count<N>(results: &[ItemResult<N>]) -> usize {
    results.iter().filter(|it| it.outcome == ItemOutcome::Changed).count()
}

/// An answer that leads to a page and tells how many were changed, also when it is given again.
pub(crate) fn told(changed: usize, to: String) -> Answer {
    let rows = u64::try_from(changed).unwrap_or(u64::MAX);
    Answer { changed_rows: rows, body: changed.to_string().into(), ..Answer::see_other(to) }
}

/// How many such an answer says.
pub(crate) fn count_told(answer: &Answer) -> usize {
    std::str::from_utf8(&answer.body).ok().and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// The page again, with what was wrong.
async fn refused<O: Operation>(request: &PageRequest, operation: O, form: Form, error: Error) -> Result {
    let problems = labelled(Problems::of(error)?, request, &operation.fields());
    request.show_again(&BulkPage::read(request, operation, form, None, problems).await?)
}

/// What is wrong with the form if nothing would be changed by it: each fault of those that are refused, once.
pub(crate) fn form_problems<N>(
    request: &PageRequest,
    fields: &[Field],
    results: &[ItemResult<N>],
) -> Problems {
    let faults = results.iter().filter_map(|it| match &it.outcome {
        ItemOutcome::Failed(domain::Error::Invalid(faults)) => Some(faults.iter()),
        _ => None,
    });
    match changed_count(results) {
        0 => labelled(Problems::at_fields(faults.flatten()), request, fields),
        _ => Problems::default(),
    }
}

/// The problems with the labels of the fields of an operation.
pub(crate) fn labelled(problems: Problems, request: &PageRequest, fields: &[Field]) -> Problems {
    let label = |name: &str| fields.iter().find(|field| field.name == name).map(|field| field.label);
    problems.labelled(label, &request.clock)
}

fn target_of<N: Noun>(form: &Form, request: &PageRequest) -> Result<Option<Target<N::Number, N::Filter>>> {
    target(form, chosen::<N>(form), |query| N::FILTER(query, request))
}

/// The records that are ticked, or all of the list that they were ticked in.
pub(crate) fn target<N, F>(
    form: &Form,
    chosen: Vec<N>,
    filter: impl FnOnce(&mut Query<'_>) -> F,
) -> Result<Option<Target<N, F>>> {
    if form.has("all") {
        let list = Form::of_query(form.text("query")).filled().without(&["sort", "cursor", "limit"]).query();
        let mut query = Query::typed(Some(&list));
        let filter = filter(&mut query);
        query.finish()?;
        return Ok(Some(Target::Filter(Box::new(filter))));
    }
    Ok((!chosen.is_empty()).then_some(Target::Ids(chosen)))
}

/// The list with this address that they were ticked in, from its beginning.
pub(crate) fn back(list: &str, form: &Form) -> String {
    let query = Form::of_query(form.text("query")).query_with("cursor", None);
    format!("{list}{}", query.trim_end_matches('?'))
}
