//! A clock that is set back, and forward again.

use serde_json::Value;
use testkit::{EmptyDatabase, both_engines};

use crate::service::{Api, Declared, Installation};

/// The clock of every program that an installation runs, by libfaketime.
pub(crate) struct Clock {
    file: tempfile::NamedTempFile,
}

impl Clock {
    pub(crate) fn new() -> Self {
        let clock = Self { file: tempfile::NamedTempFile::new().unwrap() };
        clock.shift("+0");
        clock
    }

    /// Sets it so far from the real one.
    pub(crate) fn shift(&self, offset: &str) {
        std::fs::write(self.file.path(), format!("{offset}\n")).unwrap();
    }

    pub(crate) fn of(&self, installation: Installation) -> Installation {
        installation
            .with("LD_PRELOAD", "/usr/$LIB/faketime/libfaketime.so.1")
            .with("FAKETIME_TIMESTAMP_FILE", self.file.path().to_str().unwrap())
            .with("FAKETIME_NO_CACHE", "1")
            // Only the time of day: no system sets the clock back by which waiting is measured.
            .with("FAKETIME_DONT_FAKE_MONOTONIC", "1")
            .with("NO_FAKE_STAT", "1")
    }
}

/// When an incident was declared, as the register says.
async fn declared(api: &Api, title: &str) -> String {
    let id = match api.declare(title, "").await {
        Declared::Done(id) => id,
        other => panic!("{title}: {other:?}"),
    };
    let incident: Value = api.read(&format!("/v1/incidents/{id}")).await;
    incident["created_date"].as_str().unwrap().to_owned()
}

/// What the service takes the time to be, as `Date` does not tell it: hyper asks the system by itself.
fn seconds_between(earlier: &str, later: &str) -> i64 {
    let second = |text: &str| text.parse::<jiff::Timestamp>().unwrap().as_second();
    second(later) - second(earlier)
}

#[both_engines]
async fn a_clock_that_goes_back_an_hour_and_forward_again(database: EmptyDatabase) {
    let clock = Clock::new();
    let installation = clock.of(Installation::at(&database));
    let organization = installation.organization();
    let credentials = installation.client(&organization, "incidents:read incidents:write");
    let mut service = installation.serve();
    let api = service.sign_in(&credentials).await;
    let before = declared(&api, "before").await;
    let Declared::Done(once) = api.declare_once("a-key", "once").await else { panic!("it was refused") };

    clock.shift("-1h");
    // The token of before is still good, and a key still stands for its answer.
    let back = declared(&api, "an hour back").await;
    assert!(back > before && seconds_between(&before, &back) < 60, "{before} and {back}");
    assert!(matches!(api.declare_once("a-key", "once").await, Declared::Done(id) if id == once));
    let new = service.sign_in(&credentials).await;
    let more = declared(&new, "by a token of the hour before").await;
    assert!(more > back, "{back} and {more}");
    service.terminate();
    assert_eq!(service.wait(), Some(0));
    let service = installation.serve();
    let restarted = declared(&service.sign_in(&credentials).await, "restarted an hour back").await;
    assert!(restarted > more, "{more} and {restarted}");
    installation.verify();

    clock.shift("+1h");
    let api = new.moved_to(&service);
    let expired = api.request(reqwest::Method::GET, "/v1/incidents").send().await.unwrap();
    assert_eq!(expired.status(), 401, "a token outlived its time");
    let ahead = declared(&service.sign_in(&credentials).await, "an hour ahead").await;
    let jump = seconds_between(&restarted, &ahead);
    // An hour, and what this test has taken so far.
    assert!((3_500..7_000).contains(&jump), "{restarted} and {ahead}");

    clock.shift("+0");
    let api = service.sign_in(&credentials).await;
    let waits = declared(&api, "right again").await;
    assert!(waits > ahead && seconds_between(&ahead, &waits) < 2, "{ahead} and {waits}");
    let titles: Vec<_> = api.incidents().await.into_iter().map(|(_, title)| title).collect();
    let wanted = [
        "before",
        "once",
        "an hour back",
        "by a token of the hour before",
        "restarted an hour back",
        "an hour ahead",
        "right again",
    ];
    assert_eq!(titles, wanted);
    installation.verify();
}
