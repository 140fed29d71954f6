//! The demo user as whom a visitor signs in: the head of information security, an admin.

use auth::people::{Password, PasswordCost};
use auth::secret::InvitationToken;
use db::{Db, Tx};
use domain::person::NewMember;
use domain::{OrgId, Role};

use crate::demo;

/// Who signs in.
const NAME: &str = "Marta Lindqvist";
/// With which address.
pub(super) const EMAIL: &str = "marta.lindqvist@harrowmere.example";

/// No two of these are mistaken for each other, and their number divides 256.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Gives her a new password, which ends the one before and its sessions, and gives it back. It is as with the secret of
/// the client: nothing that was shown once goes on working, and nothing secret lies in the demo's folder. Should a
/// visitor have removed her, she comes back.
pub(super) async fn renew(db: &Db, organization: OrgId) -> Result<Password, store::Error> {
    let random = &**db.random();
    let password = Password::new(text(random));
    let hash = PasswordCost::default().store(&password, random)?;
    let token = InvitationToken::generate(random).hash();
    db.write_instance(async move |tx: &mut Tx| {
        tx.lock_head(organization).await?;
        let person = NewMember {
            name: domain::Line::stored(NAME),
            email: domain::person::EmailAddress::stored(EMAIL),
            job_title: None,
            roles: Role::Admin.into(),
        };
        demo::join(tx, organization, &demo::operator(), &person, &token, &hash).await
    })
    .await?;
    Ok(password)
}

/// Four groups of five characters: 100 bits.
fn text(random: &dyn Fn(&mut [u8])) -> String {
    let mut bytes = [0; 20];
    random(&mut bytes);
    let mut text = String::with_capacity(23);
    for (index, byte) in bytes.iter().enumerate() {
        if index > 0 && index % 5 == 0 {
            text.push('-');
        }
        text.extend(ALPHABET.get(usize::from(byte % 32)).map(|character| char::from(*character)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_needs_no_quotes_and_is_another_one_each_time() {
        let random = testkit::seeded(1);
        let (one, other) = (text(&*random), text(&*random));
        assert_eq!(one.len(), 23);
        assert!(one.chars().all(|it| it == '-' || it.is_ascii_lowercase() || it.is_ascii_digit()), "{one}");
        assert_ne!(one, other);
    }

    #[test]
    fn a_person_of_the_demo_can_sign_in() {
        let person = serde_json::json!({"name": NAME, "email": EMAIL, "role": Role::Admin});
        let data: serde_json::Value = toml::from_str(demo::FILE).unwrap();
        assert!(data["people"].as_array().unwrap().contains(&person));
    }
}
