//! What this process has acknowledged. A database that has less went back, for instance to a standby that had not received everything.
//!
//! For each organization that the process wrote to, it remembers the last head that it acknowledged. Each write compares
//! the head that it locks with that. If entries are missing, or are others than those that were acknowledged, this
//! process writes nothing more: every further write would hide the loss. A restart forgets, so a database that was
//! restored on purpose is used after one.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use uuid::Uuid;

use crate::head::{Head, Held};
use crate::options::{Alarm, Options};
use crate::went_back::{Position, WentBack};

/// A head that was acknowledged.
#[derive(Debug, Clone, Copy)]
struct Mark {
    head: Position,
    /// The one on which it was written, or last found.
    timeline: u32,
}

/// How a head compares with the one that was acknowledged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Compared {
    /// It is the same or a later one.
    Fits,
    /// It is a later one on another timeline: whether it is of the same journal, the acknowledged entry says.
    Ask(Position),
    /// It is an earlier one, or another one with the same number.
    Lacks(WentBack),
}

/// What the lanes of this process have acknowledged.
pub(crate) struct Acknowledged {
    /// The query for the hash of an entry.
    pub(crate) entry_hash: Option<&'static str>,
    alarm: Alarm,
    marks: Mutex<HashMap<Uuid, Mark>>,
    went_back: OnceLock<WentBack>,
}

impl Acknowledged {
    pub(crate) fn new(options: &Options) -> Self {
        let (entry_hash, alarm) = (options.entry_hash, Alarm::clone(&options.on_went_back));
        Self { entry_hash, alarm, marks: Mutex::default(), went_back: OnceLock::new() }
    }

    /// Notes the heads of a batch that was committed.
    pub(crate) fn note(&self, heads: &[Held], timeline: u32) {
        let mut marks = self.marks();
        for held in heads {
            let mark = Mark { head: Position::of(&held.head), timeline };
            match marks.entry(held.organization) {
                // Two lanes may come in the other order than their commits.
                Entry::Occupied(noted) if noted.get().head.seq > mark.head.seq => {}
                Entry::Occupied(mut noted) => drop(noted.insert(mark)),
                Entry::Vacant(free) => drop(free.insert(mark)),
            }
        }
    }

    /// Compares the head that a write has locked.
    pub(crate) fn compare(&self, organization: Uuid, head: &Head, timeline: u32) -> Compared {
        let Some(mark) = self.marks().get(&organization).copied() else { return Compared::Fits };
        let found = Position::of(head);
        if found == mark.head || (found.seq > mark.head.seq && timeline == mark.timeline) {
            return Compared::Fits;
        }
        if found.seq > mark.head.seq {
            return Compared::Ask(mark.head);
        }
        Compared::Lacks(self.lacks(organization, head, timeline))
    }

    /// Notes that the acknowledged entry was found on this timeline.
    pub(crate) fn found(&self, organization: Uuid, timeline: u32) {
        if let Some(mark) = self.marks().get_mut(&organization) {
            mark.timeline = timeline;
        }
    }

    /// What is missing where the journal ends with this head.
    pub(crate) fn lacks(&self, organization: Uuid, head: &Head, timeline: u32) -> WentBack {
        let (found, mark) = (Position::of(head), self.marks().get(&organization).copied());
        let mark = mark.unwrap_or(Mark { head: found, timeline });
        let timelines = (mark.timeline, timeline);
        WentBack { organization, acknowledged: mark.head, found, timelines }
    }

    /// From now on nothing is written. The alarm is given once.
    pub(crate) fn stop(&self, went_back: WentBack) {
        let mut is_first = false;
        let noted = self.went_back.get_or_init(|| {
            is_first = true;
            went_back
        });
        if is_first {
            (self.alarm)(noted);
        }
    }

    /// Why nothing is written any more.
    pub(crate) fn went_back(&self) -> Option<&WentBack> {
        self.went_back.get()
    }

    fn marks(&self) -> MutexGuard<'_, HashMap<Uuid, Mark>> {
        self.marks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    const ORGANIZATION: Uuid = Uuid::from_u128(7);

    fn head(seq: i64, hash: u8) -> Head {
        Head { seq, hash: [hash; 32], ..Head::empty() }
    }

    fn nothing(alarm: Alarm) -> Acknowledged {
        Acknowledged { entry_hash: None, alarm, marks: Mutex::default(), went_back: OnceLock::new() }
    }

    fn after(seq: i64, hash: u8, timeline: u32) -> Acknowledged {
        let acknowledged = nothing(Arc::new(|_| ()));
        note(&acknowledged, seq, hash, timeline);
        acknowledged
    }

    fn note(acknowledged: &Acknowledged, seq: i64, hash: u8, timeline: u32) {
        let held = Held { organization: ORGANIZATION, head: head(seq, hash), moved: true };
        acknowledged.note(&[held], timeline);
    }

    #[test]
    fn a_head_fits_if_it_is_the_acknowledged_one_or_a_later_one() {
        let acknowledged = after(5, 1, 3);
        let compare = |seq, hash, timeline| acknowledged.compare(ORGANIZATION, &head(seq, hash), timeline);
        assert_eq!(compare(5, 1, 3), Compared::Fits);
        assert_eq!(compare(5, 1, 4), Compared::Fits, "after a failover that lost nothing");
        assert_eq!(compare(6, 2, 3), Compared::Fits, "another process wrote");
        assert!(matches!(compare(4, 1, 3), Compared::Lacks(_)));
        assert!(matches!(compare(5, 2, 3), Compared::Lacks(_)));
        assert_eq!(acknowledged.compare(Uuid::nil(), &head(0, 0), 3), Compared::Fits, "nothing is known");
    }

    #[test]
    fn a_later_head_on_another_timeline_is_asked_about_once() {
        let acknowledged = after(5, 1, 3);
        let compare = || acknowledged.compare(ORGANIZATION, &head(6, 2), 4);
        assert_eq!(compare(), Compared::Ask(Position { seq: 5, hash: [1; 32] }));
        acknowledged.found(ORGANIZATION, 4);
        assert_eq!(compare(), Compared::Fits);
    }

    #[test]
    fn an_earlier_commit_that_is_noted_late_takes_nothing_back() {
        let acknowledged = after(5, 1, 3);
        note(&acknowledged, 4, 9, 3);
        assert_eq!(acknowledged.compare(ORGANIZATION, &head(5, 1), 3), Compared::Fits);
    }

    #[test]
    fn the_alarm_is_given_once_and_says_what_is_missing() {
        let calls = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&calls);
        let alarm: Alarm = Arc::new(move |went_back| {
            counted.fetch_add(1, Ordering::Relaxed);
            let text = went_back.to_string();
            let entry = format!("before entry 5:{}", "ab".repeat(32));
            assert!(text.contains(&entry) && text.contains("timeline was 3 and is 4"), "{text}");
        });
        let acknowledged = nothing(alarm);
        note(&acknowledged, 5, 0xab, 3);
        for seq in [2, 1] {
            acknowledged.stop(acknowledged.lacks(ORGANIZATION, &head(seq, 1), 4));
        }
        assert_eq!(calls.load(Ordering::Relaxed), 1);
        assert_eq!(acknowledged.went_back().unwrap().found.seq, 2);
    }
}
