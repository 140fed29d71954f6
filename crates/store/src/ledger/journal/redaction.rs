//! What the entries about redactions say again of the entries whose payloads were erased.

use std::collections::HashMap;

use serde_json::{Map, Value as Json};

/// The member of the payload of an entry about a redaction: what was redacted, why, and what the erased entries told
/// beside that, by their numbers.
pub(crate) const REDACTION: &str = "redaction";

/// A payload as an object: each field with its values before and after.
pub(crate) type Fields = Map<String, Json>;

/// What the erased entries told, by their numbers. `entries` are those about redactions of one record: number and
/// payload. A redaction may have erased the entry about an earlier one; then it says that again too.
pub(crate) fn told_again<'e>(
    entries: impl IntoIterator<Item = (i64, Option<&'e str>)>,
) -> HashMap<i64, Fields> {
    let mut entries: Vec<_> = entries.into_iter().collect();
    entries.sort_unstable_by_key(|(seq, _)| std::cmp::Reverse(*seq));
    let mut told: HashMap<i64, Fields> = HashMap::new();
    for (seq, payload) in entries {
        let payload =
            payload.and_then(|text| serde_json::from_str(text).ok()).or_else(|| told.get(&seq).cloned());
        for (erased, fields) in payload.iter().flat_map(erased) {
            told.entry(erased).or_insert(fields);
        }
    }
    told
}

/// What the payload of an entry about a redaction says of others.
fn erased(payload: &Fields) -> Vec<(i64, Fields)> {
    let entries = payload.get(REDACTION).and_then(|change| change.pointer("/1/entries"));
    let entries = entries.and_then(Json::as_object).into_iter().flatten();
    entries.filter_map(|(seq, fields)| Some((seq.parse().ok()?, fields.as_object()?.clone()))).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_latest_redaction_tells_what_an_earlier_one_did() {
        let first = json!({"2": {"title": [null, "[redacted]"]}, "1": {"title": [null, "b"]}});
        let restated = json!({"redaction": [null, {"entries": {"2": {"title": [null, "[redacted] too"]}, "1": first["1"]}}]});
        let second = json!({"redaction": [null, {"entries": {"5": restated, "4": {"source": ["a", null]}}}]})
            .to_string();
        let told = told_again([(5, None), (7, Some(second.as_str()))]);
        let title = |seq: i64| told[&seq]["title"][1].as_str().unwrap();
        assert_eq!((title(2), title(1)), ("[redacted] too", "b"));
        assert_eq!(told[&4]["source"][0], "a");
        assert!(told_again([(5, Some("{}")), (6, Some("no json"))]).is_empty());
    }
}
