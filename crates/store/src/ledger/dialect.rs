//! SQL that differs between the two engines. Everything else is one SQL text.

use db::Engine;
use uuid::Uuid;

/// A table `wanted (number)` made of the parameter `$2`, which is made by [`numbers_parameter`]: the
/// text of the statement does not depend on how many numbers there are.
///
/// PostgreSQL expects ten rows of an array that it does not know, and so looks up each of them in an index, also before a table
/// has statistics. Of `json_array_elements` alone it expects a hundred, and may read all rows of the organization instead.
pub(crate) fn wanted_numbers(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "(SELECT value AS number FROM json_each($2)) AS wanted",
        // The parameter is sent as text, because that is a type that both engines have.
        Engine::Postgres => {
            "(SELECT number FROM unnest(ARRAY(SELECT CAST(element AS BIGINT)
              FROM json_array_elements_text(CAST(CAST($2 AS TEXT) AS JSON)) AS list (element))) AS list (number)) AS wanted"
        }
    }
}

/// A table `wanted (item)` made of the parameter at `place`, such as `$2`, which is a JSON array of texts.
pub(crate) fn wanted_texts(engine: Engine, place: &str) -> String {
    match engine {
        Engine::Sqlite => format!("(SELECT value AS item FROM json_each({place})) AS wanted"),
        Engine::Postgres => format!(
            "(SELECT item FROM unnest(ARRAY(SELECT element
              FROM json_array_elements_text(CAST(CAST({place} AS TEXT) AS JSON)) AS list (element))) AS list (item)) AS wanted"
        ),
    }
}

/// These members of the objects in a column with a JSON array, with a character between them.
pub(crate) fn members(engine: Engine, column: &str, names: &[&str], between: char) -> String {
    let member = |name: &&str| match engine {
        Engine::Sqlite => format!("COALESCE(json_extract(value, '$.{name}'), '')"),
        Engine::Postgres => format!("COALESCE(element ->> '{name}', '')"),
    };
    let members = names.iter().map(member).collect::<Vec<_>>().join(&format!(" || '{between}' || "));
    match engine {
        Engine::Sqlite => format!("(SELECT group_concat({members}, '{between}') FROM json_each({column}))"),
        Engine::Postgres => format!(
            "(SELECT string_agg({members}, '{between}')
              FROM json_array_elements(CAST({column} AS JSON)) AS list (element))"
        ),
    }
}

/// A join of the table `entry` with the fields of its payload, and the expression of a field's value afterwards. The field is in
/// `field.key`.
pub(crate) fn fields_of_entries(engine: Engine) -> [&'static str; 2] {
    match engine {
        Engine::Sqlite => {
            ["CROSS JOIN json_each(entry.payload) AS field", "json_extract(field.value, '$[1]')"]
        }
        Engine::Postgres => [
            "CROSS JOIN LATERAL json_each(CAST(entry.payload AS JSON)) AS field (key, value)",
            "field.value ->> 1",
        ],
    }
}

/// The texts of all rows of a statement in this order, with a character between them.
pub(crate) fn all_of(engine: Engine, text: &str, order: &str, between: char) -> String {
    let function = match engine {
        Engine::Sqlite => "group_concat",
        Engine::Postgres => "string_agg",
    };
    format!("{function}({text}, '{between}' ORDER BY {order})")
}

/// The day (UTC) of a time in a column, such as `2026-03-01`.
pub(crate) fn day(engine: Engine, column: &str) -> String {
    match engine {
        Engine::Sqlite => format!("date({column} / 1000000, 'unixepoch')"),
        Engine::Postgres => format!("to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD')"),
    }
}

/// The parameter of [`wanted_numbers`].
pub(crate) fn numbers_parameter(numbers: impl IntoIterator<Item = i64>) -> String {
    let numbers: Vec<String> = numbers.into_iter().map(|number| number.to_string()).collect();
    format!("[{}]", numbers.join(","))
}

/// A table `wanted (word, block)` made of the parameter at `place`, which is a JSON array of pairs.
pub(crate) fn wanted_words(engine: Engine, place: &str) -> String {
    match engine {
        Engine::Sqlite => format!(
            "(SELECT json_extract(value, '$[0]') AS word, json_extract(value, '$[1]') AS block
              FROM json_each({place})) AS wanted"
        ),
        Engine::Postgres => format!(
            "(SELECT element ->> 0 AS word, CAST(element ->> 1 AS BIGINT) AS block
              FROM unnest(ARRAY(SELECT element FROM json_array_elements(CAST(CAST({place} AS TEXT) AS JSON))
                                AS list (element))) AS list (element)) AS wanted"
        ),
    }
}

