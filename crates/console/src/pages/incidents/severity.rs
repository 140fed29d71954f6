//! `/o/{slug}/incidents/{id}/severity`: the questions of the rules, and what they make of the answers before they are saved.

use std::borrow::Cow;

use askama::Template;
use domain::incident::{Incident, IncidentPatch};
use domain::severity::bailiwick::{Area, AreaRules, BAILIWICK_1, Urgency};
use domain::severity::{Answers, Assessment, Severity};
use http::json::{self, Json};
use store::View;

use super::{WRITE, number};
use crate::frame::form::{As, Form};
use crate::frame::layout::{Layout, Section};
use crate::frame::news;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::pages::listed::change::update;
use crate::texts;

/// The members of a severity that a person decides on, as the form has them.
const MANUAL: &[(&str, As)] = &[("severity", As::Text), ("reason", As::Text)];

/// The severities that a person can decide on, the worst first.
const LEVELS: [Severity; 4] = [Severity::Critical, Severity::High, Severity::Medium, Severity::Low];

#[derive(Template)]
#[template(path = "incidents/severity.html")]
struct SeverityPage {
    frame: Layout,
    incident: Incident,
    form: Form,
    problems: Problems,
    assessment: Option<Assessment>,
}

/// `GET /o/{slug}/incidents/{id}/severity`: with answers in the query it shows what the rules make of them, and stores
/// nothing.
pub(crate) async fn page(request: PageRequest) -> Result {
    let asked = request.asked();
    let asked = is_answered(&asked).then_some(asked);
    let page = severity_page(&request, asked, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/incidents/{id}/severity`
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(WRITE)?;
    let number = number(&request)?;
    let form = request.form().await?;
    let body = match form.has("severity") {
        true => form.json(MANUAL, &request.clock),
        false => answers(&form),
    };
    let stored = async {
        let severity = Some(json::read_value(body, domain::json::body)?);
        let patch = IncidentPatch { severity, ..IncidentPatch::default() };
        update::<Incident>(&request, (&form, &form), number, patch).await
    };
    let stored = stored.await;
    let again = async |problems| severity_page(&request, Some(form), problems).await;
    request.answer(stored, (texts::field_updated(texts::SEVERITY, number), true), again).await
}

async fn severity_page(
    request: &PageRequest,
    asked: Option<Form>,
    problems: Problems,
) -> Result<SeverityPage> {
    request.require(WRITE)?;
    let number = number(request)?;
    let mut tx = request.read().await?;
    let incident =
        store::incidents::get(&mut tx, request.id(), &request.viewer(), number, View::now()).await?;
    let problems = news::of_incident(request, &mut tx, number, None, problems).await?;
    let frame = Layout::of(request, &mut tx, texts::severity_of(number), Section::Incidents).await?;
    let form = asked.unwrap_or_else(|| form_of(&incident));
    let assessed = json::read_value(answers(&form), domain::json::body::<Answers>);
    let assessment = assessed.ok().filter(|_| is_answered(&form)).map(|answers| answers.assess());
    Ok(SeverityPage { frame, incident, form, problems, assessment })
}

/// Whether a form has at least one answer.
fn is_answered(form: &Form) -> bool {
    let areas = Area::ALL.iter().map(|area| area.as_str());
    areas
        .chain(["urgency", "personal_data_people", "administrator_credentials"])
        .any(|name| !form.text(name).is_empty())
}

/// The answers of a form, as the API takes them.
fn answers(form: &Form) -> Json<'static> {
    let number = |name: &str| {
        let text = form.text(name).trim();
        let as_typed = || Json::String(Cow::Owned(text.to_owned()));
        if text.is_empty() { Json::Null } else { text.parse().map_or_else(|_| as_typed(), Json::Integer) }
    };
    let impact = Area::ALL.iter().map(|area| (Cow::Borrowed(area.as_str()), number(area.as_str())));
    let urgency = match form.text("urgency") {
        "" => Json::Null,
        word => Json::String(Cow::Owned(word.to_owned())),
    };
    let credentials = match form.text("administrator_credentials") {
        "" => Json::Null,
        word => Json::Bool(word == "yes"),
    };
    Json::Object(vec![
        (Cow::Borrowed("impact"), Json::Object(impact.collect())),
        (Cow::Borrowed("urgency"), urgency),
        (Cow::Borrowed("personal_data_people"), number("personal_data_people")),
        (Cow::Borrowed("administrator_credentials"), credentials),
    ])
}

/// The latest answers by these rules, as the form has them.
fn form_of(incident: &Incident) -> Form {
    let stored = incident.severity_answers.as_deref().and_then(Answers::from_stored);
    let Some(Answers::Bailiwick(_, answers)) = stored else { return Form::default() };
    let impacts = Area::ALL
        .iter()
        .filter_map(|area| Some((area.as_str(), answers.impact.get(*area)?.get().to_string())));
    let facts = [
        ("urgency", answers.urgency.map(|urgency| urgency.as_str().to_owned())),
        ("personal_data_people", answers.personal_data_people.map(|count| count.to_string())),
        (
            "administrator_credentials",
            answers.administrator_credentials.map(|is| if is { "yes" } else { "no" }.to_owned()),
        ),
    ];
    let facts = facts.into_iter().filter_map(|(name, value)| Some((name, value?)));
    Form::of(impacts.chain(facts))
}

impl SeverityPage {
    fn areas(&self) -> &'static [AreaRules] {
        BAILIWICK_1.areas
    }

    fn urgencies(&self) -> [(Urgency, &'static str); 3] {
        [
            (Urgency::Spreading, texts::YES),
            (Urgency::Contained, texts::NO_CONTAINED),
            (Urgency::Over, texts::IT_IS_OVER),
        ]
    }

    fn levels(&self) -> [Severity; 4] {
        LEVELS
    }

    /// Whether a level is the one that was sent, or else the present one.
    fn is_level(&self, level: &Severity) -> bool {
        if self.form.has("severity") {
            self.form.is("severity", level.as_str())
        } else {
            self.incident.severity == *level
        }
    }

    /// What an area is asked about.
    fn question(&self, area: &Area) -> &'static str {
        match area {
            Area::Service => texts::SERVICES,
            Area::Data => texts::DATA,
            Area::People => texts::PEOPLES_SAFETY,
            Area::Money => texts::MONEY,
            Area::Legal => texts::LEGAL_AND_CONTRACTUAL,
            Area::Reputation => texts::REPUTATION,
        }
    }

    /// A clause of the rules as the line of a list.
    fn line(&self, meaning: &str) -> String {
        let mut letters = meaning.chars();
        letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
    }

    fn is_chosen(&self, area: &Area, value: &usize) -> bool {
        self.form.is(area.as_str(), value.to_string())
    }
}
