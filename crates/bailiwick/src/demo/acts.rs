//! How each act is written into the register: read as the API reads it, and written by the same functions.

use db::Tx;
use domain::acknowledgement::NewAcknowledgement;
use domain::document::{Approval, DEFAULT_PROPOSAL_BYTES, ProposalStep, Sha256, read_edits};
use domain::evaluation::{EvaluationOfRisk, NewEvaluation, NewEvaluations};
use domain::incident::{IncidentPatch, NewIncident};
use domain::json::body;
use domain::note::NewNote;
use domain::task::TaskOf;
use domain::{Author, ExpectedVersion, GroupId, IncidentNumber, RiskNumber, TagId, UserId};
use lists::document_import::DocumentImport;
use lists::input::saved_views::read_new as new_view;
use lists::proposal_step;
use serde_json::json;
use store::{
    acknowledgements, documents, evaluations, groups, incidents, links, notes, proposals, reviews, risks,
    saved_views, tags, tasks,
};

use super::cast::{Cast, unknown};
use super::data::Act;
use crate::failure::Result;

const ANY: &ExpectedVersion = &ExpectedVersion::Any;

impl Cast {
    /// Does what these acts say: one of them, or evaluations of the same time by the same person.
    pub(super) async fn perform(&mut self, tx: &mut Tx, acts: &[Act]) -> Result<()> {
        let Some(act) = acts.first() else { return Ok(()) };
        match (act.kind, act.what.as_str()) {
            ("risk", "evaluation") => self.evaluate(tx, self.author(act)?, acts).await,
            (_, "create") => self.create(tx, act).await,
            ("risk", _) => self.change_risk(tx, act).await,
            ("incident", _) => self.change_incident(tx, act).await,
            ("group", "member") => {
                let (group, person) =
                    (self.id("group", &act.name, GroupId::parse)?, self.read(act, body::<UserId>)?);
                groups::add_member(tx, self.demo.organization, self.author(act)?, group, person).await?;
                Ok(())
            }
            ("document", "edits" | "properties") => self.edit(tx, act).await,
            ("document", "ask" | "acknowledge") => self.acknowledge(tx, act).await,
            ("document", "exception" | "exception_decision") => self.except(tx, act).await,
            ("document", _) => self.take_step(tx, act).await,
            (_, what) => Err(unknown("step", what)),
        }
    }

    /// Edits the items of a document, or its properties.
    async fn edit(&self, tx: &mut Tx, act: &Act) -> Result<()> {
        let (org, by) = (self.demo.organization, self.author(act)?);
        if act.what == "properties" {
            documents::update_properties(tx, org, by, &act.name, ANY, &self.read(act, body)?).await?;
        } else {
            let edits = self.read(act, read_edits)?;
            proposals::edit(tx, org, by, &act.name, ANY, &edits, DEFAULT_PROPOSAL_BYTES).await?;
        }
        Ok(())
    }

    /// Comments on the open proposal of a document, changes it, submits or approves it.
    async fn take_step(&self, tx: &mut Tx, act: &Act) -> Result<()> {
        let (org, by) = (self.demo.organization, self.author(act)?);
        let document = documents::get(tx, org, &act.name).await?.document;
        let number = document.open_proposal.ok_or_else(|| unknown("open proposal of", &act.name))?;
        let which = (act.name.as_str(), number);
        let (mut read, mut expected) = (None, ExpectedVersion::Any);
        let step = match act.what.as_str() {
            "comment" => {
                proposals::comment(tx, org, by, which, &self.read(act, body)?).await?;
                return Ok(());
            }
            "change" => {
                proposals::change(tx, org, by, which, ANY, &self.read(act, body)?).await?;
                return Ok(());
            }
            "submit" => ProposalStep::Submit(self.read(act, body)?),
            "approve" => {
                let draft = proposals::draft(tx, org, &act.name, number, None).await?;
                expected = ExpectedVersion::OneOf(vec![draft.proposal.version]);
                let sha256 = Sha256::stored(draft.proposal.sha256.clone().unwrap_or_default());
                read = Some(draft);
                ProposalStep::Approve(Approval { sha256, note: Some(self.read(act, body)?) })
            }
            what => return Err(unknown("step", what)),
        };
        proposals::step(tx, org, by, which, &expected, (read, proposal_step::html), &step).await?;
        Ok(())
    }

    /// Asks to acknowledge the newest version of a document, or acknowledges it.
    async fn acknowledge(&self, tx: &mut Tx, act: &Act) -> Result<()> {
        let (org, by) = (self.demo.organization, self.author(act)?);
        let document = documents::get(tx, org, &act.name).await?.document;
        let number = document.published_version.ok_or_else(|| unknown("version of", &act.name))?;
        let which = (act.name.as_str(), number);
        if act.what == "ask" {
            acknowledgements::request(tx, org, by, which, &self.read(act, body)?).await?;
        } else {
            let sha256 = documents::version(tx, org, &act.name, number).await?.version.sha256;
            let given = NewAcknowledgement { sha256: Sha256::stored(sha256), on_paper: None };
            acknowledgements::give(tx, org, by, which, &given).await?;
        }
        Ok(())
    }

