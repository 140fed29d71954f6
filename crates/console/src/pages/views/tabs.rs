//! The saved views of a list as tabs above it.

use db::Tx;
use domain::saved_view::{SavedView, ViewedList};
use store::saved_views::SavedViewFilter;

use super::shown::Shown;
use super::{address_of, reader};
use crate::frame::form::Form;
use crate::frame::page_request::{PageRequest, Result};

/// The most views that are tabs.
const MOST_TABS: i64 = 200;

/// The saved views above a list.
pub(crate) struct Tabs {
    pub(crate) list: ViewedList,
    /// Those of the person first.
    pub(crate) views: Vec<Tab>,
    /// Whether the person may share views of the list.
    pub(crate) may_share: bool,
    /// The query of the list.
    pub(crate) query: String,
    /// What the page shows.
    shown: Shown,
}

/// A saved view.
pub(crate) struct Tab {
    pub(crate) id: String,
    pub(crate) name: String,
    /// The address of the list as the view shows it.
    pub(crate) address: String,
    pub(crate) is_shared: bool,
    /// Whether the page shows it.
    pub(crate) is_current: bool,
    /// Whether the person may change it.
    pub(crate) may_change: bool,
}

impl Tabs {
    /// The views of the list that the person sees, above the list that is asked for.
    pub(crate) async fn read(
        request: &PageRequest,
        tx: &mut Tx,
        list: ViewedList,
        asked: &Form,
    ) -> Result<Self> {
        let (reader, filter) = (reader(request), SavedViewFilter { list: vec![list], shared: None });
        let found = store::saved_views::list(tx, request.id(), &reader, &filter, None, MOST_TABS).await?;
        let (mut own, others): (Vec<_>, Vec<_>) =
            found.rows.into_iter().partition(|view| view.is_of(&reader.actor));
        own.extend(others);
        let shown = Shown::of_query(list, asked);
        let current = own.iter().position(|view| Shown::of_view(view) == shown);
        let views = own.iter().enumerate().map(|(place, view)| tab(request, view, current == Some(place)));
        let may_share = request.may(list.share_scope());
        Ok(Self {
            list,
            views: views.collect(),
            may_share,
            query: asked.clone().without(&["cursor"]).query(),
            shown,
        })
    }

    /// Whether the page shows the list that has this query, in whatever order, and no saved view.
    pub(crate) fn is_list(&self, query: &str) -> bool {
        let other = Shown::of_query(self.list, &Form::of_query(query.trim_start_matches('?')));
        self.current().is_none() && other.filter == self.shown.filter
    }

    /// The view that the page shows.
    pub(crate) fn current(&self) -> Option<&Tab> {
        self.views.iter().find(|view| view.is_current)
    }

    /// The views whose filters the person may replace by those of the page.
    pub(crate) fn changeable(&self) -> Vec<&Tab> {
        self.views.iter().filter(|view| view.may_change).collect()
    }
}

fn tab(request: &PageRequest, view: &SavedView, is_current: bool) -> Tab {
    Tab {
        id: view.id.to_string(),
        name: view.name.clone(),
        address: address_of(request, view),
        is_shared: view.shared,
        is_current,
        may_change: request.permissions().scopes().contains(view.required_scopes()),
    }
}
