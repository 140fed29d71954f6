//! `bailiwick user set-password`. The password comes from standard input: an argument stands in the
//! list of processes and in the shell's history.

use std::io::{BufRead, IsTerminal, Write};

use domain::{Error, Faults, Noun};
use web::oauth::{Password, PasswordCost};

use crate::cli;
use crate::commands::operator;
use crate::failure::{Failure, Result};
use crate::output;
use crate::place::Place;

pub(super) async fn set(place: &cli::Place, email: &str) -> Result<()> {
    let db = Place::new(place, false)?.open().await?;
    let person = store::people::find_by_email(&mut db.read().await?, email).await?;
    let person = person.ok_or(Error::NotFound(Noun::User))?;
    let password = read()?;
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
    output::line(&format!("the password of {person} is set, and their sessions have ended"))
}

/// The first line of standard input.
fn read() -> Result<Password> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        // Nobody listens to a closed terminal; then nothing is typed either.
        let _ = write!(std::io::stderr(), "Password (it will be seen): ");
    }
    let mut line = String::new();
    stdin.lock().read_line(&mut line)?;
    let text = line.strip_suffix('\n').unwrap_or(&line);
    let text = text.strip_suffix('\r').unwrap_or(text);
    if text.contains('\0') {
        return Err(Failure::new("the password must not contain U+0000"));
    }
    Ok(Password::new(text.to_owned()))
}
