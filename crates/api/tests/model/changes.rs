//! The changes: each is made by the service and by the model, which also says whether the caller may make it.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use testkit::{Answer, Request as HttpRequest};

use super::Scene;
use super::register::{ADA, CALLERS, Content, Incident, Note, OWEN};

pub(super) const WORDS: [&str; 8] =
    ["amber", "basalt", "cobalt", "dolomite", "emerald", "feldspar", "garnet", "hematite"];
pub(super) const KINDS: [&str; 3] = ["real", "drill", "near_miss"];
pub(super) const SEVERITIES: [&str; 4] = ["low", "medium", "high", "critical"];

/// One of so many of the latest requests is undone.
const RECENT: usize = 20;

/// Requests may be undone for 15 minutes: so many turns.
const UNDO_TURNS: usize = 15 * 60 / super::TURN_SECONDS;

/// A change of one incident's content that the model makes as well.
type Edit = Box<dyn Fn(&mut Content)>;

impl<'a> Scene<'a> {
    /// One random change.
    pub(super) async fn change(&mut self) {
        if self.register.incidents.len() < 4 {
            return self.declare().await;
        }
        match self.dice.below(100) {
            0..8 => self.declare().await,
            8..20 => self.patch().await,
            20..28 => self.restrict().await,
            28..36 => self.step().await,
            36..41 => self.assess().await,
            41..49 => self.tag().await,
            49..62 => self.write_note().await,
            62..72 => self.change_note().await,
            72..82 => self.bulk().await,
            82..87 => self.delete_or_restore().await,
            87..96 => self.undo().await,
            _ => self.redact().await,
        }
    }

    /// A number that there is, and now and then one that there is not.
    fn number(&self) -> usize {
        1 + self.dice.below(self.register.incidents.len() + usize::from(self.dice.below(20) == 0))
    }

    fn text(&self) -> String {
        let count = 1 + self.dice.below(3);
        (0..count).map(|_| self.dice.one_of(&WORDS)).collect::<Vec<_>>().join(" ")
    }

    async fn send(&self, request: HttpRequest<'a>, by: usize, is_allowed: bool) -> Answer {
        let answer = request.bearer(&self.callers[by]).await;
        let is_done = (200..300).contains(&answer.status);
        let body = String::from_utf8_lossy(&answer.bytes);
        assert_eq!(is_done, is_allowed, "caller {by}: {} {body}", answer.status);
        assert!(answer.status < 500, "{body}");
        answer
    }

    /// Whether a caller may change an incident.
    fn may_write(&self, by: usize, number: usize) -> bool {
        [ADA, OWEN].contains(&by) && self.register.is_present(by, number)
    }

    /// Makes a change of one incident's content.
    async fn edit(
        &mut self,
        request: HttpRequest<'a>,
        by: usize,
        number: usize,
        is_allowed: bool,
        edit: Edit,
    ) {
        let answer = self.send(request, by, is_allowed).await;
        if is_allowed {
            let incident = self.register.incidents.get_mut(&number).unwrap();
            let before = BTreeMap::from([(number, incident.content.clone())]);
            edit(&mut incident.content);
            self.register.note_request(answer.header("x-request-id").unwrap(), by, before);
        }
    }

    async fn declare(&mut self) {
        let by = self.dice.one_of(&CALLERS);
        let number = self.register.incidents.len() + 1;
        let content = Content {
            title: format!("token{number:04} {}", self.text()),
            description: self.text(),
            status: "new",
            steps: Vec::new(),
            kind: "real",
            severity: "undetermined",
            assigned_to: None,
            restricted: false,
            readers: Default::default(),
            tags: Default::default(),
            is_deleted: false,
            deletion: 0,
        };
        let body = json!({"title": content.title, "description": content.description});
        let made = self.send(self.app.post("/v1/incidents").json(body), by, true).await;
        assert_eq!(made.text("id"), format!("INC-{number:04}"));
        let incident = Incident { content, opened_by: by, notes: Vec::new(), changes: 0 };
        self.register.incidents.insert(number, incident);
    }

    async fn patch(&mut self) {
        let (by, number) = (self.dice.one_of(&CALLERS), self.number());
        let path = format!("/v1/incidents/{number}");
        let is_allowed = self.may_write(by, number);
        let (body, edit): (Value, Edit) = match self.dice.below(4) {
            0 => {
                let title = format!("token{number:04} {}", self.text());
                (json!({"title": title}), Box::new(move |it| it.title.clone_from(&title)))
            }
            1 => {
                // A text that is taken out later.
                let text = format!("{} secret{}", self.text(), self.dice.below(1_000_000));
                (json!({"description": text}), Box::new(move |it| it.description.clone_from(&text)))
            }
            2 => {
                let kind = self.dice.one_of(&KINDS);
                (json!({"kind": kind}), Box::new(move |it| it.kind = kind))
            }
            _ => {
                let member = Some(self.dice.below(CALLERS.len() + 1)).filter(|it| *it < CALLERS.len());
                let id = member.map(|it| &self.callers[it].id);
                (json!({"assigned_to": id}), Box::new(move |it| it.assigned_to = member))
            }
        };
        self.edit(self.app.patch(&path).json(body), by, number, is_allowed, edit).await;
    }