    async fn create(&mut self, tx: &mut Tx, act: &Act) -> Result<()> {
        let (org, by) = (self.demo.organization, self.author(act)?);
        let id = match act.kind {
            "tag" => tags::create(tx, org, by, &self.read(act, body)?).await?.id.to_string(),
            "view" => saved_views::create(tx, org, by, &self.read(act, new_view)?).await?.id.to_string(),
            "group" => groups::create(tx, org, by, &self.read(act, body)?).await?.id.to_string(),
            "document" => {
                if act.body.get("library").is_some() {
                    let import = self.read(act, body::<DocumentImport>)?.placed();
                    documents::import(tx, org, by, &import).await?;
                } else {
                    documents::create(tx, org, by, &self.read(act, body)?).await?;
                }
                act.name.clone()
            }
            "risk" => {
                let (new, tags) = split(act, "tags", "tag");
                let risk = risks::create(tx, org, by, &self.read(&new, body)?).await?.number;
                for tag in self.read(&tags, body::<Vec<TagId>>)? {
                    store::listed::add_tag::<domain::risk::Risk>(tx, org, by, risk, tag).await?;
                }
                risk.to_string()
            }
            _ => {
                let new = self.read(act, |it, faults| NewIncident::read_or_untitled(it, act.at, faults))?;
                incidents::create(tx, org, by, &new).await?.number.to_string()
            }
        };
        self.know(act.kind, &act.name, &id);
        Ok(())
    }

    async fn change_risk(&self, tx: &mut Tx, act: &Act) -> Result<()> {
        let (org, by, risk) =
            (self.demo.organization, self.author(act)?, self.id("risk", &act.name, RiskNumber::parse)?);
        match act.what.as_str() {
            "change" => drop(risks::update(tx, org, by, risk, ANY, &self.read(act, body)?).await?),
            "review" => drop(risks::review(tx, org, by, risk, &self.read(act, body)?).await?),
            "task" | "task_change" => self.take_task(tx, act, risk.into()).await?,
            "acceptance" | "acceptance_decision" => self.accept(tx, act, risk).await?,
            "delete" => risks::delete(tx, org, by, risk, ANY).await?,
            what => return Err(unknown("step", what)),
        }
        Ok(())
    }

    /// Records evaluations of one person.
    async fn evaluate(&self, tx: &mut Tx, by: &Author, acts: &[Act]) -> Result<()> {
        let evaluated = |act: &Act| {
            let risk = self.id("risk", &act.name, RiskNumber::parse)?;
            let evaluation = self.read(act, |it, faults| NewEvaluation::read(it, act.at, faults))?;
            Ok(EvaluationOfRisk { risk, evaluation })
        };
        let evaluations = acts.iter().map(evaluated).collect::<Result<_>>()?;
        let new = NewEvaluations { evaluations, dry_run: false, atomic: true };
        evaluations::record_all(tx, self.demo.organization, by, &new).await?;
        Ok(())
    }

    /// Makes a task, or changes one.
    async fn take_task(&self, tx: &mut Tx, act: &Act, of: TaskOf) -> Result<()> {
        let (org, by) = (self.demo.organization, self.author(act)?);
        if act.what == "task" {
            tasks::create(tx, org, by, of, &self.read(act, body)?).await?;
        } else {
            let (patch, number) = split(act, "number", "number");
            let task = (of, self.read(&number, body)?);
            tasks::update(tx, org, by, task, ANY, &self.read(&patch, body)?).await?;
        }
        Ok(())
    }

    async fn change_incident(&self, tx: &mut Tx, act: &Act) -> Result<()> {
        let (org, by, id) = (
            self.demo.organization,
            self.author(act)?,
            self.id("incident", &act.name, IncidentNumber::parse)?,
        );
        match act.what.as_str() {
            "change" => drop(incidents::update(tx, org, by, id, ANY, &self.read(act, body)?).await?),
            "severity" => {
                let severity = Some(self.read(act, body)?);
                let patch = IncidentPatch { severity, ..IncidentPatch::default() };
                incidents::update(tx, org, by, id, ANY, &patch).await?;
            }
            "tag" => {
                let tag = self.read(act, body)?;
                store::listed::add_tag::<domain::incident::Incident>(tx, org, by, id, tag).await?;
            }
            "note" => {
                let new = self.read(act, |it, faults| NewNote::read(it, act.at, faults))?;
                notes::create(tx, org, by, id, &new).await?;
            }
            "task" | "task_change" => self.take_task(tx, act, id.into()).await?,
            "link" => drop(links::add(tx, org, by, id, &self.read(act, body)?).await?),
            "review" => drop(reviews::update(tx, org, by, id, ANY, &self.read(act, body)?).await?),
            "delete" => drop(incidents::delete_many(tx, org, by, &[id]).await?),
            what => return Err(unknown("step", what)),
        }
        Ok(())
    }
}

/// An act without a member of its body, and `what` with that member; none is an empty list.
fn split(act: &Act, member: &str, what: &str) -> (Act, Act) {
    let mut rest = act.clone();
    let taken = rest.body.as_object_mut().and_then(|members| members.remove(member));
    let taken = Act { what: what.to_owned(), body: taken.unwrap_or_else(|| json!([])), ..act.clone() };
    (rest, taken)
}
