//! `POST /o/{slug}/documents/bulk`: changes many documents of the list at once, tags or untags them, or asks people to acknowledge
//! them. It is asked for, tried without changing anything, and then made.

use std::collections::HashMap;

use db::Tx;
use domain::acknowledgement::NewAcknowledgementRequest;
use domain::document::{Document, PropertiesPatch, chosen_slugs};
use domain::group::Group;
use domain::tag::TagReference;
use domain::{OrgId, Role, json, word};
use http::Error;
use lists::document_bulk;
use lists::input::document_filter;
use store::document_bulk::{BulkChange, Operation, Results};
use store::groups::GroupFilter;

use super::acknowledgements::asked_people;
use super::{READ, WRITE};
use crate::frame::form::{As, Form, MOST_CHOICES};
use crate::frame::layout::Section;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::pages::listed::bulk::{
    About, BulkPage, Field, Input, Now, Record, Tried, back, changed_count, count_told, form_problems,
    labelled, shown, target, told,
};
use crate::texts;

/// The members that say whom a request means: of its body, and of the operation.
const WHO: [&str; 6] = ["group", "role", "users", "operation_group", "operation_role", "operation_users"];

domain::words! {
    "ConsoleDocumentBulk"
    /// What is done.
    pub(crate) enum What {
        /// People are asked to acknowledge them.
        Ask = "ask",
        /// Another owner.
        Owner = "owner",
        /// The days from one review to the next.
        Review = "review",
        /// The days until they are acknowledged again.
        Repeat = "repeat",
        /// A tag is put on.
        Tag = "tag",
        /// A tag is taken off.
        Untag = "untag",
    }
}

/// The buttons below the list.
pub(super) fn buttons() -> impl Iterator<Item = (&'static str, &'static str)> {
    What::ALL.iter().map(|what| (what.as_str(), what.label()))
}

impl What {
    fn label(self) -> &'static str {
        match self {
            Self::Ask => texts::ASK_TO_ACKNOWLEDGE,
            Self::Owner => texts::CHANGE_OWNER,
            Self::Review => texts::CHANGE_REVIEWS,
            Self::Repeat => texts::CHANGE_REPEATS,
            Self::Tag => texts::TAG,
            Self::Untag => texts::REMOVE_TAG,
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Ask => texts::ASK_TO_ACKNOWLEDGE_DOCUMENTS,
            Self::Owner => texts::CHANGE_DOCUMENT_OWNER,
            Self::Review => texts::CHANGE_DOCUMENT_REVIEWS,
            Self::Repeat => texts::CHANGE_DOCUMENT_REPEATS,
            Self::Tag => texts::ADD_TAG_TO_DOCUMENTS,
            Self::Untag => texts::REMOVE_TAG_FROM_DOCUMENTS,
        }
    }

    /// What the page asks for.
    fn fields(self, groups: &[Group]) -> Vec<Field> {
        let field = |name, sent_as, label, note, input| Field { name, sent_as, label, note, input };
        let days = |name, label, note| field(name, As::Integer, label, note, Input::Line(4));
        match self {
            Self::Ask => vec![
                field("who", As::Text, texts::WHO, "", Input::Word(who(groups))),
                days("due_days", texts::DAYS_TO_ACKNOWLEDGE, texts::OPTIONAL),
            ],
            Self::Owner => vec![field("owner", As::TextOrNull, texts::OWNER, "", Input::Person)],
            Self::Review => {
                vec![days("review_every_days", texts::DAYS_BETWEEN_REVIEWS, texts::EMPTY_FOR_NONE)]
            }
            Self::Repeat => vec![days(
                "acknowledge_every_days",
                texts::DAYS_BETWEEN_ACKNOWLEDGEMENTS,
                texts::EMPTY_FOR_NONE,
            )],
            Self::Tag | Self::Untag => vec![Field::tag()],
        }
    }

    /// Reads what was filled in.
    fn read(self, form: &Form, request: &PageRequest) -> Result<Operation> {
        if self == Self::Ask {
            let (body, members) = asked_people(form);
            let new = body.read_as(&members, &request.clock, json::body::<NewAcknowledgementRequest>)?;
            return Ok(Operation::Ask(Box::new(new)));
        }
        let members: Vec<_> = self.fields(&[]).into_iter().map(|field| (field.name, field.sent_as)).collect();
        let tag = || form.read_as::<TagReference>(&members, &request.clock, json::body);
        Ok(match self {
            Self::Tag => Operation::Tag(tag()?.tag_id),
            Self::Untag => Operation::Untag(tag()?.tag_id),
            _ => {
                let patch = form.read_as(&members, &request.clock, json::body::<PropertiesPatch>)?;
                Operation::Update(Box::new(patch))
            }
        })
    }
}

