//! Lists in one cell, as our own exports write them.

/// The items of a list: with `; ` between them, and in quotes those that have that within, or begin with a quote.
pub(crate) fn items(text: &str) -> Vec<String> {
    let (mut items, mut is_open): (Vec<String>, bool) = (Vec::new(), false);
    for part in text.split("; ") {
        let is_odd = part.matches('"').count() % 2 == 1;
        match items.last_mut().filter(|_| is_open) {
            Some(open) => {
                open.push_str("; ");
                open.push_str(part);
                is_open = !is_odd;
            }
            None => {
                items.push(part.to_owned());
                is_open = is_odd && part.starts_with('"');
            }
        }
    }
    items.into_iter().map(unquoted).collect()
}

fn unquoted(item: String) -> String {
    let inside = item.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inside.map(|inside| inside.replace("\"\"", "\"")).unwrap_or(item)
}

#[cfg(test)]
mod tests {
    use super::items;

    #[test]
    fn items_may_have_the_separator_and_quotes_within() {
        assert_eq!(items("a; b;c; d;"), ["a", "b;c", "d;"]);
        assert_eq!(items(r#""a; b"; c"d; """e""; f""#), ["a; b", r#"c"d"#, r#""e"; f"#]);
    }
}
