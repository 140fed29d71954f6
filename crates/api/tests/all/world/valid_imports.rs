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

    /// The same of the kind that a scope lets a caller import.
    pub(super) async fn valid_of_imports(&self, key: &str, caller: &str, scope: &str) -> Ask {
        let new = match scope {
            "incidents:write" => Ask { path: "/v1/imports?kind=incidents".to_owned(), ..self.new_import(1) },
            "tags:write" => Ask { path: "/v1/imports?kind=tags".to_owned(), ..self.new_import(1) },
            _ => self.new_import(1),
        };
        if key == "POST /v1/imports" {
            return new;
        }
        let made = new.on(self.app).bearer(caller).expect(201).await;
        let path = format!("/v1/imports/{}", made.text("id"));
        match key {
            "PATCH /v1/imports/{}" => {
                let answers = json!([{"id": "stage:single", "answer": "both"}]);
                let is_asked = !matches!(scope, "incidents:write" | "tags:write");
                let answers = if is_asked { answers } else { json!([]) };
                Ask::patch(path, json!({"header_rows": [1], "answers": answers}))
            }
            "DELETE /v1/imports/{}" => Ask::delete(path),
            "POST /v1/imports/{}/run" => Ask::post(format!("{path}/run"), json!({"accept_proposals": true})),
            "GET /v1/imports/{}/rows" => Ask::get(format!("{path}/rows")),
            _ => Ask::get(path),
        }
    }
}
