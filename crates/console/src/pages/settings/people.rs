//! `/o/{slug}/settings/people`: who may come in, and who is invited.

use askama::Template;
use domain::invitation::Invitation;
use domain::person::Member;
use domain::{Error as E, InvitationId, ResourceKind, Role, Scope, UserId};
use http::Error;
use http::page::{List, Page};
use lists::export::Users;
use store::people::MemberFilter;
use uuid::Uuid;

use super::{MANAGE_PEOPLE, READ_PEOPLE, Tab};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// So many invitations are shown.
const MOST_INVITATIONS: i64 = 200;

#[derive(Template)]
#[template(path = "settings/people.html")]
struct PeoplePage {
    frame: Layout,
    tabs: Vec<Tab>,
    members: Vec<Member>,
    total: i64,
    next: Option<String>,
    is_first: bool,
    invitations: Vec<Invitation>,
    may_manage: bool,
    /// The id of the person.
    me: String,
}

/// `GET /o/{slug}/settings/people`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ_PEOPLE)?;
    let mut query = request.query();
    let page = Page::<(String, Uuid)>::read(&request.list_id(), &mut query);
    query.finish()?;
    let (organization, is_first) = (request.id(), page.after.is_none());
    let mut tx = request.read().await?;
    let after = page.after.clone().map(|(name, id)| (name, UserId(id)));
    let rows =
        store::people::list(&mut tx, organization, &MemberFilter::default(), after, page.rows_to_read())
            .await?;
    let total = store::people::count(&mut tx, organization, &MemberFilter::default()).await?;
    let may_manage = request.may(Scope::UsersAdmin);
    let invitations = match may_manage {
        true => store::invitations::list(&mut tx, organization, None, MOST_INVITATIONS).await?.rows,
        false => Vec::new(),
    };
    let frame = Layout::of(&request, &mut tx, texts::PEOPLE, Section::Settings).await?;
    let position = |member: &Member| (member.person.name.clone(), member.person.id.uuid());
    let shown = List::of(&request.list_id(), page.cut(rows), None, position, |row| row);
    let (members, next) = (shown.data, shown.next_cursor);
    let (tabs, me) = (super::tabs(&request), request.member.person.id.to_string());
    request.show(&PeoplePage { frame, tabs, members, total, next, is_first, invitations, may_manage, me })
}

/// `GET /o/{slug}/settings/people/export`: all members as CSV.
pub(crate) async fn export(request: PageRequest) -> Result {
    request.require(READ_PEOPLE)?;
    request.query().finish()?;
    let users = Users { organization: request.id(), filter: MemberFilter::default() };
    users.file(&mut request.read().await?, &Users::for_spreadsheet(request.spreadsheet())).await
}

/// `POST /o/{slug}/settings/people/invitations/{id}`: withdraws an invitation.
pub(crate) async fn withdraw(mut request: PageRequest) -> Result {
    request.require(MANAGE_PEOPLE)?;
    let id = request.path(0, ResourceKind::Invitation, InvitationId::parse)?;
    let form = request.form().await?;
    let to = request.to("/settings/people");
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        store::invitations::withdraw(tx, organization, author, id).await
    };
    match request.write(&form, change, move |()| to.clone()).await {
        Ok(answer) => Ok(request.lead(answer, texts::INVITATION_WITHDRAWN, false)),
        Err(Error::Domain(E::NotFound(_))) => {
            Ok(request.lead_to("/settings/people", texts::INVITATION_IS_GONE))
        }
        Err(error) => Err(error),
    }
}

impl PeoplePage {
    fn roles(&self) -> &'static [Role] {
        Role::ALL
    }

    fn is_expired(&self, invitation: &Invitation) -> bool {
        invitation.expires_date <= self.frame.clock.now()
    }
}
