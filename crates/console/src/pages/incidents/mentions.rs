//! Mentions: `@` and the e-mail address of a member, in a comment. Pages show the name instead.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;

use db::Tx;
use domain::incident::{Incident, Viewer};
use domain::note::{Note, NoteKind, addresses};
use domain::person::{Member, folded_email};
use domain::{Prose, UserId};
use store::people::MemberFilter;

use crate::frame::page_request::{PageRequest, Result};

/// The most addresses that are looked for on one page.
const MOST_ADDRESSES: usize = 200;

/// The members whom texts mention, by their folded e-mail addresses.
#[derive(Default)]
pub(super) struct Mentioned(HashMap<String, Member>);

impl Mentioned {
    /// The members among the addresses of these texts.
    pub(super) async fn of<'t>(
        request: &PageRequest,
        tx: &mut Tx,
        texts: impl IntoIterator<Item = &'t str>,
    ) -> Result<Self> {
        let found = texts.into_iter().flat_map(addresses).map(|(_, address)| folded_email(address));
        let emails: BTreeSet<String> = found.take(MOST_ADDRESSES).collect();
        if emails.is_empty() {
            return Ok(Self::default());
        }
        let limit = i64::try_from(emails.len()).unwrap_or(i64::MAX);
        let filter = MemberFilter { emails: emails.into_iter().collect(), ..MemberFilter::default() };
        let members = store::people::list(tx, request.id(), &filter, None, limit).await?;
        Ok(Self(members.into_iter().map(|it| (folded_email(&it.person.email), it)).collect()))
    }

    /// The ids of those whom a text mentions, in its order.
    fn ids(&self, text: &str) -> Vec<UserId> {
        let members = addresses(text).filter_map(|(_, address)| self.0.get(&folded_email(address)));
        members.map(|member| member.person.id).collect()
    }

    /// A text in Markdown with the names of those whom it mentions.
    pub(super) fn with_names(&self, text: &str) -> String {
        let (mut shown, mut rest) = (String::new(), 0);
        for (place, address) in addresses(text) {
            if let Some(member) = self.0.get(&folded_email(address)) {
                shown.push_str(text.get(rest..place).unwrap_or_default());
                let _ = write!(shown, "@{}", escaped(&member.person.name));
                rest = place + 1 + address.len();
            }
        }
        shown + text.get(rest..).unwrap_or_default()
    }
}

/// A text that Markdown shows as it is.
fn escaped(text: &str) -> String {
    let escape = |it: char| it.is_ascii_punctuation().then_some('\\').into_iter().chain([it]);
    text.chars().flat_map(escape).collect()
}

/// Those whom a new note mentions: only a comment does.
pub(super) async fn of_new(
    request: &PageRequest,
    kind: NoteKind,
    text: &Prose,
) -> Result<Option<Vec<UserId>>> {
    if kind != NoteKind::Comment {
        return Ok(None);
    }
    let ids = Mentioned::of(request, &mut request.read().await?, [&**text]).await?.ids(text);
    Ok((!ids.is_empty()).then_some(ids))
}

/// Those whom a note mentions with another text. Who was mentioned beside the text stays.
pub(super) async fn of_edited(
    request: &PageRequest,
    tx: &mut Tx,
    before: &Note,
    text: &Prose,
) -> Result<Option<Vec<UserId>>> {
    if before.kind != NoteKind::Comment {
        return Ok(None);
    }
    let members = Mentioned::of(request, tx, [&*before.text, &**text]).await?;
    let (was, named) = (members.ids(&before.text), members.ids(text));
    let beside = before.mentions.iter().copied().filter(|id| !was.contains(id));
    Ok(Some(beside.chain(named).collect()))
}

/// The members who see an incident, without the person who writes.
pub(super) fn offered<'m>(
    request: &PageRequest,
    people: &'m [Member],
    incident: &'m Incident,
) -> impl Iterator<Item = &'m Member> {
    let me = request.member.person.id;
    let sees = |it: &&Member| Viewer::new(&it.actor(), it.roles.scopes()).sees_incident(incident);
    people.iter().filter(move |it| it.person.id != me).filter(sees)
}
