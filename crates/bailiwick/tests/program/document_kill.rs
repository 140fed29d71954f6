//! `kill -9` while documents are written, approved and acknowledged loses nothing that was acknowledged, and publishes
//! nothing that nobody approved.

use std::sync::Arc;
use std::time::Duration;

use testkit::{EmptyDatabase, Engine, both_engines, until};
use tokio::task::JoinHandle;

use crate::document_load::Callers;
use crate::document_promises::Work;
use crate::service::Installation;

#[both_engines]
async fn killed_while_documents_are_approved_nothing_acknowledged_is_lost(database: EmptyDatabase) {
    let first = Installation::at(&database);
    let organization = first.organization();
    let mut services = vec![first.serve()];
    // SQLite's two services share the folder, too.
    let second = (database.engine() == Engine::Postgres).then(|| first.beside());
    let installations = [&first, second.as_ref().unwrap_or(&first)];
    services.push(installations[1].serve());
    let work = Arc::new(Work::default());
    let callers = Callers::new(&first, &organization, &services[0], &work).await;
    // One of the services, the other, and both; at another moment each time.
    for (killed, millis) in
        [&[0_usize][..], &[1], &[0, 1], &[1], &[0], &[0, 1]].into_iter().zip((40..).step_by(37))
    {
        let before = work.counts();
        work.begin();
        let tasks = callers.start(&services, &work);
        until("there are five more of each", async || {
            work.counts().iter().zip(before).all(|(now, before)| *now >= before + 5)
                || tasks.iter().any(JoinHandle::is_finished)
        })
        .await;
        tokio::time::sleep(Duration::from_millis(millis)).await;
        for place in killed {
            assert!(services[*place].signal("-KILL"));
            assert_eq!(services[*place].wait(), None);
        }
        work.end();
        for task in tasks {
            task.await.unwrap();
        }
        for place in killed {
            services[*place] = installations[*place].serve();
        }
        work.check(&callers.writers[0].moved_to(&services[killed[0]])).await;
        first.verify();
        let verified = first.run(&["document", "verify"]);
        assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
    }
}
