//! An example of every request about imports.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use super::{Ask, World};

impl World<'_> {
    /// A file with so many risks to import.
    fn new_import(&self, rows: usize) -> Ask {
        let rows: String = (0..rows).map(|_| format!("{},{},4,5\n", self.slug(), self.text())).collect();
        let file = STANDARD.encode(format!("Ref,Title,Likelihood,Impact\n{rows}"));
        Ask::post("/v1/imports", json!({"name": "register.csv", "content": file}))
    }

    /// The path of an import with so many rows, of which it is known what would become of them.
    pub(crate) async fn tried_import(&self, rows: usize) -> String {
        let path = format!("/v1/imports/{}", self.created(&self.new_import(rows), "id").await);
        self.must(&Ask::post(format!("{path}/run"), json!({"dry_run": true}))).await;
        path
    }

    pub(super) async fn valid_of_imports(&self, key: &str) -> Ask {
        let new = self.new_import(1);
        if key == "POST /v1/imports" {
            return new;
        }
        let path = format!("/v1/imports/{}", self.created(&new, "id").await);
        match key {
            "PATCH /v1/imports/{}" => {
                let answers = json!([{"id": "stage:single", "answer": "both"}]);
                Ask::patch(path, json!({"header_rows": [1], "answers": answers}))
            }
            "DELETE /v1/imports/{}" => Ask::delete(path),
            "POST /v1/imports/{}/run" => Ask::post(format!("{path}/run"), json!({"accept_proposals": true})),
            "GET /v1/imports/{}/rows" => Ask::get(format!("{path}/rows")),
            _ => Ask::get(path),
        }
    }
}
