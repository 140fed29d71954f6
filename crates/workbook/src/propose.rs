//! What is proposed for a file: sheet, header, what each column is, and what has to be asked.

use std::collections::{BTreeMap, BTreeSet};

use sha2::{Digest, Sha256};

use crate::columns::below::Below;
use crate::columns::column::Column;
use crate::columns::field::{Field, Kind};
use crate::columns::guess;
use crate::header::find::{Found, find};
use crate::header::legend::{self, Legend};
use crate::header::names::{Head, heads};
use crate::own;
use crate::question::{Question, questions};
use crate::sheet::{Sheet, Workbook};
use crate::values::date::Order;
use crate::values::level::Levels;

/// What somebody changed of a proposal, or a mapping that is remembered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choices {
    /// The sheet, from 0.
    pub sheet: Option<usize>,
    /// The numbers of the header rows; none if they are to be found.
    pub header_rows: Vec<u32>,
    /// What columns are, by their index.
    pub columns: BTreeMap<usize, Field>,
}

/// What is proposed for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// What the file is imported as.
    pub kind: Kind,
    /// The sheet, from 0.
    pub sheet: usize,
    /// Its name.
    pub sheet_name: String,
    /// The numbers of the header rows; the rows after the last are read.
    pub header_rows: Vec<u32>,
    /// Why this sheet and these rows.
    pub reason: String,
    /// The columns that have a name, or something below.
    pub columns: Vec<Column>,
    /// What has to be asked.
    pub questions: Vec<Question>,
    /// The scales that the file explains.
    pub legends: Vec<Legend>,
    /// The same for files with the same header, to remember a mapping.
    pub fingerprint: String,
    /// Whether it is one of our own exports.
    pub is_ours: bool,
    /// The zone of its times, if it is one that was made for people; others have UTC.
    pub zone: Option<String>,
    /// Whether it is one as a workbook: no sign stands before its texts, and a text that fills its cell may have been cut.
    pub(crate) is_our_book: bool,
    /// Which number of a date is the day, unless that is answered.
    pub(crate) order: Order,
}

/// What is proposed for a workbook, with what somebody chose.
pub fn propose(workbook: &Workbook, kind: Kind, levels: &Levels, choices: &Choices) -> Proposal {
    let others = workbook.sheets().filter(|sheet| !own::is_legend(*sheet));
    let legends: Vec<Legend> = others.flat_map(legend::of).collect();
    let chosen = choices.sheet.filter(|index| workbook.sheet(*index).is_some_and(|sheet| !sheet.is_empty()));
    let (index, found) = chosen.map_or_else(|| best(workbook), |index| (index, None));
    let Some(sheet) = workbook.sheet(index) else { return nothing(kind) };
    let found = found.or_else(|| find(sheet)).unwrap_or(Found { rows: vec![0], known: 0 });
    let position = |number: &u32| sheet.position(*number);
    let is_there = |at: &usize| sheet.row(*at).is_some_and(|row| choices.header_rows.contains(&row.number));
    let mut rows: Vec<usize> = choices.header_rows.iter().map(position).filter(is_there).take(3).collect();
    let is_found = rows.is_empty();
    if is_found {
        rows = found.rows;
    }
    rows.sort_unstable();
    let header_rows = rows.iter().filter_map(|at| sheet.row(*at)).map(|row| row.number).collect();
    let reason = match (is_found, found.known) {
        (false, _) => "These rows were chosen.".to_owned(),
        (true, 0) => "No row has words that are known; the first is taken.".to_owned(),
        (true, known) => format!("Of all rows, these have the most known words: {known}."),
    };
    let first = rows.last().map_or(0, |last| last + 1);
    let heads = all_heads(sheet, &rows, first);
    let names: Vec<&str> = heads.iter().map(|head| head.name.as_str()).collect();
    let (is_ours, zone) = (own::is_header(&names), own::zone(&names).map(str::to_owned));
    let is_our_book = is_ours && workbook.sheets().any(own::is_legend);
    let columns = columns(sheet, first, &heads, kind, is_ours, choices);
    let (questions, order) = questions(sheet, first, &columns, kind, levels, &legends);
    Proposal {
        kind,
        sheet: index,
        sheet_name: sheet.name().to_owned(),
        header_rows,
        reason,
        columns,
        questions,
        legends,
        fingerprint: fingerprint(kind, &heads),
        is_ours,
        zone,
        is_our_book,
        order,
    }
}

