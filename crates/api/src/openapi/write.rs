//! How the document is written: indented by one space, and what fits into a line in one line.

use serde_json::Value;

/// The characters of a line.
const LINE: usize = 120;

/// The text of a document.
pub(super) fn text(document: &Value) -> String {
    let mut text = String::with_capacity(700 * 1024);
    write(document, 0, 0, &mut text);
    text.push('\n');
    text
}

/// Writes a value that begins at this column of a line with this indent.
fn write(value: &Value, indent: usize, column: usize, out: &mut String) {
    let line = value.to_string();
    match value {
        Value::Object(members) if column + line.len() > LINE => {
            let members =
                members.iter().map(|(name, member)| (format!("{}: ", Value::from(name.as_str())), member));
            lines('{', members, '}', indent, out);
        }
        Value::Array(items) if column + line.len() > LINE => {
            lines('[', items.iter().map(|item| (String::new(), item)), ']', indent, out);
        }
        _ => out.push_str(&line),
    }
}

fn lines<'v>(
    open: char,
    parts: impl Iterator<Item = (String, &'v Value)>,
    close: char,
    indent: usize,
    out: &mut String,
) {
    out.push(open);
    for (index, (name, part)) in parts.enumerate() {
        let start = format!("{}\n{}{name}", if index == 0 { "" } else { "," }, " ".repeat(indent + 1));
        out.push_str(&start);
        write(part, indent + 1, start.len(), out);
    }
    out.push('\n');
    out.push_str(&" ".repeat(indent));
    out.push(close);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_fits_is_in_one_line() {
        let long = "x".repeat(LINE);
        let value = json!({"a": {"b": [1, 2]}, "c": [{"d": long}, {}]});
        let expected = format!(
            "{{\n \"a\": {{\"b\":[1,2]}},\n \"c\": [\n  {{\n   \"d\": \"{long}\"\n  }},\n  {{}}\n ]\n}}\n"
        );
        assert_eq!(text(&value), expected);
        assert_eq!(serde_json::from_str::<Value>(&text(&value)).unwrap(), value);
    }
}
