//! `bailiwick client …`.

mod change;
mod create;
mod show;

use crate::cli::Client;
use crate::failure::Result;

pub(crate) async fn run(command: Client, json: bool) -> Result<()> {
    match command {
        Client::Create { organization, name, scopes } => {
            create::create(&organization, name, &scopes, json).await
        }
        Client::List { organization } => show::list(&organization, json).await,
        Client::Rotate { client, end_others } => change::rotate(&client, end_others, json).await,
        Client::DeleteSecret { client, secret } => change::delete_secret(&client, secret, json).await,
        Client::Disable { client } => change::disable(&client, true, json).await,
        Client::Enable { client } => change::disable(&client, false, json).await,
    }
}
