//! The demo organization: what `bailiwick serve --demo` shows before there is anything of one's own.
//!
//! All that it has is in `demo.toml`, which begins with how to change it. `data` is the form of that file; `cast`, `acts` and
//! `decisions` write it through the functions that every other write goes through.
//!
//! Nothing is back-dated: the database is opened with a clock that walks through the last year, so that the journal,
//! `created_date` and "as of" have the order of the file's times.

mod acts;
mod cast;
mod data;
mod decisions;
mod join;
#[cfg(test)]
mod tests;

use std::sync::{Arc, atomic::AtomicI64, atomic::Ordering::SeqCst};

use db::{Db, Tx};
use domain::OrgId;
use jiff::{SignedDuration, Timestamp};
use store::demo::{Demo, Mark};

use crate::failure::{Failure, Result};
pub(crate) use cast::operator;
pub(crate) use data::FILE;
pub(crate) use join::join;

/// Makes the demo organization of the file in an empty database, or finds it in a demo's.
///
/// Call it before anything else is written, signing keys too: time never goes back within a chain, and the instance's
/// chain must not be ahead of the demo. A start that was interrupted leaves an unused organization behind, and the next
/// one makes another.
pub(crate) async fn prepare(file: &str, options: db::Options) -> Result<Demo> {
    let now = (options.clock)();
    let time = Arc::new(AtomicI64::new((now - SignedDuration::from_hours(24 * data::DAYS)).as_microsecond()));
    let shown = Arc::clone(&time);
    let clock = move || Timestamp::from_microsecond(shown.load(SeqCst)).unwrap_or(Timestamp::MIN);
    let db = Db::open(db::Options { clock: Arc::new(clock), ..options }).await?;
    db.migrate(store::migrations::ALL).await?;
    let mark = store::demo::mark(&mut db.read().await?).await?;
    let demo = match mark {
        Some(Mark::Filled(demo)) => demo,
        None if store::journal::head(&mut db.read().await?, OrgId::INSTANCE).await?.seq > 0 => {
            return Err(Failure::new(
                "this database is not a demo's: choose another folder or database for --demo",
            ));
        }
        // Empty, or filling it was interrupted.
        None | Some(Mark::Begun) => fill(file, &db, &time, now).await?,
    };
    db.close().await;
    Ok(demo)
}

/// Does all acts in an empty database, each at its time, and marks it.
async fn fill(file: &str, db: &Db, time: &AtomicI64, now: Timestamp) -> Result<Demo> {
    let data: data::Data = toml::from_str(file).map_err(data::wrong)?;
    let mut cast = cast::Cast::introduce(db, &data, now).await?;
    let demo = cast.demo.clone();
    for acts in data.acts(now).chunk_by(|one, next| one.at == next.at) {
        time.store(acts.first().map_or(now, |act| act.at).as_microsecond(), SeqCst);
        let (acts, before) = (acts.to_vec(), cast);
        let write = async move |tx: &mut Tx| {
            let mut cast = before.clone();
            for acts in
                acts.chunk_by(|one, next| one.evaluator().is_some_and(|by| next.evaluator() == Some(by)))
            {
                cast.perform(tx, acts).await?;
            }
            Ok::<_, Failure>(cast)
        };
        cast = db.write(demo.organization, write).await?;
    }
    let filled = demo.clone();
    db.write_instance(async move |tx: &mut Tx| store::demo::finish(tx, &filled).await).await?;
    Ok(demo)
}
