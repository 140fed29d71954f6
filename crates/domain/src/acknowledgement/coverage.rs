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

    /// Whether a person is asked at this moment, and has acknowledged.
    ///
    /// An acknowledgement counts if it is of the latest material version or a later one, was given since the person last
    /// joined the organization, and is not older than `acknowledge_every_days`. Who is meant by several requests has the
    /// earliest of their dates.
    pub fn coverage(&self, person: &PersonOfDocument, at: Timestamp) -> Coverage {
        let is_archived = self.archived_date.is_some_and(|archived| archived <= at);
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
        let until =
            latest.zip(self.acknowledge_every_days).and_then(|(given, days)| days_after(given.at, days));
        if let Some(by) = latest.filter(|_| until.is_none_or(|until| at < until)) {
            return Coverage::Covered { by: *by, until };
        }
        let Some(activation) = stay_at(&person.activations, at) else { return Coverage::NotReached };
        // Time runs only for those who can sign in.
        let starts = [Some(material.at), Some(membership.from), Some(activation.from), until];
        let again = starts.into_iter().flatten().max().unwrap_or(at);
        let asked = meaning.iter().map(|(from, _)| again.max(*from));
        let due = meaning.iter().filter_map(|(from, days)| days_after(again.max(*from), (*days)?));
        Coverage::Open { asked: asked.min().unwrap_or(again), due: due.min() }
    }
}

impl Coverage {
    /// Whether the time of somebody who has not acknowledged is over.
    pub fn is_overdue(&self, at: Timestamp) -> bool {
        matches!(self, Self::Open { due: Some(due), .. } if *due <= at)
    }
}
