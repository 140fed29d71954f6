//! The tables of docs/severity.md are those of the code.

use std::fmt::Write;

use super::repository;
use crate::Word;
use crate::severity::bailiwick::{BAILIWICK_1, FloorFact, Impact, Urgency};
use crate::severity::cisa::{CISA_NCISSS_1, Factor};
use crate::severity::phrase::sentence;

/// `BLESS=1 cargo nextest run -p domain the_committed_tables` rewrites the tables of the page.
#[test]
fn the_committed_tables_are_those_of_the_code() {
    let path = repository().join("docs/severity.md");
    let mut page = std::fs::read_to_string(&path).unwrap();
    for (name, table) in [
        ("levels", levels()),
        ("floors", floors()),
        ("impacts", impacts()),
        ("factors", factors()),
        ("cuts", cuts()),
    ] {
        let begin = format!("<!-- {name}: from the code -->\n");
        let (head, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("no place for {name}"));
        let (committed, tail) = rest.split_once("<!-- end -->\n").unwrap();
        if std::env::var_os("BLESS").is_none() {
            let why = "docs/severity.md is stale: BLESS=1 cargo nextest run -p domain the_committed_tables";
            assert!(committed == table, "{name}: {why}\n{table}");
        }
        page = [head, &begin, &table, "<!-- end -->\n", tail].concat();
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, page).unwrap();
    }
}

fn levels() -> String {
    let mut out = "| highest impact |".to_owned();
    Urgency::ALL.iter().for_each(|urgency| write!(out, " `{urgency}` |").unwrap());
    out.push_str("\n| --- | --- | --- | --- |\n");
    for impact in Impact::all().rev() {
        write!(out, "| {} |", impact.get()).unwrap();
        for urgency in Urgency::ALL {
            write!(out, " {} |", BAILIWICK_1.level(impact, *urgency)).unwrap();
        }
        out.push('\n');
    }
    out
}

fn floors() -> String {
    let mut out = "| answer | at least |\n| --- | --- |\n".to_owned();
    for floor in BAILIWICK_1.floors {
        let answer = match floor.0 {
            FloorFact::People(least) => format!("`people` is {least} or more"),
            FloorFact::PersonalDataPeople(least) => format!("`personal_data_people` is {least} or more"),
            FloorFact::AdministratorCredentials => "`administrator_credentials` is true".to_owned(),
        };
        writeln!(out, "| {answer} | {} |", floor.1).unwrap();
    }
    out
}

fn impacts() -> String {
    let mut out = "| area | what it is about | impact | meaning |\n| --- | --- | --- | --- |\n".to_owned();
    for row in BAILIWICK_1.areas {
        for impact in Impact::all() {
            let (name, about) = match impact {
                Impact::NONE => (format!("`{}`", row.area), row.area.meaning()),
                _ => (String::new(), ""),
            };
            writeln!(out, "| {name} | {about} | {} | {} |", impact.get(), sentence(row.meaning(impact)))
                .unwrap();
        }
    }
    out
}

fn factors() -> String {
    let mut out =
        "| factor | weight | value | answer | meaning |\n| --- | --- | --- | --- | --- |\n".to_owned();
    let it = &CISA_NCISSS_1;
    factor("functional_impact", &it.functional_impact, &mut out);
    factor("observed_activity", &it.observed_activity, &mut out);
    factor("location", &it.location, &mut out);
    factor("actor", &it.actor, &mut out);
    factor("information_impact", &it.information_impact, &mut out);
    factor("recoverability", &it.recoverability, &mut out);
    factor("cross_sector_dependency", &it.cross_sector_dependency, &mut out);
    factor("potential_impact", &it.potential_impact, &mut out);
    out
}

fn factor<W: Word>(name: &str, factor: &Factor<W>, out: &mut String) {
    for (index, (word, value)) in factor.values.iter().enumerate() {
        let (name, weight) = match index {
            0 => (format!("`{name}`"), factor.weight.to_string()),
            _ => (String::new(), String::new()),
        };
        writeln!(out, "| {name} | {weight} | {value} | `{}` | {} |", word.as_str(), word.meaning()).unwrap();
    }
}

fn cuts() -> String {
    let mut out = "| score | level |\n| --- | --- |\n".to_owned();
    for (least, level) in CISA_NCISSS_1.levels {
        writeln!(out, "| {least} or more | {level} |").unwrap();
    }
    out.push_str("| less | low |\n");
    out
}
