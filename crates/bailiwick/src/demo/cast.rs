//! Who acts in the demo, and what is known under which name: ids in place of names, as the API takes them.

use std::collections::HashMap;

use auth::clients::Registered;
use auth::people::{Password, PasswordCost};
use auth::secret::InvitationToken;
use db::{Db, Tx};
use domain::client::NewClient;
use domain::document::Day;
use domain::json::{Json, body};
use domain::person::{Member, NewMember};
use domain::{Actor, ActorKind, Author, Faults, Line, Permissions, Scopes};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use store::demo::Demo;

use super::data::{Act, Data, When, wrong};
use super::join::join;
use crate::failure::{Failure, Result};

/// Who acts in the demo, and what was made so far.
#[derive(Debug, Clone)]
pub(super) struct Cast {
    pub(super) demo: Demo,
    /// The moment that the demo leads to.
    now: Timestamp,
    /// People and clients, by name.
    authors: HashMap<String, Author>,
    /// Ids, by kind and name.
    known: HashMap<(&'static str, String), String>,
}

impl Cast {
    /// Marks the database, and makes the organization with its people and clients.
    pub(super) async fn introduce(db: &Db, data: &Data, now: Timestamp) -> Result<Self> {
        let (name, people): (_, Vec<NewMember>) = (data.organization.clone(), read(&data.people, body)?);
        let invited: Vec<_> =
            people.iter().map(|_| InvitationToken::generate(&**db.random()).hash()).collect();
        let hash = unknown_password(&**db.random())?;
        let begin = async move |tx: &mut Tx| {
            store::demo::begin(tx).await?;
            let organization = store::organizations::create(tx, &operator(), &name).await?.id;
            let mut members = Vec::new();
            for person in &people {
                members.push(store::people::add(tx, organization, &operator(), person).await?);
            }
            // All but the last have joined. The first does when a visitor gets her password.
            for (person, token) in people.iter().zip(&invited).skip(1).rev().skip(1) {
                join(tx, organization, &operator(), person, token, &hash).await?;
            }
            if let Some(first) = members.first() {
                store::people::set_operator(tx, &operator(), first.person.id, true).await?;
            }
            Ok::<_, store::Error>((organization, members))
        };
        let (organization, members) = db.write_instance(begin).await?;
        let new = NewClient { name: Line::stored("Demo visitor"), scopes: Scopes::all() };
        let client = Registered::create(db, organization, operator(), new).await?.client.id;
        let demo = Demo { organization, client };
        let mut cast = Self { demo, now, authors: HashMap::new(), known: HashMap::new() };
        for Member { person, roles, .. } in members {
            cast.know("person", &person.name, &person.id);
            let by = author(ActorKind::User, &person.id, &person.name, roles.scopes());
            cast.authors.insert(person.name, by);
        }
        for client in read(&data.clients, body::<Vec<NewClient>>)? {
            let made = Registered::create(db, organization, operator(), client).await?.client;
            let by = author(ActorKind::Client, &made.id, &made.name, made.scopes);
            cast.authors.insert(made.name, by);
        }
        Ok(cast)
    }

    /// Who does an act.
    pub(super) fn author(&self, act: &Act) -> Result<&Author> {
        self.authors.get(&act.by).ok_or_else(|| unknown("person or client", &act.by))
    }

    pub(super) fn know(&mut self, kind: &'static str, name: &str, id: &impl ToString) {
        self.known.insert((kind, name.to_owned()), id.to_string());
    }

    /// The id of a record.
    pub(super) fn id<T>(&self, kind: &'static str, name: &str, parse: fn(&str) -> Option<T>) -> Result<T> {
        let id = self.known.get(&(kind, name.to_owned()));
        id.and_then(|id| parse(id)).ok_or_else(|| unknown(kind, name))
    }

