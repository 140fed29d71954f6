//! The body of a redaction.

use domain::redaction::{self, Part, Redaction, Target};
use domain::{FaultCode, Faults, Reason};
use http::json::{Fields, FromJson, Json, Pointer};
use http::word::{listed, word};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, SchemaType, Type};

/// What is to be taken out, and why: a `text` wherever it occurs, a `target` as a whole, or a `text` in a `target`.
#[derive(ToSchema)]
#[schema(as = Redaction)]
#[expect(dead_code, reason = "describes the body, which `read` reads")]
pub struct RedactionInput {
    /// The exact text to take out. Absent or null: the whole field that `target` names, in all its versions.
    #[schema(min_length = 4, max_length = 65536, examples("correct horse battery staple"))]
    text: Option<String>,
    /// The one field in which it is taken out. Absent or null: everything that belongs to the incident.
    target: Option<TargetInput>,
    /// Why; the journal and the timeline show it, so it must not have the text.
    #[schema(min_length = 1, max_length = 2000, examples("A password was pasted."))]
    reason: String,
}

/// A field in which a text is taken out.
#[derive(ToSchema)]
#[schema(as = RedactionTarget)]
#[serde(tag = "type", rename_all = "snake_case")]
#[expect(dead_code, reason = "describes the body, which `target` reads")]
pub(crate) enum TargetInput {
    Incident(IncidentFieldInput),
    Note(NoteFieldInput),
    Task(TaskFieldInput),
    Review(ReviewFieldInput),
}

/// A field of the incident itself.
#[derive(ToSchema)]
#[schema(as = IncidentField)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct IncidentFieldInput {
    /// The field.
    #[schema(schema_with = incident_fields)]
    field: String,
}

/// The text of a note.
#[derive(ToSchema)]
#[schema(as = NoteField)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct NoteFieldInput {
    /// The number of the note.
    #[schema(minimum = 1)]
    number: i64,
    /// The field, which need not be named.
    #[schema(schema_with = note_fields, required = false)]
    field: Option<String>,
}

/// A field of a task.
#[derive(ToSchema)]
#[schema(as = TaskField)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct TaskFieldInput {
    /// The number of the task.
    #[schema(minimum = 1)]
    number: i64,
    /// The field.
    #[schema(schema_with = task_fields)]
    field: String,
}

/// A section of an edition of the review.
#[derive(ToSchema)]
#[schema(as = ReviewField)]
#[expect(dead_code, reason = "describes the body")]
pub(crate) struct ReviewFieldInput {
    /// The number of the edition.
    #[schema(minimum = 1)]
    number: i64,
    /// The section.
    #[schema(schema_with = review_fields)]
    field: String,
}

fn incident_fields() -> Object {
    fields_of(Part::Incident)
}

fn note_fields() -> Object {
    fields_of(Part::Note)
}

fn task_fields() -> Object {
    fields_of(Part::Task)
}

fn review_fields() -> Object {
    fields_of(Part::Review)
}

/// The fields of a part, for the OpenAPI document.
fn fields_of(part: Part) -> Object {
    ObjectBuilder::new()
        .schema_type(SchemaType::Type(Type::String))
        .enum_values(Some(part.fields().iter().copied()))
        .into()
}

/// Reads a redaction.
pub fn read(body: Json<'_>, faults: &mut Faults) -> Option<Redaction> {
    let mut fields = Fields::of(body, Pointer::ROOT, faults)?;
    let text = fields.optional_text("text", redaction::text);
    let mut is_targeted = false;
    let target = fields.optional_with("target", |value, at, faults| {
        is_targeted = true;
        target(value, at, faults)
    });
    let reason = fields.required::<Reason>("reason");
    if text.is_none() && !is_targeted {
        fields.fault("text", FaultCode::Required, "is required, unless a target is redacted as a whole");
    }
    if let (Some(text), Some(reason)) = (&text, &reason)
        && reason.contains(text.as_str())
    {
        fields.fault("reason", FaultCode::Format, "must not have the text that is taken out");
    }
    fields.finish();
    Some(Redaction { target, text, reason: reason?.into() })
}

fn target(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Target> {
    let mut fields = Fields::of(value, at, faults)?;
    let part: Option<Part> = fields.required_with("type", word);
    let number: Option<i64> = fields.optional("number");
    let mut is_sent = false;
    let field = fields.optional_with("field", |value, at, faults| {
        is_sent = true;
        field(part?, value, at, faults)
    });
    let usual = part.and_then(|part| match part.fields() {
        [only] => Some(*only),
        _ => None,
    });
    match part {
        Some(part) if part.is_numbered() && number.is_none() => {
            fields.fault("number", FaultCode::Required, "is required");
        }
        Some(part) if !part.is_numbered() && number.is_some() => {
            fields.fault("number", FaultCode::UnknownField, "there is one only");
        }
        _ => {}
    }
    if part.is_some() && usual.is_none() && !is_sent {
        fields.fault("field", FaultCode::Required, "is required");
    }
    fields.finish();
    Some(Target { part: part?, number, field: if is_sent { field? } else { usual? } })
}

fn field(part: Part, value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<&'static str> {
    let name = String::from_json(value, at, faults)?;
    let found = part.fields().iter().copied().find(|field| *field == name);
    if found.is_none() {
        faults.add(at, FaultCode::Enum, format!("Must be {}.", listed(part.fields())));
    }
    found
}
