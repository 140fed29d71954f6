//! `/o/{slug}/documents/{document}/acknowledgements`: who has acknowledged a document, who is asked to, and asking.

use std::collections::{HashMap, HashSet};

use askama::Template;
use domain::acknowledgement::{
    AcknowledgementRequest, AcknowledgementStatus, AskedPeople, Coverage, NewAcknowledgementRequest,
    PersonCoverage, Totals,
};
use domain::document::Document;
use domain::group::Group;
use domain::person::Member;
use domain::{
    AcknowledgementRequestId, Author, Error as E, GroupId, OrgId, ResourceKind, Role, Scope, UserId, json,
    word,
};
use http::Error;
use http::page::{List, Page};
use jiff::Timestamp;
use lists::acknowledgement_file::AcknowledgementList;
use lists::export::Acknowledgements;
use lists::printed_file::Form as FileForm;
use store::acknowledgements::DocumentCoverage;
use store::groups::GroupFilter;
use store::people::MemberFilter;
use uuid::Uuid;

use super::show::slug;
use super::{READ, WRITE};
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// The most groups, requests, and people to choose from, that are shown at once.
const MOST: i64 = 200;

/// The button of a form that shows other people to choose from: those after the member that it names, the first ones without one.
pub(super) const TURN: &str = "turn";

