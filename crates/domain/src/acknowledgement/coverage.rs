//! Whether a person is asked to acknowledge a document, and has done so.

use jiff::{SignedDuration, Timestamp};

use super::{AcknowledgedDocument, Coverage, Given, PersonOfDocument, PublishedVersion, Stay};

impl Stay {
    fn holds(&self, at: Timestamp) -> bool {
        self.from <= at && self.until.is_none_or(|until| at < until)
    }
}

/// The stay at a moment.
fn stay_at(stays: &[Stay], at: Timestamp) -> Option<&Stay> {
    stays.iter().find(|stay| stay.holds(at))
}

/// So many days later; none beyond the end of time.
fn days_after(at: Timestamp, days: i64) -> Option<Timestamp> {
    at.checked_add(SignedDuration::from_hours(24 * days)).ok()
}

impl AcknowledgedDocument {
    /// The latest version at a moment that asks everybody again.
    fn latest_material(&self, at: Timestamp) -> Option<&PublishedVersion> {
        let published = self.versions.iter().take_while(|version| version.at <= at);
        published.filter(|version| version.is_material || version.number == 1).last()
    }

    /// The interval of a moment.
    fn interval(&self, at: Timestamp) -> Option<i64> {
        self.intervals.iter().take_while(|interval| interval.from <= at).last()?.days
    }

    /// Since when an acknowledgement is too old to count, without a break; none while it is not. A shorter interval ends what
    /// is too old under it when it begins to hold, not before.
    fn lapsed(&self, given: Timestamp, at: Timestamp) -> Option<Timestamp> {
        let mut since = None;
        for (place, interval) in self.intervals.iter().enumerate().filter(|(_, it)| it.from <= at) {
            let next = self.intervals.get(place + 1).map(|next| next.from).filter(|next| *next <= at);
            let lapses = interval.days.and_then(|days| days_after(given, days));
            since = match lapses.filter(|lapses| next.map_or(*lapses <= at, |next| *lapses < next)) {
                Some(lapses) if lapses > interval.from => Some(lapses),
                Some(_) => since.or(Some(interval.from)),
                None => None,
            };
        }
        since
    }

    /// Whether a person is asked at this moment, and has acknowledged.
    ///
    /// An acknowledgement counts if it is of the latest material version or a later one, was given since the person last
    /// joined the organization, and is not older than the interval of this moment. Who is meant by several requests has the
    /// earliest of their dates.
    pub fn coverage(&self, person: &PersonOfDocument, at: Timestamp) -> Coverage {
        let is_archived = stay_at(&self.archived, at).is_some();
        let (Some(membership), Some(material)) =
            (stay_at(&person.memberships, at), self.latest_material(at).filter(|_| !is_archived))
        else {
            return Coverage::NotAsked;
        };
        let meaning: Vec<(Timestamp, Option<i64>)> = person
            .requests
            .iter()
            .filter(|request| request.at <= at)
            .filter_map(|request| Some((stay_at(&request.stays, at)?.from.max(request.at), request.due_days)))
            .collect();
        if meaning.is_empty() {
            return Coverage::NotAsked;
        }
        let counts = |given: &&Given| {
            given.at <= at && given.at >= membership.from && given.version >= material.number
        };
        let latest = person.given.iter().filter(counts).max_by_key(|given| given.at);
        let lapsed = latest.and_then(|given| self.lapsed(given.at, at));
        if let Some(by) = latest.filter(|_| lapsed.is_none()) {
            let until = self.interval(at).and_then(|days| days_after(by.at, days));
            return Coverage::Covered { by: *by, until };
        }
        let Some(activation) = stay_at(&person.activations, at) else { return Coverage::NotReached };
        // Time runs only for those who can sign in.
        let restored = self.archived.iter().filter_map(|stay| stay.until).filter(|until| *until <= at).max();
        let starts = [Some(material.at), Some(membership.from), Some(activation.from), lapsed, restored];
        let again = starts.into_iter().flatten().max().unwrap_or(at);
        let asked = meaning.iter().map(|(from, _)| again.max(*from));
        let due = meaning.iter().filter_map(|(from, days)| days_after(again.max(*from), (*days)?));
        Coverage::Open { asked: asked.min().unwrap_or(again), due: due.min() }
    }
}

impl Coverage {
    /// The acknowledgement that counts.
    pub fn given(&self) -> Option<Given> {
        if let Self::Covered { by, .. } = self { Some(*by) } else { None }
    }

    /// Whether the time of somebody who has not acknowledged is over.
    pub fn is_overdue(&self, at: Timestamp) -> bool {
        matches!(self, Self::Open { due: Some(due), .. } if *due <= at)
    }
}
