//! `bailiwick user set-password`. The password is not an argument, which would be visible in the list of processes and
//! in the shell's history.

use std::io::{BufRead as _, IsTerminal as _};

use auth::people::{Password, PasswordCost};
use domain::{Error, Faults, ResourceKind};
use serde_json::json;

use crate::cli;
use crate::commands::operator;
use crate::failure::{Failure, Result};
use crate::installation::Installation;
use crate::output;

pub(super) async fn set(register: &cli::RegisterFlags, email: &str, json: bool) -> Result<()> {
    let db = Installation::named(&register.0)?.open().await?;
    let person = store::people::find_by_email(&mut db.read().await?, email).await?;
    let person = person.ok_or(Error::NotFound(ResourceKind::User))?;
    let password = if std::io::stdin().is_terminal() { ask_twice()? } else { read_line()? };
    if password.expose().contains('\0') {
        return Err(Failure::new("the password must not contain U+0000").coded("invalid"));
    }
    let mut faults = Faults::new();
    domain::password::chosen(password.expose(), [email], "the password", &mut faults);
    faults.or(())?;
    let hash = PasswordCost::default().store(&password, &**db.random())?;
    let author = operator();
    let set: store::Result<()> = db
        .write_instance(async move |tx: &mut db::Tx| {
            store::people::set_password(tx, &author, person, &hash).await
        })
        .await;
    set?;
    match json {
        true => output::json(&json!({ "id": person, "sessions_ended": true })),
        false => output::line(&format!("password of {person} set; their sessions have ended")),
    }
}

/// Asks at the terminal, which does not show what is typed; twice, because a typing error would lock the person out.
fn ask_twice() -> Result<Password> {
    let first = rpassword::prompt_password("New password: ")?;
    let second = rpassword::prompt_password("Repeat it: ")?;
    match first == second {
        true => Ok(Password::new(first)),
        false => Err(Failure::new("the passwords do not match; nothing was changed").coded("invalid")),
    }
}

/// The first line of standard input.
fn read_line() -> Result<Password> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    let text = line.strip_suffix('\n').unwrap_or(&line);
    let text = text.strip_suffix('\r').unwrap_or(text);
    Ok(Password::new(text.to_owned()))
}