    async fn restrict(&mut self) {
        let (by, number) = (self.dice.one_of(&CALLERS), self.number());
        let restricted = self.dice.below(3) > 0;
        let readers = (0..self.dice.below(3)).map(|_| self.dice.one_of(&CALLERS)).collect();
        let mut is_allowed = self.may_write(by, number);
        if let Some(incident) = self.register.incidents.get(&number) {
            let same = (&incident.content.restricted, &incident.content.readers) == (&restricted, &readers);
            is_allowed = is_allowed && (same || incident.may_be_restricted_by(by));
        }
        let ids: Vec<&str> = readers.iter().map(|it| self.callers[*it].id.as_str()).collect();
        let body = json!({"restricted": restricted, "readers": ids});
        let edit: Edit = Box::new(move |it| (it.restricted, it.readers) = (restricted, readers.clone()));
        self.edit(
            self.app.patch(&format!("/v1/incidents/{number}")).json(body),
            by,
            number,
            is_allowed,
            edit,
        )
        .await;
    }

    /// To the next status: from resolved back to work.
    async fn step(&mut self) {
        let (by, number) = (self.dice.one_of(&CALLERS), self.number());
        let status = self.register.incidents.get(&number).map_or("new", |it| it.content.status);
        let (to, body) = match status {
            "new" => ("investigating", json!({"to": "investigating"})),
            "investigating" => ("resolved", json!({"to": "resolved", "resolution_reason": "fixed"})),
            _ => ("investigating", json!({"to": "investigating", "reason": "Again."})),
        };
        let path = format!("/v1/incidents/{number}/transitions");
        let is_allowed = self.may_write(by, number);
        let edit: Edit = Box::new(move |it| {
            it.status = to;
            it.steps.push(to);
        });
        self.edit(self.app.post(&path).json(body), by, number, is_allowed, edit).await;
    }

    async fn assess(&mut self) {
        let (by, number, severity) =
            (self.dice.one_of(&CALLERS), self.number(), self.dice.one_of(&SEVERITIES));
        let request = self.app.put(&format!("/v1/incidents/{number}/severity"));
        let request = request.json(json!({"severity": severity, "reason": "Known."}));
        let is_allowed = self.may_write(by, number);
        self.edit(request, by, number, is_allowed, Box::new(move |it| it.severity = severity)).await;
    }

    async fn tag(&mut self) {
        let (by, number, tag) = (self.dice.one_of(&CALLERS), self.number(), self.dice.below(self.tags.len()));
        let has_it = self.register.incidents.get(&number).is_some_and(|it| it.content.tags.contains(&tag));
        let path = format!("/v1/incidents/{number}/tags");
        let is_added = self.dice.below(3) > 0;
        let request = match is_added {
            true => self.app.post(&path).json(json!({"tag_id": self.tags[tag]})),
            false => self.app.delete(&format!("{path}/{}", self.tags[tag])),
        };
        let is_allowed = self.may_write(by, number) && has_it != is_added;
        let edit: Edit = Box::new(move |it| {
            if is_added {
                it.tags.insert(tag);
            } else {
                it.tags.remove(&tag);
            }
        });
        self.edit(request, by, number, is_allowed, edit).await;
    }

    /// Those who may not change incidents comment on what they declared.
    async fn write_note(&mut self) {
        let (by, number) = (self.dice.one_of(&CALLERS), self.number());
        let kind = self.dice.one_of(&["comment", "action", "observation"]);
        let text = match self.dice.below(3) {
            0 => format!("{} secret{}", self.text(), self.dice.below(1_000_000)),
            _ => self.text(),
        };
        let is_allowed = self.register.is_present(by, number)
            && ([ADA, OWEN].contains(&by)
                || (kind == "comment" && self.register.incidents[&number].opened_by == by));
        let request = self.app.post(&format!("/v1/incidents/{number}/notes"));
        self.send(request.json(json!({"kind": kind, "text": text})), by, is_allowed).await;
        if is_allowed {
            let note = Note { kind, text, author: by, is_deleted: false };
            self.register.incidents.get_mut(&number).unwrap().notes.push(note);
        }
    }

