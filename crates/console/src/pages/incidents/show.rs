//! `GET /o/{slug}/incidents/{id}`: where it stands, what comes next and what that needs, and all that happened.

use askama::Template;
use db::Tx;
use domain::incident::{DateField, Hold, Incident, Status, TransitionOption};
use domain::link::LinkedType;
use domain::note::NoteKind;
use domain::person::Member;
use domain::record::Record as _;
use domain::tag::Tag;
use domain::{ActorKind, Error as E, IncidentNumber, Scope};
use http::page::{List, Page};
use jiff::Timestamp;
use store::View;
use store::incidents::{
    IncidentDetails, TimelineItem, TimelinePosition, TimelineQuery, TimelineType, TimelineWhat,
};
use store::links::{LinkEnd, LinkQuery, LinkReader, Linked};
use store::list::TimeRange;

use super::mentions::{self, Mentioned};
use super::{READ, label, number};
use crate::frame::clock::Clock;
use crate::frame::form::{Form, MOST_CHOICES};
use crate::frame::layout::{Layout, Section};
use crate::frame::news;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::words;
use crate::pages::listed::tasks::Tasks;
use crate::texts;

/// So many items of the timeline and links are on the page.
const SHOWN: i64 = 50;

#[derive(Template)]
#[template(path = "incidents/show.html")]
pub(crate) struct ShowPage {
    pub(super) frame: Layout,
    pub(super) it: IncidentDetails,
    pub(super) options: Vec<TransitionOption>,
    timeline: Timeline,
    /// The members whom the notes of the page mention.
    mentioned: Mentioned,
    /// The members who can be mentioned.
    mentionable: Vec<Member>,
    tasks: Tasks,
    pub(super) links: Vec<Linked>,
    pub(super) people: Vec<Member>,
    /// The tags that it does not have.
    pub(super) tags: Vec<Tag>,
    /// The incident that it repeats, if the person sees it.
    original: Option<Incident>,
    /// Whether there is a review.
    pub(super) has_review: bool,
    pub(super) me: String,
    pub(super) may_write: bool,
    pub(super) may_comment: bool,
    pub(super) may_delete: bool,
    pub(super) may_override: bool,
    pub(super) warnings: Vec<String>,
    /// The form that was refused, and what was wrong with it.
    pub(super) form: Form,
    pub(super) problems: Problems,
    /// What the other forms of the page have.
    pub(super) empty: (Form, Problems),
}

/// `GET /o/{slug}/incidents/{id}`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = show_page(&request, Form::default(), Problems::default()).await?;
    request.show(&page)
}

/// The page of the incident in the path, with a form that was refused.
pub(super) async fn show_page(request: &PageRequest, form: Form, problems: Problems) -> Result<ShowPage> {
    request.require(READ)?;
    let number = number(request)?;
    let (organization, viewer) = (request.id(), request.viewer());
    let may_delete = request.may(Scope::IncidentsDelete);
    let view = request.view(Scope::IncidentsDelete);
    let mut tx = request.read().await?;
    let incident = store::incidents::get(&mut tx, organization, &viewer, number, view).await?;
    let is_deleted = incident.deleted_date.is_some();
    let it = store::incidents::details(&mut tx, organization, &viewer, view, incident).await?;
    let may_write = request.may(Scope::IncidentsWrite) && !is_deleted;
    let title = it.incident.title.clone();
    let warnings = domain::incident::warnings(&it.incident.dates());
    let parts = if is_deleted { Parts::default() } else { Parts::of(request, &mut tx, &it).await? };
    let may_comment = !is_deleted && viewer.comments_on(&it.incident, request.permissions().scopes());
    let may_mention = may_comment && request.may(Scope::UsersRead);
    let choices = match may_write || may_mention {
        true => Choices::of(request, &mut tx, &it).await?,
        false => Choices::default(),
    };
    let offered = mentions::offered(request, &choices.people, &it.incident).filter(|_| may_mention);
    let mentionable = offered.cloned().collect();
    let written = parts.timeline.items.iter().map(|item| item.text.as_str());
    let mentioned = Mentioned::of(request, &mut tx, written).await?;
    let problems = news::of_incident(request, &mut tx, number, news::seen(&form), problems).await?;
    let frame = Layout::of(request, &mut tx, title, Section::Incidents).await?;
    let frame = frame.watching(request, &mut tx, "incident", number.to_string()).await?;
    Ok(ShowPage {
        frame,
        options: parts.options,
        timeline: parts.timeline,
        mentioned,
        mentionable,
        tasks: parts.tasks,
        links: parts.links,
        has_review: parts.has_review,
        original: parts.original,
        people: choices.people,
        tags: choices.tags,
        me: request.member.person.id.to_string(),
        may_write,
        may_comment,
        may_delete,
        may_override: request.may(Scope::IncidentsOverride),
        warnings: warnings.into_iter().map(|warning| sentence(&warning)).collect(),
        it,
        form,
        problems,
        empty: (form_of_steps(&request.clock), Problems::default()),
    })
}

