//! How the steps of an incident are written into the register.

use domain::incident::{IncidentPatch, NewHold, Status};
use domain::link::{LinkKind, LinkTarget, NewLink};
use domain::note::{NewNote, NoteKind};
use domain::review::{Action, ReviewPatch, ReviewState};
use domain::task::{NewTask, TaskPatch, TaskStatus};
use domain::{Author, ExpectedVersion, IncidentNumber, Prose, Scope};
use jiff::SignedDuration;
use store::Result;

use super::super::incidents::{DemoEnd, DemoIncident, DemoReview, DemoStep, DemoTask, Move};
use super::super::people::Who;
use super::{News, Scene, get};

impl<'a> Scene<'a> {
    pub(super) async fn step(&mut self, incident: &DemoIncident, step: &DemoStep) -> Result<Vec<News>> {
        let (number, who) = (self.number(incident)?, step.by);
        match step.what {
            Move::Tag(tag) => {
                let (tag, author) = (get(&self.known.tags, tag)?, self.writer(who)?);
                store::incidents::add_tag(self.tx, self.cast.organization, author, number, tag).await?;
            }
            Move::Note(kind, text) | Move::Pinned(kind, text) => {
                let pinned = matches!(step.what, Move::Pinned(..));
                let new =
                    NewNote { pinned: Some(pinned), ..NewNote::of(kind, Prose::stored(text.to_owned())) };
                self.note(number, who, &new).await?;
            }
            Move::Comment(text, mentions) => {
                let mentions = mentions.iter().filter_map(|who| self.cast.person(*who)).collect();
                let text = Prose::stored(text.to_owned());
                let new = NewNote { mentions: Some(mentions), ..NewNote::of(NoteKind::Comment, text) };
                self.note(number, who, &new).await?;
            }
            Move::Task(task) => self.task(number, who, task).await?,
            Move::TaskIs(task, status) => self.task_is(number, who, task, status).await?,
            Move::Link(kind, end) => self.link(number, who, kind, end).await?,
            Move::Review(review) => self.publish(number, who, review).await?,
            Move::To(..) | Move::Resolve(..) | Move::CloseAnyway(_) | Move::Hold(_) => {
                self.change(number, who, &patch(step.what)).await?;
            }
        }
        Ok(vec![])
    }

    fn writer(&self, who: Who) -> Result<&'a Author> {
        self.cast.author_with(who, Scope::IncidentsWrite)
    }

    async fn note(&mut self, number: IncidentNumber, who: Who, new: &NewNote) -> Result<()> {
        let author = self.writer(who)?;
        store::notes::create(self.tx, self.cast.organization, author, number, new).await.map(drop)
    }

    async fn task(&mut self, number: IncidentNumber, who: Who, task: &DemoTask) -> Result<()> {
        let new = NewTask {
            title: domain::Line::stored(task.title),
            notes: None,
            owner: self.cast.person(task.owner),
            due: Some(domain::time::floor(self.tx.at(), 3_600) + SignedDuration::from_hours(task.due_in)),
            mandatory: task.mandatory,
            position: None,
        };
        let author = self.writer(who)?;
        store::tasks::create(self.tx, self.cast.organization, author, number, &new).await?;
        Ok(())
    }

    async fn task_is(
        &mut self,
        number: IncidentNumber,
        who: Who,
        task: i64,
        status: TaskStatus,
    ) -> Result<()> {
        let patch = TaskPatch { status: Some(status), ..TaskPatch::default() };
        let (author, expected) = (self.writer(who)?, ExpectedVersion::Any);
        let organization = self.cast.organization;
        store::tasks::update(self.tx, organization, author, (number, task), &expected, &patch).await?;
        Ok(())
    }

    async fn link(&mut self, number: IncidentNumber, who: Who, kind: LinkKind, end: DemoEnd) -> Result<()> {
        let to = match end {
            DemoEnd::Risk(title) => LinkTarget::Risk(get(&self.known.risks, title)?),
            DemoEnd::Incident(title) => LinkTarget::Incident(get(&self.known.incidents, title)?),
            DemoEnd::Page(url, title) => {
                LinkTarget::Url { url: url.to_owned(), title: Some(title.to_owned()) }
            }
        };
        let (author, new) = (self.writer(who)?, NewLink { to, kind });
        store::links::add(self.tx, self.cast.organization, author, number, &new).await?;
        Ok(())
    }

    async fn publish(&mut self, number: IncidentNumber, who: Who, review: &DemoReview) -> Result<()> {
        let text = |text: &str| domain::Change::Set(Prose::stored(text));
        let action = |(title, owner): &(&str, Who)| Action {
            title: domain::Line::stored(*title),
            owner: self.cast.person(*owner),
            due: None,
            task: None,
        };
        let patch = ReviewPatch {
            summary: text(review.summary),
            root_cause: text(review.root_cause),
            contributing_factors: text(review.factors),
            impact: text(review.impact),
            went_well: text(review.went_well),
            lessons: text(review.lessons),
            actions: Some(review.actions.iter().map(action).collect()),
            state: Some(ReviewState::Published),
            ..ReviewPatch::default()
        };
        let (author, expected) = (self.writer(who)?, ExpectedVersion::Any);
        store::reviews::update(self.tx, self.cast.organization, author, number, &expected, &patch).await?;
        Ok(())
    }
}

/// What a step changes in the incident itself.
pub(super) fn patch(step: Move) -> IncidentPatch {
    let empty = IncidentPatch::default();
    match step {
        Move::To(status, reason) => {
            IncidentPatch { status: Some(status), reason: Some(domain::Reason::stored(reason)), ..empty }
        }
        Move::Resolve(reason, summary) => IncidentPatch {
            status: Some(Status::Resolved),
            resolution_reason: Some(reason),
            resolution_summary: domain::Change::Set(Prose::stored(summary)),
            ..empty
        },
        Move::CloseAnyway(reason) => IncidentPatch {
            status: Some(Status::Closed),
            reason: Some(domain::Reason::stored(reason)),
            is_override: true,
            ..empty
        },
        Move::Hold(reason) => IncidentPatch {
            hold: domain::Change::Set(NewHold { until: None, reason: domain::Reason::stored(reason) }),
            ..empty
        },
        _ => empty,
    }
}
