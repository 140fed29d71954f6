//! `POST /v1/acceptances/confirm`

use domain::accepting::AcceptanceConfirmation;
use domain::{json, words};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use store::acceptances::Confirmed;

use crate::results::results;

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

results! {
    /// What became of each confirmation.
    ConfirmationResults: 1000;
    /// How many were confirmed.
    confirmed_count: Confirmed;
    /// What became of the confirmation of the acceptance of a risk.
    ConfirmationResult;
    /// The number of the acceptance; null if it was not confirmed.
    number;
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
            move |all: Vec<Confirmed>| Answer::outcome(&ResultsView::of(&public_url, &all)),
        )
        .await
}
