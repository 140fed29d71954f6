//! The export of tags.

use std::collections::HashMap;

use axum::response::Response;
use db::Tx;
use domain::record::Value;
use domain::tag::{Tag, TagName};
use domain::{OrgId, TagId};
use http::error::Result;
use store::tags::{aliases, list};

use super::selection::HasColumns;
use super::{Cell, Columns, Lines, PAGE, Source, Spreadsheet, at_once};

/// The tags that an export has.
pub struct Tags {
    /// The organization.
    pub organization: OrgId,
    /// Those with one of these names; all if none is said.
    pub names: Vec<String>,
}

/// A tag with its other names.
pub struct NamedTag {
    /// The tag.
    pub tag: Tag,
    aliases: Vec<TagName>,
}

/// The tags with the other names of all.
struct Named {
    tags: Tags,
    aliases: HashMap<TagId, Vec<TagName>>,
}

impl Tags {
    /// All columns for a spreadsheet.
    pub fn for_spreadsheet(spreadsheet: Spreadsheet) -> Lines<NamedTag> {
        Lines::for_spreadsheet(tag_columns(), spreadsheet)
    }

    /// The response with all of them.
    pub async fn file(self, tx: &mut Tx, lines: &Lines<NamedTag>) -> Result<Response> {
        let (organization, aliases) = (self.organization, aliases(tx, self.organization).await?);
        at_once::file(tx, organization, &Named { tags: self, aliases }, lines).await
    }
}

impl Source for Named {
    type Row = NamedTag;
    /// The name.
    type Position = String;
    const NAME: &'static str = "tags";

    async fn page(&self, tx: &mut Tx, after: Option<String>) -> store::Result<store::Page<NamedTag>> {
        let Tags { organization, names } = &self.tags;
        let page = list(tx, *organization, names, after.as_deref(), PAGE).await?;
        let aliases = |tag: &Tag| self.aliases.get(&tag.id).cloned().unwrap_or_default();
        Ok(page.map(|tag| NamedTag { aliases: aliases(&tag), tag }))
    }

    fn position(row: &NamedTag) -> String {
        row.tag.name.to_string()
    }
}

impl HasColumns for Tags {
    fn columns() -> Vec<String> {
        tag_columns().names()
    }
}

/// The columns of their CSV file.
pub fn tag_columns() -> Columns<NamedTag> {
    Columns::<NamedTag>::new()
        .with(("id", "ID"), |it| Cell::Ours(it.tag.id.to_string()))
        .with(("name", "Name"), |it| Cell::theirs(&it.tag.name))
        .with(("color", "Color"), |it| Cell::theirs(&it.tag.color))
        .with(("description", "Description"), |it| Cell::maybe(it.tag.description.as_deref(), Cell::theirs))
        .with(("aliases", "Aliases"), |it| {
            Cell::of(Value::Several(it.aliases.iter().map(|it| &**it).collect()))
        })
        .with_time(("created_date", "Created at"), |it| Some(it.tag.created_date))
        .with_time(("updated_date", "Updated at"), |it| Some(it.tag.updated_date))
        .with(("version", "Version"), |it| Cell::number(it.tag.version))
}
