//! How each act of the story is written into the register.

mod incidents;
mod steps;

use std::collections::HashMap;

use db::Tx;
use domain::document::{DEFAULT_PROPOSAL_BYTES, Edit, Item, ItemKind, NewDocument, NodeType, SelectOption};
use domain::evaluation::NewEvaluation;
use domain::risk::{NewRisk, Rating, RiskPatch, RiskStatus};
use domain::saved_view::NewSavedView;
use domain::tag::NewTag;
use domain::{ExpectedVersion, IncidentNumber, OrgId, RiskNumber, Scope, TagId};
use jiff::Timestamp;
use store::Result;

use super::cast::{Cast, missing};
use super::documents::{DemoChange, DemoDocument, DemoItem, DemoItemKind};
use super::people::Who;
use super::risks::{DemoRisk, RISKS, Rated, SLIPS, Slip};
use super::story::{self, Act};
use super::tags::{TAGS, Tag};
use super::views::VIEWS;

/// What earlier acts made, under the ids that the database gave it.
#[derive(Debug, Clone, Default)]
pub(super) struct Known {
    tags: HashMap<Tag, TagId>,
    risks: HashMap<&'static str, RiskNumber>,
    incidents: HashMap<&'static str, IncidentNumber>,
    /// By the risk's title and the weeks before the latest review.
    evaluations: HashMap<(&'static str, i64), i64>,
}

/// Something that an act made.
#[derive(Debug, Clone, Copy)]
pub(super) enum News {
    Tag(Tag, TagId),
    Risk(&'static str, RiskNumber),
    Incident(&'static str, IncidentNumber),
    Evaluation((&'static str, i64), i64),
}

impl Known {
    /// Keeps what an act made for those that come after it.
    pub(super) fn learn(&mut self, news: News) {
        match news {
            News::Tag(tag, id) => drop(self.tags.insert(tag, id)),
            News::Risk(title, number) => drop(self.risks.insert(title, number)),
            News::Incident(title, number) => drop(self.incidents.insert(title, number)),
            News::Evaluation(review, number) => drop(self.evaluations.insert(review, number)),
        }
    }
}

fn get<K: std::hash::Hash + Eq + std::fmt::Debug, V: Copy>(map: &HashMap<K, V>, key: K) -> Result<V> {
    map.get(&key).copied().ok_or_else(|| missing(key))
}

/// One write of the story.
pub(super) struct Scene<'a> {
    pub(super) tx: &'a mut Tx,
    pub(super) cast: &'a Cast,
    pub(super) known: &'a Known,
    /// The moment that the story leads to.
    pub(super) now: Timestamp,
}

impl Scene<'_> {
    /// Does what `act` says.
    pub(super) async fn perform(mut self, act: Act) -> Result<Vec<News>> {
        match act {
            Act::Tags => self.tags().await,
            Act::Views => self.views().await,
            Act::Register(weeks_ago) => self.register(weeks_ago).await,
            Act::Review(weeks_ago) => self.review(weeks_ago).await,
            Act::Correct(slip) => self.correct(slip).await,
            Act::End(risk) => self.end(risk).await,
            Act::Declare(incident) => self.declare(incident).await,
            Act::Amend(incident) => self.amend(incident).await,
            Act::Step(incident, step) => self.step(incident, step).await,
            Act::Finish(incident) => self.finish(incident).await,
            Act::Close(incident) => self.close(incident).await,
            Act::Trash(incident) => self.trash(incident).await,
            Act::Draft(document) => self.draft(document).await,
            Act::Propose(document, change) => self.propose(document, change).await,
        }
    }

    fn organization(&self) -> OrgId {
        self.cast.organization
    }

    async fn tags(&mut self) -> Result<Vec<News>> {
        let author = self.cast.author(Who::Marta)?;
        let mut news = Vec::new();
        for tag in TAGS {
            let new = NewTag {
                name: tag.name.into(),
                color: Some(tag.color.into()),
                description: Some(tag.description.into()),
            };
            let made = store::tags::create(self.tx, self.cast.organization, author, &new).await?;
            news.push(News::Tag(tag.tag, made.id));
        }
        Ok(news)
    }

    async fn views(&mut self) -> Result<Vec<News>> {
        let author = self.cast.author(Who::Marta)?;
        for view in VIEWS {
            let new = NewSavedView {
                list: view.list,
                name: view.name.to_owned(),
                filter: view.filter.iter().copied().collect(),
                sort: view.sort.map(str::to_owned),
                shared: true,
            };
            store::saved_views::create(self.tx, self.cast.organization, author, &new).await?;
        }
        Ok(Vec::new())
    }

    async fn register(&mut self, weeks_ago: i64) -> Result<Vec<News>> {
        let organization = self.organization();
        let mut news = Vec::new();
        for risk in RISKS.iter().filter(|risk| risk.first_review() == weeks_ago) {
            let author = self.cast.author_with(risk.owner, Scope::RisksWrite)?;
            let new = NewRisk {
                title: risk.title.into(),
                description: risk.description.into(),
                category: Some(risk.category.into()),
                owner: self.cast.person(risk.owner),
                inherent: rating(risk.inherent),
                target: rating(risk.target),
            };
            let made = store::risks::create(self.tx, organization, author, &new).await?;
            for tag in risk.tags {
                let tag = get(&self.known.tags, *tag)?;
                store::risks::add_tag(self.tx, organization, author, made.number, tag).await?;
            }
            news.push(News::Risk(risk.title, made.number));
        }
        Ok(news)
    }

    async fn review(&mut self, weeks_ago: i64) -> Result<Vec<News>> {
        let mut news = Vec::new();
        for (place, risk) in RISKS.iter().enumerate() {
            let Some(step) = risk.judged(weeks_ago) else { continue };
            let slip = SLIPS.iter().find(|slip| slip.is_of(risk, weeks_ago));
            let new = NewEvaluation {
                rating: rating(slip.map_or(step.rated, |slip| slip.typed)),
                evaluated_at: Some(story::judged_at(weeks_ago, place, self.now)),
                note: (step.weeks_ago == weeks_ago && !step.note.is_empty()).then(|| step.note.into()),
                supersedes: None,
            };
            let number = self.evaluate(risk, &new).await?;
            news.push(News::Evaluation((risk.title, weeks_ago), number));
        }
        Ok(news)
    }

    async fn correct(&mut self, slip: &'static Slip) -> Result<Vec<News>> {
        let slipped = RISKS.iter().enumerate().find(|(_, risk)| slip.is_of(risk, slip.weeks_ago));
        let (place, risk) = slipped.ok_or_else(|| missing(slip))?;
        let step = risk.judged(slip.weeks_ago).ok_or_else(|| missing(slip))?;
        let new = NewEvaluation {
            rating: rating(step.rated),
            evaluated_at: Some(story::judged_at(slip.weeks_ago, place, self.now)),
            note: Some(slip.note.into()),
            supersedes: Some(get(&self.known.evaluations, (risk.title, slip.weeks_ago))?),
        };
        self.evaluate(risk, &new).await?;
        Ok(vec![])
    }

    async fn evaluate(&mut self, risk: &DemoRisk, new: &NewEvaluation) -> Result<i64> {
        let author = self.cast.author_with(risk.owner, Scope::RisksWrite)?;
        let number = get(&self.known.risks, risk.title)?;
        let made = store::evaluations::record(self.tx, self.cast.organization, author, number, new).await?;
        Ok(made.number)
    }

    async fn end(&mut self, risk: &'static DemoRisk) -> Result<Vec<News>> {
        let (organization, number) = (self.organization(), get(&self.known.risks, risk.title)?);
        let author = self.cast.author_with(risk.owner, Scope::RisksDelete)?;
        if let Some((_, reason)) = risk.closed {
            let patch = RiskPatch {
                status: Some(RiskStatus::Closed),
                status_reason: domain::Change::Set(domain::Prose::stored(reason)),
                ..RiskPatch::default()
            };
            store::risks::update(self.tx, organization, author, number, &ExpectedVersion::Any, &patch)
                .await?;
        } else {
            store::risks::delete(self.tx, organization, author, number, &ExpectedVersion::Any).await?;
        }
        Ok(vec![])
    }

    async fn draft(&mut self, document: &'static DemoDocument) -> Result<Vec<News>> {
        let author = self.cast.author(document.owner)?;
        let new = NewDocument {
            slug: document.slug.to_owned(),
            title: document.title.to_owned(),
            description: document.description.to_owned(),
            owner: self.cast.person(document.owner),
            items: document.items.iter().map(item).collect(),
        };
        store::documents::create(self.tx, self.cast.organization, author, &new).await?;
        Ok(vec![])
    }

    async fn propose(&mut self, document: &DemoDocument, change: &DemoChange) -> Result<Vec<News>> {
        let author = self.cast.author(change.by)?;
        let edits: Vec<Edit> =
            change.selections.iter().map(|(id, value)| edit(document, id, value)).collect();
        store::proposals::edit(
            self.tx,
            self.cast.organization,
            author,
            document.slug,
            &ExpectedVersion::Any,
            &edits,
            DEFAULT_PROPOSAL_BYTES,
        )
        .await?;
        Ok(vec![])
    }
}

fn rating(rated: Rated) -> Rating {
    Rating { likelihood: rated.0, impact: rated.1 }
}

fn item(item: &DemoItem) -> Item {
    let kind = match &item.kind {
        DemoItemKind::Select(options) => ItemKind::Select {
            default: options.first().map(|option| option.id.to_owned()),
            options: options
                .iter()
                .map(|option| SelectOption {
                    id: option.id.to_owned(),
                    label: option.label.to_owned(),
                    text: option.text.to_owned(),
                    guidance: filled(option.guidance),
                    weakens: option.weakens,
                })
                .collect(),
        },
        DemoItemKind::Text { max_length, multiline } => {
            ItemKind::Text { default: String::new(), max_length: *max_length, multiline: *multiline }
        }
    };
    Item {
        id: item.id.to_owned(),
        label: item.label.to_owned(),
        guidance: filled(item.guidance),
        required: item.required,
        kind,
    }
}

fn filled(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn edit(document: &DemoDocument, id: &str, value: &str) -> Edit {
    let text =
        document.items.iter().any(|item| item.id == id && matches!(item.kind, DemoItemKind::Text { .. }));
    Edit {
        node_id: id.to_owned(),
        node_type: if text { NodeType::Text } else { NodeType::Select },
        value: value.to_owned(),
    }
}
