//! `GET /o/{slug}/incidents/{id}`: where it stands, what comes next and what that needs, and all that happened.

use askama::Template;
use domain::Scope;
use domain::incident::{Status, TransitionOption};
use domain::note::EntryKind;
use domain::person::Member;
use jiff::Timestamp;
use store::View;
use store::incidents::{IncidentDetails, TimelineItem, TimelineQuery, TimelineWhat};
use store::tasks::TaskDetails;

use super::{READ, number};
use crate::frame::form::{Form, Problems};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::words;

/// So many items of the timeline and so many tasks are on the page.
const SHOWN: i64 = 50;

/// The most people that can be chosen.
const MOST_PEOPLE: i64 = 200;

/// The statuses of the stepper, in their order.
const STEPS: [Status; 5] =
    [Status::New, Status::Investigating, Status::Contained, Status::Resolved, Status::Closed];

#[derive(Template)]
#[template(path = "incidents/show.html")]
pub(super) struct ShowPage {
    frame: Layout,
    it: IncidentDetails,
    options: Vec<TransitionOption>,
    timeline: Vec<TimelineItem>,
    has_more: bool,
    tasks: Vec<TaskDetails>,
    people: Vec<Member>,
    me: String,
    may_write: bool,
    may_delete: bool,
    warnings: Vec<String>,
    /// The form that was refused, and what was wrong with it.
    form: Form,
    problems: Problems,
    /// What the other forms of the page have.
    empty: (Form, Problems),
}

/// A step of the life of an incident.
struct Stage {
    name: &'static str,
    class: &'static str,
    note: String,
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
    let (organization, viewer, view) = (request.id(), request.viewer(), View::now());
    let mut tx = request.read().await?;
    let incident = store::incidents::get(&mut tx, organization, &viewer, number, view).await?;
    let scopes = request.permissions().scopes();
    let options = store::incidents::options(&mut tx, organization, &viewer, number, scopes).await?;
    let it = store::incidents::details(&mut tx, organization, &viewer, view, incident).await?;
    let query = TimelineQuery {
        types: Vec::new(),
        sort: Default::default(),
        after: None,
        zone: request.organization.time_zone(),
    };
    let timeline = store::incidents::timeline(&mut tx, organization, &viewer, number, &query, SHOWN).await?;
    let tasks = store::tasks::list_of_incident(&mut tx, organization, &viewer, number, None, SHOWN).await?;
    let may_write = request.may(Scope::IncidentsWrite);
    let people = match may_write {
        true => store::people::list(&mut tx, organization, &[], None, MOST_PEOPLE).await?,
        false => Vec::new(),
    };
    let title = it.incident.title.clone();
    let frame = Layout::of(request, &mut tx, title, Section::Incidents).await?;
    let warnings = domain::incident::warnings(&it.incident.dates());
    Ok(ShowPage {
        frame,
        options,
        timeline: timeline.rows,
        has_more: timeline.has_more,
        tasks: tasks.rows,
        people,
        me: request.member.person.id.to_string(),
        may_write,
        may_delete: request.may(Scope::IncidentsDelete),
        warnings: warnings.into_iter().map(|warning| sentence(&warning)).collect(),
        it,
        form,
        problems,
        empty: Default::default(),
    })
}

/// What is unusual about two dates, with their names as the page has them.
fn sentence(warning: &domain::incident::Warning) -> String {
    let names = warning.fields.map(|field| field.trim_end_matches("_date"));
    let [second, first] = names;
    format!("It is odd that “{second}” lies before “{first}”, but possible.")
}

impl ShowPage {
    /// The stepper. Of a dismissed incident it shows the way as far as it went.
    fn stages(&self) -> Vec<Stage> {
        let incident = &self.it.incident;
        let now = STEPS.iter().position(|status| *status == incident.status);
        let reached = [
            Some(incident.created_date),
            incident.responded_date,
            incident.contained_date,
            incident.resolved_date,
            incident.closed_date,
        ];
        let stage = |(index, (status, at)): (usize, (&Status, Option<Timestamp>))| {
            let class = match now {
                Some(now) if index < now && at.is_none() => "done skipped",
                Some(now) if index < now => "done",
                Some(now) if index == now => "now",
                None if at.is_some() => "done",
                _ => "",
            };
            let note = match at {
                Some(at) => self.frame.clock.short(&at),
                None => self.needs(status),
            };
            Stage { name: status.label(), class, note }
        };
        STEPS.iter().zip(reached).enumerate().map(stage).collect()
    }

