//! Settings for people to read: what is in force, and a sample to start from.

use std::fmt::Write as _;

use serde::Serialize;
use serde_json::Value;

use super::Layers;
use super::layer::{Raw, Source};
use super::setting::{ALL, Kind, Setting};

/// Stands for what must not be seen.
const HIDDEN: &str = "***";

/// A setting that is in force.
#[derive(Debug, Serialize)]
pub(crate) struct Effective {
    /// The key in the file.
    pub(crate) name: &'static str,
    /// As in the file, secrets hidden; null when it is not set.
    pub(crate) value: Value,
    /// Where it comes from.
    pub(crate) source: String,
}

impl Effective {
    /// As a line of the file, with its source behind it.
    pub(crate) fn line(&self) -> String {
        let value = match &self.value {
            Value::Null => format!("# {} is not set", self.name),
            value => format!("{} = {}", self.name, as_toml(value)),
        };
        format!("{value:<60} # {}", self.source)
    }
}

/// Every setting, in the order of the documentation.
pub(crate) fn effective(layers: &Layers) -> Vec<Effective> {
    let one = |setting: &'static Setting| {
        let (value, source) = match layers.values.get(setting.name) {
            Some((raw, source)) => (shown(setting.kind, raw), source.clone()),
            None => (Value::Null, Source::Default),
        };
        Effective { name: setting.name, value, source: source.to_string() }
    };
    ALL.iter().map(one).collect()
}

fn shown(kind: Kind, raw: &Raw) -> Value {
    match raw {
        Raw::Text(text) if text.is_empty() => Value::Null,
        Raw::Text(_) if kind == Kind::Secret => HIDDEN.into(),
        Raw::Text(url) if kind == Kind::Url => without_password(url).into(),
        Raw::Text(text) => text.as_str().into(),
        Raw::Whole(number) => (*number).into(),
        Raw::Yes(yes) => (*yes).into(),
        Raw::List(entries) => entries.clone().into(),
    }
}

/// The URL with its password hidden. Of a URL that is not well-formed rather too much is hidden.
pub(crate) fn without_password(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let rest = match rest.rsplit_once('@') {
        Some((user, host)) => {
            format!("{}:{HIDDEN}@{host}", user.split([':', '/', '?']).next().unwrap_or_default())
        }
        None => rest.to_owned(),
    };
    let (base, query) = rest.split_once('?').unwrap_or((&rest, ""));
    let hide = |pair: &str| match pair.split_once('=') {
        Some((key, _)) if !["sslmode", "sslrootcert", "target_session_attrs"].contains(&key) => {
            format!("{key}={HIDDEN}")
        }
        _ => pair.to_owned(),
    };
    let query: Vec<_> = query.split('&').filter(|pair| !pair.is_empty()).map(hide).collect();
    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    let scheme = if scheme.is_empty() { String::new() } else { format!("{scheme}://") };
    format!("{scheme}{base}{query}")
}

/// A value as it stands in the file. JSON's strings are TOML's basic strings.
fn as_toml(value: &Value) -> String {
    match value {
        Value::Array(entries) => {
            let entries: Vec<_> = entries.iter().map(as_toml).collect();
            format!("[{}]", entries.join(", "))
        }
        value => value.to_string(),
    }
}

/// A file with every setting, explained and commented out.
pub(crate) fn example() -> String {
    let mut text = String::from(
        "# Settings of Bailiwick. A line that is commented out shows the default, or an example where there is none.\n\
         # The environment and flags win over this file. Relative paths start at the folder of this file.\n",
    );
    for setting in ALL {
        text.push('\n');
        for line in wrapped(setting.help, 110) {
            let _ = writeln!(text, "# {line}");
        }
        let flag = setting.flag().map(|flag| format!("{flag}, ")).unwrap_or_default();
        let _ = writeln!(text, "# ({flag}{})", setting.variable);
        let _ = writeln!(text, "#{} = {}", setting.name, sample(setting));
    }
    text
}

fn sample(setting: &Setting) -> String {
    let text = if setting.default.is_empty() { setting.example } else { setting.default };
    match setting.kind {
        Kind::Whole | Kind::Yes => text.to_owned(),
        Kind::List => as_toml(&text.split(',').map(str::trim).collect::<Vec<_>>().into()),
        _ => as_toml(&text.into()),
    }
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) if line.len() + 1 + word.len() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_hidden_wherever_it_stands() {
        for (url, shown) in [
            ("postgres://me:secret@h/db", "postgres://me:***@h/db"),
            ("postgres://me:s@cr@t@h1,h2/db?sslmode=require", "postgres://me:***@h1,h2/db?sslmode=require"),
            ("postgres://me@h/db", "postgres://me:***@h/db"),
            ("postgres://h/db?user=me&password=secret", "postgres://h/db?user=***&password=***"),
            ("postgres://h/db", "postgres://h/db"),
            ("postgres://me:se/cr?et@h/db", "postgres://me:***@h/db"),
            ("http://otlp.example/?key=secret", "http://otlp.example/?key=***"),
            ("me:secret@h", "me:***@h"),
        ] {
            assert_eq!(without_password(url), shown);
        }
    }
}
