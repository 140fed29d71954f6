//! `/o/{slug}/account`: the person's own job title and password, how this device shows the pages, the devices on which they are signed
//! in, and their organizations.

pub(crate) mod deputy;
pub(crate) mod job_title;

use askama::Template;
use auth::people::Passwords;
use auth::people::{PasswordChange, change_password};
use db::Tx;
use domain::json;
use domain::person::Member;
use domain::{Author, Faults, OrgId, SessionId};
use http::Error;
use store::sessions::ConsoleSession;

use crate::frame::device;
use crate::frame::display::Display;
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::words::zones;
use crate::texts;

/// The members of a change of the password, as the form has them.
const PASSWORDS: &[(&str, As)] = &[("old", As::Text), ("new", As::Text)];

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    frame: Layout,
    email: String,
    devices: Vec<ConsoleSession>,
    /// The session of this page.
    this: SessionId,
    /// How this device shows the pages.
    form: Form,
    zones: Vec<String>,
    /// The person's job title.
    profile: Form,
    /// Who approves documents in this person's place, and the members to choose from.
    deputy: Form,
    deputies: Vec<Member>,
    problems: Problems,
}

/// A choice of the display: its name, and each value with its label.
type Choice = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// `GET /o/{slug}/account`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = account_page(&request, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/account/password`: ends every other session of the person.
pub(crate) async fn password(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    let changed = async {
        let Passwords { old, new } = form.read_as(PASSWORDS, &request.clock, json::body)?;
        let asked = PasswordChange {
            organization: request.id(),
            person: request.session.person,
            session: (OrgId::INSTANCE, request.session.id),
            old,
            new,
        };
        change_password(request.app.auth(), asked, own_author(&request), &request.source).await?;
        Ok(())
    };
    match changed.await {
        Ok(()) => Ok(request.lead_to("/account", texts::PASSWORD_CHANGED)),
        Err(Error::InvalidCredentials) => {
            let problems = Problems::with(texts::WRONG_CURRENT_PASSWORD);
            request.show_again(&account_page(&request, problems).await?)
        }
        Err(error) => request.show_again(&account_page(&request, request.problems(error)?).await?),
    }
}

/// `POST /o/{slug}/account/display`: how this device shows the pages from now on.
pub(crate) async fn display(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    let mut faults = Faults::new();
    let chosen = Display { columns: request.display.columns.clone(), ..Display::of(&form, &mut faults) };
    let (page, done) = (request.to("/account"), texts::DISPLAY_CHANGED);
    match faults.or(chosen) {
        Ok(chosen) => Ok(request.keep_display(&chosen, page, done)),
        Err(error) => {
            let page = account_page(&request, request.problems(error.into())?).await?;
            request.show_again(&AccountPage { form, ..page })
        }
    }
}

/// `POST /o/{slug}/account/devices`: signs one device out, or all but this one.
pub(crate) async fn sign_out(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    let (author, this) = (own_author(&request), request.session.id);
    let mut tx = request.read().await?;
    let devices = store::sessions::of_person(&mut tx, request.session.person, request.clock.now()).await?;
    drop(tx);
    let is_chosen = |id: SessionId| form.has("others") || form.is("id", id.to_string());
    let chosen: Vec<SessionId> =
        devices.iter().map(|it| it.id).filter(|id| *id != this && is_chosen(*id)).collect();
    if chosen.is_empty() {
        return Ok(request.lead_to("/account", texts::SIGNED_OUT_ALREADY));
    }
    let ended: store::Result<()> = request
        .app
        .db()
        .write_instance(async move |tx: &mut Tx| {
            for id in &chosen {
                store::sessions::end(tx, OrgId::INSTANCE, &author, *id).await?;
            }
            Ok(())
        })
        .await;
    ended?;
    Ok(request.lead_to("/account", texts::SIGNED_OUT_THERE))
}

/// The author of what a person changes of themselves, in the journal of the instance.
fn own_author(request: &PageRequest) -> Author {
    request.session.author(request.source.request_id())
}

async fn account_page(request: &PageRequest, problems: Problems) -> Result<AccountPage> {
    let mut tx = request.read().await?;
    let devices = store::sessions::of_person(&mut tx, request.session.person, request.clock.now()).await?;
    let frame = Layout::of(request, &mut tx, texts::YOUR_ACCOUNT, Section::Account).await?;
    let (email, this) = (request.session.email.clone(), request.session.id);
    let form = Form::of_query(&request.display.sealed());
    let profile = job_title::form_of(&request.member);
    let (deputy, deputies) = deputy::choices(request, &mut tx).await?;
    let zones = zones();
    Ok(AccountPage { frame, email, devices, this, form, zones, profile, deputy, deputies, problems })
}

impl AccountPage {
    /// What a device chooses among.
    fn choices(&self) -> [Choice; 4] {
        [
            ("theme", texts::THEME, &[("", texts::SYSTEM), ("light", texts::LIGHT), ("dark", texts::DARK)]),
            (
                "rows",
                texts::DENSITY,
                &[("compact", texts::COMPACT), ("", texts::NORMAL), ("roomy", texts::COMFORTABLE)],
            ),
            ("keys", texts::SINGLE_KEY_SHORTCUTS, &[("", texts::ON), ("off", texts::OFF)]),
            (
                "separator",
                texts::CSV_SEPARATOR,
                &[("", texts::BY_LANGUAGE), ("comma", texts::COMMA), ("semicolon", texts::SEMICOLON)],
            ),
        ]
    }

    /// The browser and the system of a device.
    fn device(&self, session: &ConsoleSession) -> String {
        device::name(&session.device)
    }
}
