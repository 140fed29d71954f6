//! `POST /o/{slug}/imports/{id}`: reads the file again, previews it, or imports it.

use db::Tx;
use domain::import::Import;
use domain::{Author, ExpectedVersion, OrgId};
use http::Error;
use http::answer::Answer;
use lists::imports::{ImportPatch, ImportRun, Proposal};

use super::one::import_page;
use crate::frame::form::{Form, ONCE};
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::texts;

pub(super) async fn submit(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    let import = super::import(&request).await?;
    let to = request.to(&format!("/imports/{}", import.id));
    let done = match form.text("step") {
        "read" => read_again(&request, &form, &import, to).await,
        "import" if import.counts.wrong > 0 && !form.has("skip_wrong") => {
            let page = import_page(&request, form, Problems::with(texts::LEAVE_OUT_WRONG)).await?;
            return request.show_again(&page);
        }
        "import" => run(&request, &form, &import, to).await,
        _ => preview(&request, &form, &import, to).await,
    };
    let again = async |problems| import_page(&request, form, problems).await;
    request.answer(done, (String::new(), false), again).await
}

/// `POST /o/{slug}/imports/{id}/cancel`
pub(super) async fn cancel(mut request: PageRequest) -> Result {
    let form = request.form().await?;
    let import = super::import(&request).await?;
    let (to, expected) = (request.to("/imports"), form.expected());
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        store::imports::cancel(tx, organization, author, import.id, &expected).await
    };
    let cancelled = request.write(&form, change, move |()| to.clone()).await;
    let again = async |problems| import_page(&request, Form::default(), problems).await;
    request.answer(cancelled, (texts::IMPORT_CANCELLED, false), again).await
}

/// Reads another sheet, or with another header.
async fn read_again(request: &PageRequest, form: &Form, import: &Import, to: String) -> Result<Answer> {
    let rows = form.text("header_rows").split(|letter: char| !letter.is_ascii_digit());
    let rows: Vec<i64> = rows.filter_map(|row| row.parse().ok()).collect();
    let patch = ImportPatch::reading(form.text("sheet").parse().unwrap_or_default(), rows);
    let next = move |_| Ok(Next::telling(to.clone(), texts::FILE_WAS_READ.to_owned()).answer());
    lists::imports::update(request.write_of(form), import.id, form.expected(), patch, next).await
}

/// Keeps what was chosen and answered, and says what would become of each row.
async fn preview(request: &PageRequest, form: &Form, import: &Import, to: String) -> Result<Answer> {
    let patch = patch(form, import);
    let here = to.clone();
    let kept = move |_| Ok(Answer::see_other(here.clone()));
    lists::imports::update(request.write_of(form), import.id, form.expected(), patch, kept).await?;
    let asked = ImportRun { dry_run: true, accept_proposals: false, skip_wrong: false };
    let next = move |_: &Import| {
        Ok(Next::telling(format!("{to}#preview"), texts::IMPORT_PREVIEWED.to_owned()).answer())
    };
    // The form may be sent again after only the first of the two was made.
    let second = Form::of([(ONCE, format!("{}-preview", form.text(ONCE)))]);
    lists::imports::run(request.write_of(&second), import.id, ExpectedVersion::Any, asked, next).await
}

/// Imports what the preview has shown.
async fn run(request: &PageRequest, form: &Form, import: &Import, to: String) -> Result<Answer> {
    let asked = ImportRun { dry_run: false, accept_proposals: true, skip_wrong: form.has("skip_wrong") };
    let next = move |import: &Import| {
        let told = texts::rows_imported(import.state, import.counts);
        Ok::<_, Error>(Next::telling(to.clone(), told).answer())
    };
    lists::imports::run(request.write_of(form), import.id, form.expected(), asked, next).await
}

/// What was chosen and answered. A column that was not touched is not sent.
fn patch(form: &Form, import: &Import) -> ImportPatch {
    let Proposal { columns, questions, .. } = Proposal::of_stored(&import.proposal).unwrap_or_default();
    let answer = |id: String| {
        let name = format!("answer_{id}");
        form.has(&name).then(|| (id, form.text(&name).to_owned()))
    };
    let answers = questions.into_iter().filter_map(|question| answer(question.id)).collect();
    let chosen = columns.into_iter().filter_map(|column| {
        let field = form.text(&format!("column_{}", column.index));
        (!field.is_empty() && field != column.field).then(|| (column.index, field.to_owned()))
    });
    ImportPatch::answering(answers).choosing(chosen.collect())
}
