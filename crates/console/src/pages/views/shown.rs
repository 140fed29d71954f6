//! Which rows a list shows, and in which order. The pages of the lists show the open records unless their address says
//! otherwise, and a saved view has nothing that is not said, so that it is the same list everywhere.

use std::collections::BTreeSet;

use domain::saved_view::{SavedView, ViewFilter, ViewedList};
use http::json::Json;

use crate::frame::form::Form;

/// What a list shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) filter: ViewFilter,
    pub(super) sort: Option<String>,
}

/// The parameters of an address that are no filters.
pub(in crate::pages) const OTHERS: [&str; 3] = ["sort", "cursor", "limit"];

/// The order of lists whose page or view says nothing.
const NUMBER: &str = "-number";

/// What the page of a list shows unless its address has one of the parameters `said`.
pub(in crate::pages) struct Usual {
    said: &'static [&'static str],
    /// The parameter that chooses the open records, and its values; empty for a page that shows all.
    pub(in crate::pages) parameter: &'static str,
    pub(in crate::pages) open: &'static str,
    pub(in crate::pages) closed: &'static str,
    sort: &'static str,
}

const INCIDENTS: Usual = Usual {
    said: &["q", "status", "category", "measured", "missing", "invalid", "open"],
    parameter: "category",
    open: "open",
    closed: "closed",
    sort: NUMBER,
};

const RISKS: Usual = Usual {
    said: &["q", "status"],
    parameter: "status",
    open: "open",
    closed: "closed",
    sort: "-current_score",
};

/// The page of documents shows all of them.
const DOCUMENTS: Usual = Usual { said: &[], parameter: "", open: "", closed: "", sort: NUMBER };

impl Usual {
    pub(in crate::pages) fn of(list: ViewedList) -> &'static Self {
        match list {
            ViewedList::Incidents => &INCIDENTS,
            ViewedList::Risks => &RISKS,
            ViewedList::Documents => &DOCUMENTS,
        }
    }

    fn is_said(&self, filter: &ViewFilter) -> bool {
        self.parameter.is_empty() || self.said.iter().any(|name| filter.0.contains_key(*name))
    }
}

impl Shown {
    /// What the page of a list shows at an address with this query.
    pub(super) fn of_query(list: ViewedList, asked: &Form) -> Self {
        let (usual, asked) = (Usual::of(list), asked.clone().filled());
        let sort = match asked.has("sort") || asked.has("q") {
            true => asked.all("sort").next().map(str::to_owned),
            false => Some(usual.sort.to_owned()),
        };
        let mut filter: ViewFilter = asked.without(&OTHERS).into_fields().into_iter().collect();
        if !usual.is_said(&filter) {
            filter.0.insert(usual.parameter.to_owned(), BTreeSet::from([usual.open.to_owned()]));
        }
        Self { filter, sort }.plain(list)
    }

    /// What a view shows.
    pub(super) fn of_view(view: &SavedView) -> Self {
        Self { filter: view.filter.clone(), sort: view.sort.clone() }.plain(view.list)
    }

    /// The same without what makes no difference.
    fn plain(mut self, list: ViewedList) -> Self {
        let usual = Usual::of(list);
        let all = BTreeSet::from([usual.open.to_owned(), usual.closed.to_owned()]);
        if self.filter.0.get(usual.parameter) == Some(&all) {
            self.filter.0.remove(usual.parameter);
        }
        // Without an order a search puts the best matches first.
        if self.sort.as_deref() == Some(NUMBER) && !self.filter.0.contains_key("q") {
            self.sort = None;
        }
        self
    }

