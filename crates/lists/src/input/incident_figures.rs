//! What callers ask of the figures of incidents, and the lists of the incidents behind them.

use domain::figures::{Figure, GroupBy, Include, Outcome, counted_kinds};
use domain::incident::Status;
use domain::severity::Severity;
use domain::{TagId, time};
use form_urlencoded::Serializer;
use http::query::{OneWord, Query, Tags, Time, Words};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use store::incidents::{FigureQuery, Group, IncidentFilter};
use store::list::{Match, TagFilter, TimeRange};

http::parameters! {
    /// What figures are asked for.
    pub struct FigureParams {
        /// Incidents detected from this time on; without it all there are.
        from: Time,
        /// Incidents detected before this time.
        to: Time,
        /// What the figures are grouped by.
        group_by: OneWord<GroupBy>,
        /// Kinds that are counted beside real incidents.
        include: Words<Include>,
        /// Incidents of one of these severities.
        severity: Words<Severity>,
        /// Incidents with all of these tags.
        tag: Tags,
    }
}

/// Reads the parameters.
pub fn read(query: &mut Query<'_>) -> FigureQuery {
    let FigureParams { from, to, group_by, include, severity, tag } = FigureParams::read(query);
    let filter = IncidentFilter {
        severity,
        tags: TagFilter { tags: tag, mode: Some(Match::All) },
        detected: query.times(("from", from), ("to", to)),
        ..IncidentFilter::default()
    };
    FigureQuery { filter, include, group_by }
}

/// The incidents behind a number: of a group or of all, all that figures count or those of which a figure finds something.
#[derive(Debug, Clone, Copy)]
pub struct Behind<'a> {
    /// What was asked.
    pub asked: &'a FigureQuery,
    /// The group; none: all incidents.
    pub group: Option<&'a Group>,
    /// The figure and what it finds; none: every incident that figures count.
    pub found: Option<(Figure, Outcome)>,
    /// The time zone of weeks and months.
    pub zone: &'a TimeZone,
}

impl Behind<'_> {
    /// The query of the list of incidents that has exactly these.
    pub fn query(&self) -> String {
        let mut query = Serializer::new(String::new());
        match self.found {
            Some((figure, outcome)) => {
                query.append_pair(outcome.as_str(), figure.as_str());
            }
            None => {
                let counted = Status::ALL.iter().filter(|status| **status != Status::Dismissed);
                query.extend_pairs(counted.map(|status| ("status", status.as_str())));
            }
        }
        self.append_kinds(&mut query);
        self.append_severities(&mut query);
        self.append_tags(&mut query);
        let TimeRange { from, before } = self.detected();
        let times = [("detected_from", from), ("detected_to", before)];
        query.extend_pairs(times.into_iter().filter_map(|(name, at)| Some((name, time::format(at?)))));
        query.finish()
    }

    fn append_kinds(&self, query: &mut Serializer<'_, String>) {
        let kinds = match self.group {
            Some(Group::Kind(kind)) => vec![*kind],
            _ => counted_kinds(&self.asked.include),
        };
        query.extend_pairs(kinds.iter().map(|kind| ("kind", kind.as_str())));
    }

    fn append_severities(&self, query: &mut Serializer<'_, String>) {
        let severities = match self.group {
            Some(Group::Severity(severity)) => vec![*severity],
            _ => self.asked.filter.severity.clone(),
        };
        query.extend_pairs(severities.iter().map(|severity| ("severity", severity.as_str())));
    }

    fn append_tags(&self, query: &mut Serializer<'_, String>) {
        let asked = &self.asked.filter.tags.tags;
        let own = match self.group {
            Some(Group::Tag(id, _)) if !asked.contains(id) => Some(*id),
            _ => None,
        };
        let tags: Vec<TagId> = asked.iter().copied().chain(own).collect();
        query.extend_pairs(tags.iter().map(|tag| ("tag", tag.to_string())));
        if tags.len() > 1 {
            query.append_pair("tag_mode", Match::All.as_str());
        }
    }

    /// When they were detected: in the period, and in the week or month of the group.
    fn detected(&self) -> TimeRange {
        let asked = self.asked.filter.detected;
        let Some(Group::Period(period)) = self.group else { return asked };
        let end = period.next().and_then(|next| next.begin(self.zone));
        let later = |own: Option<Timestamp>| own.max(asked.from);
        let earlier = |own: Option<Timestamp>| own.into_iter().chain(asked.before).min();
        TimeRange { from: later(period.begin(self.zone)), before: earlier(end) }
    }
}
