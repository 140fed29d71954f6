//! Saving a form that shows a record. Two people who change different fields do not get in each other's way.

use domain::Error as E;
use http::Error;
use http::answer::Answer;

use super::clock::Clock;
use super::form::Form;
use super::page_request::Result;

/// How often a form is put onto the record as somebody else has just saved it.
const TRIES: usize = 3;

/// Saves what a person has changed in a form. If somebody else has changed other fields since the page was shown, it is saved
/// on top of that; if both have changed the same, it is refused. Returns the form as it is to be shown again.
///
/// `write` saves a form on the version that it names, and `current` is the form of the record as it is now.
pub(crate) async fn save<C, W>(
    form: Form,
    clock: &Clock,
    current: impl Fn() -> C,
    write: impl Fn(Form) -> W,
) -> (Result<Answer>, Form)
where
    C: Future<Output = Result<Form>>,
    W: Future<Output = Result<Answer>>,
{
    let mut form = form;
    for _ in 0..TRIES {
        match write(form.clone()).await {
            Err(Error::Domain(E::Outdated { current: version })) => {
                form = match current().await {
                    Ok(current) => form.onto(&current, clock),
                    Err(error) => return (Err(error), form),
                };
                if form.has_theirs() {
                    return (Err(Error::Domain(E::Outdated { current: version })), form);
                }
            }
            result => return (result, form),
        }
    }
    (Err(Error::Domain(E::Outdated { current: form.version() })), form)
}