    /// What a status needs, in a few words.
    fn needs(&self, status: &Status) -> String {
        let Some(option) = self.options.iter().find(|option| option.to == *status) else {
            return String::new();
        };
        let count = option.needs.len() + option.blocked_by.len();
        match (option.permitted, count) {
            (true, 0) => String::new(),
            (true, 1) => "needs one answer".to_owned(),
            (true, count) => format!("needs {count} answers"),
            (false, _) => "not yet".to_owned(),
        }
    }

    /// What can be done next, the way ahead first.
    fn permitted(&self) -> impl Iterator<Item = &TransitionOption> {
        self.options.iter().filter(|option| option.permitted)
    }

    /// The status that comes next, if nothing but answers stands against it.
    fn next(&self) -> Option<&TransitionOption> {
        let now = STEPS.iter().position(|status| *status == self.it.incident.status)?;
        STEPS.iter().skip(now + 1).find_map(|status| self.permitted().find(|option| option.to == *status))
    }

    /// The other statuses that it can get.
    fn others(&self) -> Vec<&TransitionOption> {
        let next = self.next().map(|option| option.to);
        self.permitted().filter(|option| Some(option.to) != next).collect()
    }

    /// What stands against closing it.
    fn against_closing(&self) -> Vec<&str> {
        let close = self.options.iter().find(|option| option.to == Status::Closed);
        let obstacles = close.into_iter().flat_map(|option| &option.blocked_by);
        let obstacles =
            obstacles.filter(|it| !["transition_not_allowed", "insufficient_scope"].contains(&it.code));
        obstacles.map(|obstacle| obstacle.detail.as_str()).collect()
    }

    /// The dates with their names.
    fn dates(&self) -> Vec<(&'static str, Option<Timestamp>)> {
        let incident = &self.it.incident;
        vec![
            ("Occurred", incident.occurred_date),
            ("Detected", Some(incident.detected_date)),
            ("Responded", incident.responded_date),
            ("Contained", incident.contained_date),
            ("Resolved", incident.resolved_date),
            ("Closed", incident.closed_date),
        ]
    }

    fn icon(&self, item: &TimelineItem) -> &'static str {
        match &item.what {
            TimelineWhat::Change { kind, .. } => match kind.as_str() {
                "incident.created" => "incident",
                kind if kind.contains("task") => "task",
                kind if kind.contains("link") => "link",
                _ => "pulse",
            },
            TimelineWhat::Entry { .. } | TimelineWhat::Comment { .. } => "pen",
        }
    }

    /// The kind of what somebody wrote; none of a change.
    fn written(&self, item: &TimelineItem) -> Option<String> {
        match &item.what {
            TimelineWhat::Change { .. } => None,
            TimelineWhat::Entry { kind, .. } => Some(words::label(kind)),
            TimelineWhat::Comment { .. } => Some("Comment".to_owned()),
        }
    }

    fn entry_kinds(&self) -> &'static [EntryKind] {
        EntryKind::ALL
    }

    fn reasons(&self) -> &'static [domain::incident::ResolutionReason] {
        domain::incident::ResolutionReason::ALL
    }

    fn done_tasks(&self) -> usize {
        self.tasks.iter().filter(|row| !row.task.status.is_open()).count()
    }

    /// The verb of a step.
    fn verb(&self, to: &Status) -> &'static str {
        match to {
            Status::New => "Make it new again",
            Status::Investigating if self.it.incident.status == Status::New => "Investigate",
            Status::Investigating => "Investigate again",
            Status::Contained => "Contain",
            Status::Resolved => "Resolve",
            Status::Closed => "Close",
            Status::Dismissed => "Dismiss",
        }
    }

    /// What is wrong with the form of a step.
    fn problems_of(&self, option: &TransitionOption) -> &Problems {
        if self.form.is("to", option.to.as_str()) { &self.problems } else { &self.empty.1 }
    }

    /// What was typed into the form of a step.
    fn form_of(&self, option: &TransitionOption) -> &Form {
        if self.form.is("to", option.to.as_str()) { &self.form } else { &self.empty.0 }
    }

    fn needs_member(&self, option: &TransitionOption, member: &str) -> bool {
        option.needs.contains(&member)
    }
}
