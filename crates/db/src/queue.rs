//! The queue of writes: bounded, first in first out within an organization, and round-robin between organizations.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::job::Job;

pub(crate) struct Entry {
    pub(crate) organization: Uuid,
    /// Needs its own batch, because it touches many rows.
    pub(crate) alone: bool,
    pub(crate) queued: Instant,
    pub(crate) job: Box<dyn Job>,
}

/// How a lane takes its batches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Take {
    pub(crate) most: usize,
    /// PostgreSQL: a batch serves one organization, and no other lane serves it meanwhile.
    pub(crate) one_organization: bool,
}

#[derive(Default)]
struct State {
    waiting: HashMap<Uuid, VecDeque<Entry>>,
    /// Organizations with waiting writes that no lane is serving, the longest-waiting first.
    turns: VecDeque<Uuid>,
    served: HashSet<Uuid>,
    count: usize,
    closed: bool,
}

pub(crate) struct Queue {
    state: Mutex<State>,
    wake: Notify,
    limit: usize,
}

impl Queue {
    pub(crate) fn new(limit: usize) -> Self {
        Self { state: Mutex::default(), wake: Notify::new(), limit }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // No code that can panic runs under this lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many writes wait.
    pub(crate) fn len(&self) -> usize {
        self.lock().count
    }

    pub(crate) fn push(&self, entry: Entry) -> Result<()> {
        {
            let mut state = self.lock();
            if state.closed {
                return Err(Error::unavailable("the service is stopping"));
            }
            if state.count >= self.limit {
                return Err(Error::unavailable("too many writes are waiting"));
            }
            state.count += 1;
            let organization = entry.organization;
            let line = state.waiting.entry(organization).or_default();
            line.push_back(entry);
            if line.len() == 1 && !state.served.contains(&organization) {
                state.turns.push_back(organization);
            }
        }
        self.wake.notify_one();
        Ok(())
    }

    /// Waits for writes and takes a batch of them; `None` once the queue is closed and empty.
    pub(crate) async fn take(&self, how: Take) -> Option<Vec<Entry>> {
        loop {
            let woken = self.wake.notified();
            {
                let mut state = self.lock();
                let batch = state.batch(how);
                if !state.turns.is_empty() {
                    // Another lane can serve them.
                    self.wake.notify_one();
                }
                if !batch.is_empty() {
                    return Some(batch);
                }
                if state.closed && state.count == 0 {
                    // Wake every lane.
                    self.wake.notify_one();
                    return None;
                }
            }
            woken.await;
        }
    }

    /// More writes for a batch that is running, if they can join it.
    pub(crate) fn take_more(&self, how: Take) -> Vec<Entry> {
        if how.one_organization || how.most == 0 {
            return Vec::new();
        }
        let mut state = self.lock();
        if state.next_is_alone() { Vec::new() } else { state.batch(how) }
    }

    /// The lane is done with this organization; others may serve it.
    pub(crate) fn done(&self, organization: Uuid) {
        let mut state = self.lock();
        if state.served.remove(&organization) && state.waiting.contains_key(&organization) {
            state.turns.push_back(organization);
            self.wake.notify_one();
        }
        if state.closed {
            self.wake.notify_one();
        }
    }

    /// Removes the writes that have waited longer than `patience`.
    pub(crate) fn expired(&self, patience: Duration) -> Vec<Entry> {
        let mut state = self.lock();
        let State { waiting, turns, count, .. } = &mut *state;
        let mut out = Vec::new();
        waiting.retain(|_, line| {
            while line.front().is_some_and(|entry| entry.queued.elapsed() > patience) {
                out.extend(line.pop_front());
            }
            !line.is_empty()
        });
        *count -= out.len();
        turns.retain(|organization| waiting.contains_key(organization));
        out
    }

    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.wake.notify_one();
    }
}

impl State {
    fn next_is_alone(&self) -> bool {
        let line = self.turns.front().and_then(|organization| self.waiting.get(organization));
        line.and_then(VecDeque::front).is_some_and(|entry| entry.alone)
    }

    fn batch(&mut self, how: Take) -> Vec<Entry> {
        let mut batch: Vec<Entry> = Vec::new();
        while batch.len() < how.most && (batch.is_empty() || !self.next_is_alone()) {
            let Some(organization) = self.turns.pop_front() else { break };
            let Some(line) = self.waiting.get_mut(&organization) else { continue };
            let Some(entry) = line.pop_front() else { continue };
            let alone = entry.alone;
            batch.push(entry);
            while how.one_organization
                && !alone
                && batch.len() < how.most
                && line.front().is_some_and(|next| !next.alone)
            {
                batch.extend(line.pop_front());
            }
            let more = !line.is_empty();
            if !more {
                self.waiting.remove(&organization);
            }
            if how.one_organization {
                self.served.insert(organization);
                break;
            }
            if more {
                self.turns.push_back(organization);
            }
            if alone {
                break;
            }
        }
        self.count -= batch.len();
        batch
    }
}

#[cfg(test)]
mod tests {
    use std::pin::Pin;

    use super::*;
    use crate::job::Outcome;
    use crate::tx::Tx;

    const SQLITE: Take = Take { most: 4, one_organization: false };
    const POSTGRES: Take = Take { most: 4, one_organization: true };
    const A: Uuid = Uuid::from_u128(0xA);
    const B: Uuid = Uuid::from_u128(0xB);
    const C: Uuid = Uuid::from_u128(0xC);

    struct Nothing;

