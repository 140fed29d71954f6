//! The frame around a page: organization, navigation, person, and what was just done.

use askama::filters::Safe;
use db::Tx;
use domain::document::{Day, Document};
use domain::incident::Category;
use domain::risk::{Risk, RiskStatus};
use domain::scale::Grade;
use domain::severity::Severity;
use domain::task::Task;
use domain::{Roles, Scope, Word};
use jiff::tz::TimeZone;
use store::View;
use store::incidents::IncidentFilter;
use store::risks::RiskFilter;

use super::clock::Clock;
use super::display::Display;
use super::done::Done;
use super::page_request::{OrganizationLink, PageRequest, Result};
use super::{tabs, words};
use crate::texts;

/// The part of the console that a page belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Home,
    Incidents,
    Declare,
    Risks,
    Tags,
    Documents,
    Journal,
    Settings,
    Account,
    Go,
    /// None: the page of an error.
    None,
}

impl Section {
    fn name(self) -> &'static str {
        match self {
            Self::Home => "home",
            Self::Incidents => "incidents",
            Self::Declare => "declare",
            Self::Risks => "risks",
            Self::Tags => "tags",
            Self::Documents => "documents",
            Self::Journal => "journal",
            Self::Settings => "settings",
            Self::Account => "account",
            Self::Go => "go",
            Self::None => "",
        }
    }
}

/// The titles of pages that have a link of their own below that of their section.
const SUBPAGES: [&str; 6] = [
    texts::HEAT_MAP,
    texts::RISK_PERFORMANCE,
    texts::RISK_CHANGES,
    texts::RISK_REPORT,
    texts::SCALE,
    texts::INCIDENT_FIGURES,
];

/// What the frame of a page shows.
#[derive(Clone)]
pub(crate) struct Layout {
    /// What is before every path of the service in an address; empty if it has the whole host.
    pub(crate) root: String,
    pub(crate) title: String,
    pub(crate) organization: String,
    /// The beginning of every address of the organization: `/o/{slug}`, after the path of the public URL.
    pub(crate) base: String,
    pub(crate) name: String,
    pub(crate) initials: String,
    pub(crate) roles: String,
    pub(crate) section: Section,
    /// How many incidents are open; none for who does not read incidents.
    pub(crate) open_incidents: Option<i64>,
    /// How many risks are open; none for those who do not read risks.
    pub(crate) open_risks: Option<i64>,
    pub(crate) may_declare: bool,
    pub(crate) may_read_journal: bool,
    pub(crate) may_read_figures: bool,
    pub(crate) may_read_documents: bool,
    /// The first page of the settings that the person may open.
    pub(crate) settings: Option<&'static str>,
    /// The other organizations of the person.
    pub(crate) others: Vec<OrganizationLink>,
    pub(crate) clock: Clock,
    pub(crate) display: Display,
    pub(crate) done: Option<Done>,
    /// The address of this page.
    pub(crate) address: String,
    /// What the open page notices: the changes of a record, or what is new in a list.
    pub(crate) watched: Option<Watched>,
    /// A new key for the forms of the page.
    pub(crate) once: String,
    /// The time zone of the organization, whose days decide what is overdue.
    pub(crate) zone: TimeZone,
}

/// What an open page asks for, and the answer that it knows: the latest journal entry about a record, or how many of a list
/// are new.
#[derive(Clone)]
pub(crate) struct Watched {
    pub(crate) what: String,
    pub(crate) version: i64,
    pub(crate) is_list: bool,
}

impl Layout {
    /// The frame of a page with this title.
    pub(crate) async fn of(
        request: &PageRequest,
        tx: &mut Tx,
        title: impl Into<String>,
        section: Section,
    ) -> Result<Self> {
        let reads_incidents = request.may(Scope::IncidentsRead) || request.may(Scope::IncidentsDeclare);
        let open_incidents = match reads_incidents {
            true => {
                let filter = IncidentFilter { category: vec![Category::Open], ..Default::default() };
                let viewer = request.viewer();
                Some(store::incidents::count(tx, request.id(), &viewer, View::now(), &filter).await?)
            }
            false => None,
        };
        let open_risks = match request.may(Scope::RisksRead) {
            true => {
                let filter = RiskFilter { status: vec![RiskStatus::Open], ..Default::default() };
                Some(store::risks::count(tx, request.id(), View::now(), &filter).await?)
            }
            false => None,
        };
        let name = request.member.person.name.clone();
        Ok(Self {
            root: request.root(),
            title: title.into(),
            organization: request.organization.name.clone(),
            base: request.to(""),
            initials: words::initials(&name),
            name,
            roles: words::roles(&request.member.roles),
            section,
            open_incidents,
            open_risks,
            may_read_documents: request.may(Scope::DocumentsRead),
            may_read_figures: request.may(Scope::IncidentsRead),
            may_read_journal: request.may(Scope::JournalRead),
            settings: tabs::tabs(request).first().map(|tab| tab.page),
            others: request
                .organizations
                .iter()
                .filter(|it| it.slug != request.organization.slug)
                .cloned()
                .collect(),
            may_declare: request.may(Scope::IncidentsWrite) || request.may(Scope::IncidentsDeclare),
            clock: request.clock.clone(),
            display: request.display.clone(),
            done: request.done.clone(),
            address: request.address(),
            watched: None,
            once: request.once(),
            zone: request.organization.time_zone(),
        })
    }

