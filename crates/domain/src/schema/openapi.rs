//! Schemas as OpenAPI has them.

use serde_json::Value;
use utoipa::openapi::schema::{
    AllOfBuilder, ArrayBuilder, KnownFormat, ObjectBuilder, OneOfBuilder, SchemaFormat, SchemaType, Type,
};
use utoipa::openapi::{Ref, RefOr, Schema as ApiSchema};

use super::{Map, Member, Object, OneOf, Presence, Schema, Tagged, TextSchema};

/// Describes a type in the API by its schema, under this name. The derives write it.
#[doc(hidden)]
#[macro_export]
macro_rules! in_the_api {
    ([$($generics:tt)*] $type:ty, $name:expr) => {
        impl<$($generics)*> $crate::utoipa::PartialSchema for $type {
            fn schema() -> $crate::utoipa::openapi::RefOr<$crate::utoipa::openapi::Schema> {
                $crate::schema::openapi(&<Self as $crate::schema::Described>::SCHEMA)
            }
        }

        impl<$($generics)*> $crate::utoipa::ToSchema for $type {
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
    ($type:ty, $name:expr) => {
        $crate::in_the_api!([] $type, $name);
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
        Schema::Tagged(tagged) => tagged_of(tagged),
        Schema::OneOf(OneOf { about, choices, .. }) => {
            let built = OneOfBuilder::new().description(Some(*about));
            let choices = choices.iter().map(|(about, schema)| value(schema, &Use::of(about)));
            choices.fold(built, OneOfBuilder::item).into()
        }
        Schema::Map(map) => map_of(map),
        other => value(other, &Use::default()),
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
        Schema::Tagged(Tagged { variants: several, .. }) | Schema::OneOf(OneOf { choices: several, .. }) => {
            several.iter().for_each(|(_, schema)| component(schema, into));
        }
        Schema::List { of, .. } | Schema::Map(Map { of, .. }) => component(of, into),
        _ => {}
    }
}

fn component(schema: &Schema, into: &mut Vec<Component>) {
    if let (Some(name), false) = (name_of(schema), matches!(schema, Schema::Named(_))) {
        into.push((name.to_owned(), openapi(schema)));
    }
    components(schema, into);
}

/// The name of what is described once and referred to.
fn name_of(schema: &Schema) -> Option<&'static str> {
    match schema {
        Schema::Object(Object { name, .. })
        | Schema::Tagged(Tagged { name, .. })
        | Schema::OneOf(OneOf { name, .. })
        | Schema::Map(Map { name, .. })
        | Schema::Named(name) => Some(name),
        Schema::Word(words) => Some(words.list),
        _ => None,
    }
}

/// Each object with its tag beside it.
fn tagged_of(tagged: &Tagged) -> RefOr<ApiSchema> {
    let built = OneOfBuilder::new().description(Some(tagged.about));
    let variants = tagged.variants.iter().map(|(word, schema)| {
        let object = value(schema, &Use::default());
        if tagged.default.is_some() {
            return object;
        }
        let word = ObjectBuilder::new().schema_type(Type::String).enum_values(Some([*word]));
        let tag =
            ObjectBuilder::new().schema_type(Type::Object).property(tagged.tag, word).required(tagged.tag);
        AllOfBuilder::new().item(object).item(tag).into()
    });
    variants.fold(built, OneOfBuilder::item).into()
}

fn map_of(map: &Map) -> RefOr<ApiSchema> {
    let member = || value(map.of, &Use { is_nullable: map.is_nullable, ..Use::default() });
    let built = ObjectBuilder::new().schema_type(Type::Object).description(Some(map.about));
    let built = built.examples(serde_json::from_str::<Value>(map.example).ok());
    match map.names {
        None => built.additional_properties(Some(member())).into(),
        Some(names) => names().into_iter().fold(built, |built, name| built.property(name, member())).into(),
    }
}

fn object_of(object: &Object) -> RefOr<ApiSchema> {
    let (built, examples) = (ObjectBuilder::new().description(Some(object.about)), examples_of(object));
    add_members(object, built.examples((!examples.is_empty()).then_some(Value::from(examples)))).into()
}

/// The examples of the members that refer to a schema: a reference has no place for one, so the object has them.
fn examples_of(object: &Object) -> serde_json::Map<String, Value> {
    let mut examples = serde_json::Map::new();
    for member in object.members {
        match member {
            Member::All(Schema::Object(other)) => examples.extend(examples_of(other)),
            Member::One { name, schema, example: Some(example), .. } if name_of(schema).is_some() => {
                examples.extend(serde_json::from_str(example).ok().map(|it| ((*name).to_owned(), it)));
            }
            _ => {}
        }
    }
    examples
}

fn add_members(object: &Object, mut built: ObjectBuilder) -> ObjectBuilder {
    for member in object.members {
        match member {
            Member::All(Schema::Object(other)) => built = add_members(other, built),
            Member::All(_) => {}
            Member::One { name, about, presence, schema, example } => {
                let is_nullable = matches!(presence, Presence::Nullable | Presence::RequiredOrNull);
                let json = |text: &Option<&str>| text.and_then(|text| serde_json::from_str(text).ok());
                let used = Use { about: Some(about), is_nullable, example: json(example) };
                built = built.property(*name, value(schema, &used));
                if matches!(presence, Presence::Required | Presence::RequiredOrNull) {
                    built = built.required(*name);
                }
            }
        }
    }
    built
}

/// What is said of a value where it is used.
#[derive(Default)]
struct Use<'a> {
    about: Option<&'a str>,
    is_nullable: bool,
    example: Option<Value>,
}

impl<'a> Use<'a> {
    fn of(about: &'a str) -> Self {
        Self { about: Some(about), ..Self::default() }
    }

    /// An object builder's, of this type.
    fn built(&self, single: Type) -> ObjectBuilder {
        ObjectBuilder::new()
            .schema_type(self.schema_type(single))
            .description(self.about)
            .examples(self.example.clone())
    }

    fn schema_type(&self, single: Type) -> SchemaType {
        match self.is_nullable {
            true => SchemaType::from_iter([single, Type::Null]),
            false => SchemaType::new(single),
        }
    }
}

/// A value where it is used: what has a name is referred to.
fn value(schema: &Schema, used: &Use<'_>) -> RefOr<ApiSchema> {
    match schema {
        Schema::Text(text) => {
            let built = add_text(text, used.built(Type::String));
            let is_such = !text.example.is_empty() && used.example.is_none() && !used.is_nullable;
            if is_such { built.examples([text.example]).into() } else { built.into() }
        }
        Schema::TextOf(texts) => used.built(Type::String).enum_values(Some(texts().iter().copied())).into(),
        Schema::Integer(least, most) => used
            .built(Type::Integer)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)))
            .minimum(Some(*least))
            .maximum(Some(*most))
            .into(),
        Schema::List { of: element, least, most } => ArrayBuilder::new()
            .items(value(element, &Use::default()))
            .schema_type(used.schema_type(Type::Array))
            .min_items((*least > 0).then_some(*least))
            .max_items((*most < usize::MAX).then_some(*most))
            .description(used.about)
            .examples(used.example.clone())
            .into(),
        named => match name_of(named) {
            Some(name) => reference(name, used.about, used.is_nullable),
            None => used.built(Type::Boolean).into(),
        },
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
