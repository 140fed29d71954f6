//! Slots for connections. Each open connection holds one. When all are taken and another connection arrives, the one
//! that has waited longest for a request is closed: a client that opens connections without sending requests cannot
//! lock others out.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// How long the chosen connection may take to close before another one is chosen.
const CHOOSE_AGAIN: Duration = Duration::from_millis(50);

/// The minimum time between two log lines about a lack of slots.
const TELL_EVERY: Duration = Duration::from_mins(1);

/// The value of `since` for a connection with a running request.
const RUNNING: u64 = u64::MAX;

/// The connection slots of one listener.
pub(crate) struct ConnectionSlots {
    free: Arc<Semaphore>,
    most: usize,
    started: Instant,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    next: u64,
    activities: HashMap<u64, Arc<Activity>>,
    told: Option<Instant>,
}

impl ConnectionSlots {
    /// Creates slots for this many connections.
    pub(crate) fn new(most: usize) -> Arc<Self> {
        let free = Arc::new(Semaphore::new(most));
        Arc::new(Self { free, most, started: Instant::now(), taken: Mutex::default() })
    }

    /// Takes a slot; if none is free, the slot of the connection that has waited longest.
    pub(crate) async fn take(self: &Arc<Self>) -> ConnectionSlot {
        loop {
            if let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() {
                return self.give(permit);
            }
            self.end_the_longest_waiting();
            // If all connections have running requests, one of them must end first.
            let freed = Arc::clone(&self.free).acquire_owned();
            if let Ok(Ok(permit)) = tokio::time::timeout(CHOOSE_AGAIN, freed).await {
                return self.give(permit);
            }
        }
    }

    /// Closes every connection without a running request.
    pub(crate) fn end_waiting(&self) {
        for activity in self.lock().activities.values().filter(|activity| activity.waits_since().is_some()) {
            activity.end.notify_one();
        }
    }

    fn give(self: &Arc<Self>, permit: OwnedSemaphorePermit) -> ConnectionSlot {
        let activity = Arc::new(Activity::new(self.started));
        let mut taken = self.lock();
        let number = taken.next;
        taken.next += 1;
        taken.activities.insert(number, Arc::clone(&activity));
        drop(taken);
        ConnectionSlot { slots: Arc::clone(self), number, activity, _permit: permit }
    }

    fn end_the_longest_waiting(&self) {
        let mut taken = self.lock();
        if taken.told.is_none_or(|told| told.elapsed() > TELL_EVERY) {
            taken.told = Some(Instant::now());
            let most = self.most;
            tracing::warn!(
                most,
                "all connections are taken; those that wait longest for a request are closed"
            );
        }
        let waiting =
            taken.activities.values().filter_map(|activity| Some((activity.waits_since()?, activity)));
        if let Some((_, activity)) = waiting.min_by_key(|(since, _)| *since) {
            activity.end.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        // No code that can panic runs under this lock.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection's slot, released when it is dropped.
pub(crate) struct ConnectionSlot {
    slots: Arc<ConnectionSlots>,
    number: u64,
    activity: Arc<Activity>,
    _permit: OwnedSemaphorePermit,
}

impl ConnectionSlot {
    /// The activity of the connection.
    pub(crate) fn activity(&self) -> &Arc<Activity> {
        &self.activity
    }

    /// Resolves when the slot is needed and no request is running. It must be awaited by the task that runs the
    /// connection, so that no request can start in the meantime.
    pub(crate) async fn needed(&self) {
        loop {
            self.activity.end.notified().await;
            if self.activity.waits_since().is_some() {
                return;
            }
        }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.slots.lock().activities.remove(&self.number);
    }
}

/// The activity of a connection.
pub(crate) struct Activity {
    started: Instant,
    /// Since when it has waited for a request, in milliseconds after `started`.
    since: AtomicU64,
    is_stuck: AtomicBool,
    is_sending: AtomicBool,
    end: Notify,
}

impl Activity {
    fn new(started: Instant) -> Self {
        let activity = Self {
            started,
            since: AtomicU64::new(RUNNING),
            is_stuck: AtomicBool::new(false),
            is_sending: AtomicBool::new(false),
            end: Notify::new(),
        };
        activity.waits();
        activity
    }

    /// Marks the start of a request.
    pub(crate) fn runs(&self) {
        self.since.store(RUNNING, Ordering::Relaxed);
    }

    /// Marks the end of a request.
    pub(crate) fn waits(&self) {
        let millis = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(0);
        self.since.store(millis, Ordering::Relaxed);
    }

    /// Sets whether the client currently accepts no data of its response.
    pub(crate) fn is_stuck(&self, is_stuck: bool) {
        self.is_stuck.store(is_stuck, Ordering::Relaxed);
    }

    /// Records that the client may still be sending data that is not read.
    pub(crate) fn is_sending(&self) {
        self.is_sending.store(true, Ordering::Relaxed);
    }

    /// Whether the client may still be sending.
    pub(crate) fn may_be_sending(&self) -> bool {
        self.is_sending.load(Ordering::Relaxed)
    }

    /// Since when the connection has been waiting; `None` while a request is running or the client accepts no data.
    fn waits_since(&self) -> Option<u64> {
        let since = self.since.load(Ordering::Relaxed);
        (since != RUNNING && !self.is_stuck.load(Ordering::Relaxed)).then_some(since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the connection was requested to close.
    async fn is_needed(slot: &ConnectionSlot) -> bool {
        tokio::time::timeout(Duration::from_millis(5), slot.needed()).await.is_ok()
    }

    #[tokio::test]
    async fn the_connection_that_has_waited_longest_makes_room() {
        let slots = ConnectionSlots::new(3);
        let busy = slots.take().await;
        busy.activity().runs();
        let one = slots.take().await;
        let other = slots.take().await;
        tokio::time::sleep(Duration::from_millis(2)).await;
        // A request ran in the meantime.
        one.activity().runs();
        one.activity().waits();
        let (next, ()) = tokio::join!(slots.take(), async {
            other.needed().await;
            assert!(!is_needed(&one).await && !is_needed(&busy).await);
            drop(other);
        });
        assert_eq!(slots.lock().activities.len(), 3);
        drop((busy, one, next));
        assert_eq!((slots.lock().activities.len(), slots.free.available_permits()), (0, 3));
    }

    #[tokio::test]
    async fn a_connection_with_a_request_is_not_closed() {
        let slots = ConnectionSlots::new(2);
        let (running, stuck) = (slots.take().await, slots.take().await);
        running.activity().runs();
        stuck.activity().is_stuck(true);
        let taking = tokio::time::timeout(Duration::from_millis(5), slots.take());
        assert!(taking.await.is_err());
        slots.end_waiting();
        assert!(!is_needed(&running).await && !is_needed(&stuck).await);
        running.activity().waits();
        slots.end_waiting();
        assert!(is_needed(&running).await);
    }

    #[tokio::test]
    async fn one_that_began_a_request_meanwhile_does_not_end() {
        let slots = ConnectionSlots::new(1);
        let slot = slots.take().await;
        slots.end_waiting();
        slot.activity().runs();
        assert!(!is_needed(&slot).await);
    }
}