/// The forms of the steps as they are shown first: who resolves a new incident responded just now, unless they say otherwise.
fn form_of_steps(clock: &Clock) -> Form {
    let at = clock.now();
    Form::of([("responded_date", clock.field(&at)), ("responded_date_instant", clock.exact(&at))])
}

/// What belongs to an incident that is not deleted.
#[derive(Default)]
struct Parts {
    options: Vec<TransitionOption>,
    timeline: Timeline,
    tasks: Tasks,
    links: Vec<Linked>,
    has_review: bool,
    original: Option<Incident>,
}

impl Parts {
    async fn of(request: &PageRequest, tx: &mut Tx, it: &IncidentDetails) -> Result<Self> {
        let (organization, viewer, number) = (request.id(), request.viewer(), it.incident.number);
        let scopes = request.permissions().scopes();
        let options = store::incidents::options(tx, organization, &viewer, number, scopes).await?;
        let tasks = Tasks::of(request, tx, number.into()).await?;
        let reader = LinkReader::new(viewer.clone(), scopes);
        let query = LinkQuery { end: LinkEnd::Incident(number), detected: TimeRange::default(), after: None };
        let links = store::links::list(tx, organization, &reader, &query, SHOWN).await?;
        let reviews = store::reviews::count_editions(tx, organization, number).await?;
        let timeline = Timeline::of(request, tx, number).await?;
        let original = match it.incident.duplicate_of {
            Some(original) => {
                match store::incidents::get(tx, organization, &viewer, original, View::now()).await {
                    Err(store::Error(E::NotFound(_))) => None,
                    found => Some(found?),
                }
            }
            None => None,
        };
        let (links, has_review) = (links.rows, reviews > 0);
        Ok(Self { options, timeline, tasks, links, has_review, original })
    }
}

/// What can be chosen in the forms of the page.
#[derive(Default)]
struct Choices {
    people: Vec<Member>,
    tags: Vec<Tag>,
}

impl Choices {
    async fn of(request: &PageRequest, tx: &mut Tx, it: &IncidentDetails) -> Result<Self> {
        let people = store::people::first(tx, request.id(), MOST_CHOICES).await?;
        let tags = match request.may(Scope::TagsRead) {
            true => store::tags::list(tx, request.id(), &[], None, MOST_CHOICES).await?.rows,
            false => Vec::new(),
        };
        let has = |tag: &Tag| it.tags.iter().any(|label| label.id == tag.id);
        Ok(Self { people, tags: tags.into_iter().filter(|tag| !has(tag)).collect() })
    }
}

/// A page of the timeline.
#[derive(Default)]
struct Timeline {
    items: Vec<TimelineItem>,
    /// The cursor of the earlier ones.
    next: Option<String>,
    is_first: bool,
    /// Whether only what people wrote is shown.
    is_written: bool,
}

impl Timeline {
    /// As the query asks for it; after a form that was refused, the latest items.
    async fn of(request: &PageRequest, tx: &mut Tx, number: IncidentNumber) -> Result<Self> {
        let mut query = request.query();
        let page = Page::<TimelinePosition>::read(&request.list_id(), &mut query);
        let is_written = query.one_of("show", &["written"]).is_some();
        query.finish()?;
        let types = if is_written { vec![TimelineType::Note] } else { Vec::new() };
        let (zone, is_first) = (request.organization.time_zone(), page.after.is_none());
        let query = TimelineQuery { types, sort: Default::default(), after: page.after, zone };
        let viewer = request.viewer();
        let found = store::incidents::timeline(tx, request.id(), &viewer, number, &query, SHOWN).await?;
        let list = List::of(&request.list_id(), found, None, |item| item.position.clone(), |item| item);
        let next = list.next_cursor.filter(|_| request.is_get());
        Ok(Self { items: list.data, next, is_first, is_written })
    }
}

