//! Everything that a caller reads, compared with the model.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use testkit::Answer;

use super::Scene;
use super::changes::{KINDS, SEVERITIES, WORDS};
use super::register::{ADA, CALLERS, Incident, OWEN, Past, SAM, VERA};

/// Which incidents of those that are there a list has.
type Filter = Box<dyn Fn(&Incident) -> bool>;

impl Scene<'_> {
    async fn read(&self, by: usize, path: &str, status: u16) -> Answer {
        let answer = self.app.get(path).bearer(&self.callers[by]).expect(status).await;
        let text = String::from_utf8_lossy(&answer.bytes);
        for (number, incident) in &self.register.incidents {
            let is_told = text.contains(&format!("token{number:04}"));
            assert!(!is_told || incident.is_seen_by(by), "caller {by} reads {number} in {path}");
        }
        for secret in &self.register.redacted {
            assert!(!text.contains(secret), "{secret} is in {path}");
        }
        answer
    }

    /// One random incident, as a random caller reads it.
    pub(super) async fn look_at_one(&self) {
        let (by, number) =
            (self.dice.one_of(&CALLERS), 1 + self.dice.below(self.register.incidents.len().max(1)));
        let path = format!("/v1/incidents/{number}");
        if !self.register.is_present(by, number) {
            for path in
                [path.clone(), format!("{path}/notes"), format!("{path}/timeline"), format!("{path}/tags")]
            {
                self.read(by, &path, 404).await;
            }
            return;
        }
        let incident = &self.register.incidents[&number];
        let content = &incident.content;
        let found = self.read(by, &path, 200).await;
        let id = |person: usize| self.callers[person].id.as_str();
        let expected = json!({
            "title": content.title, "description": content.description, "status": content.status,
            "kind": content.kind, "severity": content.severity, "restricted": content.restricted,
            "assigned_to": content.assigned_to.map(id),
        });
        let mut shown: Value = expected
            .as_object()
            .unwrap()
            .keys()
            .map(|name| (name.clone(), found.json()[name].clone()))
            .collect();
        shown["assigned_to"] = shown["assigned_to"]["id"].clone();
        assert_eq!(shown, expected, "caller {by}: {number}");
        let notes = self.read(by, &format!("{path}/notes?limit=200"), 200).await;
        let text = |it: &Value, member: &str| it[member].as_str().unwrap().to_owned();
        let mut shown: Vec<(i64, String, String)> = notes.json()["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| (it["number"].as_i64().unwrap(), text(it, "kind"), text(it, "text")))
            .collect();
        shown.sort();
        let expected: Vec<(i64, String, String)> = incident
            .notes
            .iter()
            .zip(1..)
            .filter(|(note, _)| !note.is_deleted)
            .map(|(note, number)| (number, note.kind.to_owned(), note.text.clone()))
            .collect();
        assert_eq!(shown, expected, "caller {by}: notes of {number}");
        self.read(by, &format!("{path}/timeline?limit=200"), 200).await;
    }

    /// Every kind of read, of every caller.
    pub(super) async fn compare_everything(&self) {
        self.app.follow_search().await;
        for by in CALLERS {
            for (query, filter) in self.filters(by) {
                self.compare_list(by, &query, filter).await;
            }
            self.compare_facets(by).await;
            self.compare_figures(by).await;
            self.compare_past(by).await;
            self.compare_journal(by).await;
        }
    }

    fn filters(&self, by: usize) -> Vec<(String, Filter)> {
        let mut filters: Vec<(String, Filter)> = vec![(String::new(), Box::new(|_| true))];
        for status in ["new", "investigating", "resolved"] {
            filters.push((format!("status={status}"), Box::new(move |it| it.content.status == status)));
        }
        filters.push(("kind=drill".to_owned(), Box::new(|it| it.content.kind == "drill")));
        filters.push(("severity=high".to_owned(), Box::new(|it| it.content.severity == "high")));
        filters.push(("assigned_to=me".to_owned(), Box::new(move |it| it.content.assigned_to == Some(by))));
        filters.push(("assigned_to=none".to_owned(), Box::new(|it| it.content.assigned_to.is_none())));
        for (place, tag) in self.tags.iter().enumerate() {
            filters.push((format!("tag={tag}"), Box::new(move |it| it.content.tags.contains(&place))));
            filters.push((
                format!("tag={tag}&status=new"),
                Box::new(move |it| it.content.tags.contains(&place) && it.content.status == "new"),
            ));
        }
        for word in WORDS {
            filters.push((format!("sort=-number&q={word}"), Box::new(move |it| it.has_word(word))));
        }
        filters
    }

    /// A list with its total, its count as a search, and the export of the same.
    async fn compare_list(&self, by: usize, query: &str, filter: Filter) {
        let expected: Vec<String> = self
            .register
            .present(by)
            .filter(|(_, it)| filter(it))
            .map(|(number, _)| format!("INC-{number:04}"))
            .collect();
        let list = self.read(by, &format!("/v1/incidents?limit=200&include_total=true&{query}"), 200).await;
        assert_eq!(list.json()["total"], expected.len(), "caller {by}: {query}");
        let mut shown = ids(&list.json()["data"]);
        shown.sort();
        assert_eq!(shown, expected, "caller {by}: {query}");
        let query = query.replace("sort=-number&", "");
        let export = self.read(by, &format!("/v1/incidents/export?format=ndjson&{query}"), 200).await;
        let text = String::from_utf8_lossy(&export.bytes);
        let lines: Value = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect();
        let mut exported = ids(&lines);
        exported.sort();
        assert_eq!(exported, expected, "caller {by}: export of {query}");
        if [ADA, OWEN].contains(&by) && !query.contains("q=") {
            self.compare_deleted(by, &query, filter).await;
        }
    }

    async fn compare_deleted(&self, by: usize, query: &str, filter: Filter) {
        let deleted = self
            .register
            .incidents
            .iter()
            .filter(|(_, it)| it.is_seen_by(by) && it.content.is_deleted && filter(it));
        let deleted: Vec<String> = deleted.map(|(number, _)| format!("INC-{number:04}")).collect();
        let list = self.read(by, &format!("/v1/incidents?limit=200&deleted=only&{query}"), 200).await;
        let mut shown = ids(&list.json()["data"]);
        shown.sort();
        assert_eq!(shown, deleted, "caller {by}: deleted, {query}");
    }

    async fn compare_facets(&self, by: usize) {
        let facets = self.read(by, "/v1/incidents/facets", 200).await;
        assert_eq!(facets.json()["total"], self.register.present(by).count(), "caller {by}");
        type Value = fn(&Incident) -> Vec<String>;
        let names: [(&str, Value); 4] = [
            ("status", |it| vec![it.content.status.to_owned()]),
            ("severity", |it| vec![it.content.severity.to_owned()]),
            ("kind", |it| vec![it.content.kind.to_owned()]),
            ("tag", |it| it.content.tags.iter().map(ToString::to_string).collect()),
        ];
        for (name, values) in names {
            let mut expected: BTreeMap<String, i64> = BTreeMap::new();
            for value in self.register.present(by).flat_map(|(_, it)| values(it)) {
                *expected.entry(value).or_default() += 1;
            }
            let mut shown = BTreeMap::new();
            for it in facets.json()["facets"][name].as_array().unwrap() {
                let value = it["value"].as_str().unwrap();
                let place = self.tags.iter().position(|tag| tag == value);
                let value = place.map_or_else(|| value.to_owned(), |place| place.to_string());
                shown.insert(value, it["count"].as_i64().unwrap());
            }
            shown.retain(|_, count| *count > 0);
            assert_eq!(shown, expected, "caller {by}: {name}");
        }
    }

    /// Those who declare only have no figures.
    async fn compare_figures(&self, by: usize) {
        if by == SAM {
            self.read(by, "/v1/incidents/metrics", 403).await;
            return;
        }
        for include in KINDS {
            let query = if include == "near_miss" { "?include=near_miss" } else { "" };
            let counted = |it: &Incident| {
                it.content.kind == "real" || (it.content.kind == include && include == "near_miss")
            };
            let figures = self.read(by, &format!("/v1/incidents/metrics{query}"), 200).await;
            let expected = self.register.present(by).filter(|(_, it)| counted(it)).count();
            assert_eq!(figures.json()["total"], expected, "caller {by}: {query}");
            let link = figures.json()["incidents"].as_str().unwrap();
            let list = self.read(by, &format!("{link}&limit=200"), 200).await;
            assert_eq!(list.json()["data"].as_array().unwrap().len(), expected, "caller {by}: {link}");
        }
        let by_severity = self.read(by, "/v1/incidents/metrics?group_by=severity", 200).await;
        assert_eq!(
            by_severity.json()["groups"].as_array().map(|groups| groups.len() <= SEVERITIES.len() + 1),
            Some(true)
        );
    }

    pub(super) async fn remember_the_past(&mut self) {
        let head = self.read(ADA, "/v1/journal/head", 200).await;
        let past =
            Past { seq: head.json()["seq"].as_i64().unwrap(), incidents: self.register.incidents.clone() };
        self.register.past.push(past);
    }

    /// The register as of an earlier entry: what was there then, of what the caller sees today.
    async fn compare_past(&self, by: usize) {
        if self.register.past.is_empty() {
            return;
        }
        let past = &self.register.past[self.dice.below(self.register.past.len())];
        let there = past
            .incidents
            .iter()
            .filter(|(number, it)| !it.content.is_deleted && self.register.incidents[number].is_seen_by(by));
        let expected: BTreeSet<(String, String)> =
            there.map(|(number, it)| (format!("INC-{number:04}"), it.content.status.to_owned())).collect();
        let list = self.read(by, &format!("/v1/incidents?limit=200&as_of_seq={}", past.seq), 200).await;
        let text = |it: &Value, member: &str| it[member].as_str().unwrap().to_owned();
        let shown: BTreeSet<(String, String)> = list.json()["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| (text(it, "id"), text(it, "status")))
            .collect();
        assert_eq!(shown, expected, "caller {by}: as of {}", past.seq);
    }

    /// The latest entries, which tell nothing of what the caller does not see.
    async fn compare_journal(&self, by: usize) {
        let is_reader = [ADA, VERA].contains(&by);
        self.read(by, "/v1/journal?limit=200", if is_reader { 200 } else { 403 }).await;
    }
}

fn ids(rows: &Value) -> Vec<String> {
    rows.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}
