//! People and their membership in an organization.

use std::borrow::Cow;

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};
use jiff::Timestamp;
use macros::Body;
use serde::Serialize;

use crate::change::Change;
use crate::fault::{FaultCode, Faults};
use crate::ids::UserId;
use crate::role::{Role, Roles};
use crate::schema::{Presence, TextSchema};
use crate::text::{self, Line};

/// The most bytes of an e-mail address (RFC 5321, section 4.5.3.1.3, without the angle brackets).
pub const EMAIL_BYTES: usize = 254;

/// A person as an organization shows them, with the current name of the membership.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Person {
    /// The same in every organization.
    pub id: UserId,
    /// The name this organization uses.
    pub name: String,
    /// The address as it was first written, with its domain as DNS has it.
    pub email: String,
}

/// A person's membership in an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The person.
    pub person: Person,
    /// What they do in this organization, such as "Head of Security".
    pub job_title: Option<Line>,
    /// What they may do here.
    pub roles: Roles,
    /// When they joined this organization.
    pub created_date: Timestamp,
    /// When they accepted an invitation of this organization; without it they cannot sign in to it.
    pub activated_date: Option<Timestamp>,
    /// Counts the membership's changes from 1.
    pub version: i64,
}

impl Member {
    /// Whether this member can sign in and has the role admin.
    pub fn is_active_admin(&self) -> bool {
        self.activated_date.is_some() && self.roles.has(Role::Admin)
    }

    /// The member that a patch leads to; `None` if it changes nothing.
    pub fn patched(&self, patch: &MemberPatch) -> Option<Self> {
        let name = patch.name.as_deref().unwrap_or(&self.person.name).to_owned();
        let roles = patch.roles.clone().unwrap_or_else(|| self.roles.clone());
        let job_title = patch.job_title.of(&self.job_title);
        let after = Self { person: Person { name, ..self.person.clone() }, job_title, roles, ..self.clone() };
        (after != *self).then_some(after)
    }
}

/// An e-mail address, with its domain as DNS has it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EmailAddress(String);

text::texts! {
    () EmailAddress = email, TextSchema::of(0, EMAIL_BYTES, EMAIL_PATTERN).such_as("ada@example.org"),
        |address| Self(with_ascii_domain(&address.0).map_or(address.0.clone(), Cow::into_owned));
}

/// The grammar of HTML's e-mail field, with letters of every language in the domain.
const EMAIL_PATTERN: &str = r"^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]([^\x00-\x2c\x2e\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]{0,61}[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f])?(\.[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]([^\x00-\x2c\x2e\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]{0,61}[^\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f])?)*$";

/// The members that only the service sets.
const READ_ONLY: &[&str] = &["id", "created_date", "activated_date", "version"];

/// A merge patch (RFC 7396) of a membership: absent members stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Body)]
#[body(name = "UserPatch", patch, read_only = READ_ONLY, read_only = &["email"])]
pub struct MemberPatch {
    /// The user's name in this organization.
    #[body(example = "Ada King")]
    pub name: Option<Line>,
    /// The user's job title in this organization. Approvals keep the one of their time.
    #[body(example = "Head of Security")]
    pub job_title: Change<Line>,
    /// The user's roles in this organization, from their next request on, instead of those before.
    #[body(flat(Presence::Absent))]
    pub roles: Option<Roles>,
}

/// A user to add to the organization.
#[derive(Debug, Clone, PartialEq, Eq, Body)]
#[body(name = "NewUser", read_only = READ_ONLY)]
pub struct NewMember {
    /// The user's name in this organization.
    #[body(example = "Ada")]
    pub name: Line,
    /// The user's e-mail address; a known address adds the same person. Letters beyond ASCII in its domain are kept as DNS has
    /// them (IDNA).
    pub email: EmailAddress,
    /// The user's job title in this organization.
    #[body(example = "Head of Security")]
    pub job_title: Option<Line>,
    /// The user's roles in this organization.
    #[body(flat(Presence::Required))]
    pub roles: Roles,
}

/// Checks an e-mail address by the grammar of HTML's e-mail field, which is what people's mail
/// providers give out: RFC 5322 without comments, quotes and address literals. The domain may have letters of every language.
pub fn email(text: &str, pointer: &str, faults: &mut Faults) {
    let ascii = (text.len() <= EMAIL_BYTES).then(|| with_ascii_domain(text)).flatten();
    if ascii.as_deref().unwrap_or(text).len() > EMAIL_BYTES {
        faults.add(pointer, FaultCode::TooLong, format_args!("must have at most {EMAIL_BYTES} bytes"));
    } else if !ascii.is_some_and(|text| is_email(&text)) {
        faults.add(pointer, FaultCode::Format, "must be an e-mail address such as ada@example.org");
    }
}

/// The form that is equal for two addresses of the same person.
pub fn folded_email(email: &str) -> String {
    text::folded(&with_ascii_domain(email.trim()).unwrap_or(Cow::Borrowed(email)))
}

