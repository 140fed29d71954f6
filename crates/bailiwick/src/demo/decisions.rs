//! Decisions that somebody asks for and somebody else makes: acceptances of risks, and exceptions to documents.

use db::Tx;
use domain::RiskNumber;
use domain::accepting::NewAcceptance;
use domain::decision::DecisionState;
use domain::exception::NewException;
use domain::json::body;
use serde_json::json;
use store::exceptions::ExceptionFilter;
use store::{View, acceptances, documents, exceptions, risks};

use super::cast::{Cast, unknown};
use super::data::Act;
use crate::failure::Result;

impl Cast {
    /// Asks for the acceptance of a risk as its latest evaluation has it, or decides about the open request.
    pub(super) async fn accept(&self, tx: &mut Tx, act: &Act, risk: RiskNumber) -> Result<()> {
        let (org, by) = (self.demo.organization, self.author(act)?);
        let found = risks::get(tx, org, risk, View::now()).await?;
        let evaluation = found.current.map(|it| it.evaluation);
        let act =
            resting_on(act, "evaluation", evaluation.ok_or_else(|| unknown("evaluation of", &act.name))?);
        if act.what == "acceptance" {
            let new = self.read(&act, |it, faults| NewAcceptance::read(it, act.at, faults))?;
            acceptances::ask(tx, org, by, risk, &new).await?;
        } else {
            let act = resting_on(&act, "risk_version", found.version);
            let asked = found.acceptance_request.ok_or_else(|| unknown("open request of", &act.name))?;
            acceptances::decide(tx, org, by, (risk, asked.number), &self.read(&act, body)?, None).await?;
        }
        Ok(())
    }

    /// Asks for an exception to the newest version of a document, or decides about the open request.
    pub(super) async fn except(&self, tx: &mut Tx, act: &Act) -> Result<()> {
        let (org, by) = (self.demo.organization, self.author(act)?);
        if act.what == "exception" {
            let new = self.read(act, |it, faults| NewException::read(it, act.at, faults))?;
            exceptions::ask(tx, org, by, &act.name, &new).await?;
            return Ok(());
        }
        let (document, state) = (Some(act.name.clone()), vec![DecisionState::Requested]);
        let filter = ExceptionFilter { document, state, ..ExceptionFilter::default() };
        let asked = exceptions::list(tx, org, View::now(), &filter, None, 1).await?.rows.pop();
        let number = asked.ok_or_else(|| unknown("open request of", &act.name))?.exception.number;
        let version = documents::get(tx, org, &act.name).await?.document.published_version;
        let act =
            resting_on(act, "document_version", version.ok_or_else(|| unknown("version of", &act.name))?);
        exceptions::decide(tx, org, by, (&act.name, number), &self.read(&act, body)?, None).await?;
        Ok(())
    }
}

/// An act whose body also says what it rests on.
fn resting_on(act: &Act, member: &str, number: i64) -> Act {
    let mut act = act.clone();
    if let Some(members) = act.body.as_object_mut() {
        members.insert(member.to_owned(), json!(number));
    }
    act
}
