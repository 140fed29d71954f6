//! Schemas as OpenAPI has them.

use serde_json::Value;
use utoipa::openapi::schema::{
    ArrayBuilder, KnownFormat, ObjectBuilder, OneOfBuilder, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr, Schema as ApiSchema};

use super::{Member, Object, Presence, Schema, TextSchema};

/// Describes a type in the API by its schema, under this name. The derives write it.
#[doc(hidden)]
#[macro_export]
macro_rules! in_the_api {
    ($type:ty, $name:expr) => {
        impl $crate::utoipa::PartialSchema for $type {
            fn schema() -> $crate::utoipa::openapi::RefOr<$crate::utoipa::openapi::Schema> {
                $crate::schema::openapi(&<Self as $crate::schema::Described>::SCHEMA)
            }
        }

        impl $crate::utoipa::ToSchema for $type {
            fn name() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed($name)
            }

            fn schemas(
                into: &mut Vec<(String, $crate::utoipa::openapi::RefOr<$crate::utoipa::openapi::Schema>)>,
            ) {
                $crate::schema::components(&<Self as $crate::schema::Described>::SCHEMA, into);
            }
        }
    };
}

/// A schema with a name, as a component of the document.
type Component = (String, RefOr<ApiSchema>);

/// How a value looks, written out.
pub fn openapi(schema: &Schema) -> RefOr<ApiSchema> {
    match schema {
        Schema::Object(object) => object_of(object),
        Schema::Word(words) => {
            let all = (words.all)();
            let meanings = all.iter().map(|(word, meaning)| format!("- `{word}`: {meaning}"));
            let about = format!("{}\n\n{}", words.about, meanings.collect::<Vec<_>>().join("\n"));
            let built = ObjectBuilder::new().schema_type(Type::String).description(Some(about));
            built.enum_values(Some(all.into_iter().map(|(word, _)| word))).into()
        }
        other => value(other, None, false, None),
    }
}

/// Adds the components that a schema refers to.
pub fn components(schema: &Schema, into: &mut Vec<Component>) {
    match schema {
        Schema::Object(object) => {
            for member in object.members {
                match member {
                    Member::One { schema, .. } => component(schema, into),
                    Member::All(schema) => components(schema, into),
                }
            }
        }
        Schema::List { of, .. } => component(of, into),
        _ => {}
    }
}

fn component(schema: &Schema, into: &mut Vec<Component>) {
    match schema {
        Schema::Object(object) => into.push((object.name.to_owned(), openapi(schema))),
        Schema::Word(words) => into.push((words.list.to_owned(), openapi(schema))),
        _ => {}
    }
    components(schema, into);
}

fn object_of(object: &Object) -> RefOr<ApiSchema> {
    add_members(object, ObjectBuilder::new().description(Some(object.about))).into()
}

fn add_members(object: &Object, mut built: ObjectBuilder) -> ObjectBuilder {
    for member in object.members {
        match member {
            Member::All(Schema::Object(other)) => built = add_members(other, built),
            Member::All(_) => {}
            Member::One { name, about, presence, schema, example } => {
                let is_nullable = *presence == Presence::Nullable;
                built = built.property(*name, value(schema, Some(*about), is_nullable, *example));
                if *presence == Presence::Required {
                    built = built.required(*name);
                }
            }
        }
    }
    built
}

/// A value where it is used: what has a name is referred to.
fn value(schema: &Schema, about: Option<&str>, is_nullable: bool, example: Option<&str>) -> RefOr<ApiSchema> {
    let examples: Vec<Value> = example.and_then(|json| serde_json::from_str(json).ok()).into_iter().collect();
    let of = |single: Type| match is_nullable {
        true => SchemaType::from_iter([single, Type::Null]),
        false => SchemaType::new(single),
    };
    match schema {
        Schema::Object(Object { name, .. }) => reference(name, about, is_nullable),
        Schema::Word(words) => reference(words.list, about, is_nullable),
        Schema::Named(name) => reference(name, about, is_nullable),
        Schema::Text(text) => add_text(text, ObjectBuilder::new().schema_type(of(Type::String)))
            .description(about)
            .examples(examples)
            .into(),
        Schema::Integer(least, most) => ObjectBuilder::new()
            .schema_type(of(Type::Integer))
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(*least))
            .maximum(Some(*most))
            .description(about)
            .examples(examples)
            .into(),
        Schema::Boolean => {
            ObjectBuilder::new().schema_type(of(Type::Boolean)).description(about).examples(examples).into()
        }
        Schema::List { of: element, least, most } => ArrayBuilder::new()
            .items(value(element, None, false, None))
            .schema_type(of(Type::Array))
            .min_items((*least > 0).then_some(*least))
            .max_items((*most < usize::MAX).then_some(*most))
            .description(about)
            .examples(examples)
            .into(),
    }
}

fn add_text(text: &TextSchema, built: ObjectBuilder) -> ObjectBuilder {
    let format = (!text.format.is_empty()).then(|| SchemaFormat::Custom(text.format.to_owned()));
    built
        .min_length((text.least > 0).then_some(text.least))
        .max_length(Some(text.most))
        .pattern((!text.pattern.is_empty()).then_some(text.pattern))
        .format(format)
}

fn reference(name: &str, about: Option<&str>, is_nullable: bool) -> RefOr<ApiSchema> {
    let mut reference = Ref::from_schema_name(name);
    if let Some(about) = about {
        reference.description = about.to_owned();
    }
    if is_nullable {
        return OneOfBuilder::new().item(reference).item(ObjectBuilder::new().schema_type(Type::Null)).into();
    }
    RefOr::Ref(reference)
}
