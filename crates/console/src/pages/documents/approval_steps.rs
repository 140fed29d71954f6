//! `/o/{slug}/documents/{document}/proposals/{number}/steps`: the steps in which a document is approved from the next version on.

use std::collections::HashSet;

use askama::Template;
use db::Tx;
use domain::document::{
    ApprovalStep, ApprovingPeople, Document, MAX_STEPS, Proposal, ProposalPatch, StepWhen,
};
use domain::group::Group;
use domain::person::Member;
use domain::{Author, Error as E, Faults, OrgId, Role, word};
use http::Error;
use http::json::{self, Json};
use store::groups::GroupFilter;
use store::people::MemberFilter;

use super::WRITE;
use super::proposal::which;
use super::shown_step::StepNames;
use crate::frame::form::{Form, MOST_CHOICES};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::save::save;
use crate::texts;

/// So many empty rows follow the steps.
const EMPTY_ROWS: usize = 2;

#[derive(Template)]
#[template(path = "documents/approval_steps.html")]
struct StepsPage {
    frame: Layout,
    it: Document,
    proposal: Proposal,
    groups: Vec<Group>,
    people: Vec<Member>,
    /// What steps name that is not among these, such as several people or a deleted group.
    others: Vec<(String, String)>,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/documents/{document}/proposals/{number}/steps`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = steps_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/documents/{document}/proposals/{number}/steps`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let sent = request.form().await?;
    let (slug, number) = which(&request)?;
    let (request, sent, slug) = (&request, &sent, slug.as_str());
    let current = || async move {
        let mut tx = request.read().await?;
        let draft = store::proposals::draft(&mut tx, request.id(), slug, number, None).await?;
        Ok(form_of(&draft.document.approval_steps, draft.proposal.version))
    };
    let write = |form: Form| async move {
        let to = request.to(&format!("/documents/{slug}/proposals/{number}"));
        let (expected, patch) = (form.expected(), patch(&form).map_err(|error| at_fields(error, &form))?);
        let slug = slug.to_owned();
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            store::proposals::change(tx, organization, author, (&slug, number), &expected, &patch).await
        };
        let written = request.write(sent, change, move |_| to.clone()).await;
        written.map_err(|error| at_fields(error, &form))
    };
    let (changed, form) = save(sent.clone(), &request.clock, current, write).await;
    let again = async |problems| steps_page(request, Some(form), problems).await;
    request.answer(changed, (texts::STEPS_CHANGED, false), again).await
}

/// The name of a field of a row.
fn field(row: usize, name: &str) -> String {
    format!("approval_steps_{row}_{name}")
}

/// The rows with a step: those with a name.
fn filled(form: &Form) -> impl Iterator<Item = usize> {
    (0..MAX_STEPS).filter(|row| !form.text(&field(*row, "name")).trim().is_empty())
}

/// The same error where faults of a step are at the fields of its row.
fn at_fields(error: Error, form: &Form) -> Error {
    let Error::Domain(E::Invalid(faults)) = error else { return error };
    let mut at_fields = Faults::new();
    for fault in faults {
        let place = fault.pointer.strip_prefix("#/approval_steps/").and_then(|rest| rest.split_once('/'));
        let row = place.and_then(|(step, name)| Some((filled(form).nth(step.parse().ok()?)?, name)));
        match row {
            Some((row, name)) => {
                let name = if matches!(name, "name" | "needed" | "when") { name } else { "who" };
                let sentence = texts::in_step(row + 1, &fault.sentence());
                at_fields.add(format_args!("#/{}", field(row, name)), fault.code, sentence);
            }
            None => at_fields.add(fault.pointer, fault.code, fault.detail),
        }
    }
    Error::Domain(E::Invalid(at_fields))
}

/// The body that the form stands for; `who` may name a role, a group or people after a colon.
fn patch(form: &Form) -> Result<ProposalPatch, Error> {
    let steps = filled(form).map(|row| {
        let text = |name: &str| form.text(&field(row, name)).to_owned();
        let string = |text: &str| Json::String(text.to_owned().into());
        let (who, needed) = (text("who"), text("needed"));
        let (who, which) = who.split_once(':').unwrap_or((&who, ""));
        let mut step = vec![
            ("name".into(), Json::String(text("name").into())),
            ("who".into(), string(who)),
            ("needed".into(), needed.parse().map_or_else(|_| string(&needed), Json::Integer)),
            ("when".into(), Json::String(text("when").into())),
        ];
        match ApprovingPeople::parse(who) {
            Some(ApprovingPeople::Role) => step.push(("role".into(), string(which))),
            Some(ApprovingPeople::Group) => step.push(("group".into(), string(which))),
            Some(ApprovingPeople::Users) => {
                step.push(("users".into(), Json::Array(which.split(' ').map(string).collect())));
            }
            _ => {}
        }
        Json::Object(step)
    });
    let body = Json::Object(vec![("approval_steps".into(), Json::Array(steps.collect()))]);
    json::read_value(body, domain::json::body)
}