    /// The query of the address whose page shows it.
    pub(super) fn query(&self, list: ViewedList) -> String {
        let usual = Usual::of(list);
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.filter.pairs());
        if !usual.is_said(&self.filter) {
            query.extend_pairs([(usual.parameter, usual.open), (usual.parameter, usual.closed)]);
        }
        let is_searched = self.filter.0.contains_key("q");
        let sort = self.sort.as_deref().or((!is_searched && usual.sort != NUMBER).then_some(NUMBER));
        query.extend_pairs(sort.map(|sort| ("sort", sort)));
        query.finish()
    }

    /// The filter as a body has it. With what the filter was, it is a merge patch that takes away what is left out.
    pub(super) fn filter_json(&self, before: Option<&ViewFilter>) -> Json<'static> {
        let text = |text: &String| Json::String(text.clone().into());
        let values = self
            .filter
            .0
            .iter()
            .map(|(name, values)| (name.clone().into(), Json::Array(values.iter().map(text).collect())));
        let gone = before.into_iter().flat_map(|before| before.0.keys());
        let gone = gone.filter(|name| !self.filter.0.contains_key(*name));
        Json::Object(values.chain(gone.map(|name| (name.clone().into(), Json::Null))).collect())
    }

    /// The order as a body has it.
    pub(super) fn sort_json(&self) -> Json<'static> {
        self.sort.clone().map_or(Json::Null, |sort| Json::String(sort.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(list: ViewedList, query: &str) -> Shown {
        Shown::of_query(list, &Form::of_query(query))
    }

    fn said(list: ViewedList, query: &str) -> String {
        let Shown { filter, sort } = shown(list, query);
        let pairs = filter.pairs().map(|(name, value)| format!("{name}={value}")).chain(sort);
        pairs.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn what_a_page_leaves_unsaid_is_said_in_a_view() {
        assert_eq!(said(ViewedList::Incidents, ""), "category=open");
        assert_eq!(said(ViewedList::Documents, ""), "");
        assert_eq!(said(ViewedList::Documents, "review=overdue&cursor=x"), "review=overdue");
        assert_eq!(
            said(ViewedList::Incidents, "assigned_to=me&sort=-number"),
            "assigned_to=me category=open"
        );
        assert_eq!(said(ViewedList::Incidents, "category=open&category=closed&cursor=x"), "");
        assert_eq!(said(ViewedList::Incidents, "status=new&sort=severity"), "status=new severity");
        assert_eq!(said(ViewedList::Incidents, "q=mail"), "q=mail");
        assert_eq!(said(ViewedList::Incidents, "q=mail&sort=-number"), "q=mail -number");
        assert_eq!(said(ViewedList::Incidents, "missing=time_to_respond"), "missing=time_to_respond");
        assert_eq!(said(ViewedList::Risks, "owner=me&category="), "owner=me status=open -current_score");
        assert_eq!(said(ViewedList::Risks, "status=closed&status=open&sort=-number"), "");
    }

    #[test]
    fn the_address_of_a_view_shows_it() {
        for list in [ViewedList::Incidents, ViewedList::Risks] {
            for query in [
                "",
                "category=open&category=closed",
                "status=open&status=closed",
                "status=closed&sort=-number",
                "q=%22mail+server%22",
                "q=mail&sort=-number",
                "sort=updated_date&tag=a&tag=b&tag_mode=all",
                "category=closed&category=water",
            ] {
                let shown = shown(list, query);
                let address = shown.query(list);
                assert_eq!(
                    Shown::of_query(list, &Form::of_query(&address)),
                    shown,
                    "{list} {query}: {address}"
                );
            }
        }
    }

    #[test]
    fn a_patch_takes_away_what_is_left_out() {
        let before = shown(ViewedList::Risks, "category=Fire&owner=me");
        let after = shown(ViewedList::Risks, "owner=none");
        let text = |text: &'static str| Json::String(text.into());
        let expected = vec![
            ("owner".into(), Json::Array(vec![text("none")])),
            ("status".into(), Json::Array(vec![text("open")])),
            ("category".into(), Json::Null),
        ];
        assert_eq!(after.filter_json(Some(&before.filter)), Json::Object(expected));
    }
}
