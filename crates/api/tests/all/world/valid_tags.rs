//! An example of every request about tags and saved views.

use serde_json::json;

use super::{Ask, World};
use crate::all::operations::Operation;

impl World<'_> {
    pub(super) async fn valid_of_tags(&self, operation: &Operation) -> Ask {
        match operation.key.as_str() {
            "POST /v1/tags" => Ask::post("/v1/tags", self.new_tag()),
            "GET /v1/tags/{}" => Ask::get(format!("/v1/tags/{}", self.tag().await)),
            "PATCH /v1/tags/{}" => {
                let body = json!({"name": self.text(), "color": "#dc2626", "description": self.text()});
                Ask::patch(format!("/v1/tags/{}", self.tag().await), body)
            }
            "DELETE /v1/tags/{}" => Ask::delete(format!("/v1/tags/{}", self.tag().await)),
            "POST /v1/tags/{}/merge" => {
                let body = json!({"into": self.tag().await});
                Ask::post(format!("/v1/tags/{}/merge", self.tagged_risk().await.1), body)
            }
            "POST /v1/views" => Ask::post("/v1/views", self.new_view("incidents")),
            "GET /v1/views/{}" => Ask::get(format!("/v1/views/{}", self.view().await)),
            "PATCH /v1/views/{}" => {
                let filter = json!({"status": ["closed"], "assigned_to": null, "source": [self.text()]});
                let body = json!({"name": self.text(), "filter": filter, "sort": "-number", "shared": true});
                Ask::patch(format!("/v1/views/{}", self.view().await), body)
            }
            "DELETE /v1/views/{}" => Ask::delete(format!("/v1/views/{}", self.view().await)),
            other => panic!("{other} has no example: add one to World::valid in tests/all/world/valid.rs"),
        }
    }
}
