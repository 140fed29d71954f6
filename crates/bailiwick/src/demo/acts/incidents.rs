//! How the acts about incidents are written into the register.

use domain::incident::{Incident, IncidentPatch, Kind, NewIncident, Status, Viewer};
use domain::{ExpectedVersion, IncidentNumber, Scope, UserId};
use jiff::Timestamp;
use store::{Result, View};

use super::super::incidents::{DemoIncident, Move, Outcome};
use super::super::people::Who;
use super::super::when::When;
use super::steps::patch;
use super::{News, Scene, get};

impl Scene<'_> {
    pub(super) async fn declare(&mut self, incident: &'static DemoIncident) -> Result<Vec<News>> {
        let author = self.cast.author(incident.opened_by)?;
        let responded = self.if_past(incident.responded);
        let new = NewIncident {
            title: domain::Line::stored(incident.title),
            description: domain::ProseOrEmpty::stored(incident.description),
            source: Some(domain::LineOrEmpty::stored(incident.source)),
            assigned_to: responded.and(self.assignee(incident)),
            occurred_date: self.if_past(incident.occurred),
            detected_date: Some(incident.detected.before(self.now)),
            responded_date: responded,
            contained_date: self.if_past(incident.contained),
            ..NewIncident::untitled()
        };
        let number = store::incidents::create(self.tx, self.cast.organization, author, &new).await?.number;
        let readers: Vec<UserId> = incident.readers.iter().filter_map(|who| self.cast.person(*who)).collect();
        let patch = IncidentPatch {
            kind: (incident.kind != Kind::Real).then_some(incident.kind),
            restricted: (!readers.is_empty()).then_some(true),
            readers: (!readers.is_empty()).then_some(readers),
            ..IncidentPatch::default()
        };
        self.change(number, incident.opened_by, &patch).await?;
        Ok(vec![News::Incident(incident.title, number)])
    }

    /// What became known since: dates, with the status that they mean, and the severity.
    pub(super) async fn amend(&mut self, incident: &'static DemoIncident) -> Result<Vec<News>> {
        let number = self.number(incident)?;
        let (responded, contained) = (self.if_past(incident.responded), self.if_past(incident.contained));
        let reached = match (responded, contained) {
            (_, Some(_)) => Status::Contained,
            (Some(_), None) => Status::Investigating,
            (None, None) => Status::New,
        };
        let status = self.stored(number).await?.status;
        let judged = incident.judged_at(self.now) <= self.tx.at();
        let patch = IncidentPatch {
            assigned_to: responded.and(self.assignee(incident)).map(Some).into(),
            responded_date: responded.map(Some).into(),
            contained_date: contained.map(Some).into(),
            severity: incident.severity.filter(|_| judged).map(|judgement| judgement.severity()),
            status: (status < reached).then_some(reached),
            ..IncidentPatch::default()
        };
        self.change(number, incident.lead(), &patch).await
    }

    pub(super) async fn finish(&mut self, incident: &DemoIncident) -> Result<Vec<News>> {
        let change = match incident.outcome {
            Outcome::Open => return Ok(vec![]),
            Outcome::Resolved { reason, summary, .. } => patch(Move::Resolve(reason, summary)),
            Outcome::Dismissed { reason, why, original, .. } => IncidentPatch {
                status: Some(Status::Dismissed),
                resolution_reason: Some(reason),
                reason: (!why.is_empty()).then(|| (*why).into()),
                duplicate_of: original.map(|title| get(&self.known.incidents, title)).transpose()?,
                ..IncidentPatch::default()
            },
        };
        self.change(self.number(incident)?, incident.lead(), &change).await
    }

    pub(super) async fn close(&mut self, incident: &DemoIncident) -> Result<Vec<News>> {
        let patch = IncidentPatch { status: Some(Status::Closed), ..IncidentPatch::default() };
        self.change(self.number(incident)?, incident.lead(), &patch).await
    }

    pub(super) async fn trash(&mut self, incident: &DemoIncident) -> Result<Vec<News>> {
        let author = self.cast.author(Who::Tom)?;
        let number = self.number(incident)?;
        store::incidents::delete_many(self.tx, self.cast.organization, author, &[number]).await?;
        Ok(vec![])
    }

    /// Changes an incident in the name of `who`, or of somebody who may.
    pub(super) async fn change(
        &mut self,
        number: IncidentNumber,
        who: Who,
        patch: &IncidentPatch,
    ) -> Result<Vec<News>> {
        if *patch == IncidentPatch::default() {
            return Ok(vec![]);
        }
        let author = self.cast.author_with(who, Scope::IncidentsWrite)?;
        let expected = ExpectedVersion::Any;
        store::incidents::update(self.tx, self.cast.organization, author, number, &expected, patch).await?;
        Ok(vec![])
    }

    async fn stored(&mut self, number: IncidentNumber) -> Result<Incident> {
        let viewer = Viewer::service();
        store::incidents::get(self.tx, self.cast.organization, &viewer, number, View::now()).await
    }

    pub(super) fn number(&self, incident: &DemoIncident) -> Result<IncidentNumber> {
        get(&self.known.incidents, incident.title)
    }

    fn assignee(&self, incident: &DemoIncident) -> Option<UserId> {
        incident.assigned_to.and_then(|who| self.cast.person(who))
    }

    /// The moment, if it has come when this is written.
    fn if_past(&self, when: Option<When>) -> Option<Timestamp> {
        when.map(|when| when.before(self.now)).filter(|at| *at <= self.tx.at())
    }
}
