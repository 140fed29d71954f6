//! The first run: a person with the code that `serve` prints for an empty register begins it in the browser. The code is the
//! same in every process of an instance, and leads nowhere once there is an organization.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use db::Tx;
use domain::organization::{self, Organization};
use domain::person::{EmailAddress, NewMember};
use domain::{Actor, ActorKind, Author, Faults, Line, Role};
use macros::boxed;
use store::invitations::Proof;
use subtle::ConstantTimeEq as _;

use super::password::Password;
use crate::auth::Auth;
use crate::error::{Error, Result};
use crate::secret::InvitationToken;
use crate::source::Source;

/// Bytes of the code: 120 bits.
const CODE_BYTES: usize = 15;

/// What a person begins a register with.
pub struct FirstRun {
    /// The code of the link.
    pub code: String,
    /// The name of the organization.
    pub organization: String,
    /// The IANA name of its time zone, or the city that it is named after.
    pub time_zone: String,
    /// The person's name.
    pub name: String,
    /// Their e-mail address.
    pub email: String,
    /// The password that they choose.
    pub password: Password,
}

impl Auth {
    /// The code with which the register begins.
    pub fn first_run_code(&self) -> String {
        let key = self.keys.master().derive("first run code");
        URL_SAFE_NO_PAD.encode(key.get(..CODE_BYTES).unwrap_or_default())
    }

    /// Whether the register has not begun.
    #[boxed]
    pub async fn is_first_run(&self) -> Result<bool> {
        Ok(store::organizations::list(&mut self.db.read().await?).await?.is_empty())
    }
}

/// Begins the register: makes the organization and the person, who is its admin and an operator of the service.
#[boxed]
pub async fn begin(auth: &Auth, asked: FirstRun, source: &Source) -> Result<Organization> {
    let FirstRun { code, organization, time_zone, name, email, password } = asked;
    auth.throttle.check(FIRST_RUN, source.address, auth.now())?;
    if !bool::from(code.trim().as_bytes().ct_eq(auth.first_run_code().as_bytes())) {
        auth.throttle.failed(FIRST_RUN, source.address, auth.now());
        return Err(Error::InvitationNotValid);
    }
    let mut faults = Faults::new();
    organization::name(&organization, "#/organization", &mut faults);
    domain::password::chosen(password.expose(), [name.as_str(), &email], "#/password", &mut faults);
    let name = Line::new(name, "#/name", &mut faults);
    let email = EmailAddress::new(email, "#/email", &mut faults);
    let time_zone = organization::time_zone(&time_zone, "#/time_zone", &mut faults);
    let ((name, email), time_zone) = faults.or_read(name.zip(email).zip(time_zone))?;
    let admin = NewMember { name, email, job_title: None, roles: Role::Admin.into() };
    let hash = auth.passwords.permit().await?.store(password).await?;
    let (token, request) = (InvitationToken::generate(&**auth.db.random()), source.request_id().to_owned());
    let begun: store::Result<Organization> = auth
        .db
        .write_instance(async move |tx: &mut Tx| {
            let (author, token) = (author(&request), token.hash());
            let begun =
                store::first_run::begin(tx, &author, &organization, Some(&time_zone), &admin, &token).await?;
            let (id, proof) = (begun.organization.id, Proof::Chosen(hash.clone()));
            store::invitations::accept(tx, id, &request, &token, None, &proof).await?;
            Ok(begun.organization)
        })
        .await;
    Ok(begun?)
}

/// The name under which wrong codes are counted; it is no client and no person.
const FIRST_RUN: &str = "first-run";

/// The author of the beginning: whoever has the code runs the service.
fn author(request: &str) -> Author {
    let id = "first-run".to_owned();
    Author::new(Actor { kind: ActorKind::Operator, name: id.clone(), id }, request)
}
