//! `/o/{slug}/settings/people/invite`: invites several people at once, and shows their links.

use std::borrow::Cow;

use askama::Template;
use auth::secret::InvitationToken;
use auth::secret_link;
use domain::Role;
use domain::person::NewMember;
use http::answer::Answer;
use http::json::{self, Json};
use http::write::Transaction;

use super::{MANAGE_PEOPLE, SecretsPage};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// The field, and the member of the body, with the roles.
const ROLES: &str = "roles";

/// The most people that are invited at once.
const MOST: usize = 50;

#[derive(Template)]
#[template(path = "settings/invite.html")]
struct InvitePage {
    frame: Layout,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/settings/people/invite`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = invite_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/settings/people/invite`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(MANAGE_PEOPLE)?;
    let form = request.form().await?;
    let made = match people(&form) {
        Ok(people) => invite(&request, &form, people).await,
        Err(problem) => {
            let page = invite_page(&request, form, Problems::with(problem)).await?;
            return request.show_again(&page);
        }
    };
    match made {
        Ok(answer) => {
            let mut tx = request.read().await?;
            let frame = Layout::of(&request, &mut tx, texts::SEND_THESE_LINKS, Section::Settings).await?;
            let secrets = SecretsPage::read(&answer.body)?;
            let about = texts::LINKS_WORK_ONCE;
            request.show(&SecretsPage { frame, about, secrets, next: request.to("/settings/people") })
        }
        Err(error) => {
            let page = invite_page(&request, form, request.problems(error)?).await?;
            request.show_again(&page)
        }
    }
}

async fn invite(request: &PageRequest, form: &Form, people: Vec<NewMember>) -> Result<Answer> {
    // Generated before the write, which may run twice.
    let draw = |new: NewMember| (new, InvitationToken::generate(&**request.app.db().random()));
    let drawn: Vec<(NewMember, InvitationToken)> = people.into_iter().map(draw).collect();
    let url = request.app.auth().public_url.clone();
    let links: Vec<(String, String)> = drawn
        .iter()
        .map(|(new, token)| (new.email.to_string(), secret_link::invitation(&url, token)))
        .collect();
    let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
        for (new, token) in &drawn {
            store::invitations::create(tx, organization, author, new, &token.hash()).await?;
        }
        Ok(())
    };
    let location = request.to("/settings/people");
    let respond = move |()| Answer::shown_once(location.clone(), &links);
    request.write_with(form, Transaction::Shared, change, respond).await
}

/// The people of the form, one for each line: `Ruth Castellan ruth@example.org responder`, or an address alone. The error
/// names every line that is wrong.
fn people(form: &Form) -> Result<Vec<NewMember>, String> {
    let lines = || (1..).zip(form.text("people").lines()).filter(|(_, line)| !line.trim().is_empty());
    if lines().count() > MOST {
        return Err(texts::at_most_people(MOST));
    }
    let (mut people, mut problems) = (Vec::new(), Vec::new());
    for (number, line) in lines() {
        let person = person(line, form.all(ROLES));
        let unknown = unknown_role(&person).map(texts::unknown_role);
        match json::read_value(person, domain::json::body::<NewMember>) {
            Ok(new) => people.push(new),
            Err(error) => {
                let detail = unknown.unwrap_or_else(|| error.in_words().2);
                problems.push(texts::wrong_line(number, &detail));
            }
        }
    }
    match (people.is_empty(), problems.is_empty()) {
        (_, false) => Err(problems.join(" ")),
        (true, true) => Err(texts::NO_PEOPLE.to_owned()),
        (false, true) => Ok(people),
    }
}

/// The member of a line; the name of an address alone is what stands before the `@`. Roles after the address are those of this
/// person, others have `roles`.
fn person<'r>(line: &'r str, roles: impl Iterator<Item = &'r str>) -> Json<'static> {
    const BETWEEN: [char; 6] = [' ', '\t', ',', ';', '<', '>'];
    let text = |text: &str| Json::String(Cow::Owned(text.to_owned()));
    let line = line.trim().trim_end_matches(BETWEEN);
    let (before, after) = line.split_at(line.find('@').unwrap_or(line.len()));
    let (name, local) = before.split_at(before.rfind(BETWEEN).map_or(0, |end| end + 1));
    let (domain, rest) = after.split_at(after.find(BETWEEN).unwrap_or(after.len()));
    let name = match name.trim_matches(['"', ' ', '\t', ',', ';', '<', '>']) {
        "" => local,
        name => name,
    };
    let own: Vec<Json<'static>> =
        rest.split(BETWEEN).filter(|word| !word.is_empty()).map(|word| text(&word.to_lowercase())).collect();
    let roles = if own.is_empty() { roles.map(text).collect() } else { own };
    Json::Object(vec![
        ("name".into(), text(name)),
        ("email".into(), text(&format!("{local}{domain}"))),
        (ROLES.into(), Json::Array(roles)),
    ])
}

/// The first role of a member that is none.
fn unknown_role<'p>(person: &'p Json<'_>) -> Option<&'p str> {
    let Json::Object(members) = person else { return None };
    let Some((_, Json::Array(roles))) = members.iter().find(|(name, _)| name == ROLES) else { return None };
    roles.iter().find_map(|role| match role {
        Json::String(word) if Role::parse(word).is_none() => Some(&**word),
        _ => None,
    })
}

async fn invite_page(request: &PageRequest, form: Form, problems: Problems) -> Result<InvitePage> {
    request.require(MANAGE_PEOPLE)?;
    let mut tx = request.read().await?;
    let frame = Layout::of(request, &mut tx, texts::INVITE_PEOPLE, Section::Settings).await?;
    Ok(InvitePage { frame, form, problems })
}

impl InvitePage {
    fn roles(&self) -> &'static [Role] {
        Role::ALL
    }

    /// Whether a role is ticked; at first the responder.
    fn has_role(&self, role: &Role) -> bool {
        if self.form.has("people") { self.form.is(ROLES, role.as_str()) } else { *role == Role::Responder }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_a_person_in_the_ways_that_people_write_it() {
        for (line, name) in [
            ("ruth@example.org", "ruth"),
            ("Ruth Castellan ruth@example.org", "Ruth Castellan"),
            ("Ruth Castellan <ruth@example.org>,", "Ruth Castellan"),
            ("\"Castellan, Ruth\" <ruth@example.org>;", "Castellan, Ruth"),
            ("Ruth Castellan;ruth@example.org", "Ruth Castellan"),
            ("Ruth Castellan, ruth@example.org, Auditor; approver", "Ruth Castellan"),
        ] {
            let new = json::read_value(person(line, ["viewer"].into_iter()), domain::json::body::<NewMember>)
                .unwrap();
            assert_eq!((new.name.as_str(), new.email.as_str()), (name, "ruth@example.org"), "{line}");
            let roles = if line.contains("Auditor") { "auditor approver" } else { "viewer" };
            assert_eq!(new.roles.to_string(), roles, "{line}");
        }
        let form = |text: &str| Form::of([("people", text.to_owned()), (ROLES, "viewer".to_owned())]);
        assert!(people(&form("\n \n")).is_err());
        let problem = people(&form("ruth@example.org\nnobody\n\nalso nobody")).unwrap_err();
        assert!(problem.contains("Line 2:") && problem.contains("Line 4:"), "{problem}");
        let problem = people(&form("ruth@example.org manager auditor")).unwrap_err();
        assert!(problem.starts_with("Line 1: “manager” is not a role. Roles are viewer, "), "{problem}");
    }
}
