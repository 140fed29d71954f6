//! Several callers that declare incidents as fast as they are answered, and what was promised to them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use testkit::until;

use crate::service::{Api, Declared};

/// What was promised so far: id and title of every acknowledged incident, and the refusals.
#[derive(Default)]
pub(crate) struct Promised {
    acknowledged: Mutex<Vec<(String, String)>>,
    refused: Mutex<Vec<Declared>>,
    /// Titles of which the service said that nothing was changed.
    denied: Mutex<Vec<String>>,
    sent: AtomicU64,
}

impl Promised {
    pub(crate) fn acknowledged(&self) -> Vec<(String, String)> {
        self.acknowledged.lock().unwrap().clone()
    }

    pub(crate) fn count(&self) -> usize {
        self.acknowledged.lock().unwrap().len()
    }

    /// How many refusals [`Self::take_refused`] would answer.
    pub(crate) fn refused_count(&self) -> usize {
        self.refused.lock().unwrap().len()
    }

    /// Waits until this many are acknowledged in all.
    pub(crate) async fn until(&self, count: usize) {
        until("so many are acknowledged", async || self.count() >= count).await;
    }

    /// The refusals since the last call.
    pub(crate) fn take_refused(&self) -> Vec<Declared> {
        std::mem::take(&mut self.refused.lock().unwrap())
    }

    /// Notes what came of a declaration.
    pub(crate) fn note(&self, title: String, declared: Declared) {
        match declared {
            Declared::Done(id) => self.acknowledged.lock().unwrap().push((id, title)),
            Declared::Lost => {}
            refused @ Declared::Refused { .. } => {
                if !refused.is_unknown() {
                    self.denied.lock().unwrap().push(title);
                }
                self.refused.lock().unwrap().push(refused);
            }
        }
    }

    /// Fails unless everything that was acknowledged is in `found`, nothing that was refused is, nothing is there
    /// twice, and the numbers have no gap.
    pub(crate) fn check(&self, found: &[(String, String)]) {
        let by_id: std::collections::HashMap<_, _> = found.iter().cloned().collect();
        assert_eq!(by_id.len(), found.len(), "an id was given twice");
        for (id, title) in self.acknowledged() {
            assert_eq!(by_id.get(&id), Some(&title), "{id} was acknowledged and is lost");
        }
        let titles: std::collections::HashSet<_> = found.iter().map(|(_, title)| title).collect();
        assert_eq!(titles.len(), found.len(), "something was done twice");
        for title in self.denied.lock().unwrap().iter() {
            assert!(!titles.contains(title), "{title} was refused and is there");
        }
        for (index, (id, _)) in found.iter().enumerate() {
            assert_eq!(*id, format!("INC-{:04}", index + 1), "the numbers have a gap");
        }
    }
}

/// Callers at work until [`Load::stop`].
pub(crate) struct Load {
    stop: Arc<AtomicBool>,
    callers: Vec<tokio::task::JoinHandle<()>>,
}

impl Load {
    /// Sets `callers` callers to work.
    pub(crate) fn start(api: &Api, callers: usize, promised: &Arc<Promised>) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let callers = (0..callers)
            .map(|_| tokio::spawn(call(api.clone(), Arc::clone(promised), Arc::clone(&stop))))
            .collect();
        Self { stop, callers }
    }

    /// Lets every caller finish its request.
    pub(crate) async fn stop(self) {
        self.stop.store(true, Ordering::SeqCst);
        for caller in self.callers {
            caller.await.unwrap();
        }
    }
}

async fn call(api: Api, promised: Arc<Promised>, stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::SeqCst) {
        let title = format!("load {:06}", promised.sent.fetch_add(1, Ordering::SeqCst));
        let declared = api.declare(&title, "").await;
        let pause = match declared {
            Declared::Done(_) => 0,
            // A refused connection would be tried again at once, thousands of times.
            Declared::Lost => 10,
            Declared::Refused { .. } => 50,
        };
        promised.note(title, declared);
        tokio::time::sleep(Duration::from_millis(pause)).await;
    }
}
