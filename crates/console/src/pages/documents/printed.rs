//! The text of a document as a page shows it.

use std::collections::HashMap;

use domain::document::{NewDocument, PrintedText};

/// The text with these values; none without a template, and where it cannot be printed.
pub(super) fn printed(it: &NewDocument, values: HashMap<&str, &str>) -> Option<String> {
    let text = PrintedText {
        title: &it.title,
        reference: it.reference.as_deref(),
        classification: it.classification.as_str(),
        audience: &it.audience,
        language: &it.language,
        effective_date: None,
        is_material: None,
        template: Some(it.template.as_deref()?),
        items: it.items.iter().collect(),
        values,
    };
    text.body().ok()
}
