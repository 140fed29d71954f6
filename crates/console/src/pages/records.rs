//! The kinds of records that a search finds: who reads them, and where they are shown.

use db::Tx;
use domain::search::SearchKind;
use domain::{IncidentNumber, RiskNumber, Scope};
use store::View;
use store::hits::Hit;

use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// How a kind of record is shown.
pub(crate) struct Shown {
    /// What its list is called.
    pub(crate) name: &'static str,
    /// Where its pages are.
    pub(crate) folder: &'static str,
    pub(crate) icon: &'static str,
}

impl Shown {
    pub(crate) fn of(kind: SearchKind) -> Self {
        let (name, folder, icon) = match kind {
            SearchKind::Incident => (texts::INCIDENTS, "incidents", "incident"),
            SearchKind::Risk => (texts::RISKS, "risks", "risk"),
            SearchKind::Document => (texts::DOCUMENTS, "documents", "doc"),
        };
        Self { name, folder, icon }
    }
}

/// The number of an incident or a risk; people know documents by their titles.
pub(crate) fn number(hit: &Hit) -> Option<String> {
    (hit.kind != SearchKind::Document).then(|| hit.id.clone())
}

/// The kinds that the person may read.
pub(crate) fn readable(request: &PageRequest) -> Vec<SearchKind> {
    let may = |kind: &SearchKind| match kind {
        SearchKind::Incident => request.may(Scope::IncidentsRead) || request.may(Scope::IncidentsDeclare),
        SearchKind::Risk => request.may(Scope::RisksRead),
        SearchKind::Document => request.may(Scope::DocumentsRead),
    };
    SearchKind::ALL.iter().copied().filter(may).collect()
}

/// The address of the record with this number, if there is one that the person sees.
pub(crate) async fn by_number(request: &PageRequest, tx: &mut Tx, asked: &str) -> Result<Option<String>> {
    let is_prefixed = |prefix: &str| asked.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    if is_prefixed("INC-")
        && readable(request).contains(&SearchKind::Incident)
        && let Some(number) = IncidentNumber::parse(&asked.to_ascii_uppercase())
    {
        let (viewer, view) = (request.viewer(), View::now());
        let found = store::incidents::existing(tx, request.id(), &viewer, view, &[number]).await?;
        return Ok(found.contains(&number).then(|| request.to(&format!("/incidents/{number}"))));
    }
    if is_prefixed("RSK-")
        && request.may(Scope::RisksRead)
        && let Some(number) = RiskNumber::parse(&asked.to_ascii_uppercase())
    {
        let found = store::risks::existing(tx, request.id(), View::now(), &[number]).await?;
        return Ok(found.contains(&number).then(|| request.to(&format!("/risks/{number}"))));
    }
    Ok(None)
}
