//! The demo organization: what `bailiwick serve --demo` shows before there is anything of one's own.
//!
//! Harrowmere Medical Logistics does not exist. It supplies 31 hospitals from a central warehouse, a
//! depot and a sterile services site, and its last 120 days are told in plain tables, one file per
//! noun. Domains are under `.example`, addresses in the documentation ranges of RFC 5737.

mod acts;
mod cast;
mod curl;
mod documents;
mod fill;
#[cfg(test)]
mod fill_tests;
mod incidents;
mod people;
mod risks;
mod sign_in;
mod story;
mod tags;
#[cfg(test)]
mod tests;
mod views;
mod when;

use std::io::Write;

use db::Db;
use domain::{ClientId, OrgId};

pub(crate) use fill::{Error, prepare};

/// The organization's name.
const ORGANIZATION: &str = "Harrowmere Medical Logistics";

/// A demo organization that is ready to be looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Demo {
    /// Its id.
    pub(crate) organization: OrgId,
    /// A client of it that may do everything.
    pub(crate) client: ClientId,
}

impl Demo {
    /// Gives the client a new secret and the person who signs in a new password, which ends those before, and tells
    /// on standard error how to use them at `address` (`http://127.0.0.1:8080`).
    pub(crate) async fn greet(&self, db: &Db, address: &str) -> Result<(), Error> {
        let author = cast::operator();
        let (secret, _ended) =
            auth::clients::replace_secret(db, self.organization, author, self.client.clone()).await?;
        let password = sign_in::renew(db, self.organization).await?;
        let way = curl::Way {
            address,
            organization: &self.organization.to_string(),
            client_id: self.client.as_str(),
            client_secret: secret.expose(),
            email: sign_in::EMAIL,
            password: password.expose(),
        };
        // The terminal may be closed; the service still runs.
        let _ = std::io::stderr().lock().write_all(way.greeting().as_bytes());
        Ok(())
    }
}
