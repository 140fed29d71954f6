//! Merged cells: which cell has what is shown in one that is covered.

use std::collections::HashMap;

/// The most columns that one merged range fills; a wider one is a line of decoration.
const MOST_WIDTH: u32 = 64;

/// The most columns of ranges that are kept.
const MOST_KEPT: usize = 200_000;

/// A merged range, its ends included.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Merge {
    pub(crate) first: (u32, u32),
    pub(crate) last: (u32, u32),
}

/// The merged ranges of a sheet by the columns that they cover.
#[derive(Debug, Default)]
pub(crate) struct Merges {
    by_column: HashMap<u32, Vec<Merge>>,
    kept: usize,
}

impl Merges {
    pub(crate) fn add(&mut self, merge: Merge) {
        let (first, last) = (merge.first.1, merge.last.1);
        if last < first || last - first >= MOST_WIDTH || merge.last.0 < merge.first.0 {
            return;
        }
        for column in first..=last {
            if self.kept < MOST_KEPT {
                self.kept += 1;
                self.by_column.entry(column).or_default().push(merge);
            }
        }
    }

    pub(crate) fn sort(&mut self) {
        for merges in self.by_column.values_mut() {
            merges.sort_by_key(|merge| merge.first.0);
        }
    }

    /// The range that covers a cell.
    pub(crate) fn over(&self, row: u32, column: u32) -> Option<Merge> {
        let merges = self.by_column.get(&column)?;
        let after = merges.partition_point(|merge| merge.first.0 <= row);
        let merge = *merges.get(after.checked_sub(1)?)?;
        (merge.last.0 >= row).then_some(merge)
    }
}
