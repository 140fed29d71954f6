//! What a page shows beside a text that is being written: what is wrong in it, its sections, and the text as it would be printed.

use std::collections::HashSet;

use askama::filters::Safe;
use domain::document::template::Template;
use domain::document::{Item, ItemKind, TemplateFault, template_faults};
use http::Error;
use render::Html;

use crate::frame::page_request::Result;
use crate::frame::problems::Problems;

/// What is known of a text.
#[derive(Default)]
pub(super) struct Written {
    /// What is wrong in it, each with its line.
    pub(super) faults: Vec<(TemplateFault, String)>,
    /// What else is wrong, in sentences, where the page does not tell it above the form.
    pub(super) others: Vec<String>,
    /// Its sections; none if they cannot be read.
    pub(super) sections: Option<Vec<Section>>,
    /// The text as it would be printed, if it can be.
    pub(super) preview: Option<Safe<Html>>,
    /// Whether an open page asks while somebody writes: what is not known stays there as it was.
    pub(super) is_live: bool,
}

/// A section of a text.
pub(super) struct Section {
    pub(super) label: String,
    /// Its place in the text.
    pub(super) place: String,
    /// The ids of its options; none of a text.
    pub(super) options: Option<String>,
    /// Whether the text has its place, or depends on it.
    pub(super) is_used: bool,
}

impl Written {
    /// What is known of a text with these items before it is printed.
    pub(super) fn of(text: &str, items: Option<&[Item]>, is_live: bool) -> Self {
        let faults = template_faults(text, items.unwrap_or_default());
        let line = |fault: &TemplateFault| text.lines().nth(fault.line - 1).unwrap_or_default().to_owned();
        let faults = faults.into_iter().map(|fault| (fault.clone(), line(&fault))).collect();
        let sections = items.map(|items| sections(text, items));
        Self { faults, sections, is_live, ..Self::default() }
    }

    /// The same with what else is wrong, unless the page tells it above the form.
    pub(super) fn with(mut self, problems: &Problems) -> Self {
        let is_told = |name: &str| name == "template" && !self.faults.is_empty();
        if self.is_live {
            let others = problems.all().filter(|(name, _)| !is_told(name));
            self.others = others.map(|(_, sentence)| sentence).collect();
        }
        self
    }

    /// The same with the text that this prints. It may be long: it is made on a thread of its own.
    pub(super) async fn with_preview(
        self,
        print: impl FnOnce() -> Option<String> + Send + 'static,
    ) -> Result<Self> {
        let rendering = tokio::task::spawn_blocking(move || print().map(|text| Safe(render::html(&text))));
        let preview = rendering.await.map_err(|_| Error::internal("the rendering of a text ended early"))?;
        Ok(Self { preview, ..self })
    }
}

/// The sections. While the text has a fault, none is told to be unused; nor without a text, which prints all of them.
fn sections(text: &str, items: &[Item]) -> Vec<Section> {
    let template = Template::parse(text).ok().filter(|_| !text.trim().is_empty());
    let used: Option<HashSet<&str>> = template.as_ref().map(|template| template.items().collect());
    let options = |item: &Item| {
        let ItemKind::Select { options, .. } = &item.kind else { return None };
        Some(options.iter().map(|option| option.id.as_str()).collect::<Vec<_>>().join(", "))
    };
    let section = |item: &Item| Section {
        label: item.label.to_string(),
        place: format!("{{{{{}}}}}", item.id),
        options: options(item),
        is_used: used.as_ref().is_none_or(|used| used.contains(item.id.as_str())),
    };
    items.iter().map(section).collect()
}
