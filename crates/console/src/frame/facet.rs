//! The filters of a list: the values of a field, each with the number of records that have it.

use std::collections::HashMap;

use db::Tx;
use domain::person::Member;
use domain::{OrgId, TagId, UserId, Word};
use store::facets::{FacetCount, Facets};

use super::form::Form;
use crate::texts;

/// A filter of a list.
pub(crate) struct Facet {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) choices: Vec<Choice>,
    /// Whether the address has this filter.
    pub(crate) is_on: bool,
}

/// A value of a filter.
pub(crate) struct Choice {
    pub(crate) value: String,
    pub(crate) label: String,
    pub(crate) count: i64,
    pub(crate) is_chosen: bool,
}

/// What the filters of a page are made of: what the address has, and the counts.
pub(crate) struct Source<'a> {
    pub(crate) asked: &'a Form,
    pub(crate) counts: &'a Facets,
    /// The people that the filters name.
    pub(crate) people: &'a [Member],
    /// What the other people are called that the address has, by their ids.
    pub(crate) others: &'a HashMap<String, String>,
    /// What the tags are called that the address has, by their ids.
    pub(crate) tags: &'a HashMap<String, String>,
    /// The id of the person.
    pub(crate) me: &'a str,
}

impl Source<'_> {
    /// The filter with these words.
    pub(crate) fn words<W: Word>(
        &self,
        name: &'static str,
        label: &'static str,
        words: &[W],
        word_label: impl Fn(&W) -> String,
    ) -> Facet {
        let choice = |word: &W| {
            self.choice(name, word.as_str(), word_label(word), self.count(name, Some(word.as_str())))
        };
        self.facet(name, label, words.iter().map(choice).collect())
    }

    /// The filter with the members, the person first, then nobody; and the others that the address has, without whom the form would
    /// send a wider filter.
    pub(crate) fn people(&self, name: &'static str, label: &'static str) -> Facet {
        let asked: Vec<String> = self.asked.filled_values(name).map(str::to_ascii_lowercase).collect();
        let is_asked = |value: &str| asked.iter().any(|it| it == value);
        let choice = |value: &str, label: &str, id: Option<&str>| Choice {
            value: value.to_owned(),
            label: label.to_owned(),
            count: self.count(name, id),
            is_chosen: is_asked(value) || id.is_some_and(is_asked),
        };
        let mut choices =
            vec![choice("me", texts::ME, Some(self.me)), choice("none", texts::UNASSIGNED, None)];
        for member in self.people {
            let id = member.person.id.to_string();
            if id != self.me {
                choices.push(choice(&id, &member.person.name, Some(id.as_str())));
            }
        }
        for id in &asked {
            if id != self.me && !choices.iter().any(|it| it.value == *id) {
                let label = self.others.get(id).map_or(texts::FORMER_MEMBER, String::as_str);
                choices.push(choice(id, label, Some(id.as_str())));
            }
        }
        self.facet(name, label, choices)
    }

    /// The filter with the values that records have, the most frequent first, and those that the address has; `named` says
    /// what the latter are called.
    pub(crate) fn values(
        &self,
        name: &'static str,
        label: &'static str,
        named: impl Fn(&str) -> String,
    ) -> Facet {
        let counts = self.counts_of(name);
        let choice = |it: &FacetCount| {
            let value = it.value.clone()?;
            let label = it.label.clone().unwrap_or_else(|| value.clone());
            Some(self.choice(name, &value, label, it.count))
        };
        let mut choices: Vec<Choice> = counts.iter().filter_map(choice).collect();
        for value in self.asked.all(name) {
            if !choices.iter().any(|choice| choice.value == value) {
                choices.push(self.choice(name, value, named(value), 0));
            }
        }
        self.facet(name, label, choices)
    }

    /// The filter with the tags.
    pub(crate) fn tags(&self) -> Facet {
        let named = |id: &str| self.tags.get(id).map_or(texts::DELETED_TAG, String::as_str).to_owned();
        self.values("tag", texts::TAG, named)
    }

    fn facet(&self, name: &'static str, label: &'static str, choices: Vec<Choice>) -> Facet {
        Facet { name, label, choices, is_on: self.asked.has(name) }
    }

    fn choice(&self, name: &str, value: &str, label: String, count: i64) -> Choice {
        Choice { value: value.to_owned(), label, count, is_chosen: self.asked.is(name, value) }
    }

    fn count(&self, name: &str, value: Option<&str>) -> i64 {
        let counts = self.counts_of(name);
        counts.iter().find(|it| it.value.as_deref() == value).map_or(0, |it| it.count)
    }

    fn counts_of(&self, name: &str) -> &[FacetCount] {
        let found = self.counts.facets.iter().find(|(facet, _)| *facet == name);
        found.map_or(&[], |(_, counts)| counts.as_slice())
    }
}

/// What the people are called that the address has and that are not among these, by their ids; also those who have left.
pub(crate) async fn asked_people(
    tx: &mut Tx,
    organization: OrgId,
    asked: &Form,
    people: &[Member],
) -> store::Result<HashMap<String, String>> {
    let ids = asked.all("owner").chain(asked.all("assigned_to")).filter_map(UserId::parse);
    let others = ids.filter(|id| people.iter().all(|it| it.person.id != *id)).collect();
    let found = store::people::named(tx, organization, others).await?;
    Ok(found.into_iter().map(|(id, person)| (id.to_string(), person.name)).collect())
}

/// What the tags are called that the address has, by their ids.
pub(crate) async fn asked_tags(
    tx: &mut Tx,
    organization: OrgId,
    asked: &Form,
) -> store::Result<HashMap<String, String>> {
    let ids: Vec<TagId> = asked.all("tag").filter_map(TagId::parse).collect();
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let tags = store::tags::get_many(tx, organization, &ids).await?;
    Ok(tags.into_iter().map(|tag| (tag.id.to_string(), tag.name.into())).collect())
}

impl Facet {
    /// The same with these values chosen.
    pub(crate) fn with_chosen(mut self, is_chosen: impl Fn(&str) -> bool) -> Self {
        for choice in &mut self.choices {
            choice.is_chosen = is_chosen(&choice.value);
        }
        self
    }

    /// The values that are ticked although the address has none: sent along, they say that nobody chose them.
    pub(crate) fn defaults(&self) -> Option<String> {
        let chosen = self.choices.iter().filter(|choice| choice.is_chosen);
        let values: Vec<&str> = chosen.map(|choice| choice.value.as_str()).collect();
        (!self.is_on && !values.is_empty()).then(|| values.join(" "))
    }

    /// The chosen values in words.
    pub(crate) fn chosen(&self) -> String {
        let chosen = self.choices.iter().filter(|choice| choice.is_chosen);
        chosen.map(|choice| choice.label.as_str()).collect::<Vec<_>>().join(", ")
    }
}