    /// Reads the body of an act as the API does, with ids in place of names, and times in place of those from now.
    pub(super) fn read<T>(&self, act: &Act, form: impl Fn(Json<'_>, &mut Faults) -> Option<T>) -> Result<T> {
        read(&self.resolved(&act.what, &act.body, act.at)?, form)
    }

    fn resolved(&self, member: &str, value: &Value, at: Timestamp) -> Result<Value> {
        let id = |kind, name| self.id(kind, name, |id| Some(json!(id)));
        Ok(match (member, value) {
            ("owner" | "assigned_to" | "readers" | "mentions" | "member" | "users", Value::String(it)) => {
                id("person", it)?
            }
            ("group", Value::String(it)) => id("group", it)?,
            ("incident" | "duplicate_of", Value::String(it)) => id("incident", it)?,
            ("risk", Value::String(it)) => id("risk", it)?,
            ("tag", Value::String(it)) => id("tag", it)?,
            ("due", Value::String(it)) => {
                json!(domain::time::floor(at, 3_600) + SignedDuration::from_hours(later(it, 'h')?))
            }
            ("effective_date" | "until", Value::String(it)) => {
                json!(&*Day::of(at + SignedDuration::from_hours(24 * later(it, 'd')?)))
            }
            (name, Value::String(it)) if name.ends_with("_date") || name == "evaluated_at" => {
                json!(When::try_from(it.clone()).map_err(wrong)?.before(self.now))
            }
            (_, Value::Array(all)) => {
                all.iter().map(|it| self.resolved(member, it, at)).collect::<Result<_>>()?
            }
            (_, Value::Object(members)) => {
                // The end of a link has a type, and the id of such a record.
                let kind = |name| members.get("type").and_then(Value::as_str).filter(|_| name == "id");
                let resolved = members.iter().map(|(name, value)| {
                    Ok((name.clone(), self.resolved(kind(name).unwrap_or(name), value, at)?))
                });
                Value::Object(resolved.collect::<Result<_>>()?)
            }
            (_, other) => other.clone(),
        })
    }
}

/// How many hours or days are in a time such as "+4h", which is seen from when something is done.
fn later(text: &str, unit: char) -> Result<i64> {
    let count = text.strip_prefix('+').and_then(|it| it.strip_suffix(unit)?.parse().ok());
    count.ok_or_else(|| wrong(format!("`{text}` is not a time such as \"+4{unit}\"")))
}

/// The hash of a password that nobody knows.
fn unknown_password(random: &dyn Fn(&mut [u8])) -> Result<String> {
    let mut bytes = [0; 16];
    random(&mut bytes);
    let password = Password::new(u128::from_ne_bytes(bytes).to_string());
    Ok(PasswordCost::default().store(&password, random)?)
}

/// Reads a body as the API does.
pub(super) fn read<T>(body: &Value, form: impl Fn(Json<'_>, &mut Faults) -> Option<T>) -> Result<T> {
    let (text, mut faults) = (body.to_string(), Faults::new());
    let json = http::json::parse(text.as_bytes()).map_err(|error| wrong(format!("{error:?}")))?;
    form(json, &mut faults).filter(|_| faults.is_empty()).ok_or_else(|| {
        let told = faults.as_slice().iter().map(|fault| format!("{} {} ", fault.pointer, fault.sentence()));
        wrong(format!("{}In {text}", told.collect::<String>()))
    })
}

/// The error for a name that nothing has, or that nothing has yet.
pub(super) fn unknown(kind: &str, name: &str) -> Failure {
    wrong(format!("there is no {kind} `{name}` yet"))
}

/// The operator who started the demo.
pub(crate) fn operator() -> Author {
    author(ActorKind::Operator, &"service", "Service", Scopes::all())
}

fn author(kind: ActorKind, id: &impl ToString, name: &str, scopes: Scopes) -> Author {
    let actor = Actor { kind, id: id.to_string(), name: name.to_owned() };
    Author::new(actor, "demo").with(Permissions::new(scopes))
}