    /// Edits, deletes or restores a note. Authors may, and those who delete incidents.
    async fn change_note(&mut self) {
        let by = self.dice.one_of(&CALLERS);
        let noted: Vec<usize> = self
            .register
            .incidents
            .iter()
            .filter(|(_, it)| !it.notes.is_empty())
            .map(|(number, _)| *number)
            .collect();
        if noted.is_empty() {
            return;
        }
        let number = self.dice.one_of(&noted);
        let place = self.dice.below(self.register.incidents[&number].notes.len());
        let before = self.register.incidents[&number].notes[place].clone();
        let path = format!("/v1/incidents/{number}/notes/{}", place + 1);
        let deletes = [ADA, OWEN].contains(&by);
        let may = self.register.is_present(by, number) && (deletes || before.author == by);
        let mut after = before.clone();
        let (request, is_allowed) = match self.dice.below(3) {
            0 => {
                after.text = self.text();
                (self.app.patch(&path).json(json!({"text": after.text})), may && !before.is_deleted)
            }
            1 => {
                after.is_deleted = true;
                (self.app.delete(&path), may && !before.is_deleted)
            }
            _ => {
                after.is_deleted = false;
                (self.app.post(&format!("{path}/restore")), may && deletes && before.is_deleted)
            }
        };
        self.send(request, by, is_allowed).await;
        if is_allowed {
            self.register.incidents.get_mut(&number).unwrap().notes[place] = after;
        }
    }

    /// An operation on many, and what it does to each.
    fn operation(&self) -> (Value, Edit) {
        match self.dice.below(5) {
            0 => {
                let tag = self.dice.below(self.tags.len());
                (
                    json!({"type": "tag", "tag_id": self.tags[tag]}),
                    Box::new(move |it| _ = it.tags.insert(tag)),
                )
            }
            1 => {
                let tag = self.dice.below(self.tags.len());
                (
                    json!({"type": "untag", "tag_id": self.tags[tag]}),
                    Box::new(move |it| _ = it.tags.remove(&tag)),
                )
            }
            2 => {
                let kind = self.dice.one_of(&KINDS);
                (json!({"type": "update", "kind": kind}), Box::new(move |it| it.kind = kind))
            }
            3 => {
                let member = self.dice.one_of(&CALLERS);
                let id = &self.callers[member].id;
                (
                    json!({"type": "assign", "assigned_to": id}),
                    Box::new(move |it| it.assigned_to = Some(member)),
                )
            }
            _ => {
                let deletion = self.register.made + 1;
                (json!({"type": "delete"}), Box::new(move |it| it.mark(Some(deletion))))
            }
        }
    }

    /// One operation on many; a dry run says the same before.
    async fn bulk(&mut self) {
        let by = self.dice.one_of(&[ADA, OWEN]);
        let (operation, edit) = self.operation();
        let mut body = json!({"operation": operation, "atomic": self.dice.below(2) == 0});
        let numbers: Vec<usize> = match self.dice.below(3) {
            0 => {
                let status = self.dice.one_of(&["new", "investigating", "resolved"]);
                body["filter"] = json!({"status": status});
                let found = self.register.present(by).filter(|(_, it)| it.content.status == status);
                found.map(|(number, _)| *number).collect()
            }
            _ => {
                let mut numbers: Vec<usize> = (0..1 + self.dice.below(6)).map(|_| self.number()).collect();
                body["ids"] = json!(numbers);
                let mut seen = std::collections::BTreeSet::new();
                numbers.retain(|number| seen.insert(*number));
                numbers
            }
        };
        let mut expected = Vec::new();
        let (mut before, mut after) = (BTreeMap::new(), BTreeMap::new());
        for number in numbers {
            let outcome = if self.register.is_present(by, number) {
                let content = &self.register.incidents[&number].content;
                let mut changed = content.clone();
                edit(&mut changed);
                let outcome = if changed == *content { "unchanged" } else { "changed" };
                before.insert(number, content.clone());
                after.insert(number, changed);
                outcome
            } else {
                "not_found"
            };
            expected.push((format!("INC-{number:04}"), outcome.to_owned()));
        }
        let post = || self.app.post("/v1/incidents/bulk");
        let mut dry = body.clone();
        dry["dry_run"] = json!(true);
        let planned = self.send(post().json(dry), by, true).await;
        let done = self.send(post().json(body), by, true).await;
        for answer in [&planned, &done] {
            assert_eq!(outcomes(answer), expected, "caller {by}");
        }
        for (number, content) in after {
            self.register.incidents.get_mut(&number).unwrap().content = content;
        }
        self.register.note_request(done.header("x-request-id").unwrap(), by, before);
    }

