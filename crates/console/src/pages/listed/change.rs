//! `POST …/{id}/edit` and `POST …/{id}/status`: changes a record.

use askama::Template;
use db::Tx;
use domain::{Author, OrgId, json};
use http::answer::Answer;
use store::View;

use super::asked::{form_of, with_asked};
use super::{Noun, address, number};
use crate::frame::form::{As, Form};
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::save::save;
use crate::texts;

/// Reads a change from the members of a form.
type Read<N> = fn(json::Json<'_>, &mut domain::Faults) -> Option<<N as store::bulk::Bulk>::Patch>;

/// Changes what differs from the version that the form was made of; `page` shows the form.
pub(in crate::pages) async fn edit<N: Noun, P: Template>(
    mut request: PageRequest,
    (members, read): (&[(&'static str, As)], Read<N>),
    page: impl AsyncFn(&PageRequest, Option<Form>, Problems) -> Result<P>,
) -> Result {
    request.require(N::WRITE)?;
    let number = number::<N>(&request)?;
    let sent = request.form().await?;
    let (request, sent) = (&request, &sent);
    let current = || async move {
        let (mut tx, viewer) = (request.read().await?, request.viewer());
        let now = N::GET(&mut tx, request.id(), &viewer, number, View::now()).await?;
        Ok(form_of(&now, N::VERSION(&now), members, &request.clock))
    };
    let write = |form: Form| async move {
        let members = form.changed(&with_asked::<N>(members), &request.clock);
        let patch = form.read_as(&members, &request.clock, read)?;
        update::<N>(request, (sent, &form), number, patch).await
    };
    let (changed, form) = save(sent.clone(), &request.clock, current, write).await;
    let done = match form.changed(&with_asked::<N>(members), &request.clock).as_slice() {
        [(path, _)] => updated::<N>(path, number),
        _ => texts::record_updated(number),
    };
    let again = async |problems| page(request, Some(form), problems).await;
    request.answer(changed, (done, true), again).await
}

/// That this member of a record was changed.
fn updated<N: Noun>(path: &str, number: N::Number) -> String {
    let name = path.split('/').next().unwrap_or_default();
    N::field(name)
        .map_or_else(|| texts::record_updated(number), |field| texts::field_updated(field.label, number))
}

/// Changes these members of the record whose page has the form, and says so in these words.
pub(in crate::pages) async fn change<N: Noun>(
    mut request: PageRequest,
    (members, read): (&[(&'static str, As)], Read<N>),
    told: impl FnOnce(&PageRequest, N::Number, &Form) -> String,
) -> Result {
    request.require(N::WRITE)?;
    let number = number::<N>(&request)?;
    let form = request.form().await?;
    let changed = async {
        let patch = form.read_as(members, &request.clock, read)?;
        update::<N>(&request, (&form, &form), number, patch).await
    };
    let changed = changed.await;
    let told = told(&request, number, &form);
    let again = async |problems| N::show(&request, form, problems).await;
    request.answer(changed, (told, true), again).await
}

/// Changes the version that a form was made of; `sent` is the form as it was sent.
pub(in crate::pages) async fn update<N: Noun>(
    request: &PageRequest,
    (sent, form): (&Form, &Form),
    number: N::Number,
    patch: N::Patch,
) -> Result<Answer> {
    let (to, expected, version) = (address::<N>(request, number), form.expected(), form.version());
    let generation = N::IS_RATED(&patch).then(|| sent.generation());
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        if let Some(generation) = generation {
            store::scales::require_generation(tx, organization, generation, "#/inherent").await?;
        }
        N::UPDATE(tx, organization, author, number, &expected, &patch).await
    };
    let next = move |it: N| Next::after(Some(N::VERSION(&it)) != version, to.clone());
    request.write(sent, change, next).await
}
