//! Risk registers as people have them, each with what it becomes. The workbooks were saved by LibreOffice, the texts are in the
//! encodings that spreadsheets write. Beside each file `NAME.json` has what is asked (an id and its proposal), the answers, how many
//! records are created, skipped and wrong, what is wrong or remarkable (row, what was read, the nearest right value), and the risks.

use std::fs;

use serde_json::{Map, Value, json};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/registers");

/// The members of a risk that are compared as they are.
const MEMBERS: [&str; 15] = [
    "external_ref",
    "title",
    "description",
    "category",
    "owner_name",
    "asset",
    "threat",
    "vulnerability",
    "existing_controls",
    "controls",
    "treatment",
    "treatment_plan",
    "status",
    "status_reason",
    "next_review_date",
];

/// A register with what it becomes. No two have a reference or a header in common.
#[derive(Debug)]
pub struct Register {
    /// The name of the file.
    pub name: String,
    /// Its bytes.
    pub file: Vec<u8>,
    expected: Value,
}

impl Register {
    /// All of them, by name.
    pub fn all() -> Vec<Self> {
        let entries = fs::read_dir(FOLDER).unwrap().map(|entry| entry.unwrap());
        let mut names: Vec<String> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.retain(|name| !name.ends_with(".json"));
        names.sort();
        names.into_iter().map(Self::of).collect()
    }

    fn of(name: String) -> Self {
        let read = |name: &str| fs::read(format!("{FOLDER}/{name}")).unwrap();
        let (file, expected) = (read(&name), read(&format!("{name}.json")));
        Self { file, expected: serde_json::from_slice(&expected).unwrap(), name }
    }

    /// Where the file is.
    pub fn path(&self) -> String {
        format!("{FOLDER}/{}", self.name)
    }

    /// The answers to some of what is asked, as ids with answers.
    pub fn answers(&self) -> Vec<(&str, &str)> {
        let answers = self.expected["answers"].as_object();
        answers.into_iter().flatten().map(|(id, answer)| (id.as_str(), answer.as_str().unwrap())).collect()
    }

    /// The ids of what is asked.
    pub fn asked(&self) -> Vec<&str> {
        self.expected["asked"].as_array().unwrap().iter().map(|it| it[0].as_str().unwrap()).collect()
    }

    /// How many records are created, skipped and wrong.
    pub fn counts(&self) -> [i64; 3] {
        [0, 1, 2].map(|at| self.expected["counts"][at].as_i64().unwrap())
    }

    /// Fails unless these are its questions, with their proposals.
    pub fn assert_asked(&self, questions: &Value) {
        let asked = questions.as_array().unwrap().iter();
        let asked: Vec<Value> = asked.map(|it| json!([it["id"], it["proposal"]])).collect();
        assert_eq!(Value::Array(asked), self.expected["asked"], "{}", self.name);
    }

    /// Fails unless so many records are created, skipped and wrong, and nothing else.
    pub fn assert_counts(&self, counts: &Value) {
        let [created, skipped, wrong] = self.counts();
        let expected =
            json!({"created": created, "updated": 0, "unchanged": 0, "skipped": skipped, "wrong": wrong});
        assert_eq!(*counts, expected, "{}", self.name);
    }

    /// Fails unless this is wrong or remarkable, in the order of the file.
    pub fn assert_faults<'f>(&self, faults: impl IntoIterator<Item = &'f Value>) {
        let fault = |it: &Value| json!([it["row"], it["read"], it["nearest"]]);
        let faults: Vec<Value> = faults.into_iter().map(fault).collect();
        assert_eq!(Value::Array(faults), self.expected["faults"], "{}", self.name);
    }

    /// Fails unless the register has these risks, each with its tasks, in the order of the file.
    pub fn assert_risks(&self, risks: &[(Value, Value)]) {
        let expected = self.expected["risks"].as_array().unwrap();
        assert_eq!(risks.len(), expected.len(), "{}", self.name);
        for ((risk, tasks), expected) in risks.iter().zip(expected) {
            let mut found = shown(risk, tasks);
            // Without a date in the file it is evaluated when it is imported.
            if expected.get("evaluated_on").is_none() {
                found.remove("evaluated_on");
            }
            assert_eq!(Value::Object(found), *expected, "{}", self.name);
        }
    }
}

/// What a risk has, without what every new one has.
fn shown(risk: &Value, tasks: &Value) -> Map<String, Value> {
    let day = |it: &Value| it.as_str().map(|text| text[..10].to_owned());
    let levels = |it: &Value| it.is_object().then(|| json!([it["likelihood"], it["impact"]]));
    let tags: Vec<&Value> = risk["tags"].as_array().unwrap().iter().map(|tag| &tag["name"]).collect();
    let tasks = tasks["data"].as_array().unwrap().iter();
    let tasks: Vec<Value> = tasks.map(|task| json!([task["title"], day(&task["due"])])).collect();
    let mut shown: Map<String, Value> =
        MEMBERS.iter().map(|member| ((*member).to_owned(), risk[member].clone())).collect();
    for rating in ["inherent", "current", "target"] {
        shown.insert(rating.to_owned(), json!(levels(&risk[rating])));
    }
    shown.insert("evaluated_on".to_owned(), json!(day(&risk["current"]["evaluated_at"])));
    shown.insert("tags".to_owned(), json!(tags));
    shown.insert("tasks".to_owned(), json!(tasks));
    let usual = [Value::Null, json!(""), json!([]), json!("open"), json!("undecided")];
    shown.retain(|_, value| !usual.contains(value));
    shown
}
