//! An example of every request about acceptances and exceptions.

use domain::Role;
use serde_json::json;

use super::{Ask, World};
use crate::all::operations::Operation;

impl World<'_> {
    pub(super) async fn valid_of_acceptances(&self, operation: &Operation) -> Ask {
        match operation.key.as_str() {
            "POST /v1/risks/{}/acceptances" => {
                let risk = self.risk().await;
                let evaluation = self.evaluation(&risk).await;
                let body = json!({"reason": self.text(), "evaluation": evaluation.parse::<i64>().unwrap()});
                Ask::post(format!("/v1/risks/{risk}/acceptances"), body)
            }
            "POST /v1/risks/{}/acceptances/{}/revoke" => {
                let path = self.accepted().await;
                Ask::post(format!("{path}/revoke"), json!({"reason": self.text()}))
            }
            "POST /v1/risks/{}/acceptances/{}/waive-four-eyes" => {
                let risk = format!("/v1/risks/{}", self.risk().await);
                self.much_asked(&risk, 1).await;
                Ask::post(format!("{risk}/acceptances/1/waive-four-eyes"), json!({"reason": self.text()}))
            }
            "GET /v1/risks/{}/acceptances/{}" => Ask::get(self.accepted().await),
            "GET /v1/risks/{}/acceptances" => {
                let risk = format!("/v1/risks/{}", self.risk().await);
                self.much_asked(&risk, 2).await;
                Ask::get(format!("{risk}/acceptances"))
            }
            other => panic!("{other} has no example: add one to World::valid in tests/all/world.rs"),
        }
    }

    pub(super) async fn valid_of_exceptions(&self, operation: &Operation) -> Ask {
        let document = self.published(1).await;
        match operation.key.as_str() {
            "POST /v1/documents/{}/exceptions" => {
                Ask::post(format!("{document}/exceptions"), self.new_exception().await)
            }
            "POST /v1/documents/{}/exceptions/{}/revoke" => {
                let path = self.excepted(&document).await;
                let approver = self.app.person_of(self.organization, &self.text(), Role::Admin).await;
                let body = json!({"decision": "accepted", "note": self.text(), "document_version": 1});
                self.app.post(&format!("{path}/decision")).bearer(&approver).json(body).expect(200).await;
                Ask::post(format!("{path}/revoke"), json!({"reason": self.text()}))
            }
            "POST /v1/documents/{}/exceptions/{}/waive-four-eyes" => {
                let path = self.excepted(&document).await;
                Ask::post(format!("{path}/waive-four-eyes"), json!({"reason": self.text()}))
            }
            "GET /v1/documents/{}/exceptions/{}" => Ask::get(self.excepted(&document).await),
            "GET /v1/documents/{}/exceptions" => {
                self.excepted(&document).await;
                Ask::get(format!("{document}/exceptions"))
            }
            other => panic!("{other} has no example: add one to World::valid in tests/all/world.rs"),
        }
    }
}
