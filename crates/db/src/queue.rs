//! The writes that wait: bounded, first come first served within an organization, and turn by turn
//! between organizations.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use uuid::Uuid;

use crate::error::{Error, Result};
use crate::job::Job;

pub(crate) struct Entry {
    pub(crate) organization: Uuid,
    /// Wants a batch of its own, because it touches many rows.
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
                    // Every lane is to hear of it.
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

    /// Takes out what has waited longer than `patience`.
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
