//! The columns of the list of incidents, beside the number and the title. Each device chooses its own.

use std::sync::LazyLock;

use domain::incident::Incident;
use domain::record::Record as _;

use crate::frame::form::Form;
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

use super::READ;

/// A column that can be chosen.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Column {
    /// Its name in forms, and in the template.
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    /// What the list is sorted by at a click on its head.
    pub(crate) sort: Option<&'static str>,
    /// How early it gives way on a narrow page: see the stylesheet.
    pub(crate) class: &'static str,
    /// Whether it is shown unless the device chose others.
    pub(crate) is_usual: bool,
}

const fn column(
    name: &'static str,
    label: &'static str,
    sort: Option<&'static str>,
    class: &'static str,
    is_usual: bool,
) -> Column {
    Column { name, label, sort, class, is_usual }
}

/// Every column, in the order of the list.
pub(crate) static COLUMNS: LazyLock<Vec<Column>> = LazyLock::new(|| {
    let asked = Incident::asked().map(|field| column(field.name, field.label, None, "nw o3", false));
    let dates = DATES.into_iter().filter_map(|(name, sort, is_usual)| {
        Some(column(name, Incident::field(name)?.label, sort, "nw o2", is_usual))
    });
    BEFORE.into_iter().chain(asked).chain([TAGS]).chain(dates).chain(AFTER).collect()
});

const BEFORE: [Column; 4] = [
    column("severity", texts::SEVERITY, Some("severity"), "nw", true),
    column("status", texts::STATUS, None, "nw", true),
    column("assigned_to", texts::ASSIGNEE, None, "nw o1", true),
    column("kind", texts::KIND, None, "nw o2", false),
];

const TAGS: Column = column("tags", texts::TAGS, None, "o3", true);

/// The dates: the field, what the list is sorted by, and whether the column is usual.
const DATES: [(&str, Option<&str>, bool); 3] = [
    ("occurred_date", None, false),
    ("detected_date", Some("detected_date"), true),
    ("resolved_date", None, false),
];

const AFTER: [Column; 2] = [
    column("updated_date", texts::UPDATED, Some("updated_date"), "nw o2", false),
    column("age", texts::OPEN_FOR, None, "n nw last", true),
];

/// The columns with these names; the usual ones if none is named.
pub(crate) fn chosen(names: &[String]) -> Vec<&'static Column> {
    let is_shown = |column: &&Column| match names.is_empty() {
        true => column.is_usual,
        false => names.iter().any(|name| name == column.name),
    };
    COLUMNS.iter().filter(is_shown).collect()
}

/// `POST /o/{slug}/incidents/columns`: this device shows these columns from now on.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(READ)?;
    let form = request.form().await?;
    let mut display = request.display.clone();
    let named = COLUMNS.iter().map(|column| column.name).filter(|name| form.is("columns", name));
    display.columns = if form.has("usual") { Vec::new() } else { named.map(str::to_owned).collect() };
    let list = request.to(&format!("/incidents?{}", Form::of_query(form.text("query")).query()));
    Ok(request.keep_display(&display, list, texts::COLUMNS_CHANGED))
}