    impl Job for Nothing {
        fn abandoned(&self) -> bool {
            false
        }
        fn run<'a>(&'a mut self, _: &'a mut Tx) -> Pin<Box<dyn Future<Output = Outcome> + 'a>> {
            Box::pin(async { Outcome::Kept })
        }
        fn refuse(&mut self, _: Error) {}
        fn deliver(self: Box<Self>) {}
        fn fail(self: Box<Self>, _: Error) {}
    }

    fn push(queue: &Queue, organizations: &[Uuid]) {
        for organization in organizations {
            queue.push(entry(*organization, false)).unwrap();
        }
    }

    fn entry(organization: Uuid, alone: bool) -> Entry {
        Entry { organization, alone, queued: Instant::now(), job: Box::new(Nothing) }
    }

    fn taken(batch: &[Entry]) -> Vec<Uuid> {
        batch.iter().map(|entry| entry.organization).collect()
    }

    async fn take(queue: &Queue, how: Take) -> Vec<Uuid> {
        taken(&queue.take(how).await.unwrap())
    }

    fn nothing_to_take(queue: &Queue, how: Take) -> bool {
        queue.lock().batch(how).is_empty()
    }

    #[tokio::test]
    async fn a_batch_of_sqlite_takes_from_each_organization_in_turn() {
        let queue = Queue::new(100);
        push(&queue, &[A, A, A, A, A, A, B, C, C]);
        assert_eq!(take(&queue, SQLITE).await, [A, B, C, A]);
        assert_eq!(take(&queue, SQLITE).await, [C, A, A, A]);
        push(&queue, &[B]);
        assert_eq!(taken(&queue.take_more(Take { most: 1, ..SQLITE })), [A]);
        assert_eq!(taken(&queue.take_more(SQLITE)), [B]);
        assert!(queue.take_more(SQLITE).is_empty());
    }

    #[tokio::test]
    async fn a_batch_of_postgres_serves_one_organization_that_no_other_lane_serves() {
        let queue = Queue::new(100);
        push(&queue, &[A, A, A, A, A, B, C]);
        assert_eq!(take(&queue, POSTGRES).await, [A; 4]);
        // A has one more, and is being served: the next lane takes the longest-waiting of the others.
        assert_eq!(take(&queue, POSTGRES).await, [B]);
        push(&queue, &[B]);
        assert_eq!(take(&queue, POSTGRES).await, [C]);
        assert!(nothing_to_take(&queue, POSTGRES));
        assert!(queue.take_more(POSTGRES).is_empty());
        queue.done(B);
        queue.done(A);
        assert_eq!(take(&queue, POSTGRES).await, [B]);
        assert_eq!(take(&queue, POSTGRES).await, [A]);
        assert!(nothing_to_take(&queue, POSTGRES));
    }

    #[tokio::test]
    async fn a_write_that_wants_a_batch_of_its_own_gets_one_in_its_turn() {
        for how in [SQLITE, POSTGRES] {
            let queue = Queue::new(100);
            push(&queue, &[A, A]);
            queue.push(entry(A, true)).unwrap();
            push(&queue, &[A]);
            let mut sizes = Vec::new();
            for _ in 0..3 {
                let batch = queue.take(how).await.unwrap();
                assert!(batch.len() == 1 || batch.iter().all(|entry| !entry.alone));
                sizes.push(batch.len());
                queue.done(A);
            }
            assert_eq!(sizes, [2, 1, 1]);
        }
    }

    #[tokio::test]
    async fn a_running_batch_is_not_joined_by_what_stands_behind_a_big_write() {
        let queue = Queue::new(100);
        queue.push(entry(A, true)).unwrap();
        push(&queue, &[B]);
        assert!(queue.take_more(SQLITE).is_empty());
        assert_eq!(take(&queue, SQLITE).await, [A]);
        assert_eq!(take(&queue, SQLITE).await, [B]);
    }

    #[tokio::test]
    async fn one_more_than_the_limit_is_refused() {
        let queue = Queue::new(3);
        push(&queue, &[A, A, B]);
        assert!(matches!(queue.push(entry(C, false)), Err(Error::Unavailable(_))));
        assert_eq!(take(&queue, POSTGRES).await, [A, A]);
        push(&queue, &[C, C]);
        assert!(matches!(queue.push(entry(C, false)), Err(Error::Unavailable(_))));
    }

    #[tokio::test]
    async fn a_write_that_waited_too_long_leaves_the_queue() {
        let queue = Queue::new(3);
        push(&queue, &[A]);
        assert_eq!(take(&queue, POSTGRES).await, [A]);
        let hour = Duration::from_hours(1);
        for organization in [A, B] {
            let queued = Instant::now().checked_sub(hour).unwrap();
            queue.push(Entry { queued, ..entry(organization, false) }).unwrap();
        }
        push(&queue, &[B]);
        let mut expired = taken(&queue.expired(hour / 2));
        expired.sort_unstable();
        assert_eq!(expired, [A, B]);
        queue.done(A);
        assert_eq!(take(&queue, POSTGRES).await, [B]);
        assert!(nothing_to_take(&queue, POSTGRES));
        queue.done(B);
        // Their slots are free.
        push(&queue, &[A, B, C]);
    }

    #[tokio::test]
    async fn a_closed_queue_is_emptied_and_then_ends_every_lane() {
        let queue = Queue::new(3);
        push(&queue, &[A]);
        queue.close();
        assert!(queue.push(entry(A, false)).is_err());
        assert_eq!(take(&queue, POSTGRES).await, [A]);
        let (one, other) = tokio::join!(queue.take(POSTGRES), queue.take(POSTGRES));
        assert!(one.is_none() && other.is_none());
    }
}
