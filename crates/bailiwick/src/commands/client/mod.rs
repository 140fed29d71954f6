//! `bailiwick client …`.

mod change;
mod create;
mod show;

use crate::cli::Client;
use crate::failure::Result;

pub(crate) async fn run(command: Client) -> Result<()> {
    match command {
        Client::Create { place, organization, name, scopes, json } => {
            create::create(&place, organization, name, &scopes, json).await
        }
        Client::List { place, organization, json } => show::list(&place, organization, json).await,
        Client::Rotate { place, client, end_others, json } => {
            change::rotate(&place, &client, end_others, json).await
        }
        Client::DeleteSecret { place, client, secret } => {
            change::delete_secret(&place, &client, secret).await
        }
        Client::Disable { place, client, json } => change::disable(&place, &client, true, json).await,
        Client::Enable { place, client, json } => change::disable(&place, &client, false, json).await,
    }
}
