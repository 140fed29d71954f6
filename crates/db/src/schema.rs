//! One text of a schema for both engines.
//!
//! It is written for PostgreSQL, each column of a table on a line of its own, and differs in this:
//!
//! | text | SQLite | PostgreSQL |
//! | --- | --- | --- |
//! | `UUID`, `BYTEA` | `BLOB` | as it is |
//! | `BIGINT`, `BOOLEAN`, `TIMESTAMPTZ` | `INTEGER` | as it is |
//! | `TEXT` | as it is | `TEXT COLLATE "C"`: text sorts by its bytes on both |
//! | `)` at the end of a table | `) STRICT` | as it is |
//! | `) WITHOUT ROWID` | `) STRICT, WITHOUT ROWID` | `)` |
//! | `WITH (…)` at the end of a table | left out | as it is |
//! | the type after `ADD COLUMN` | as in a table | as in a table |
//! | `(a) INCLUDE (b)` of an index | `(a, b)` | as it is |
//! | `CREATE HISTORY OF incident;` | the table `incident_history` | the same |
//! | what follows `-- On SQLite:` | as it is | left out |
//! | what follows `-- On PostgreSQL:` | left out | as it is |
//! | what follows `-- On both:` | as it is | as it is |
//!
//! A history has the columns of its table, `seq_to` after `seq_from`, and `seq_from` at the end of the key. Its table is in the
//! same text: the history of any other stays as it is written, which no engine takes.

use crate::options::Engine;

/// The types of columns: the name in a schema, on SQLite and on PostgreSQL.
const TYPES: [(&str, &str, &str); 6] = [
    ("UUID", "BLOB", "UUID"),
    ("BYTEA", "BLOB", "BYTEA"),
    ("BIGINT", "INTEGER", "BIGINT"),
    ("BOOLEAN", "INTEGER", "BOOLEAN"),
    ("TIMESTAMPTZ", "INTEGER", "TIMESTAMPTZ"),
    ("TEXT", "TEXT", "TEXT COLLATE \"C\""),
];

/// The statements of a schema for an engine.
pub(crate) fn for_engine(engine: Engine, text: &str) -> String {
    let mut statements = Vec::new();
    let mut is_for = true;
    for line in text.lines() {
        match line {
            "-- On SQLite:" => is_for = engine == Engine::Sqlite,
            "-- On PostgreSQL:" => is_for = engine == Engine::Postgres,
            "-- On both:" => is_for = true,
            _ if !is_for => {}
            _ => match line.strip_prefix("CREATE HISTORY OF ") {
                Some(table) => match history(text, table.trim_end_matches(';')) {
                    made if made.is_empty() => statements.push(line.to_owned()),
                    made => statements.extend(made),
                },
                None => statements.push(line.to_owned()),
            },
        }
    }
    let mut in_table = false;
    for line in &mut statements {
        let ends = line.starts_with(')');
        if in_table && ends {
            *line = table_end(engine, line);
        } else if in_table {
            *line = column(engine, line);
        } else if let Some((table, added)) = line.split_once(" ADD COLUMN ") {
            *line = format!("{table} ADD COLUMN {}", column(engine, added).trim_start());
        } else if engine == Engine::Sqlite {
            *line = line.replace(") INCLUDE (", ", ");
        }
        in_table = (in_table && !ends) || (line.starts_with("CREATE TABLE ") && line.ends_with('('));
    }
    statements.join("\n")
}

/// The lines of the table with the earlier states of `table`; none if the text does not have that table.
fn history(text: &str, table: &str) -> Vec<String> {
    let first = format!("CREATE TABLE {table} (");
    let mut lines = Vec::new();
    for line in text.lines().skip_while(|line| **line != first) {
        if let Some(key) = line.trim_start().strip_prefix(&format!("CONSTRAINT {table}_pkey PRIMARY KEY (")) {
            let columns = key.trim_end_matches([')', ',']);
            lines.push(format!("    CONSTRAINT {table}_history_pkey PRIMARY KEY ({columns}, seq_from)"));
        } else if line == first {
            lines.push(format!("CREATE TABLE {table}_history ("));
        } else if !line.trim_start().starts_with("CONSTRAINT ") {
            lines.push(line.to_owned());
        }
        if line.trim_start().starts_with("seq_from ") {
            lines.push("    seq_to BIGINT NOT NULL,".to_owned());
        }
        if line.starts_with(')') {
            break;
        }
    }
    lines
}

/// A line of a table with the engine's name of the column's type.
fn column(engine: Engine, line: &str) -> String {
    let (code, comment) = line.split_once("--").unwrap_or((line, ""));
    let mut words = code.split_whitespace();
    let (Some(name), Some(kind)) = (words.next(), words.next()) else { return line.to_owned() };
    let bare = kind.trim_end_matches([',', ';']);
    let Some((_, sqlite, postgres)) = TYPES.iter().find(|(known, ..)| *known == bare) else {
        return line.to_owned();
    };
    let kind = kind.replace(bare, if engine == Engine::Sqlite { sqlite } else { postgres });
    let rest: String = words.map(|word| format!(" {word}")).collect();
    let comment = if comment.is_empty() { String::new() } else { format!(" --{comment}") };
    format!("    {name} {kind}{rest}{comment}")
}

