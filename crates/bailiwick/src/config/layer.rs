//! The layers that a setting may come from, and their values: defaults, the file, the environment, flags. A later one
//! overrides an earlier one.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::setting::{ALL, Kind, Setting};

/// The environment's variables; handed in, so that tests have their own.
pub(crate) type Environment = BTreeMap<String, String>;

/// The flags that were given.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flags {
    /// `--config`.
    pub(crate) file: Option<PathBuf>,
    /// Each setting with what stood after its flag.
    pub(crate) values: Vec<(&'static Setting, Vec<String>)>,
}

/// A value as its layer has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Raw {
    Text(String),
    Whole(i64),
    Yes(bool),
    List(Vec<String>),
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    Default,
    File { path: PathBuf, line: usize },
    Environment(&'static str),
    Flag(String),
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
            Self::Environment(variable) => f.write_str(variable),
            Self::Flag(flag) => f.write_str(flag),
        }
    }
}

/// What is wrong with a setting.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Fault {
    /// Where the value stands; the file itself when it cannot be read.
    pub(crate) at: String,
    /// A sentence that does not repeat a secret.
    pub(crate) detail: String,
}

impl Fault {
    pub(crate) fn new(at: impl fmt::Display, detail: impl Into<String>) -> Self {
        Self { at: at.to_string(), detail: detail.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.detail)
    }
}

/// What each setting is, before it is read as what it means.
pub(crate) type Values = BTreeMap<&'static str, (Raw, Source)>;

/// Reads a text of the environment or of a flag. Empty counts as a text, and as no list.
fn from_text(setting: &Setting, text: &str) -> Result<Raw, String> {
    let text = text.trim();
    match setting.kind {
        Kind::Text | Kind::Path | Kind::Secret | Kind::Url => Ok(Raw::Text(text.to_owned())),
        Kind::Whole => text.parse().map(Raw::Whole).map_err(|_| "must be a whole number".to_owned()),
        Kind::Yes => match text.to_ascii_lowercase().as_str() {
            "true" | "1" | "yes" | "on" => Ok(Raw::Yes(true)),
            "false" | "0" | "no" | "off" => Ok(Raw::Yes(false)),
            _ => Err("must be true or false".to_owned()),
        },
        Kind::List => {
            let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
            Ok(Raw::List(entries.map(str::to_owned).collect()))
        }
    }
}

/// The defaults.
pub(crate) fn defaults() -> Values {
    let known = ALL.iter().filter(|setting| !setting.default.is_empty());
    // A default that cannot be read would fail every test.
    known
        .filter_map(|setting| {
            Some((setting.name, (from_text(setting, setting.default).ok()?, Source::Default)))
        })
        .collect()
}

/// What the environment sets. An empty variable counts as none, as in shells.
pub(crate) fn from_environment(environment: &Environment, values: &mut Values, faults: &mut Vec<Fault>) {
    for setting in ALL {
        let Some(text) = environment.get(setting.variable).filter(|text| !text.trim().is_empty()) else {
            continue;
        };
        take(setting, text, Source::Environment(setting.variable), values, faults);
    }
}

/// What the flags set. An empty text takes a setting back to having no value.
pub(crate) fn from_flags(flags: &Flags, values: &mut Values, faults: &mut Vec<Fault>) {
    for (setting, texts) in &flags.values {
        let flag = Source::Flag(setting.flag().unwrap_or_default());
        if setting.kind == Kind::List {
            take(setting, &texts.join(","), flag, values, faults);
        } else if let Some(text) = texts.last() {
            take(setting, text, flag, values, faults);
        }
    }
}

fn take(setting: &'static Setting, text: &str, from: Source, values: &mut Values, faults: &mut Vec<Fault>) {
    match from_text(setting, text) {
        Ok(raw) => drop(values.insert(setting.name, (raw, from))),
        Err(detail) => faults.push(Fault::new(from, detail)),
    }
}

