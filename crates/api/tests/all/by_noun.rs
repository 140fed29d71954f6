//! A rule of this folder as one test for each noun and engine: `rule::incidents::sqlite`.
//!
//! The tests run side by side, and each has a database with the records of its own noun only. So no test grows with
//! the number of nouns, and one that compares the whole database before and after a request has little to compare.
//! Starting the service costs as much as some twenty requests: a rule that takes a few requests per operation goes over
//! all of them in one test.

use testkit::{Engine, TestApp};

use crate::all::operations::{self, Operation};

/// Calls a macro with every noun: the tags of the OpenAPI document that have an operation for clients. A new one is
/// added here, and the test below says so.
macro_rules! with_nouns {
    ($macro:ident $($argument:tt)*) => {
        $macro! { $($argument)*;
            acceptances acknowledgements clients documents evaluations exceptions groups imports incidents invitations journal notes organizations reviews risks search session severity tags tasks undo users views
        }
    };
}

macro_rules! names {
    (; $($noun:ident)+) => { &[$(stringify!($noun)),+] };
}

/// `by_noun!(operations::writes, rule);` runs `async fn rule(app: TestApp, writes: Vec<Operation>)` for each noun, with
/// those of the operations that belong to the noun. A noun that has none passes without a database.
macro_rules! by_noun {
    ($operations:expr, $test:ident) => {
        with_nouns! { tests_by_noun $test, $operations }
    };
}

macro_rules! tests_by_noun {
    ($test:ident, $operations:expr; $($noun:ident)+) => {
        mod $test {
            #[allow(unused_imports, reason = "the operations may be a function of the file")]
            use super::*;

            $(
                mod $noun {
                    use super::*;

                    #[test]
                    fn sqlite() {
                        let engine = ::testkit::Engine::Sqlite;
                        $crate::all::by_noun::run(engine, stringify!($noun), $operations(), super::super::$test);
                    }

                    #[test]
                    fn postgres() {
                        let engine = ::testkit::Engine::Postgres;
                        $crate::all::by_noun::run(engine, stringify!($noun), $operations(), super::super::$test);
                    }
                }
            )+
        }
    };
}

const NOUNS: &[&str] = with_nouns!(names);

/// What the tests of `by_noun!` call.
pub(crate) fn run<F: Future<Output = ()>>(
    engine: Engine,
    noun: &str,
    operations: Vec<Operation>,
    test: impl FnOnce(TestApp, Vec<Operation>) -> F,
) {
    let own: Vec<_> = operations.into_iter().filter(|operation| operation.noun == noun).collect();
    if !own.is_empty() {
        testkit::run(engine, |app| test(app, own));
    }
}

#[test]
fn every_noun_of_the_document_has_its_tests() {
    let mut nouns: Vec<_> = operations::all().into_iter().map(|operation| operation.noun).collect();
    nouns.sort();
    nouns.dedup();
    assert_eq!(nouns, NOUNS, "write the nouns of the document into with_nouns! in tests/all/by_noun.rs");
}
