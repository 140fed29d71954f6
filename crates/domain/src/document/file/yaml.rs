//! YAML 1.2 as JSON has it: without anchors, aliases, tags and repeated keys. A plain scalar is null, true, false, a whole
//! number or else a text, so that `5.10` and `no` stay as they are written.

use std::borrow::Cow;
use std::collections::HashSet;
use std::mem;

use granit_parser::{Event, Marker, Parser, ScalarStyle};

use crate::json::Json;

/// What is wrong, and where: the line and the column from 1.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) detail: String,
}

/// Reads one value.
pub(super) fn read(text: &str) -> Result<Json<'_>, Fault> {
    let mut built = Built::default();
    let options = granit_parser::options! { emit_comments: false };
    for event in Parser::new_from_str_with_options(text, options) {
        let (event, span) = event.map_err(|error| fault(error.marker(), &error.kind().to_string()))?;
        built.add(event).map_err(|detail| fault(&span.start, detail))?;
    }
    Ok(built.whole.unwrap_or(Json::Null))
}

fn fault(at: &Marker, detail: &str) -> Fault {
    Fault { line: at.line(), column: at.col() + 1, detail: detail.to_owned() }
}

/// What was read so far.
#[derive(Default)]
struct Built<'t> {
    whole: Option<Json<'t>>,
    open: Vec<Open<'t>>,
}

/// A list or an object of which the end was not read yet.
enum Open<'t> {
    List(Vec<Json<'t>>),
    Object { members: Vec<(Cow<'t, str>, Json<'t>)>, keys: HashSet<String>, key: Option<Cow<'t, str>> },
}

impl<'t> Built<'t> {
    fn add(&mut self, event: Event<'t>) -> Result<(), &'static str> {
        match event {
            Event::Alias(_) => Err("aliases are not read"),
            Event::Scalar(_, _, 1.., _)
            | Event::SequenceStart(_, 1.., _)
            | Event::MappingStart(_, 1.., _) => Err("anchors are not read"),
            Event::Scalar(_, _, _, Some(_))
            | Event::SequenceStart(_, _, Some(_))
            | Event::MappingStart(_, _, Some(_)) => Err("tags are not read"),
            Event::Scalar(text, style, ..) => self.scalar(text, style),
            Event::SequenceStart(..) => self.begin(Open::List(Vec::new())),
            Event::MappingStart(..) => {
                self.begin(Open::Object { members: Vec::new(), keys: HashSet::new(), key: None })
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::List(items)) => self.put(Json::Array(items)),
                Some(Open::Object { members, .. }) => self.put(Json::Object(members)),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn scalar(&mut self, text: Cow<'t, str>, style: ScalarStyle) -> Result<(), &'static str> {
        if let Some(Open::Object { keys, key: key @ None, .. }) = self.open.last_mut() {
            if !keys.insert(text.clone().into_owned()) {
                return Err("this key is there already");
            }
            *key = Some(text);
            return Ok(());
        }
        self.put(if style == ScalarStyle::Plain { plain(text) } else { Json::String(text) })
    }

    fn begin(&mut self, open: Open<'t>) -> Result<(), &'static str> {
        if let Some(Open::Object { key: None, .. }) = self.open.last() {
            return Err("a key must be a text");
        }
        self.open.push(open);
        Ok(())
    }

    fn put(&mut self, value: Json<'t>) -> Result<(), &'static str> {
        match self.open.last_mut() {
            Some(Open::List(items)) => items.push(value),
            Some(Open::Object { members, key, .. }) => members.extend(mem::take(key).map(|key| (key, value))),
            None if self.whole.is_some() => return Err("there must be one document"),
            None => self.whole = Some(value),
        }
        Ok(())
    }
}

/// What a scalar without quotes is.
pub(super) fn plain(text: Cow<'_, str>) -> Json<'_> {
    match text.as_ref() {
        "" | "~" | "null" => Json::Null,
        "true" => Json::Bool(true),
        "false" => Json::Bool(false),
        number => match number.parse::<i64>() {
            Ok(value) if value.to_string() == number => Json::Integer(value),
            _ => Json::String(text),
        },
    }
}
