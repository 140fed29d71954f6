//! `/o/{slug}/settings/people/{id}`: the roles of a member, what they are responsible for, and their removal.

use askama::Template;
use domain::duty::{Duty, Handover};
use domain::group::Group;
use domain::incident::Viewer;
use domain::json;
use domain::person::{Member, MemberPatch};
use domain::{ResourceKind, Role, Scope, Scopes, UserId};
use http::Error;
use http::answer::Answer;
use http::write::Transaction;
use store::duties::DutiesOf;
use store::groups::GroupFilter;

use super::offer::{self, Offer};
use super::{MANAGE_PEOPLE, READ_PEOPLE};
use crate::frame::form::{As, Form, MOST_CHOICES};
use crate::frame::layout::{Layout, Section};
use crate::frame::news;
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::save::save;
use crate::texts;

/// The members that can be changed, as the form has them.
const MEMBERS: &[(&str, As)] = &[("name", As::Text), ("job_title", As::TextOrNull), ("roles", As::List)];

/// The most groups that are shown.
const MOST_GROUPS: i64 = 200;

#[derive(Template)]
#[template(path = "settings/person.html")]
pub(super) struct PersonPage {
    frame: Layout,
    it: Member,
    duties: DutiesOf,
    groups: Vec<Group>,
    others: Vec<Member>,
    may_manage: bool,
    /// About the password.
    offer: Option<Offer>,
    may_hand_over: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/settings/people/{id}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = person_page(&request, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/settings/people/{id}`: changes the name, the job title or the roles.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(MANAGE_PEOPLE)?;
    let id = id(&request)?;
    let sent = request.form().await?;
    let (request, sent) = (&request, &sent);
    let current = || async move {
        let mut tx = request.read().await?;
        Ok(form_of(&read(request, &mut tx).await?))
    };
    let write = |form: Form| async move {
        let (to, expected, version) = (address(request, id), form.expected(), form.version());
        let members = form.changed(MEMBERS, &request.clock);
        let patch = form.read_as(&members, &request.clock, json::body::<MemberPatch>)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::people::update(tx, organization, author, id, &expected, &patch).await
        };
        let next = move |it: Member| Next::after(Some(it.version) != version, to.clone());
        request.write(sent, change, next).await
    };
    let (changed, form) = save(sent.clone(), &request.clock, current, write).await;
    let again = async |problems| person_page(request, Some(form), problems).await;
    request.answer(changed, (texts::MEMBER_UPDATED, false), again).await
}

/// `POST /o/{slug}/settings/people/{id}/handover`: gives the duties to somebody else.
pub(crate) async fn hand_over(mut request: PageRequest) -> Result {
    let from = id(&request)?;
    let kinds = Duty::handed_over_by(request.permissions().scopes());
    let needed: Scopes = kinds.iter().map(|duty| duty.writes()).collect();
    if kinds.is_empty() {
        request.require(&[Scope::IncidentsWrite, Scope::RisksWrite, Scope::DocumentsWrite])?;
    }
    request.permissions().require(needed)?;
    let form = request.form().await?;
    let to = address(&request, from);
    let moved = async {
        let handover = form.read_as(&[("to", As::Text)], &request.clock, json::body::<Handover>)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::duties::hand_over(tx, organization, author, &kinds, (from, handover.to)).await
        };
        let respond = move |_| Ok(Answer::see_other(to.clone()));
        request.write_with(&form, Transaction::Own, change, respond).await
    };
    let moved = moved.await;
    let again = async |problems| person_page(&request, None, problems).await;
    request.answer(moved, (texts::RESPONSIBILITIES_HANDED_OVER, false), again).await
}

/// `POST /o/{slug}/settings/people/{id}/remove`: a member with duties is removed only if the form says so.
pub(crate) async fn remove(mut request: PageRequest) -> Result {
    request.require(MANAGE_PEOPLE)?;
    let id = id(&request)?;
    let form = request.form().await?;
    let (to, keeps) = (request.to("/settings/people"), form.has("keep"));
    let expected = form.expected();
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        if !keeps {
            let (viewer, kinds) = (Viewer::of(author), Duty::known_to(author.scopes()));
            store::duties::none_left(tx, organization, &viewer, &kinds, id).await?;
        }
        store::people::remove(tx, organization, author, id, &expected).await
    };
    let removed = request.write(&form, change, move |()| to.clone()).await;
    let again = async |problems| person_page(&request, None, problems).await;
    request.answer(removed, (texts::MEMBER_REMOVED, false), again).await
}

fn id(request: &PageRequest) -> Result<UserId> {
    request.path(0, ResourceKind::User, UserId::parse)
}

fn address(request: &PageRequest, id: UserId) -> String {
    request.to(&format!("/settings/people/{id}"))
}

/// The member in the path.
pub(super) async fn read(request: &PageRequest, tx: &mut db::Tx) -> Result<Member> {
    let found = store::people::get(tx, request.id(), id(request)?).await?;
    found.ok_or(Error::not_found(ResourceKind::User))
}

/// The form as it is shown first: every field, and what it was.
fn form_of(it: &Member) -> Form {
    let roles = it.roles.iter().map(|role| ("roles", role.as_str().to_owned()));
    let job_title = it.job_title.as_deref().unwrap_or_default().to_owned();
    let values = [("name", it.person.name.clone()), ("job_title", job_title)].into_iter().chain(roles);
    Form::with_originals(values, it.version)
}

pub(super) async fn person_page(
    request: &PageRequest,
    form: Option<Form>,
    problems: Problems,
) -> Result<PersonPage> {
    request.require(READ_PEOPLE)?;
    let (id, organization) = (id(request)?, request.id());
    let scopes = request.permissions().scopes();
    let mut tx = request.read().await?;
    let it = read(request, &mut tx).await?;
    let form = form.unwrap_or_else(|| form_of(&it));
    let record = ("membership", id.to_string());
    let problems = news::of_record(request, &mut tx, record, None, problems).await?;
    let kinds = Duty::known_to(scopes);
    let duties = store::duties::get(&mut tx, organization, &request.viewer(), &kinds, id).await?;
    let filter = GroupFilter { members: vec![id], ..GroupFilter::default() };
    let groups = store::groups::list(&mut tx, organization, &filter, None, MOST_GROUPS).await?.rows;
    let may_hand_over = !Duty::handed_over_by(scopes).is_empty();
    let others = match may_hand_over {
        true => store::people::first(&mut tx, organization, MOST_CHOICES).await?,
        false => Vec::new(),
    };
    let others = others.into_iter().filter(|other| other.person.id != id).collect();
    let offer = offer::offer(request, &mut tx, &it).await?;
    let frame = Layout::of(request, &mut tx, it.person.name.clone(), Section::Settings).await?;
    let may_manage = request.may(Scope::UsersAdmin);
    Ok(PersonPage { frame, it, duties, groups, others, may_manage, offer, may_hand_over, form, problems })
}

impl PersonPage {
    /// The address of the page.
    fn address(&self) -> String {
        format!("{}/settings/people/{}", self.frame.base, self.it.person.id)
    }

    fn roles(&self) -> &'static [Role] {
        Role::ALL
    }

    fn has_role(&self, role: &Role) -> bool {
        self.form.is("roles", role.as_str())
    }

    fn hidden(&self) -> impl Iterator<Item = (&str, &str)> {
        self.form.hidden()
    }
}
