//! `/o/{slug}/documents/{document}/proposals/{number}/steps`: the steps in which a document is approved from the next version on.

use std::collections::HashMap;

use askama::Template;
use db::Tx;
use domain::document::{
    ApprovalStep, ApprovingPeople, Document, MAX_STEPS, Proposal, ProposalPatch, StepWhen,
};
use domain::group::Group;
use domain::person::{Member, Person};
use domain::{Author, OrgId, Role, UserId, word};
use http::Error;
use http::json::{self, Json};
use store::groups::GroupFilter;
use store::people::MemberFilter;

use super::WRITE;
use super::proposal::which;
use super::shown_step::names;
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// The most groups and people that are shown to choose from.
const MOST: i64 = 200;

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
    /// Several people whom a step names, and their names.
    several: Vec<(String, String)>,
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
    let form = request.form().await?;
    let (slug, number) = which(&request)?;
    let to = request.to(&format!("/documents/{slug}/proposals/{number}"));
    let changed = async {
        let (expected, patch) = (form.expected(), patch(&form)?);
        let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            store::proposals::change(tx, organization, author, (&slug, number), &expected, &patch).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let changed = changed.await;
    let again = async |problems| steps_page(&request, Some(form), problems).await;
    request.answer(changed, (texts::STEPS_CHANGED, false), again).await
}

/// The name of a field of a row.
fn field(row: usize, name: &str) -> String {
    format!("approval_steps_{row}_{name}")
}

/// The body that the form stands for. A row without a name is no step; `who` may name a role, a group or people after a colon.
fn patch(form: &Form) -> Result<ProposalPatch, Error> {
    let rows = (0..MAX_STEPS).filter(|row| !form.text(&field(*row, "name")).trim().is_empty());
    let steps = rows.map(|row| {
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

fn form_of(steps: &[ApprovalStep]) -> Form {
    let values = steps.iter().enumerate().flat_map(|(row, step)| {
        [
            (field(row, "name"), step.name.to_string()),
            (field(row, "who"), who(step)),
            (field(row, "needed"), step.needed.to_string()),
            (field(row, "when"), step.when.as_str().to_owned()),
        ]
    });
    let values: Vec<_> = values.collect();
    Form::of(values.iter().map(|(name, value)| (name.as_str(), value.clone())))
}

async fn steps_page(request: &PageRequest, form: Option<Form>, problems: Problems) -> Result<StepsPage> {
    request.require(WRITE)?;
    let (slug, number) = which(request)?;
    let (organization, mut tx) = (request.id(), request.read().await?);
    let draft = store::proposals::draft(&mut tx, organization, &slug, number, None).await?;
    let steps = &draft.document.approval_steps;
    let frame = Layout::of(request, &mut tx, texts::APPROVAL_STEPS, Section::Documents).await?;
    let groups = store::groups::list(&mut tx, organization, &GroupFilter::default(), None, MOST).await?.rows;
    let filter = MemberFilter { roles: vec![Role::Approver, Role::Admin], ..MemberFilter::default() };
    let people = store::people::list(&mut tx, organization, &filter, None, MOST).await?;
    let users: Vec<UserId> = steps.iter().flat_map(|step| step.users.clone().unwrap_or_default()).collect();
    let known: HashMap<UserId, Person> = store::people::named(&mut tx, organization, users).await?;
    let is_single =
        |step: &ApprovalStep| people.iter().any(|it| who(step) == format!("users:{}", it.person.id));
    let several = steps.iter().filter(|step| step.who == ApprovingPeople::Users && !is_single(step));
    let several = several.map(|step| (who(step), names(step, &known))).collect();
    let form = form.unwrap_or_else(|| form_of(steps));
    let (it, proposal) = (draft.document.document, draft.proposal);
    Ok(StepsPage { frame, it, proposal, groups, people, several, form, problems })
}

impl StepsPage {
    fn address(&self) -> String {
        format!("{}/documents/{}/proposals/{}", self.frame.base, self.it.slug, self.proposal.number)
    }

    /// The rows of the form: those with a step, and some that are empty.
    fn rows(&self) -> std::ops::Range<usize> {
        let filled = (0..MAX_STEPS).rfind(|row| self.form.has(&field(*row, "name")));
        0..(filled.map_or(0, |row| row + 1) + EMPTY_ROWS).min(MAX_STEPS)
    }

    fn field_name(&self, row: &usize, name: &str) -> String {
        field(*row, name)
    }

    fn roles(&self) -> impl Iterator<Item = (String, String)> {
        let roles = [Role::Approver, Role::Admin].into_iter();
        roles.map(|role| (format!("role:{}", role.as_str()), word::label(role.as_str())))
    }

    fn whens(&self) -> [(&'static str, &'static str); 2] {
        [
            (StepWhen::Always.as_str(), texts::EACH_VERSION),
            (StepWhen::Material.as_str(), texts::MATERIAL_VERSIONS),
        ]
    }
}