/// A proposal for a workbook that has nothing in it, which [`crate::read`] refuses.
fn nothing(kind: Kind) -> Proposal {
    Proposal {
        kind,
        sheet: 0,
        sheet_name: String::new(),
        header_rows: Vec::new(),
        reason: "The file is empty.".to_owned(),
        columns: Vec::new(),
        questions: Vec::new(),
        legends: Vec::new(),
        fingerprint: fingerprint(kind, &[]),
        is_ours: false,
        zone: None,
        is_our_book: false,
        order: Order::DayFirst,
    }
}

/// The sheet whose header has the most known words; hidden ones and legends only if there is no other.
fn best(workbook: &Workbook) -> (usize, Option<Found>) {
    let sheets = workbook.sheets().enumerate().filter(|(_, sheet)| !sheet.is_empty());
    let ranked = sheets.map(|(index, sheet)| {
        let found = find(sheet);
        let is_likely = !sheet.is_hidden() && !own::is_legend(sheet) && legend::of(sheet).is_empty();
        let rank = (is_likely, found.as_ref().map_or(0, |found| found.known), sheet.len());
        (rank, index, found)
    });
    // The first of several that are equal.
    let best = ranked.max_by_key(|(rank, index, _)| (*rank, std::cmp::Reverse(*index)));
    best.map_or((0, None), |(_, index, found)| (index, found))
}

/// The columns with a name, and those without one that have something below.
fn all_heads(sheet: Sheet<'_>, rows: &[usize], first: usize) -> Vec<Head> {
    let mut heads = heads(sheet, rows);
    let named: BTreeSet<usize> = heads.iter().map(|head| head.column).collect();
    let below = sheet.rows_in(first..sheet.len()).flat_map(|row| row.cells().map(|(column, _)| column));
    let unnamed: BTreeSet<usize> = below.filter(|column| !named.contains(column)).collect();
    let nameless =
        |column| Head { column, name: format!("Column {}", letters(column)), folded: String::new() };
    heads.extend(unnamed.into_iter().map(nameless));
    heads.sort_by_key(|head| head.column);
    heads
}

/// The letters of a column, as spreadsheets show it.
fn letters(column: usize) -> String {
    let mut letters = String::new();
    let mut left = column + 1;
    while left > 0 {
        let letter = u8::try_from((left - 1) % 26).unwrap_or(0);
        letters.insert(0, char::from(b'A' + letter));
        left = (left - 1) / 26;
    }
    letters
}

fn columns(
    sheet: Sheet<'_>,
    first: usize,
    heads: &[Head],
    kind: Kind,
    is_ours: bool,
    choices: &Choices,
) -> Vec<Column> {
    let below: Vec<Below> = heads.iter().map(|head| Below::of(sheet, first, head.column)).collect();
    let names: Vec<&str> = heads.iter().map(|head| head.name.as_str()).collect();
    let guesses = match own::zone(&names) {
        Some(_) => guess::columns(&own::for_programs(heads), &below, kind, is_ours),
        None => guess::columns(heads, &below, kind, is_ours),
    };
    let columns = heads.iter().zip(below).zip(guesses).map(|((head, below), guess)| {
        let chosen = choices.columns.get(&head.column).filter(|field| field.is_of(kind));
        Column {
            index: head.column,
            name: head.name.clone(),
            sample: below.sample,
            field: chosen.copied().unwrap_or(guess.field),
            reason: chosen.map_or(guess.reason, |_| "It was chosen.".to_owned()),
        }
    });
    columns.collect()
}

fn fingerprint(kind: Kind, heads: &[Head]) -> String {
    let mut hash = Sha256::new();
    hash.update(format!("{kind:?}"));
    for head in heads {
        hash.update(format!("\n{} {}", head.column, head.folded));
    }
    hex::encode(hash.finalize())
}