    async fn delete_or_restore(&mut self) {
        let by = self.dice.one_of(&CALLERS);
        let numbers: std::collections::BTreeSet<usize> =
            (0..1 + self.dice.below(3)).map(|_| self.number()).collect();
        let deletes = self.dice.below(2) == 0;
        let body = json!({"ids": numbers});
        let request = match deletes {
            true => self.app.delete("/v1/incidents").json(body),
            false => self.app.post("/v1/incidents/restore").json(body),
        };
        let is_allowed = [ADA, OWEN].contains(&by);
        let answer = self.send(request, by, is_allowed).await;
        if !is_allowed {
            return;
        }
        let mut before = BTreeMap::new();
        let deletion = deletes.then_some(self.register.made + 1);
        for number in numbers {
            let Some(incident) = self.register.incidents.get_mut(&number) else { continue };
            if incident.is_seen_by(by) && incident.content.is_deleted != deletes {
                before.insert(number, incident.content.clone());
                incident.content.mark(deletion);
            }
        }
        let count = if deletes { "deleted_count" } else { "restored_count" };
        assert_eq!(answer.json()[count], before.len());
        self.register.note_request(answer.header("x-request-id").unwrap(), by, before);
    }

    /// Undoes one of the latest requests: of its maker, and of others in vain.
    async fn undo(&mut self) {
        let requests = self.register.requests.iter().rev().take(RECENT);
        let recent: Vec<_> =
            requests.take_while(|it| self.register.turn - it.turn < UNDO_TURNS).cloned().collect();
        if recent.is_empty() {
            return;
        }
        let request = recent[self.dice.below(recent.len())].clone();
        let by = if self.dice.below(8) == 0 { self.dice.one_of(&CALLERS) } else { request.by };
        let seen =
            request.changed.iter().filter(|(number, _)| self.register.incidents[number].is_seen_by(by));
        let seen: Vec<(usize, (Content, usize))> = seen.map(|(number, it)| (*number, it.clone())).collect();
        let is_allowed = by == request.by && !seen.is_empty();
        let undo = self.app.post("/v1/undo").json(json!({"request_id": request.id}));
        let answer = self.send(undo, by, is_allowed).await;
        if !is_allowed {
            return;
        }
        let mut before = BTreeMap::new();
        let mut expected = BTreeMap::new();
        for (number, (content, changes)) in seen {
            let incident = self.register.incidents.get_mut(&number).unwrap();
            let outcome = if incident.content == content {
                "already_undone"
            } else if incident.changes != changes {
                "changed_since"
            } else {
                before.insert(number, incident.content.clone());
                incident.content = content;
                "undone"
            };
            expected.insert(format!("INC-{number:04}"), outcome.to_owned());
        }
        let results = answer.json()["results"].as_array().unwrap();
        let text = |it: &Value, member: &str| it[member].as_str().unwrap().to_owned();
        let found: BTreeMap<String, String> =
            results.iter().map(|it| (text(it, "id"), text(it, "outcome"))).collect();
        assert_eq!(found, expected);
        self.register.note_request(answer.header("x-request-id").unwrap(), by, before);
    }

    /// Takes a text out for good. What was made before it cannot be compared any more, so nothing before is undone.
    async fn redact(&mut self) {
        let by = self.dice.one_of(&[ADA, OWEN]);
        let secrets = self.register.present(by).flat_map(|(number, it)| {
            let notes = it.notes.iter().filter(|note| !note.is_deleted).map(|note| note.text.as_str());
            let words = notes.chain([it.content.description.as_str()]).flat_map(str::split_whitespace);
            words.filter(|word| word.starts_with("secret")).map(|word| (*number, word.to_owned()))
        });
        let secrets: Vec<(usize, String)> = secrets.collect();
        if secrets.is_empty() {
            return;
        }
        let (number, secret) = secrets[self.dice.below(secrets.len())].clone();
        let body = json!({"text": secret, "reason": "A password."});
        let request = self.app.post(&format!("/v1/incidents/{number}/redact")).json(body);
        self.send(request, by, true).await;
        let incident = self.register.incidents.get_mut(&number).unwrap();
        incident.redact(&secret);
        incident.changes += 1;
        self.register.requests.retain(|request| !request.changed.contains_key(&number));
        self.register.redacted.push(secret);
    }
}

/// The id and the outcome of each record of a bulk operation.
fn outcomes(answer: &Answer) -> Vec<(String, String)> {
    let text = |it: &Value, member: &str| it[member].as_str().unwrap().to_owned();
    let results = answer.json()["results"].as_array().unwrap();
    results.iter().map(|it| (text(it, "id"), text(it, "outcome"))).collect()
}
