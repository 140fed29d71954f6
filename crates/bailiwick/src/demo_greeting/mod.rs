//! What `serve --demo` tells at each start: how to sign in to the demo organization, and commands to paste.

mod curl;
mod sign_in;

use std::io::Write;

use db::Db;

use store::demo::Demo;

use crate::demo;

/// Gives the client a new secret and the person who signs in a new password, which ends those before, and tells
/// on standard error how to use them at `address` (`http://127.0.0.1:8080`).
pub(crate) async fn greet(demo: &Demo, db: &Db, address: &str) -> Result<(), store::Error> {
    let author = demo::operator();
    let (secret, _ended) =
        auth::clients::replace_secret(db, demo.organization, author, demo.client.clone()).await?;
    let password = sign_in::renew(db, demo.organization).await?;
    let way = curl::Way {
        address,
        organization: &demo.organization.to_string(),
        client_id: demo.client.as_str(),
        client_secret: secret.expose(),
        email: sign_in::EMAIL,
        password: password.expose(),
    };
    // The terminal may be closed; the service still runs.
    let _ = std::io::stderr().lock().write_all(way.greeting().as_bytes());
    Ok(())
}
