//! The page on which a change of many records is described, tried and confirmed.

use askama::Template;
use domain::Scope;
use domain::bulk::ItemResult;
use domain::person::Member;
use domain::tag::Tag;

use super::tried::{Now, Tried};
use super::{Field, Input, Operation, chosen};
use crate::frame::form::{Form, Problems};
use crate::frame::layout::Layout;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// The most people or tags to choose from.
const MOST: i64 = 100;

#[derive(Template)]
#[template(path = "bulk.html")]
pub(super) struct BulkPage {
    frame: Layout,
    /// The address of the list.
    list: String,
    /// What the list is called.
    list_name: &'static str,
    /// What the table of results is about.
    caption: String,
    /// How many are meant.
    meant: String,
    form: Form,
    fields: Vec<Field>,
    people: Vec<Member>,
    tags: Vec<Tag>,
    problems: Problems,
    /// What would become of each; none before it was tried.
    tried: Option<Tried>,
}

impl BulkPage {
    pub(super) async fn read<O: Operation>(
        request: &PageRequest,
        operation: O,
        form: Form,
        results: Option<Vec<ItemResult<O::Number>>>,
        problems: Problems,
    ) -> Result<Self> {
        let mut tx = request.read().await?;
        let (organization, fields) = (request.id(), operation.fields());
        let asks = |is: fn(&Input) -> bool| results.is_none() && fields.iter().any(|field| is(&field.input));
        let people = match asks(|input| matches!(input, Input::Person)) {
            true => store::people::list(&mut tx, organization, &[], None, MOST).await?,
            false => Vec::new(),
        };
        let tags = match asks(|input| matches!(input, Input::Tag)) && request.may(Scope::TagsRead) {
            true => store::tags::list(&mut tx, organization, None, MOST).await?.rows,
            false => Vec::new(),
        };
        let tried = match &results {
            Some(results) => Some(Tried::read::<O>(&mut tx, request, results).await?),
            None => None,
        };
        let frame = Layout::of(request, &mut tx, operation.title(), O::SECTION).await?;
        let meant = match form.has("all") {
            true => texts::all_of_the_list(O::NOUN),
            false => texts::so_many(chosen::<O>(&form).len(), O::NOUN),
        };
        let (list, list_name, caption) = (request.to(O::ADDRESS), O::LIST_NAME, texts::each(O::NOUN));
        Ok(Self { frame, list, list_name, caption, meant, form, fields, people, tags, problems, tried })
    }

    /// Whether there is nothing to choose from.
    fn lacks_tags(&self, field: &Field) -> bool {
        matches!(field.input, Input::Tag) && self.tags.is_empty()
    }

    /// What was sent, to be sent again: which records, and from the second step on what is done to them.
    fn hidden(&self) -> Vec<(String, String)> {
        let is_kept = |name: &str| match name {
            "step" | "once" | "atomic" => false,
            "ids" | "all" => self.tried.is_none(),
            _ => self.tried.is_some() || !self.fields.iter().any(|field| field.name == name),
        };
        let fields = self.form.clone().into_fields().into_iter().filter(|(name, _)| is_kept(name));
        let ids = self.tried.iter().map(|tried| ("ids".to_owned(), tried.ids.clone()));
        fields.chain(ids).collect()
    }
}