/// The last line of a table.
fn table_end(engine: Engine, line: &str) -> String {
    let (line, options) =
        line.trim_end_matches(';').split_once(" WITH (").unwrap_or((line.trim_end_matches(';'), ""));
    let without_rowid = line.ends_with(" WITHOUT ROWID");
    match engine {
        Engine::Sqlite if without_rowid => ") STRICT, WITHOUT ROWID;".to_owned(),
        Engine::Sqlite => ") STRICT;".to_owned(),
        Engine::Postgres if options.is_empty() => ");".to_owned(),
        Engine::Postgres => format!(") WITH ({options};"),
    }
}

#[cfg(test)]
mod tests {
    use super::for_engine;
    use crate::options::Engine;

    const TEXT: &str = "\
-- Words of `incident`, of type TEXT.
CREATE TABLE incident (
    organization UUID        NOT NULL,
    number       BIGINT      NOT NULL, -- INC-0001 is 1
    title        TEXT        NOT NULL,
    text         TEXT, -- TEXT that may be missing
    restricted   BOOLEAN,
    seq_from     BIGINT      NOT NULL,
    description  TEXT        NOT NULL,
    CONSTRAINT incident_pkey PRIMARY KEY (organization, number),
    CONSTRAINT incident_number CHECK (number > 0)
);

CREATE HISTORY OF incident;

CREATE INDEX incident_by_title ON incident
    (organization, title) INCLUDE (restricted)
    WHERE CAST(number AS BIGINT) > 0;

CREATE TABLE head (
    hash BYTEA       NOT NULL,
    at   TIMESTAMPTZ NOT NULL,
    CONSTRAINT head_pkey PRIMARY KEY (hash)
) WITHOUT ROWID WITH (fillfactor = 50);

-- On SQLite:
SELECT 'sqlite';
-- On PostgreSQL:
SELECT 'postgres';
-- On both:
ALTER TABLE head ADD COLUMN label TEXT;";

    #[test]
    fn a_schema_is_translated_for_sqlite() {
        let expected = "\
-- Words of `incident`, of type TEXT.
CREATE TABLE incident (
    organization BLOB NOT NULL,
    number INTEGER NOT NULL, -- INC-0001 is 1
    title TEXT NOT NULL,
    text TEXT, -- TEXT that may be missing
    restricted INTEGER,
    seq_from INTEGER NOT NULL,
    description TEXT NOT NULL,
    CONSTRAINT incident_pkey PRIMARY KEY (organization, number),
    CONSTRAINT incident_number CHECK (number > 0)
) STRICT;

CREATE TABLE incident_history (
    organization BLOB NOT NULL,
    number INTEGER NOT NULL, -- INC-0001 is 1
    title TEXT NOT NULL,
    text TEXT, -- TEXT that may be missing
    restricted INTEGER,
    seq_from INTEGER NOT NULL,
    seq_to INTEGER NOT NULL,
    description TEXT NOT NULL,
    CONSTRAINT incident_history_pkey PRIMARY KEY (organization, number, seq_from)
) STRICT;

CREATE INDEX incident_by_title ON incident
    (organization, title, restricted)
    WHERE CAST(number AS BIGINT) > 0;

CREATE TABLE head (
    hash BLOB NOT NULL,
    at INTEGER NOT NULL,
    CONSTRAINT head_pkey PRIMARY KEY (hash)
) STRICT, WITHOUT ROWID;

SELECT 'sqlite';
ALTER TABLE head ADD COLUMN label TEXT;";
        assert_eq!(for_engine(Engine::Sqlite, TEXT), expected);
    }

    #[test]
    fn the_history_of_a_table_that_the_text_lacks_is_left_for_the_engine_to_refuse() {
        for engine in [Engine::Sqlite, Engine::Postgres] {
            assert!(for_engine(engine, TEXT).contains("CREATE TABLE incident_history ("));
            let text = "CREATE TABLE task (\n    seq_from BIGINT NOT NULL\n);\nCREATE HISTORY OF tusk;";
            assert!(for_engine(engine, text).ends_with("\nCREATE HISTORY OF tusk;"));
        }
    }

    #[test]
    fn a_schema_is_translated_for_postgresql() {
        let translated = for_engine(Engine::Postgres, TEXT);
        for line in [
            "    organization UUID NOT NULL,",
            "    text TEXT COLLATE \"C\", -- TEXT that may be missing",
            "    seq_to BIGINT NOT NULL,",
            "    CONSTRAINT incident_history_pkey PRIMARY KEY (organization, number, seq_from)",
            "    (organization, title) INCLUDE (restricted)",
            ") WITH (fillfactor = 50);",
            "SELECT 'postgres';",
            "ALTER TABLE head ADD COLUMN label TEXT COLLATE \"C\";",
        ] {
            assert!(translated.lines().any(|translated| translated == line), "{line}\n{translated}");
        }
        for word in ["ROWID", "STRICT", "BLOB", "INTEGER", "sqlite"] {
            assert!(!translated.contains(word), "{word}\n{translated}");
        }
    }
}
