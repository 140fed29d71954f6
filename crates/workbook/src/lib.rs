//! Reads the workbooks that people have, and proposes what each column is. Bytes come in, records go out: no I/O, no clock.
//!
//! 1. [`read`] makes [`Workbook`] of a file, or refuses it within bounds (`read/`).
//! 2. [`propose`] finds sheet and header (`header/`), what each column is (`columns/`), and what has to be asked.
//! 3. [`rows`] reads each row with the proposal and the answers (`values/`, `rows/`).
//!
//! What somebody changes of a proposal are [`Choices`], for which [`propose`] is called again; what they answer are [`Answers`],
//! which only [`rows`] needs. Neither ever drops anything: a column without a field becomes a block in the description.
//!
//! The files are read here and not by `calamine`, which reserves what a file declares and expands repeated cells.

mod cell;
mod columns;
mod draft;
mod header;
mod kept;
mod merges;
mod own;
mod propose;
mod question;
mod read;
pub mod refused;
mod rows;
mod settled;
mod sheet;
mod values;
mod words;

pub use cell::Cell;
pub use columns::column::Column;
pub use columns::field::{Axis, Field, Kind, Stage};
pub use header::legend::Legend;
pub use own::GUARDED;
pub use propose::{Choices, Proposal, propose};
pub use question::{Answers, Question};
pub use read::encoding::Encoding;
pub use read::{Reading, read};
pub use refused::Refused;
pub use rows::record::{Fault, Record, Task, Value};
pub use rows::{Entry, Rows, Skipped, rows};
pub use sheet::{Format, Row, Sheet, Workbook};
pub use values::level::Levels;
