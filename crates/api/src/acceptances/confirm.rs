//! `POST /v1/acceptances/confirm`

use auth::PublicUrl;
use domain::accepting::AcceptanceConfirmation;
use domain::{RiskNumber, json, words};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::problem::ItemProblem;
use http::word::OneOf;
use serde::Serialize;
use store::acceptances::Confirmed;
use utoipa::ToSchema;

words! {
    "ConfirmationOutcome"
    /// What became of a confirmation.
    enum Outcome {
        /// The acceptance was confirmed.
        Confirmed = "confirmed",
        /// It was not.
        Failed = "failed",
    }
}

type OutcomeView = OneOf<Outcome>;

/// What became of each confirmation.
#[derive(Serialize, ToSchema)]
#[schema(as = ConfirmationResults)]
struct ResultsView<'e> {
    /// How many were confirmed.
    #[schema(minimum = 0, maximum = 1000, examples(1))]
    confirmed_count: usize,
    /// How many were not.
    #[schema(minimum = 0, maximum = 1000)]
    failed_count: usize,
    /// In the order of the risks in the request.
    #[schema(max_items = 1000)]
    results: Vec<ResultView<'e>>,
}

/// What became of the confirmation of the acceptance of a risk.
#[derive(Serialize, ToSchema)]
#[schema(as = ConfirmationResult)]
struct ResultView<'e> {
    /// The id of the risk.
    risk: RiskNumber,
    /// What became of it.
    outcome: OutcomeView,
    /// The number of the acceptance; null if it was not confirmed.
    #[schema(minimum = 1)]
    number: Option<i64>,
    /// Why it was not; absent if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = ItemProblem::schema, required = false)]
    problem: Option<ItemProblem<'e>>,
}

/// Confirm acceptances
///
/// Somebody who may decide about the risks now, such as their new owner, stands by the acceptances in force that others have
/// decided about. State, rating and last day stay. One that cannot be confirmed leaves the others.
#[utoipa::path(
    post,
    path = "/v1/acceptances/confirm",
    operation_id = "confirm_acceptances",
    tag = "Acceptances",
    request_body = AcceptanceConfirmation,
    responses((status = 200, description = "What became of each", body = ResultsView<'_>))
)]
pub(crate) async fn confirm(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let confirmation = request.json(json::body::<AcceptanceConfirmation>).await?;
    let public_url = request.app.auth().public_url.clone();
    request
        .write(
            async move |tx, organization, author| {
                store::acceptances::confirm(tx, organization, author, &confirmation).await
            },
            move |all: Vec<Confirmed>| respond(&public_url, &all),
        )
        .await
}

fn respond(public_url: &PublicUrl, all: &[Confirmed]) -> Result<Answer> {
    let results: Vec<_> = all.iter().map(|it| ResultView::of(public_url, it)).collect();
    let confirmed_count = results.iter().filter(|it| it.number.is_some()).count();
    let failed_count = results.len() - confirmed_count;
    Answer::outcome(&ResultsView { confirmed_count, failed_count, results })
}

impl<'e> ResultView<'e> {
    fn of(public_url: &PublicUrl, (risk, confirmed): &'e Confirmed) -> Self {
        let (outcome, number, problem) = match confirmed {
            Ok(number) => (Outcome::Confirmed, Some(*number), None),
            Err(error) => (Outcome::Failed, None, Some(ItemProblem::at(public_url, error))),
        };
        Self { risk: *risk, outcome: outcome.into(), number, problem }
    }
}
