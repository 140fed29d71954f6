//! The saved views that everybody in the organization has above the lists.

use domain::saved_view::ViewedList;

/// A shared view.
#[derive(Debug)]
pub(super) struct DemoView {
    /// The list.
    pub(super) list: ViewedList,
    /// 1 to 80 characters.
    pub(super) name: &'static str,
    /// The list's parameters with their values.
    pub(super) filter: &'static [(&'static str, &'static str)],
    /// As the list's parameter has it.
    pub(super) sort: Option<&'static str>,
}

/// The views, by list and name.
pub(super) const VIEWS: &[DemoView] = &[
    DemoView {
        list: ViewedList::Incidents,
        name: "Serious and open",
        filter: &[("severity", "high"), ("severity", "critical"), ("category", "open")],
        sort: Some("-severity"),
    },
    DemoView { list: ViewedList::Incidents, name: "Cold room", filter: &[("q", "cold room")], sort: None },
    DemoView {
        list: ViewedList::Risks,
        name: "Cyber",
        filter: &[("category", "Cyber"), ("status", "open")],
        sort: Some("-current_score"),
    },
];
