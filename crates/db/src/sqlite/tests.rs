use rusqlite::StatementStatus;

use super::*;
use crate::options::Location;

#[test]
fn parameters_are_bound_by_their_numbers() {
    let connection = Connection::open_in_memory().unwrap();
    for sql in [
        "SELECT $1 || $2 || $1",
        "SELECT substr($2, 4) || $1 || $2 || $1",
        "SELECT replace('$2', '$2', '') || $1 || $2 || $1",
        "SELECT /* $2 */ $1 || $2 || $1",
    ] {
        let mut statement = connection.prepare(sql).unwrap();
        bind(&mut statement, are_in_order(sql, 2), &[&"one", &"two"]).unwrap();
        let mut rows = statement.raw_query();
        let text: String = rows.next().unwrap().unwrap().get(0).unwrap();
        assert_eq!(text, "onetwoone", "{sql}");
    }
}

#[test]
fn a_statement_may_have_many_parameters() {
    let connection = Connection::open_in_memory().unwrap();
    let values: Vec<i64> = (1..=200).collect();
    let params: Vec<&dyn Param> = values.iter().map(|value| -> &dyn Param { value }).collect();
    let sum: Vec<String> = (1..=200).map(|number| format!("{number} * ${number}")).collect();
    let mut statement = connection.prepare(&format!("SELECT {}", sum.join(" + "))).unwrap();
    for in_order in [true, false] {
        bind(&mut statement, in_order, &params).unwrap();
        let mut rows = statement.raw_query();
        let found: i64 = rows.next().unwrap().unwrap().get(0).unwrap();
        assert_eq!(found, values.iter().map(|value| value * value).sum::<i64>());
    }
}

#[test]
fn parameters_are_in_order_where_the_first_of_each_comes_after_those_before_it() {
    for sql in ["SELECT $1 + $2", "SELECT $1 + $1 + $2 + $1", "VALUES ($1, $2)"] {
        assert!(are_in_order(sql, 2), "{sql}");
    }
    for sql in
        ["SELECT $2 + $1", "SELECT $1", "SELECT '$1' || $1 || $2", "SELECT $1 -- $2", "SELECT $1 + $2 + $3"]
    {
        assert!(!are_in_order(sql, 2), "{sql}");
    }
}

#[test]
fn parameters_that_do_not_fit_the_statement_are_refused() {
    let connection = Connection::open_in_memory().unwrap();
    for sql in [
        "SELECT $1",
        "SELECT $1 || $3",
        "SELECT $1 || $2 || $3",
        "SELECT ?1 || ?2",
        "SELECT $1 || $a",
        "SELECT $0 || $1",
    ] {
        let mut statement = connection.prepare(sql).unwrap();
        assert!(bind(&mut statement, are_in_order(sql, 2), &[&"one", &"two"]).is_err(), "{sql}");
    }
}

#[test]
fn a_statement_is_planned_once_for_all_parameters() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let clock = Arc::new(|| jiff::Timestamp::UNIX_EPOCH);
    let options = Options::new(Location::Sqlite(path.clone()), clock, Arc::new(|_| ()));
    let sqlite = Sqlite::open(&path, Use::Write, &options).unwrap();
    sqlite.run("CREATE TABLE a (b INTEGER NOT NULL)").unwrap();
    let sql = "SELECT b FROM a WHERE b < $1 LIMIT $2";
    for limit in 1_i64..10 {
        sqlite.query::<(i64,)>(sql, &[&limit, &limit]).unwrap();
    }
    let statement = sqlite.connection.prepare_cached(sql).unwrap();
    assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    assert_eq!(statement.get_status(StatementStatus::Run), 9);
}
