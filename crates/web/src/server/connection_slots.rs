//! ConnectionSlots for connections. Each open connection holds one. When all are taken and one more comes, the connection that
//! has waited longest for a request is closed: whoever opens connections and says nothing keeps nobody out.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// How long the connection that was chosen may take to end before another one is chosen.
const CHOOSE_AGAIN: Duration = Duration::from_millis(50);

/// How often a log line tells that the slots do not suffice.
const TELL_EVERY: Duration = Duration::from_mins(1);

/// `since` of a connection with a request that runs.
const RUNNING: u64 = u64::MAX;

/// The slots of one listener.
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
    /// So many connections at the same time.
    pub(crate) fn new(most: usize) -> Arc<Self> {
        let free = Arc::new(Semaphore::new(most));
        Arc::new(Self { free, most, started: Instant::now(), taken: Mutex::default() })
    }

    /// A slot; if none is free, that of the connection that has waited longest.
    pub(crate) async fn take(self: &Arc<Self>) -> ConnectionSlot {
        loop {
            if let Ok(permit) = Arc::clone(&self.free).try_acquire_owned() {
                return self.give(permit);
            }
            self.end_the_longest_waiting();
            // If all are at work, one of them must end first.
            let freed = Arc::clone(&self.free).acquire_owned();
            if let Ok(Ok(permit)) = tokio::time::timeout(CHOOSE_AGAIN, freed).await {
                return self.give(permit);
            }
        }
    }

    /// Ends every connection on which no request runs.
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

/// A connection's slot, free again when it is dropped.
pub(crate) struct ConnectionSlot {
    slots: Arc<ConnectionSlots>,
    number: u64,
    activity: Arc<Activity>,
    _permit: OwnedSemaphorePermit,
}

impl ConnectionSlot {
    /// What the connection is doing.
    pub(crate) fn activity(&self) -> &Arc<Activity> {
        &self.activity
    }

    /// Resolves when the slot is needed and no request runs. To be awaited by the task that runs the connection:
    /// then no request can begin meanwhile.
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

/// What a connection is doing.
pub(crate) struct Activity {
    started: Instant,
    /// Since when it waits for a request, in milliseconds after `started`.
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

    /// A request begins.
    pub(crate) fn runs(&self) {
        self.since.store(RUNNING, Ordering::Relaxed);
    }

    /// The request has its answer.
    pub(crate) fn waits(&self) {
        let millis = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(0);
        self.since.store(millis, Ordering::Relaxed);
    }

    /// Whether the client does not take its answer at the moment.
    pub(crate) fn is_stuck(&self, is_stuck: bool) {
        self.is_stuck.store(is_stuck, Ordering::Relaxed);
    }

    /// Notes that the client may still be sending what nobody reads.
    pub(crate) fn is_sending(&self) {
        self.is_sending.store(true, Ordering::Relaxed);
    }

    /// Whether the client may still be sending.
    pub(crate) fn may_be_sending(&self) -> bool {
        self.is_sending.load(Ordering::Relaxed)
    }

    /// Since when there is nothing to finish here; none while there is.
    fn waits_since(&self) -> Option<u64> {
        let since = self.since.load(Ordering::Relaxed);
        (since != RUNNING && !self.is_stuck.load(Ordering::Relaxed)).then_some(since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the connection was told to end.
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
        // It had a request meanwhile.
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
    async fn whoever_is_at_work_is_left_alone() {
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