#[derive(Template)]
#[template(path = "documents/acknowledgements.html")]
pub(super) struct AcknowledgementsPage {
    frame: Layout,
    it: Document,
    rows: Vec<PersonCoverage>,
    totals: Totals,
    /// The statuses that are shown; all without any.
    status: Vec<AcknowledgementStatus>,
    next: Option<String>,
    is_first: bool,
    /// The query of the file with these rows.
    search: String,
    requests: Vec<AcknowledgementRequest>,
    groups: Vec<Group>,
    /// A page of the members to choose from: those after the member `after`. More follow after `more_people`.
    people: Vec<Member>,
    after: Option<UserId>,
    more_people: Option<UserId>,
    may_ask: bool,
    /// The SHA-256 of the newest text, for those who may record an acknowledgement of it.
    newest: Option<String>,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/documents/{document}/acknowledgements`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = acknowledgements_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// The list that a file is asked for: of which document, as the person sees it, and with which statuses.
async fn asked_for(
    request: &PageRequest,
    tx: &mut db::Tx,
) -> Result<(String, DocumentCoverage, Vec<AcknowledgementStatus>)> {
    request.require(READ)?;
    let slug = slug(request)?;
    let mut query = request.query();
    let status = query.words("status");
    query.finish()?;
    let coverage = store::acknowledgements::coverage(tx, request.id(), &slug, None).await?;
    Ok((slug, coverage.seen_by(&request.member.actor(), request.permissions().scopes()), status))
}

/// `GET /o/{slug}/documents/{document}/acknowledgements/export`
pub(crate) async fn file(request: PageRequest) -> Result {
    let (organization, mut tx) = (request.id(), request.read().await?);
    let (_, coverage, status) = asked_for(&request, &mut tx).await?;
    let lines = Acknowledgements::for_spreadsheet(request.spreadsheet());
    Acknowledgements { organization, coverage, status }.file(&mut tx, &lines).await
}

/// `GET /o/{slug}/documents/{document}/acknowledgements/word` and `…/pdf`
pub(crate) async fn printed(request: PageRequest, form: FileForm) -> Result {
    let (organization, mut tx) = (request.id(), request.read().await?);
    let (slug, coverage, status) = asked_for(&request, &mut tx).await?;
    let list = AcknowledgementList::read(&mut tx, organization, &slug, (coverage, status)).await?;
    drop(tx);
    list.file(&request.app, form).await
}

/// `POST /o/{slug}/documents/{document}/acknowledgements`: asks people to acknowledge the newest version.
pub(crate) async fn ask(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let slug = slug(&request)?;
    let form = request.form().await?;
    if form.has(TURN) {
        return request.show(&acknowledgements_page(&request, form, Problems::default()).await?);
    }
    let number: i64 = form.text("number").parse().unwrap_or_default();
    let to = request.to(&format!("/documents/{slug}/acknowledgements"));
    let asked = async {
        let (body, members) = asked_people(&form);
        let new = body.read_as(&members, &request.clock, json::body::<NewAcknowledgementRequest>)?;
        let change = async move |tx: &mut db::Tx, organization, author: &Author| {
            store::acknowledgements::request(tx, organization, author, (&slug, number), &new).await
        };
        request.write(&form, change, move |_| to.clone()).await
    };
    let asked = asked.await;
    let again = async |problems| acknowledgements_page(&request, form, problems).await;
    request.answer(asked, (texts::PEOPLE_ASKED, false), again).await
}

/// The body that the form stands for: `who` may name a role or a group after a colon.
pub(super) fn asked_people(form: &Form) -> (Form, Vec<(&'static str, As)>) {
    let mut members = vec![("who", As::Text), ("due_days", As::Integer)];
    let (who, which) = form.text("who").split_once(':').unwrap_or((form.text("who"), ""));
    let mut body = Form::of([("who", who.to_owned()), ("due_days", form.text("due_days").to_owned())]);
    match AskedPeople::parse(who) {
        Some(AskedPeople::Role) => {
            members.push(("role", As::Text));
            body = body.and([("role", which.to_owned())]);
        }
        Some(AskedPeople::Group) => {
            members.push(("group", As::Text));
            body = body.and([("group", which.to_owned())]);
        }
        Some(AskedPeople::Users) => {
            members.push(("users", As::List));
            body = body.and(form.all("users").map(|id| ("users", id.to_owned())));
        }
        _ => {}
    }
    (body, members)
}

/// `POST /o/{slug}/documents/{document}/acknowledgements/{request}/end`: nobody is asked by a request any more.
pub(crate) async fn end(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let slug = slug(&request)?;
    let id = request.path(1, ResourceKind::AcknowledgementRequest, AcknowledgementRequestId::parse)?;
    let form = request.form().await?;
    let path = format!("/documents/{slug}/acknowledgements");
    let to = request.to(&path);
    let change = async move |tx: &mut db::Tx, organization, author: &Author| {
        store::acknowledgements::end(tx, organization, author, &slug, id).await
    };
    match request.write(&form, change, move |()| to.clone()).await {
        Ok(answer) => Ok(request.lead(answer, texts::REQUEST_ENDED, false)),
        Err(Error::Domain(E::NotFound(ResourceKind::AcknowledgementRequest))) => {
            Ok(request.lead_to(&path, texts::REQUEST_HAS_ENDED))
        }
        Err(error) => Err(error),
    }
}

/// The page with what was typed into one of its forms.
pub(super) async fn acknowledgements_page(
    request: &PageRequest,
    form: Form,
    problems: Problems,
) -> Result<AcknowledgementsPage> {
    request.require(READ)?;
    let (slug, organization) = (slug(request)?, request.id());
    let mut query = request.query();
    let page = Page::<(String, Uuid)>::read(&request.list_id(), &mut query);
    let status = query.words("status");
    let chosen_after = query.parsed("after", texts::MEMBER_EXPECTED, UserId::parse);
    query.finish()?;
    let chosen_after = if form.has(TURN) { UserId::parse(form.text(TURN)) } else { chosen_after };
    let mut tx = request.read().await?;
    let it = store::documents::get(&mut tx, organization, &slug).await?.document;
    let coverage = store::acknowledgements::coverage(&mut tx, organization, &slug, None).await?;
    let coverage = coverage.seen_by(&request.member.actor(), request.permissions().scopes());
    let after = page.after.clone().map(|(name, id)| (name, UserId(id)));
    let found = coverage.page(&status, after.as_ref(), page.limit);
    let position = |row: &PersonCoverage| (row.person.name.clone(), row.person.id.uuid());
    let shown = List::of(&request.list_id(), found, None, position, |row| row);
    let requests = store::acknowledgements::requests(&mut tx, organization, &slug, None, MOST).await?.rows;
    let groups = store::groups::list(&mut tx, organization, &GroupFilter::default(), None, MOST).await?.rows;
    let may_ask = request.may(Scope::DocumentsWrite) && it.published_version.is_some();
    let (people, more_people) = match may_ask {
        true => people_after(&mut tx, organization, chosen_after).await?,
        false => (Vec::new(), None),
    };
    let newest = match it.published_version.filter(|_| may_ask) {
        Some(newest) => {
            Some(store::documents::version(&mut tx, organization, &slug, newest).await?.version.sha256)
        }
        None => None,
    };
    let title = texts::acknowledgements_of(&it.title);
    let frame = Layout::of(request, &mut tx, title, Section::Documents).await?;
    Ok(AcknowledgementsPage {
        frame,
        it,
        rows: shown.data,
        totals: coverage.totals,
        status,
        // A cursor belongs to the address of the page, and not to that of a form which is shown again.
        next: shown.next_cursor.filter(|_| problems.is_empty() && !form.has(TURN)),
        is_first: page.after.is_none(),
        search: request.asked().filled().without(&["cursor", "limit", "after"]).query(),
        requests,
        groups,
        people,
        after: chosen_after,
        more_people,
        may_ask,
        newest,
        form,
        problems,
    })
}

/// Members to choose from, by name: those after one of them, and the last of them if more follow.
async fn people_after(
    tx: &mut db::Tx,
    organization: OrgId,
    after: Option<UserId>,
) -> store::Result<(Vec<Member>, Option<UserId>)> {
    let after = match after {
        Some(id) => store::people::get(tx, organization, id).await?,
        None => None,
    };
    let after = after.map(|member| (member.person.name, member.person.id));
    let found = store::people::list(tx, organization, &MemberFilter::default(), after, MOST + 1).await?;
    let store::Page { rows, has_more } = store::Page::cut(found, MOST);
    let last = rows.last().filter(|_| has_more).map(|member| member.person.id);
    Ok((rows, last))
}

impl AcknowledgementsPage {
    /// The address of the page.
    fn address(&self) -> String {
        format!("{}/documents/{}/acknowledgements", self.frame.base, self.it.slug)
    }

    /// The statuses with the numbers of their rows.
    fn counts(&self) -> [(AcknowledgementStatus, i64); 4] {
        let Totals { covered, open, overdue, not_reached, .. } = self.totals;
        [
            (AcknowledgementStatus::Covered, covered),
            (AcknowledgementStatus::Open, open),
            (AcknowledgementStatus::Overdue, overdue),
            (AcknowledgementStatus::NotReached, not_reached),
        ]
    }

    /// The query of the page with these rows, and these people to choose from.
    fn query(&self) -> String {
        let after = self.after.map(|id| ("after", id.to_string()));
        let query = Form::of_query(&self.search).and(after).query();
        if query.is_empty() { query } else { format!("?{query}") }
    }

    fn is_shown(&self, status: &AcknowledgementStatus) -> bool {
        self.status.contains(status)
    }

    /// Until when somebody has time.
    fn due(&self, row: &PersonCoverage) -> Option<Timestamp> {
        if let Coverage::Open { due, .. } = row.coverage { due } else { None }
    }

    /// The roles to choose from.
    fn roles(&self) -> impl Iterator<Item = (String, String)> {
        Role::ALL.iter().map(|role| (format!("role:{}", role.as_str()), word::label(role.as_str())))
    }

    /// Whom a request means.
    fn who(&self, request: &AcknowledgementRequest) -> String {
        let groups: HashMap<GroupId, &str> = self.groups.iter().map(|it| (it.id, it.name.as_str())).collect();
        match request.who {
            AskedPeople::All => texts::EVERYONE.to_owned(),
            AskedPeople::Role => {
                texts::with_role(request.role.map(|role| word::label(role.as_str())).unwrap_or_default())
            }
            AskedPeople::Group => {
                let name = request.group.and_then(|group| groups.get(&group).copied());
                name.map_or_else(|| texts::DELETED_GROUP.to_owned(), texts::in_group)
            }
            AskedPeople::Users => texts::people(request.users.len()),
        }
    }

    /// The chosen people who are on other pages of those to choose from.
    fn chosen_elsewhere(&self) -> Vec<&str> {
        let here: HashSet<String> = self.people.iter().map(|it| it.person.id.to_string()).collect();
        self.form.all("users").filter(|id| !here.contains(*id)).collect()
    }

    fn is_chosen(&self, member: &Member) -> bool {
        let id = member.person.id.to_string();
        self.form.all("users").any(|chosen| chosen == id)
    }
}
