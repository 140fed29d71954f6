//! A service that starts while PostgreSQL cannot be used, such as during a failover, waits for it.

use std::time::{Duration, Instant};

use db::Location;

use crate::config::Config;
use crate::failure::{Failure, Result};

/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(500);
/// How often the log says that it still waits.
const TELL_EVERY: Duration = Duration::from_secs(10);

/// The time that a start may wait, over all its steps.
pub(crate) struct Waiting {
    patience: Duration,
    pause: Duration,
    began: Instant,
    told: Option<Instant>,
}

impl Waiting {
    /// As long as the settings say. A SQLite file is not waited for: no other machine brings it back.
    pub(crate) fn of(config: &Config) -> Self {
        let patience = match config.location {
            Location::Sqlite(_) => Duration::ZERO,
            Location::Postgres(_) => config.database_wait,
        };
        Self { patience, pause: PAUSE, began: Instant::now(), told: None }
    }

    /// Repeats a step as long as it fails because the database cannot be used now.
    pub(crate) async fn on<T>(&mut self, mut step: impl AsyncFnMut() -> Result<T>) -> Result<T> {
        loop {
            let failure = match step().await {
                Err(failure) if failure.may_pass() => failure,
                Ok(done) => {
                    if self.told.take().is_some() {
                        tracing::info!(
                            seconds = self.began.elapsed().as_secs(),
                            "the database can be used again"
                        );
                    }
                    return Ok(done);
                }
                Err(failure) => return Err(failure),
            };
            if self.began.elapsed() >= self.patience {
                return Err(failure);
            }
            self.tell(&failure);
            tokio::time::sleep(self.pause).await;
        }
    }

    fn tell(&mut self, failure: &Failure) {
        if self.told.is_none_or(|told| told.elapsed() >= TELL_EVERY) {
            let (waited, at_most) = (self.began.elapsed().as_secs(), self.patience.as_secs());
            tracing::warn!(reason = %failure, waited, at_most, "waiting for the database (database_wait_seconds)");
            self.told = Some(Instant::now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(patience: Duration) -> Waiting {
        Waiting { patience, pause: Duration::ZERO, began: Instant::now(), told: None }
    }

    fn failure(error: db::Error) -> Result<u32> {
        Err(error.into())
    }

    #[tokio::test]
    async fn a_step_is_repeated_until_the_database_can_be_used() {
        let mut attempts = 0;
        let step = async || {
            attempts += 1;
            match attempts {
                1 => failure(db::Error::Unavailable("it is starting".to_owned())),
                2 => failure(db::Error::HeadBusy),
                3 => failure(db::Error::OutcomeUnknown),
                _ => Ok(attempts),
            }
        };
        assert_eq!(waiting(testkit::PATIENCE).on(step).await.unwrap(), 4);
    }

    #[tokio::test]
    async fn what_does_not_pass_is_not_waited_for_nor_anything_when_the_time_is_over() {
        for (patience, error) in [
            (testkit::PATIENCE, db::Error::Denied("the password is wrong".to_owned())),
            (testkit::PATIENCE, db::Error::Internal("a bug".to_owned())),
            (Duration::ZERO, db::Error::Unavailable("nobody is there".to_owned())),
        ] {
            let mut attempts = 0;
            let step = async || {
                attempts += 1;
                failure(error.clone())
            };
            assert!(waiting(patience).on(step).await.is_err());
            assert_eq!(attempts, 1, "{error}");
        }
    }
}
