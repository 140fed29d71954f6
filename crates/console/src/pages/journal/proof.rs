//! `GET /o/{slug}/journal/proof`: whether the journal, and every record, is as it was written.

use askama::Template;
use store::journal::{self, Report};

use super::READ;
use crate::frame::layout::{Layout, Section};
use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// A journal with up to so many entries is verified as a whole, with every record. A longer one is walked in parts, so that
/// no request takes more than a second or two.
const WHOLE: i64 = 5_000;

/// Entries of a part.
const PART: i64 = 100_000;

/// The most faults that the page names.
const MOST_FAULTS: usize = 100;

#[derive(Template)]
#[template(path = "journal/proof.html")]
struct ProofPage {
    frame: Layout,
    /// The entry that the part begins with.
    first: i64,
    report: Report,
    /// The faults beyond those that are named.
    more: usize,
    /// Whether records were compared too.
    is_whole: bool,
    /// The number of the last entry of the journal.
    last: i64,
    hash: String,
    /// The beginning of the name of the export.
    file: String,
}

/// `GET /o/{slug}/journal/proof?after=…`
pub(crate) async fn page(request: PageRequest) -> Result {
    request.require(READ)?;
    let mut tx = request.read().await?;
    let head = journal::head(&mut tx, request.id()).await?;
    let mut query = request.query();
    let after = query.integer("after", 0, head.seq).unwrap_or(0);
    query.finish()?;
    let is_whole = after == 0 && head.seq <= WHOLE;
    let mut report = match is_whole {
        true => store::verify::verify(&mut tx, request.id(), None).await?,
        false => store::verify::verify_part(&mut tx, request.id(), after, PART).await?,
    };
    let more = report.faults.len().saturating_sub(MOST_FAULTS);
    report.faults.truncate(MOST_FAULTS);
    let frame = Layout::of(&request, &mut tx, texts::VERIFY, Section::Journal).await?;
    let hash = hex::encode(&report.head.hash);
    let file = request.organization.slug.clone();
    request.show(&ProofPage { frame, first: after + 1, report, more, is_whole, last: head.seq, hash, file })
}

impl ProofPage {
    fn is_sound(&self) -> bool {
        self.report.faults.is_empty()
    }

    /// When it was checked.
    fn at(&self) -> String {
        self.frame.clock.long(&self.frame.clock.now())
    }

    /// Whether entries follow that were not checked.
    fn has_more(&self) -> bool {
        self.report.head.seq < self.last && self.report.entries > 0
    }
}