/// Whom a request can mean: everyone, a role or a group.
fn who(groups: &[Group]) -> Vec<(String, String)> {
    let everyone = [("all".to_owned(), texts::EVERYONE.to_owned())].into_iter();
    let role =
        |role: &Role| (format!("role:{}", role.as_str()), texts::with_role(word::label(role.as_str())));
    let group = |group: &Group| (format!("group:{}", group.id), texts::in_group(&group.name));
    everyone.chain(Role::ALL.iter().map(role)).chain(groups.iter().map(group)).collect()
}

/// `POST /o/{slug}/documents/bulk`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(READ)?;
    request.require(WRITE)?;
    let form = request.form().await?;
    let target =
        target(&form, chosen(&form)?, |query| document_filter::read(query, &request.member.actor()))?;
    let (Some(what), Some(target)) = (What::parse(form.text("do")), target) else {
        return Ok(request.lead_to("/documents", texts::NOTHING_SELECTED));
    };
    let step = form.text("step").to_owned();
    if step.is_empty() {
        return request.show(&page(&request, what, form, None, None).await?);
    }
    let operation = match what.read(&form, &request) {
        Ok(operation) => operation,
        Err(error) => return refused(&request, what, form, error).await,
    };
    let bulk = BulkChange { target, operation, is_atomic: form.has("atomic") };
    let write = request.write_of(&form);
    if step == "try" {
        return match document_bulk::plan(write, &bulk).await {
            Ok(results) => request.show(&page(&request, what, form, Some(results), None).await?),
            Err(error) => refused(&request, what, form, error).await,
        };
    }
    let to = back(&request.to("/documents"), &form);
    let respond = move |results: Results| Ok(told(changed_count(&results), to.clone()));
    match document_bulk::change(write, bulk, respond).await {
        Ok(answer) => {
            let changed = count_told(&answer);
            Ok(match what {
                What::Ask => request.lead(answer, texts::asked_about(changed), false),
                _ => request.lead(answer, texts::updated(changed, texts::A_DOCUMENT), changed > 0),
            })
        }
        Err(error) => refused(&request, what, form, error).await,
    }
}

/// The page again, with what was wrong.
async fn refused(request: &PageRequest, what: What, form: Form, error: Error) -> Result {
    let problems = Problems::of(error)?.asked_by("who", &WHO);
    let problems = labelled(problems, request, &what.fields(&[]));
    request.show_again(&page(request, what, form, None, Some(problems)).await?)
}

/// The page that asks what is done, with what would become of each document.
async fn page(
    request: &PageRequest,
    what: What,
    form: Form,
    results: Option<Results>,
    problems: Option<Problems>,
) -> Result<BulkPage> {
    let (organization, mut tx) = (request.id(), request.read().await?);
    let groups = match what {
        What::Ask => {
            store::groups::list(&mut tx, organization, &GroupFilter::default(), None, MOST_CHOICES)
                .await?
                .rows
        }
        _ => Vec::new(),
    };
    let fields = what.fields(&groups);
    let found = results.as_ref().map(|results| form_problems(request, &fields, results));
    let problems = problems.or(found).unwrap_or_default();
    let tried = match &results {
        Some(results) => {
            let found = records(&mut tx, organization, &shown(results)).await?;
            Some(Tried::of(request, &fields, results, found))
        }
        None => None,
    };
    let about = About {
        title: what.title(),
        section: Section::Documents,
        list: request.to("/documents"),
        back: back(&request.to("/documents"), &form),
        list_name: texts::DOCUMENTS,
        id_name: texts::ADDRESS,
        words: texts::A_DOCUMENT,
        chosen: chosen(&form)?.len(),
        can_undo: what != What::Ask,
        undo_note: "",
    };
    BulkPage::of(request, &mut tx, about, (form, fields), tried, problems).await
}

/// These documents as the table shows them.
async fn records(
    tx: &mut Tx,
    organization: OrgId,
    slugs: &[String],
) -> store::Result<HashMap<String, Record>> {
    let found = store::documents::among(tx, organization, slugs).await?;
    let record = |it: Document| (it.slug, Record { title: it.title, now: Now::Document(it.status) });
    Ok(found.into_iter().map(record).collect())
}

/// The documents whose boxes are ticked, or that are named with spaces between them.
fn chosen(form: &Form) -> Result<Vec<String>> {
    Ok(chosen_slugs(form.all("ids").flat_map(str::split_whitespace))?)
}