/// What the choice of people says of a step.
fn who(step: &ApprovalStep) -> String {
    let which = match step.who {
        ApprovingPeople::Approvers => return step.who.as_str().to_owned(),
        ApprovingPeople::Role => step.role.map(|role| role.as_str().to_owned()),
        ApprovingPeople::Group => step.group.map(|group| group.to_string()),
        ApprovingPeople::Users => {
            let users: Vec<_> = step.users.iter().flatten().map(ToString::to_string).collect();
            Some(users.join(" "))
        }
    };
    format!("{}:{}", step.who.as_str(), which.unwrap_or_default())
}

/// The form as it is shown first: every row, and what it was.
fn form_of(steps: &[ApprovalStep], version: i64) -> Form {
    let values = (0..MAX_STEPS).flat_map(|row| {
        let values = match steps.get(row) {
            Some(it) => [it.name.to_string(), who(it), it.needed.to_string(), it.when.as_str().to_owned()],
            None => {
                ["", ApprovingPeople::Approvers.as_str(), "1", StepWhen::Always.as_str()].map(str::to_owned)
            }
        };
        ["name", "who", "needed", "when"].map(|name| field(row, name)).into_iter().zip(values)
    });
    let values: Vec<_> = values.collect();
    Form::with_originals(values.iter().map(|(name, value)| (name.as_str(), value.clone())), version)
}

async fn steps_page(request: &PageRequest, form: Option<Form>, problems: Problems) -> Result<StepsPage> {
    request.require(WRITE)?;
    let (slug, number) = which(request)?;
    let (organization, mut tx) = (request.id(), request.read().await?);
    let draft = store::proposals::draft(&mut tx, organization, &slug, number, None).await?;
    let steps = &draft.document.approval_steps;
    let frame = Layout::of(request, &mut tx, texts::APPROVAL_STEPS, Section::Documents).await?;
    let groups =
        store::groups::list(&mut tx, organization, &GroupFilter::default(), None, MOST_CHOICES).await?.rows;
    let filter = MemberFilter { roles: vec![Role::Approver, Role::Admin], ..MemberFilter::default() };
    let people = store::people::list(&mut tx, organization, &filter, None, MOST_CHOICES).await?;
    let names = StepNames::read(&mut tx, organization, &steps.iter().collect::<Vec<_>>()).await?;
    let offered: HashSet<String> = std::iter::once(ApprovingPeople::Approvers.as_str().to_owned())
        .chain(roles().map(|(value, _)| value))
        .chain(groups.iter().map(|group| format!("group:{}", group.id)))
        .chain(people.iter().map(|it| format!("users:{}", it.person.id)))
        .collect();
    let others = steps.iter().map(|step| (who(step), names.who(step)));
    let others = others.filter(|(value, _)| !offered.contains(value)).collect();
    let form = form.unwrap_or_else(|| form_of(steps, draft.proposal.version));
    let (it, proposal) = (draft.document.document, draft.proposal);
    Ok(StepsPage { frame, it, proposal, groups, people, others, form, problems })
}

/// The roles to choose from: those that may approve.
fn roles() -> impl Iterator<Item = (String, String)> {
    let roles = [Role::Approver, Role::Admin].into_iter();
    roles.map(|role| (format!("role:{}", role.as_str()), word::label(role.as_str())))
}

impl StepsPage {
    fn address(&self) -> String {
        format!("{}/documents/{}/proposals/{}", self.frame.base, self.it.slug, self.proposal.number)
    }

    /// The rows of the form: those with a step, and some that are empty.
    fn rows(&self) -> std::ops::Range<usize> {
        let last = filled(&self.form).last();
        0..(last.map_or(0, |row| row + 1) + EMPTY_ROWS).min(MAX_STEPS)
    }

    fn field_name(&self, row: &usize, name: &str) -> String {
        field(*row, name)
    }

    fn roles(&self) -> impl Iterator<Item = (String, String)> {
        roles()
    }

    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }

    fn whens(&self) -> [(&'static str, &'static str); 2] {
        [
            (StepWhen::Always.as_str(), texts::EACH_VERSION),
            (StepWhen::Material.as_str(), texts::MATERIAL_VERSIONS),
        ]
    }
}