/// What is said of a date that an incident with this status does not have: it is still to come, or was never recorded.
pub(super) fn no_date(field: &str, status: Status) -> &'static str {
    let date = DateField::ALL.into_iter().find(|date| date.name() == field);
    if date.is_some_and(|date| date.is_ahead_of(status)) { texts::NOT_YET } else { texts::UNKNOWN }
}

/// A warning about two dates, with their labels.
fn sentence(warning: &domain::incident::Warning) -> String {
    let [second, first] = warning.fields.map(|field| label(field).trim_end_matches(" at"));
    texts::unusual_order(second, first)
}

impl ShowPage {
    /// The address of the page.
    fn address(&self) -> String {
        format!("{}/incidents/{}", self.frame.base, self.it.incident.number)
    }

    /// The pause that it is in.
    fn on_hold(&self) -> Option<&Hold> {
        self.it.incident.hold_at(self.frame.clock.now())
    }

    /// The dates: field, label, time, and what is said of one that is not there.
    fn dates(&self) -> impl Iterator<Item = (&'static str, &'static str, Option<Timestamp>, &'static str)> {
        let (dates, status) = (self.it.incident.dates(), self.it.incident.status);
        let said = move |date: DateField| {
            let is_dismissal = date == DateField::Closed && status == Status::Dismissed;
            let name = if is_dismissal { texts::DISMISSED_AT } else { label(date.name()) };
            (date.name(), name, dates.get(date), no_date(date.name(), status))
        };
        DateField::ALL.into_iter().map(said)
    }

    /// Whether the person may close it with an override.
    fn may_override(&self) -> bool {
        self.may_override && self.it.incident.status == Status::Resolved
    }

    fn icon(&self, item: &TimelineItem) -> &'static str {
        match &item.what {
            TimelineWhat::Change { kind, .. } => match kind.as_str() {
                "incident.created" => "incident",
                kind if kind.contains("task") => "task",
                kind if kind.contains("link") => "link",
                _ => "pulse",
            },
            TimelineWhat::Note { .. } => "pen",
        }
    }

    /// The kind of what somebody wrote; none of a change.
    fn written(&self, item: &TimelineItem) -> Option<String> {
        match &item.what {
            TimelineWhat::Change { .. } => None,
            TimelineWhat::Note { kind, .. } => Some(words::label(kind)),
        }
    }

    /// The address of the form that changes what somebody wrote: that is for them, and for those who may delete.
    fn edit_address(&self, item: &TimelineItem) -> Option<String> {
        let is_own = item.actor.kind == ActorKind::User && item.actor.id == self.me;
        if !is_own && !self.may_delete {
            return None;
        }
        let TimelineWhat::Note { number, kind, .. } = &item.what else { return None };
        let is_of_writer = self.note_kinds().contains(kind);
        is_of_writer
            .then(|| format!("{}/incidents/{}/notes/{number}", self.frame.base, self.it.incident.number))
    }

    /// What a note is marked with.
    fn marks(&self, item: &TimelineItem) -> Vec<&'static str> {
        match &item.what {
            TimelineWhat::Note { pinned, edited_date, .. } => {
                let pinned = pinned.then_some("pinned");
                pinned.into_iter().chain(edited_date.map(|_| "edited")).collect()
            }
            TimelineWhat::Change { .. } => Vec::new(),
        }
    }

    /// What a link leads to, and the words for it.
    fn link_types(&self) -> &'static [LinkedType] {
        LinkedType::ALL
    }

    /// The address of the record at the other end of a link; none where there is no page.
    fn link_address(&self, linked: &Linked) -> Option<String> {
        let other = &linked.other;
        let folder = match other.linked_type {
            LinkedType::Incident => "incidents",
            LinkedType::Risk => "risks",
            LinkedType::Document => "documents",
            LinkedType::Url => return linked.link.url.clone(),
        };
        other.id.as_ref().map(|id| format!("{}/{folder}/{id}", self.frame.base))
    }

    /// The words of a link: `materialised`, or of one that leads here `related (incoming)`.
    fn link_words(&self, linked: &Linked) -> String {
        let kind = linked.link.kind.as_str().replace('_', " ");
        match linked.direction {
            domain::link::LinkDirection::Outgoing => kind,
            domain::link::LinkDirection::Incoming => texts::incoming(&kind),
        }
    }

    /// The kinds of notes that the person writes.
    fn note_kinds(&self) -> &'static [NoteKind] {
        match (self.may_write, self.may_comment) {
            (true, _) => NoteKind::ALL,
            (false, true) => &[NoteKind::Comment],
            (false, false) => &[],
        }
    }
}