/// What a file sets; `text` is its content.
pub(crate) fn from_file(path: &Path, text: &str, values: &mut Values, faults: &mut Vec<Fault>) {
    let line = |at: usize| text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1;
    let source = |at: usize| Source::File { path: path.to_owned(), line: line(at) };
    let (table, errors) = toml::de::DeTable::parse_recoverable(text);
    let mut broken = Vec::new();
    for error in &errors {
        let at = error.span().map_or(0, |span| span.start);
        broken.push(line(at));
        faults.push(Fault::new(source(at), error.message()));
    }
    for (key, value) in table.get_ref() {
        let at = source(key.span().start);
        // A line that is not TOML is reported only once.
        if broken.contains(&line(key.span().start)) {
            continue;
        }
        match Setting::named(key.get_ref()) {
            None => faults.push(Fault::new(at, unknown(key.get_ref()))),
            Some(setting) => match from_toml(setting, value.get_ref()) {
                Ok(raw) => drop(values.insert(setting.name, (in_folder_of(path, setting, raw), at))),
                Err(detail) => faults.push(Fault::new(at, format!("{} {detail}", setting.name))),
            },
        }
    }
}

fn from_toml(setting: &Setting, value: &toml::de::DeValue<'_>) -> Result<Raw, String> {
    use toml::de::DeValue as V;
    let is = |wanted: &str| Err(format!("must be {wanted}, not {}", value.type_str()));
    match (setting.kind, value) {
        (Kind::Text | Kind::Path | Kind::Secret | Kind::Url, V::String(text)) => {
            Ok(Raw::Text(text.to_string()))
        }
        (Kind::Text | Kind::Path | Kind::Secret | Kind::Url, _) => is("a string"),
        (Kind::Whole, V::Integer(number)) => i64::from_str_radix(number.as_str(), number.radix())
            .map(Raw::Whole)
            .map_err(|_| "is too large".to_owned()),
        (Kind::Whole, _) => is("an integer"),
        (Kind::Yes, V::Boolean(yes)) => Ok(Raw::Yes(*yes)),
        (Kind::Yes, _) => is("true or false"),
        (Kind::List, V::Array(entries)) => {
            let texts = entries.iter().map(|entry| entry.get_ref().as_str().map(str::to_owned));
            texts.collect::<Option<_>>().map(Raw::List).ok_or("must be an array of strings".to_owned())
        }
        (Kind::List, _) => is("an array of strings"),
    }
}

fn in_folder_of(file: &Path, setting: &Setting, raw: Raw) -> Raw {
    match (setting.kind, raw, file.parent()) {
        (Kind::Path, Raw::Text(text), Some(folder)) if !text.is_empty() => {
            Raw::Text(folder.join(text).to_string_lossy().into_owned())
        }
        (_, raw, _) => raw,
    }
}

fn unknown(key: &str) -> String {
    match domain::nearest(key, ALL.iter().map(|setting| setting.name)) {
        Some(near) => format!("there is no setting {key}; did you mean {near}?"),
        None => format!("there is no setting {key}"),
    }
}

/// What our variables begin with.
const PREFIX: &str = "BAILIWICK_";

/// Variables that look like ours and are not: likely a typing error, but a container platform may set such names too.
pub(crate) fn unknown_variables(environment: &Environment) -> Vec<String> {
    let ours = |name: &str| {
        ALL.iter().any(|setting| setting.variable == name)
            || name == super::FILE_VARIABLE
            || name == crate::machine::OPERATOR_VARIABLE
            || name == super::UNSAFE_SYNCHRONOUS
    };
    let unknown = environment.keys().filter(|name| !ours(name));
    unknown
        .filter_map(|name| {
            let rest = name.strip_prefix(PREFIX)?;
            let known = ALL.iter().filter_map(|setting| setting.variable.strip_prefix(PREFIX));
            let near = domain::nearest(rest, known)?;
            Some(format!("there is no environment variable {name}; did you mean {PREFIX}{near}?"))
        })
        .collect()
}
