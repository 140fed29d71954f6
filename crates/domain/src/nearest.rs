//! "Did you mean …?"

/// The known name that differs from `name` in at most a third of its letters, without regard to case.
pub fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    // No known name is this long, and computing the distance takes time proportional to the square of the length.
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return None;
    }
    let name = name.to_ascii_lowercase();
    known
        .into_iter()
        .map(|candidate| (distance(&name, &candidate.to_ascii_lowercase()), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.len() / 3).max(1))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The edit distance in bytes, where swapping two neighbours, the most common typo, is one edit (optimal string
/// alignment).
fn distance(from: &str, to: &str) -> usize {
    let width = to.len() + 1;
    let mut above_last = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    let mut before = None;
    for (i, a) in from.bytes().enumerate() {
        let mut row = Vec::with_capacity(width);
        let mut left = i + 1;
        row.push(left);
        let mut neighbour = None;
        // The cells above and diagonally above, and the one that a swap comes from.
        let cells = last.iter().zip(last.iter().skip(1));
        let swaps = std::iter::once(usize::MAX).chain(above_last.iter().copied());
        for ((b, (diagonal, above)), swapped) in to.bytes().zip(cells).zip(swaps) {
            let mut best = (diagonal + usize::from(a != b)).min(left + 1).min(above + 1);
            if before == Some(b) && neighbour == Some(a) {
                best = best.min(swapped.saturating_add(1));
            }
            row.push(best);
            left = best;
            neighbour = Some(b);
        }
        above_last = std::mem::replace(&mut last, row);
        before = Some(a);
    }
    last.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_finds_its_name() {
        let known = ["title", "description", "severity", "limit", "as_of"];
        assert_eq!(nearest("serverity", known), Some("severity"));
        assert_eq!(nearest("TITLE", known), Some("title"));
        assert_eq!(nearest("serverity", ["SEVERITY"]), Some("SEVERITY"));
        assert_eq!(nearest("limt", known), Some("limit"));
        assert_eq!(nearest("titel", known), Some("title"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest(&"x".repeat(1000), known), None);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("ab", "ba"), 1);
        assert_eq!(distance("abcd", "badc"), 2);
        assert_eq!(distance("ca", "abc"), 3);
    }
}