    /// The same for a page that notices when its record changes.
    pub(crate) async fn watching(
        mut self,
        request: &PageRequest,
        tx: &mut Tx,
        kind: &'static str,
        id: String,
    ) -> Result<Self> {
        let seq = store::journal::latest_of_subject(tx, request.id(), kind, &id).await?;
        self.watched = Some(Watched { what: format!("{kind}/{id}"), version: seq, is_list: false });
        Ok(self)
    }

    /// The same for a list with these filters that notices what is later than the record with the number.
    pub(crate) fn watching_list(mut self, kind: &'static str, number: i64, filters: &str) -> Self {
        self.watched =
            Some(Watched { what: format!("{kind}/{number}?{filters}"), version: 0, is_list: true });
        self
    }

    /// The attribute of the link to this section.
    pub(crate) fn current(&self, section: &str) -> &'static str {
        let is_here = self.section.name() == section && !SUBPAGES.contains(&self.title.as_str());
        if is_here { " aria-current=\"page\"" } else { "" }
    }

    /// Whether the pages about incidents are at hand.
    pub(crate) fn is_in_incidents(&self) -> bool {
        self.section == Section::Incidents
    }

    /// Whether the pages about risks are at hand.
    pub(crate) fn is_in_risks(&self) -> bool {
        matches!(self.section, Section::Risks | Section::Tags)
    }

    /// The attribute of the link to the page with this title.
    pub(crate) fn here(&self, title: &str) -> &'static str {
        if self.title == title { " aria-current=\"page\"" } else { "" }
    }

    /// Whether a task is overdue.
    pub(crate) fn is_overdue(&self, task: &Task) -> bool {
        task.is_overdue(self.clock.now(), &self.zone)
    }

    /// Whether the next evaluation of a risk, and its next review, are overdue, as the filters of the list say.
    pub(crate) fn overdue(&self, risk: &Risk) -> (bool, bool) {
        let today = Day::in_zone(self.clock.now(), &self.zone);
        (risk.is_evaluation_overdue(&today), risk.is_review_overdue(&today))
    }

    /// What somebody wrote in Markdown, as HTML.
    pub(crate) fn markdown(&self, text: &str) -> Safe<render::Html> {
        Safe(render::html(text))
    }

    /// A word as a label.
    pub(crate) fn label(&self, word: &impl Word) -> String {
        words::label(word)
    }

    /// The status of a document's open proposal, within a sentence.
    pub(crate) fn proposal_status(&self, document: &Document) -> String {
        document.proposal_status.map_or_else(String::new, |status| words::label(&status).to_lowercase())
    }

    /// Roles as labels.
    pub(crate) fn role_labels(&self, roles: &Roles) -> String {
        words::roles(roles)
    }

    /// A severity as a label.
    pub(crate) fn severity(&self, severity: &Severity) -> String {
        words::label(severity)
    }

    /// The level that the stylesheet draws for a severity.
    pub(crate) fn level(&self, severity: &Severity) -> &'static str {
        words::level(severity)
    }

    /// The level that the stylesheet draws for the band of a rating.
    pub(crate) fn drawn(&self, grade: &Option<Grade>) -> &'static str {
        grade.as_ref().map_or("none", |grade| words::drawn(grade.color))
    }

    /// Hundredths of a per cent in whole per cent, rounded half up, as the API rounds.
    pub(crate) fn percent(&self, basis_points: &i64) -> i64 {
        (basis_points + 50) / 100
    }

    pub(crate) fn initials_of(&self, name: &str) -> String {
        words::initials(name)
    }
}
