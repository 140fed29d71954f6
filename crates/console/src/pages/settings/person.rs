//! `/o/{slug}/settings/people/{id}`: the role of a member, what they are responsible for, and their removal.

use askama::Template;
use domain::duty::Duty;
use domain::incident::Viewer;
use domain::person::Member;
use domain::{ExpectedVersion, ResourceKind, Role, Scope, Scopes, UserId};
use store::duties::DutiesOf;
use web::Error;
use web::http::answer::Answer;
use web::http::write::Transaction;
use web::input::users::{read_handover, read_patch};

use super::{MANAGE_PEOPLE, READ_PEOPLE};
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// The most people that can take over.
const MOST_PEOPLE: i64 = 200;

#[derive(Template)]
#[template(path = "settings/person.html")]
struct PersonPage {
    frame: Layout,
    it: Member,
    duties: DutiesOf,
    others: Vec<Member>,
    may_manage: bool,
    may_hand_over: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/settings/people/{id}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = person_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/settings/people/{id}`: changes the name or the role.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(MANAGE_PEOPLE)?;
    let id = id(&request)?;
    let form = request.form().await?;
    let (to, version) = (address(&request, id), form.text("version").parse().unwrap_or_default());
    let changed = async {
        let members = [("name", As::Text), ("role", As::Text)];
        let patch = form.read_as(&members, &request.clock, read_patch)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            let expected = ExpectedVersion::OneOf(vec![version]);
            store::people::update(tx, organization, author, id, &expected, &patch).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let changed = changed.await;
    let again = async |problems| person_page(&request, form, problems).await;
    request.answer(changed, (texts::MEMBER_CHANGED, false), again).await
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
        let handover = form.read_as(&[("to", As::Text)], &request.clock, read_handover)?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::duties::hand_over(tx, organization, author, &kinds, (from, handover.to)).await
        };
        let respond = move |_| Ok(Answer::see_other(to.clone()));
        request.write_with(&form, Transaction::Own, change, respond).await
    };
    let moved = moved.await;
    let again = async |problems| person_page(&request, form, problems).await;
    request.answer(moved, (texts::DUTIES_HANDED_OVER, false), again).await
}

/// `POST /o/{slug}/settings/people/{id}/remove`: a member with duties is removed only if the form says so.
pub(crate) async fn remove(mut request: PageRequest) -> Result {
    request.require(MANAGE_PEOPLE)?;
    let id = id(&request)?;
    let form = request.form().await?;
    let (to, keeps) = (request.to("/settings/people"), form.has("keep"));
    let version = form.text("version").parse().unwrap_or_default();
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        if !keeps {
            let (viewer, kinds) = (Viewer::of(author), Duty::known_to(author.scopes()));
            store::duties::none_left(tx, organization, &viewer, &kinds, id).await?;
        }
        let expected = ExpectedVersion::OneOf(vec![version]);
        store::people::remove(tx, organization, author, id, &expected).await
    };
    let removed = request.write(&form, change, move |()| to.clone()).await;
    let again = async |problems| person_page(&request, form, problems).await;
    request.answer(removed, (texts::MEMBER_REMOVED, false), again).await
}

fn id(request: &PageRequest) -> Result<UserId> {
    request.path(0, ResourceKind::User, UserId::parse)
}

fn address(request: &PageRequest, id: UserId) -> String {
    request.to(&format!("/settings/people/{id}"))
}

async fn person_page(request: &PageRequest, form: Form, problems: Problems) -> Result<PersonPage> {
    request.require(READ_PEOPLE)?;
    let (id, organization) = (id(request)?, request.id());
    let scopes = request.permissions().scopes();
    let mut tx = request.read().await?;
    let it = store::people::get(&mut tx, organization, id).await?;
    let it = it.ok_or(Error::not_found(ResourceKind::User))?;
    let kinds = Duty::known_to(scopes);
    let duties = store::duties::get(&mut tx, organization, &request.viewer(), &kinds, id).await?;
    let may_hand_over = !Duty::handed_over_by(scopes).is_empty();
    let others = match may_hand_over {
        true => store::people::first(&mut tx, organization, MOST_PEOPLE).await?,
        false => Vec::new(),
    };
    let others = others.into_iter().filter(|other| other.person.id != id).collect();
    let frame = Layout::of(request, &mut tx, it.person.name.clone(), Section::Settings).await?;
    let may_manage = request.may(Scope::UsersAdmin);
    Ok(PersonPage { frame, it, duties, others, may_manage, may_hand_over, form, problems })
}

impl PersonPage {
    /// The address of the page.
    fn address(&self) -> String {
        format!("{}/settings/people/{}", self.frame.base, self.it.person.id)
    }

    fn roles(&self) -> &'static [Role] {
        Role::ALL
    }

    fn is_role(&self, role: &Role) -> bool {
        if self.form.has("role") { self.form.is("role", role.as_str()) } else { self.it.role == *role }
    }

    fn name(&self) -> &str {
        if self.form.has("name") { self.form.text("name") } else { &self.it.person.name }
    }
}