/// The address with its domain as DNS has it, by IDNA (Unicode Technical Standard 46); none if there is no such form.
fn with_ascii_domain(text: &str) -> Option<Cow<'_, str>> {
    let (local, domain) = text.split_once('@')?;
    let (denied, hyphens) = (AsciiDenyList::STD3, Hyphens::CheckFirstLast);
    let ascii = Uts46::new().to_ascii(domain.as_bytes(), denied, hyphens, DnsLength::Ignore).ok()?;
    Some(if domain.is_ascii() { Cow::Borrowed(text) } else { Cow::Owned(format!("{local}@{ascii}")) })
}

/// Checks that the person named in a field is a member: `found` is the member that `sent` names.
pub fn member(
    sent: Option<UserId>,
    found: Option<Person>,
    pointer: &str,
    faults: &mut Faults,
) -> Option<Person> {
    let id = sent?;
    let person = found.filter(|person| person.id == id);
    if person.is_none() {
        faults.add(pointer, FaultCode::UnknownUser, "No member of the organization has this id.");
    }
    person
}

/// The person of a field after a change: `found` is the member that the change names.
pub fn changed(
    change: &Change<UserId>,
    before: &Option<Person>,
    found: Option<Person>,
    pointer: &str,
    faults: &mut Faults,
) -> Option<Person> {
    match change {
        Change::Keep => before.clone(),
        Change::Clear => None,
        Change::Set(id) => member(Some(*id), found, pointer, faults),
    }
}

fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else { return false };
    let local_byte = |byte: u8| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte);
    (1..=64).contains(&local.len()) && local.bytes().all(local_byte) && domain.split('.').all(is_domain_label)
}

fn is_domain_label(label: &str) -> bool {
    (1..=63).contains(&label.len())
        && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !label.starts_with('-')
        && !label.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(address: &str) -> Vec<FaultCode> {
        let mut faults = Faults::new();
        email(address, "#/email", &mut faults);
        faults.into_vec().into_iter().map(|fault| fault.code).collect()
    }

    #[test]
    fn an_address_has_two_parts() {
        for address in
            ["ada@x.org", "Ada.Lovelace+bwk@Mail.Example.org", "o'neil@example.org", "root@localhost"]
        {
            assert_eq!(codes(address), [], "{address}");
        }
        for address in [
            "",
            "ada",
            "@x.org",
            "ada@",
            "a b@x.org",
            "ada@@x.org",
            "ada@x..org",
            "ada@-x.org",
            "ada@x.org ",
            "é@x.org",
            "ada@bü cher.example",
            "ada@xn--a.example",
            "ada@-ü.example",
            "ada@ü\u{200b}..example",
            "ada@a／b.example",
            "ada@\u{202e}x.example",
        ] {
            assert_eq!(codes(address), [FaultCode::Format], "{address}");
        }
        assert_eq!(codes(&format!("ada@{}org", "x.".repeat(126))), [FaultCode::TooLong]);
    }

    #[test]
    fn a_domain_has_letters_of_every_language_and_is_kept_as_dns_has_it() {
        let kept = |address: &str| {
            let mut faults = Faults::new();
            EmailAddress::new(address.to_owned(), "#/email", &mut faults).map(String::from)
        };
        for (address, ascii) in [
            ("Ada@BÜCHER.example", "Ada@xn--bcher-kva.example"),
            ("ada@例え。テスト", "ada@xn--r8jz45g.xn--zckzah"),
            ("ada@xn--bcher-kva.example", "ada@xn--bcher-kva.example"),
            ("Ada@X.org", "Ada@X.org"),
        ] {
            assert_eq!(kept(address).as_deref(), Some(ascii), "{address}");
        }
        let long = format!("ada@{}example", "ü.".repeat(40));
        assert!(long.len() < EMAIL_BYTES);
        assert_eq!(codes(&long), [FaultCode::TooLong]);
    }

    #[test]
    fn an_address_is_one_persons_in_any_case_and_form() {
        assert_eq!(folded_email("Ada@X.org"), folded_email("ada@x.ORG"));
        for form in ["ada@bücher.example", " ADA@BU\u{308}CHER.example", "ada@XN--BCHER-KVA.example"] {
            assert_eq!(folded_email(form), "ada@xn--bcher-kva.example", "{form}");
        }
    }

    #[test]
    fn only_a_member_can_be_named() {
        let ada =
            Person { id: UserId(uuid::Uuid::from_u128(1)), name: "Ada".into(), email: "ada@x.org".into() };
        let mut faults = Faults::new();
        assert_eq!(member(None, None, "#/owner", &mut faults), None);
        assert_eq!(member(Some(ada.id), Some(ada.clone()), "#/owner", &mut faults), Some(ada.clone()));
        assert!(faults.is_empty());
        assert_eq!(member(Some(ada.id), None, "#/owner", &mut faults), None);
        assert_eq!(faults.as_slice()[0].code, FaultCode::UnknownUser);
        assert_eq!(faults.as_slice()[0].pointer, "#/owner");
    }
}