/// A table `wanted (number, part)` made of the parameter `$2`, which is a JSON array of pairs of numbers.
pub(crate) fn wanted_units(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => {
            "(SELECT json_extract(value, '$[0]') AS number, json_extract(value, '$[1]') AS part
              FROM json_each($2)) AS wanted"
        }
        Engine::Postgres => {
            "(SELECT CAST(element ->> 0 AS BIGINT) AS number, CAST(element ->> 1 AS BIGINT) AS part
              FROM unnest(ARRAY(SELECT element FROM json_array_elements(CAST(CAST($2 AS TEXT) AS JSON))
                                AS list (element))) AS list (element)) AS wanted"
        }
    }
}

/// The condition that a text contains another one.
pub(crate) fn contains(engine: Engine, text: &str, wanted: &str) -> String {
    match engine {
        Engine::Sqlite => format!("instr({text}, {wanted}) > 0"),
        Engine::Postgres => format!("strpos({text}, CAST({wanted} AS TEXT)) > 0"),
    }
}

/// The condition that a column has one of the numbers in the parameter at `place`, which [`among_parameter`] makes. They may
/// be many. It is no join, so that PostgreSQL makes it a condition of an index in statements that join many tables too.
pub(crate) fn among(engine: Engine, column: &str, place: &str) -> String {
    match engine {
        Engine::Sqlite => format!("{column} IN (SELECT value FROM json_each({place}))"),
        Engine::Postgres => format!("{column} = ANY (CAST(CAST({place} AS TEXT) AS BIGINT[]))"),
    }
}

/// The parameter of [`among`].
pub(crate) fn among_parameter(engine: Engine, numbers: impl IntoIterator<Item = i64>) -> String {
    let list = numbers_parameter(numbers);
    match engine {
        Engine::Sqlite => list,
        Engine::Postgres => list.replace('[', "{").replace(']', "}"),
    }
}

/// The condition that a column has one of the ids in the parameter at `place`, which [`ids_parameter`] makes.
pub(crate) fn among_ids(engine: Engine, column: &str, place: &str) -> String {
    match engine {
        Engine::Sqlite => format!("{column} IN (SELECT unhex(value) FROM json_each({place}))"),
        Engine::Postgres => format!("{column} = ANY (CAST(CAST({place} AS TEXT) AS UUID[]))"),
    }
}

/// The parameter of [`among_ids`].
pub(crate) fn ids_parameter(engine: Engine, ids: impl IntoIterator<Item = Uuid>) -> String {
    let ids: Vec<_> = ids.into_iter().map(|id| format!("\"{}\"", id.simple())).collect();
    match engine {
        Engine::Sqlite => format!("[{}]", ids.join(",")),
        Engine::Postgres => format!("{{{}}}", ids.join(",")),
    }
}

/// The elements of an array in a column with JSON, `path` inside of it, as the column `value` of a table with this name.
pub(crate) fn elements(engine: Engine, column: &str, path: &str, name: &str) -> String {
    match engine {
        Engine::Sqlite => format!("json_each({column}{path}) AS {name}"),
        Engine::Postgres => format!("json_array_elements(CAST({column} AS JSON){path}) AS {name} (value)"),
    }
}

/// The characters of `domain::text::breaks_a_line`, as a set of both engines' patterns. No text has U+0000.
const BREAK_LINES: &str = "\u{1}-\u{1f}\u{7f}-\u{9f}\u{2028}-\u{202e}\u{2066}-\u{2069}";

/// The condition that a text has a character that breaks a line.
pub(crate) fn breaks_a_line(engine: Engine, text: &str) -> String {
    match engine {
        Engine::Sqlite => format!("{text} GLOB '*[{BREAK_LINES}]*'"),
        Engine::Postgres => format!("{text} ~ '[{BREAK_LINES}]'"),
    }
}

/// What follows a SELECT of rows that are to be deleted: rows that another transaction has locked are skipped and
/// deleted in a later run. SQLite has one writer at a time.
pub(crate) fn skip_locked(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "",
        Engine::Postgres => " FOR UPDATE SKIP LOCKED",
    }
}

/// The statement that gives the names of the tables there are.
pub(crate) fn tables(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "SELECT name FROM sqlite_schema WHERE type = 'table'",
        Engine::Postgres => {
            "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = current_schema()"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BREAK_LINES;

    #[test]
    fn the_database_knows_what_breaks_a_line() {
        let ends: Vec<char> = BREAK_LINES.chars().filter(|it| *it != '-').collect();
        let is_known =
            |it: char| ends.chunks(2).any(|ends| matches!(ends, [from, to] if *from <= it && it <= *to));
        for it in '\u{1}'..=char::MAX {
            assert_eq!(is_known(it), domain::text::breaks_a_line(it), "{it:?}");
        }
    }
}
