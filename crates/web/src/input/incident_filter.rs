//! The filters of the list of incidents.

use domain::Actor;
use domain::incident::Incident;
use store::incidents::IncidentFilter;
use store::list::{FigureFilter, TimeRange};

use crate::http::query::Query;

/// Reads the filters; `caller` is the person who is meant by `me`.
pub fn read(query: &mut Query<'_>, caller: &Actor) -> IncidentFilter {
    IncidentFilter {
        status: query.words("status"),
        category: query.words("category"),
        severity: query.words("severity"),
        kind: query.words("kind"),
        assigned_to: query.people("assigned_to", caller),
        texts: texts(query),
        tags: query.tags(),
        detected: query.times("detected_from", "detected_to"),
        updated: TimeRange { from: query.time("updated_since"), before: None },
        figures: FigureFilter {
            measured: query.words("measured"),
            missing: query.words("missing"),
            invalid: query.words("invalid"),
            open: query.words("open"),
        },
        q: query.search(),
    }
}

/// The texts that are asked for, by field.
fn texts(query: &mut Query<'_>) -> Vec<(&'static str, Vec<String>)> {
    let texts = Incident::filtered().map(|field| (field.name, query.texts(field.name)));
    texts.filter(|(_, texts)| !texts.is_empty()).collect()
}
