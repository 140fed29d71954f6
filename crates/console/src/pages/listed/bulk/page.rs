//! The page on which a change of many records is described, tried and confirmed.

use askama::Template;
use db::Tx;
use domain::Scope;
use domain::bulk::ItemResult;
use domain::person::Member;
use domain::tag::Tag;
use store::Page;

use super::tried::{Now, Tried};
use super::{Field, Input, Noun, Number, Operation, back, chosen, to_list};
use crate::frame::form::{Form, MOST_CHOICES};
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

/// What a page about many records of a kind says of them.
pub(crate) struct About {
    /// The title of the page.
    pub(crate) title: &'static str,
    /// Where the navigation has it.
    pub(crate) section: Section,
    /// The address of the list.
    pub(crate) list: String,
    /// The list as it was when they were ticked.
    pub(crate) back: String,
    /// What the list is called.
    pub(crate) list_name: &'static str,
    /// What the column with their ids is called.
    pub(crate) id_name: &'static str,
    /// What several are called.
    pub(crate) words: texts::Noun,
    /// How many are ticked.
    pub(crate) chosen: usize,
    /// Whether the change can be undone.
    pub(crate) can_undo: bool,
    /// What is said about undoing it besides; empty for nothing.
    pub(crate) undo_note: &'static str,
}

#[derive(Template)]
#[template(path = "bulk.html")]
pub(crate) struct BulkPage {
    frame: Layout,
    about: About,
    /// What the table of results is about.
    caption: String,
    /// How many are meant.
    meant: String,
    form: Form,
    fields: Vec<Field>,
    people: Page<Member>,
    tags: Page<Tag>,
    problems: Problems,
    /// What would become of each; none before it was tried.
    tried: Option<Tried>,
}

impl BulkPage {
    pub(super) async fn read<O: Operation>(
        request: &PageRequest,
        operation: O,
        form: Form,
        results: Option<Vec<ItemResult<Number<O>>>>,
        problems: Problems,
    ) -> Result<Self> {
        let mut tx = request.read().await?;
        let tried = match &results {
            Some(results) => Some(Tried::read(&mut tx, request, operation, results).await?),
            None => None,
        };
        let about = About {
            title: operation.title(),
            section: O::Record::SECTION,
            back: back(&to_list::<O::Record>(request), &form),
            list: to_list::<O::Record>(request),
            list_name: O::Record::TITLE,
            id_name: texts::NUMBER,
            words: O::Record::WORDS,
            chosen: chosen::<O::Record>(&form).len(),
            can_undo: true,
            undo_note: operation.undo_note(&form),
        };
        Self::of(request, &mut tx, about, (form, operation.fields()), tried, problems).await
    }

    /// The page with what is filled in, and the fields that ask for it.
    pub(crate) async fn of(
        request: &PageRequest,
        tx: &mut Tx,
        about: About,
        (form, fields): (Form, Vec<Field>),
        tried: Option<Tried>,
        problems: Problems,
    ) -> Result<Self> {
        let organization = request.id();
        let asks = |is: fn(&Input) -> bool| fields.iter().any(|field| is(&field.input));
        let people = match asks(|input| matches!(input, Input::Person)) {
            true => store::people::first(tx, organization, MOST_CHOICES + 1).await?,
            false => Vec::new(),
        };
        let people = Page::cut(people, MOST_CHOICES);
        let tags = match asks(|input| matches!(input, Input::Tag)) && request.may(Scope::TagsRead) {
            true => store::tags::list(tx, organization, &[], None, MOST_CHOICES).await?,
            false => Page { rows: Vec::new(), has_more: false },
        };
        let frame = Layout::of(request, tx, about.title, about.section).await?;
        let meant = match form.has("all") {
            true => texts::all_of_the_list(about.words),
            false => texts::counted(about.chosen, about.words),
        };
        let caption = texts::each(about.words);
        Ok(Self { frame, about, caption, meant, form, fields, people, tags, problems, tried })
    }

    /// Whether the form is shown: before it was tried, and if nothing would be changed by it.
    fn is_asked(&self) -> bool {
        self.tried.as_ref().is_none_or(|tried| tried.changed == 0)
    }

    /// What was filled in, as it is called.
    fn said(&self) -> Vec<(&'static str, String)> {
        let named = |field: &Field| {
            let value = self.form.text(field.name);
            let known = match &field.input {
                Input::Person if value.is_empty() => Some(texts::UNASSIGNED.to_owned()),
                Input::Person => {
                    let person =
                        self.people.rows.iter().map(|it| &it.person).find(|it| it.id.to_string() == value);
                    person.map(|it| it.name.clone())
                }
                Input::Tag => {
                    self.tags.rows.iter().find(|it| it.id.to_string() == value).map(|it| it.name.to_string())
                }
                Input::Word(words) => {
                    words.iter().find(|(word, _)| *word == value).map(|(_, label)| label.clone())
                }
                Input::Time => Some(value.replace('T', " ")),
                Input::Line(_) | Input::Prose => Some(value.to_owned()),
            };
            let said = known.unwrap_or_else(|| value.to_owned());
            (!said.is_empty()).then_some((field.label, said))
        };
        self.fields.iter().filter_map(named).collect()
    }

    /// `required` if one of these words must be chosen.
    fn needed(&self, words: &[(String, String)]) -> &'static str {
        if words.iter().all(|(word, _)| !word.is_empty()) { "required" } else { "" }
    }

    /// What is said of a choice that does not offer all there are.
    fn cut(&self, input: &Input) -> String {
        let has_more = match input {
            Input::Person => self.people.has_more,
            Input::Tag => self.tags.has_more,
            Input::Word(_) | Input::Time | Input::Line(_) | Input::Prose => false,
        };
        if has_more { texts::first_by_name(MOST_CHOICES) } else { String::new() }
    }

    /// Whether there is nothing to choose from.
    fn lacks_tags(&self, field: &Field) -> bool {
        matches!(field.input, Input::Tag) && self.tags.rows.is_empty()
    }

    /// What was sent, to be sent again: which records, and from the second step on what is done to them.
    fn hidden(&self) -> Vec<(String, String)> {
        let is_kept = |name: &str| match name {
            "step" | "once" | "atomic" => false,
            "ids" | "all" => self.is_asked(),
            _ => !self.is_asked() || !self.fields.iter().any(|field| field.name == name),
        };
        let fields = self.form.clone().into_fields().into_iter().filter(|(name, _)| is_kept(name));
        let tried = self.tried.iter().filter(|_| !self.is_asked());
        let ids = tried.map(|tried| ("ids".to_owned(), tried.ids.clone()));
        fields.chain(ids).collect()
    }
}
