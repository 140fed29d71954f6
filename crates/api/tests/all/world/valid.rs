//! An example of every request that succeeds.

use std::sync::atomic::Ordering;

use axum::http::Method;
use serde_json::{Value, json};

use super::{Ask, World, path_values, path_with};
use crate::all::operations::Operation;

impl World<'_> {
    /// A request that succeeds, on records created for it; it may fail when sent again.
    pub(crate) async fn valid(&self, operation: &Operation) -> Ask {
        let own = self.organization;
        match operation.key.as_str() {
            "POST /v1/incidents" => Ask::post("/v1/incidents", self.new_incident().await),
            key if operation.is_plain_get() => Ask::get(key.trim_start_matches("GET ")),
            "GET /v1/incidents/{}" => Ask::get(format!("/v1/incidents/{}", self.incident().await)),
            "PATCH /v1/incidents/{}" => {
                let path = format!("/v1/incidents/{}", self.incident().await);
                let person = self.person().await;
                let body =
                    json!({"title": self.text(), "resolution_summary": self.text(), "assigned_to": person});
                Ask::patch(path, body)
            }
            "GET /v1/incidents/{}/transitions" => {
                Ask::get(format!("/v1/incidents/{}/transitions", self.incident().await))
            }
            "POST /v1/incidents/{}/transitions" => {
                let path = format!("/v1/incidents/{}/transitions", self.incident().await);
                let body =
                    json!({"to": "investigating", "assigned_to": self.person().await, "reason": self.text()});
                Ask::post(path, body)
            }
            "POST /v1/incidents/{}/redact" => self.redaction().await,
            "GET /v1/incidents/{}/timeline" => {
                Ask::get(format!("/v1/incidents/{}/timeline", self.incident().await))
            }
            "DELETE /v1/incidents" => {
                let ids = json!({"ids": [self.incident().await, 999_999]});
                Ask { method: Method::DELETE, ..Ask::post("/v1/incidents", ids) }
            }
            "POST /v1/incidents/bulk-delete" => {
                Ask::post("/v1/incidents/bulk-delete", json!({"ids": [self.incident().await, 999_999]}))
            }
            "POST /v1/incidents/bulk" => {
                let operation = json!({"type": "update", "title": self.text()});
                let body = json!({"ids": [self.incident().await, 999_999], "operation": operation});
                Ask::post("/v1/incidents/bulk", body)
            }
            "POST /v1/risks/bulk" => {
                let operation = json!({"type": "update", "title": self.text()});
                let body = json!({"ids": [self.risk().await, 999_999], "operation": operation});
                Ask::post("/v1/risks/bulk", body)
            }
            "POST /v1/risks/report/keep" => {
                Ask::post("/v1/risks/report/keep", json!({"slug": self.slug(), "title": self.text()}))
            }
            "POST /v1/incidents/restore" => {
                Ask::post("/v1/incidents/restore", json!({"ids": [self.deleted_incident().await, 999_999]}))
            }
            _ if operation.noun == "acceptances" => self.valid_of_acceptances(operation).await,
            _ if operation.noun == "exceptions" => self.valid_of_exceptions(operation).await,
            _ if operation.noun == "acknowledgements" => self.valid_of_acknowledgements(operation).await,
            key if key.contains(" /v1/documents") => self.valid_of_documents(operation).await,
            "GET /v1/organizations/{}" => Ask::get(format!("/v1/organizations/{own}")),
            key if key.contains("/risk-performance") => {
                Ask::get(key.trim_start_matches("GET ").replacen("{}", &own.to_string(), 1))
            }
            "PATCH /v1/organizations/{}" => {
                Ask::patch(format!("/v1/organizations/{own}"), json!({"name": self.text()}))
            }
            "POST /v1/undo" => self.undo_of(self.client.as_ref(), "incidents:write").await,
            _ => self.valid_of_notes_or_others(operation).await,
        }
    }

    async fn valid_of_documents(&self, operation: &Operation) -> Ask {
        match operation.key.as_str() {
            key if key.contains("/proposals") => self.valid_of_proposals(operation).await,
            "POST /v1/documents" => Ask::post("/v1/documents", self.new_document().await),
            "GET /v1/documents/{}" => Ask::get(format!("/v1/documents/{}", self.document().await)),
            "PATCH /v1/documents/{}" => {
                Ask::patch(format!("/v1/documents/{}", self.document().await), self.edits())
            }
            "DELETE /v1/documents/{}" => Ask::delete(format!("/v1/documents/{}", self.document().await)),
            "PATCH /v1/documents/{}/properties" => {
                let path = format!("/v1/documents/{}/properties", self.document().await);
                let owner = self.person().await;
                let body = json!({"description": self.text(), "owner": owner, "review_every_days": 365});
                Ask::patch(path, body)
            }
            "POST /v1/documents/{}/archive" => {
                let path = format!("/v1/documents/{}/archive", self.document().await);
                Ask::post(path, json!({"reason": self.text()}))
            }
            "POST /v1/documents/{}/restore" => {
                let document = format!("/v1/documents/{}", self.document().await);
                self.must(&Ask::post(format!("{document}/archive"), json!({}))).await;
                Ask::new(Method::POST, format!("{document}/restore"))
            }
            "GET /v1/documents/{}/offer" => Ask::get(format!("{}/offer", self.offered().await.0)),
            key if key.contains("/offer/") => {
                let ((document, sha256), what) = (self.offered().await, key.rsplit('/').next());
                let path = format!("{document}/offer/{}", what.unwrap_or_default());
                Ask::post(path, json!({"sha256": sha256}))
            }
            "POST /v1/documents/{}/reviews" => {
                Ask::post(format!("{}/reviews", self.published(1).await), json!({"note": self.text()}))
            }
            "GET /v1/documents/{}/reviews" => Ask::get(format!("{}/reviews", self.published(1).await)),
            "GET /v1/documents/{}/file" => Ask::get(format!("/v1/documents/{}/file", self.document().await)),
            "POST /v1/documents/bulk" => {
                let operation = json!({"type": "update", "description": self.text()});
                let body = json!({"ids": [self.document().await, "there-is-none"], "operation": operation});
                Ask::post("/v1/documents/bulk", body)
            }
            "POST /v1/documents/import" => {
                let file =
                    format!("---\nslug: {}\ntitle: {}\n---\n# Rule\n\nLock it.\n", self.slug(), self.text());
                Ask::post("/v1/documents/import", json!({"files": [file]}))
            }
            "GET /v1/documents/{}/versions/{}/difference" => {
                Ask::get(format!("{}/versions/2/difference", self.published(2).await))
            }
            "GET /v1/documents/{}/tags" => {
                Ask::get(format!("/v1/documents/{}/tags", self.tagged_document().await.0))
            }
            "POST /v1/documents/{}/tags" => {
                let body = json!({"tag_id": self.tag().await});
                Ask::post(format!("/v1/documents/{}/tags", self.document().await), body)
            }
            "PUT /v1/documents/{}/tags/{}" => {
                Ask::put(format!("/v1/documents/{}/tags/{}", self.document().await, self.tag().await))
            }
            "DELETE /v1/documents/{}/tags/{}" => {
                let (document, tag) = self.tagged_document().await;
                Ask::delete(format!("/v1/documents/{document}/tags/{tag}"))
            }
            "GET /v1/documents/{}/provenance" => Ask::get(format!("{}/provenance", self.published(1).await)),
            "GET /v1/documents/{}/text" => Ask::get(format!("{}/text", self.published(1).await)),
            "GET /v1/documents/{}/versions" => Ask::get(format!("{}/versions", self.published(1).await)),
            "GET /v1/documents/{}/versions/{}" => Ask::get(format!("{}/versions/1", self.published(1).await)),
            _ => self.valid_of_notes_or_others(operation).await,
        }
    }

    async fn valid_of_proposals(&self, operation: &Operation) -> Ask {
        match operation.key.as_str() {
            "GET /v1/documents/{}/proposals/{}" => {
                let (slug, number) = self.proposal().await;
                Ask::get(format!("/v1/documents/{slug}/proposals/{number}"))
            }
            "GET /v1/documents/{}/proposals" => Ask::get(format!("{}/proposals", self.published(1).await)),
            "POST /v1/documents/{}/proposals" => Ask::post(
                format!("/v1/documents/{}/proposals", self.document().await),
                json!({"confirm": false}),
            ),
            "POST /v1/documents/{}/proposals/{}/submit" => {
                let (slug, number) = self.proposal().await;
                let path = format!("/v1/documents/{slug}/proposals/{number}/submit");
                Ask::post(path, json!({"summary": self.text()}))
            }
            "POST /v1/documents/{}/proposals/{}/replace" => self.replacement().await,
            "GET /v1/documents/waivers" => Ask::get("/v1/documents/waivers"),
            "PATCH /v1/documents/{}/proposals/{}" => {
                let (slug, number) = self.proposal().await;
                Ask::patch(format!("/v1/documents/{slug}/proposals/{number}"), json!({"title": self.text()}))
            }
            key if key.contains("/proposals/{}/comments") => {
                let (path, comment) = self.commented().await;
                match key.rsplit('/').next().unwrap_or_default() {
                    "comments" if key.starts_with("GET") => Ask::get(path),
                    "comments" => Ask::post(path, json!({"text": self.text(), "node_id": "mfa"})),
                    step => Ask::new(Method::POST, format!("{path}/{comment}/{step}")),
                }
            }
            "POST /v1/documents/{}/proposals/{}/resolve" => {
                let (slug, number) = self.proposal().await;
                let path = format!("/v1/documents/{slug}/proposals/{number}");
                let set = self.must(&Ask::get(path.clone())).await.json()["change_sets"][0]["number"].clone();
                Ask::post(format!("{path}/resolve"), json!({"node_id": "mfa", "change_set": set}))
            }
            "DELETE /v1/documents/{}/proposals/{}/edits/{}" => {
                let (slug, number) = self.proposal().await;
                let path = format!("/v1/documents/{slug}/proposals/{number}/edits/mfa");
                Ask::new(Method::DELETE, path)
            }
            "GET /v1/documents/{}/proposals/{}/difference" | "GET /v1/documents/{}/proposals/{}/impact" => {
                let ((slug, number), what) = (self.proposal().await, operation.key.rsplit('/').next());
                Ask::get(format!("/v1/documents/{slug}/proposals/{number}/{}", what.unwrap_or_default()))
            }
            key if key.starts_with("POST /v1/documents/{}/proposals/{}/") => {
                let step = key.rsplit('/').next().unwrap_or_default();
                Ask::post(format!("{}/{step}", self.submitted().await), json!({"reason": self.text()}))
            }
            "GET /v1/documents/{}/proposals/{}/edits" => {
                let (slug, number) = self.proposal().await;
                Ask::get(format!("/v1/documents/{slug}/proposals/{number}/edits"))
            }
            key => panic!("write an example of {key}"),
        }
    }

    async fn valid_of_acknowledgements(&self, operation: &Operation) -> Ask {
        let document = self.published(1).await;
        let requests = format!("{document}/versions/1/acknowledgement-requests");
        let group = self.group().await.0;
        let asked = Ask::post(requests, json!({"who": "group", "group": group, "due_days": 14}));
        match operation.key.as_str() {
            "POST /v1/documents/{}/versions/{}/acknowledgement-requests" => asked,
            "DELETE /v1/documents/{}/acknowledgement-requests/{}" => {
                let id = self.created(&asked, "id").await;
                Ask::delete(format!("{document}/acknowledgement-requests/{id}"))
            }
            "POST /v1/documents/{}/versions/{}/acknowledgements" => {
                let version = self.must(&Ask::get(format!("{document}/versions/1"))).await;
                let paper = json!({"user": self.person().await, "file": self.text()});
                let body = json!({"sha256": version.text("sha256"), "on_paper": paper});
                Ask::post(format!("{document}/versions/1/acknowledgements"), body)
            }
            key => {
                let path = key
                    .strip_prefix("GET /v1/documents/{}/")
                    .unwrap_or_else(|| panic!("write an example of {key}"));
                self.must(&asked).await;
                Ask::get(format!("{document}/{path}"))
            }
        }
    }

    /// A redaction of a text that an incident has.
    async fn redaction(&self) -> Ask {
        let path = format!("/v1/incidents/{}", self.incident().await);
        let secret = self.text();
        self.must(&Ask::patch(path.clone(), json!({"description": format!("It is {secret}.")}))).await;
        Ask::post(format!("{path}/redact"), json!({"text": secret, "reason": "A password was pasted."}))
    }

    /// Answers to every question of the usual rules, each time others. The rule set is not named: beside a wrong one nothing else
    /// is judged.
    fn severity_answers(&self) -> Value {
        json!({
            "impact": {"service": 3, "data": 1, "people": 0, "money": 1, "legal": 0, "reputation": 2},
            "urgency": "contained", "administrator_credentials": false,
            "personal_data_people": self.serial.fetch_add(1, Ordering::SeqCst),
        })
    }

    pub(super) async fn valid_of_severities(&self, operation: &Operation) -> Ask {
        match operation.key.as_str() {
            "POST /v1/severity/assess" => Ask::post("/v1/severity/assess", self.severity_answers()),
            "GET /v1/incidents/{}/severity" => {
                Ask::get(format!("/v1/incidents/{}/severity", self.incident().await))
            }
            "PUT /v1/incidents/{}/severity" => {
                let path = format!("/v1/incidents/{}/severity", self.incident().await);
                Ask { method: Method::PUT, ..Ask::post(path, self.severity_answers()) }
            }
            _ => self.valid_of_tasks(operation).await,
        }
    }

    async fn valid_of_tasks(&self, operation: &Operation) -> Ask {
        let noun = if operation.key.contains(" /v1/risks/") { "risks" } else { "incidents" };
        let task = async || self.task_of(&self.with_tasks(noun).await).await;
        match operation.key.replace("/v1/risks/", "/v1/incidents/").as_str() {
            "POST /v1/incidents/{}/tasks" => {
                let whole = self.with_tasks(noun).await;
                Ask::post(format!("{whole}/tasks"), self.new_task(&whole).await)
            }
            "GET /v1/incidents/{}/tasks" => Ask::get(task().await.rsplit_once('/').unwrap().0),
            "GET /v1/incidents/{}/tasks/{}" => Ask::get(task().await),
            "PATCH /v1/incidents/{}/tasks/{}" => {
                let body = json!({"title": self.text(), "notes": self.text(), "owner": self.person().await,
                    "due": "2026-03-04T09:00:00Z",
                    "mandatory": false, "status": "not_doing", "reason": self.text(), "position": 7});
                Ask::patch(task().await, body)
            }
            "DELETE /v1/incidents/{}/tasks/{}" => Ask::delete(task().await),
            "POST /v1/incidents/{}/tasks/{}/restore" => {
                let task = task().await;
                self.must(&Ask::delete(&task)).await;
                Ask::new(Method::POST, format!("{task}/restore"))
            }
            _ => self.valid_of_reviews(operation).await,
        }
    }

    async fn valid_of_reviews(&self, operation: &Operation) -> Ask {
        match operation.key.as_str() {
            "GET /v1/incidents/{}/review" => Ask::get(self.review_of(&self.incident().await).await),
            "PATCH /v1/incidents/{}/review" => {
                let path = self.review_of(&self.incident().await).await;
                let actions = json!([{"title": self.text(), "owner": self.person().await, "due": "2026-03-09T09:00:00Z"}]);
                let body = json!({"owner": self.person().await, "summary": self.text(), "root_cause": self.text(),
                    "contributing_factors": self.text(), "impact": self.text(), "went_well": self.text(),
                    "lessons": self.text(), "actions": actions, "state": "in_review"});
                Ask::patch(path, body)
            }
            "GET /v1/incidents/{}/review/editions" => {
                let path = self.review_of(&self.incident().await).await;
                self.publish(&path, 1).await;
                Ask::get(format!("{path}/editions"))
            }
            "GET /v1/incidents/{}/review/file" => {
                let path = self.review_of(&self.incident().await).await;
                self.publish(&path, 1).await;
                Ask::get(format!("{path}/file"))
            }
            "POST /v1/incidents/{}/review/actions/{}/task" => {
                let path = self.review_of(&self.incident().await).await;
                Ask::new(Method::POST, format!("{path}/actions/1/task"))
            }
            _ => self.valid_of_links(operation).await,
        }
    }

    /// What is on an incident or leads to it.
    async fn valid_of_links(&self, operation: &Operation) -> Ask {
        match operation.key.as_str() {
            "GET /v1/sources/{}/incidents/{}" => Ask::get(self.reported().await),
            "PUT /v1/sources/{}/incidents/{}" => {
                let path = self.reported().await;
                Ask { method: Method::PUT, ..Ask::post(path, self.message().await) }
            }
            "POST /v1/incidents/{}/tags" => {
                let body = json!({"tag_id": self.tag().await});
                Ask::post(format!("/v1/incidents/{}/tags", self.incident().await), body)
            }
            "GET /v1/incidents/{}/tags" => {
                Ask::get(format!("/v1/incidents/{}/tags", self.tagged_incident().await.0))
            }
            "PUT /v1/incidents/{}/tags/{}" => {
                Ask::put(format!("/v1/incidents/{}/tags/{}", self.incident().await, self.tag().await))
            }
            "DELETE /v1/incidents/{}/tags/{}" => {
                let (incident, tag) = self.tagged_incident().await;
                Ask::delete(format!("/v1/incidents/{incident}/tags/{tag}"))
            }
            "POST /v1/incidents/{}/links" => {
                let body =
                    json!({"to": {"type": "incident", "id": self.incident().await}, "kind": "caused_by"});
                Ask::post(format!("/v1/incidents/{}/links", self.incident().await), body)
            }
            "GET /v1/incidents/{}/links" => {
                Ask::get(format!("/v1/incidents/{}/links", self.linked().await.0))
            }
            "DELETE /v1/incidents/{}/links/{}" => {
                Ask::delete(format!("/v1/incidents/{}/links/1", self.linked().await.0))
            }
            "GET /v1/risks/{}/links" => Ask::get(format!("/v1/risks/{}/links", self.linked().await.1)),
            "GET /v1/documents/{}/links" => {
                Ask::get(format!("/v1/documents/{}/links", self.linked().await.2))
            }
            _ => self.valid_of_callers(operation).await,
        }
    }

    async fn valid_of_callers(&self, operation: &Operation) -> Ask {
        match operation.key.as_str() {
            "POST /v1/users" => {
                let email = format!("{}@x.org", self.slug());
                Ask::post("/v1/users", json!({"name": self.text(), "email": email, "role": "viewer"}))
            }
            "GET /v1/users/{}" => Ask::get(format!("/v1/users/{}", self.user().await)),
            "POST /v1/clients" => Ask::post("/v1/clients", self.new_client()),
            "GET /v1/clients/{}" => Ask::get(format!("/v1/clients/{}", self.oauth_client().await.0)),
            "PATCH /v1/clients/{}" => {
                let body = json!({"name": self.text(), "refresh_client_auth": "required", "disabled": true});
                Ask::patch(format!("/v1/clients/{}", self.oauth_client().await.0), body)
            }
            "POST /v1/clients/{}/secrets" => {
                let path = format!("/v1/clients/{}/secrets", self.oauth_client().await.0);
                // Makes each of these requests unique.
                let microsecond = self.serial.fetch_add(1, Ordering::SeqCst);
                Ask::post(path, json!({"expires_date": format!("2036-03-01T09:00:00.{microsecond:06}Z")}))
            }
            "DELETE /v1/clients/{}/secrets/{}" => {
                let (client, secret) = self.oauth_client().await;
                Ask::delete(format!("/v1/clients/{client}/secrets/{secret}"))
            }
            "GET /v1/clients/{}/refusals" => Ask::get(format!("/v1/clients/{}/refusals", self.client.id)),
            "PATCH /v1/users/{}" => {
                let body = json!({"name": self.text(), "role": "owner"});
                Ask::patch(format!("/v1/users/{}", self.user().await), body)
            }
            "GET /v1/users/{}/duties" => Ask::get(format!("/v1/users/{}/duties", self.busy_user().await)),
            "POST /v1/users/{}/handover" => self.handover(&["incidents", "tasks", "reviews"]).await,
            "POST /v1/users/{}/reset-link" => {
                Ask::new(Method::POST, format!("/v1/users/{}/reset-link", self.member().await))
            }
            "GET /v1/users/{}/reset-link" => Ask::get(self.reset_link().await),
            "DELETE /v1/users/{}/reset-link" => Ask::delete(self.reset_link().await),
            "DELETE /v1/users/{}" => Ask::delete(format!("/v1/users/{}", self.user().await)),
            "POST /v1/invitations" => Ask::post("/v1/invitations", self.new_invitation()),
            "GET /v1/invitations/{}" => Ask::get(format!("/v1/invitations/{}", self.invitation().await)),
            "DELETE /v1/invitations/{}" => {
                Ask::delete(format!("/v1/invitations/{}", self.invitation().await))
            }
            _ if operation.noun == "groups" => self.valid_of_groups(operation).await,
            _ => self.valid_of_risks(operation).await,
        }
    }

    async fn valid_of_groups(&self, operation: &Operation) -> Ask {
        let (group, user) = self.group().await;
        let path = format!("/v1/groups/{group}");
        match operation.key.as_str() {
            "POST /v1/groups" => Ask::post("/v1/groups", self.new_group()),
            "GET /v1/groups/{}" => Ask::get(path),
            "PATCH /v1/groups/{}" => {
                Ask::patch(path, json!({"name": self.text(), "description": self.text()}))
            }
            "DELETE /v1/groups/{}" => Ask::delete(path),
            "PUT /v1/groups/{}/members/{}" => Ask::put(format!("{path}/members/{}", self.user().await)),
            "DELETE /v1/groups/{}/members/{}" => Ask::delete(format!("{path}/members/{user}")),
            other => panic!("write an example of {other}"),
        }
    }

    async fn valid_of_risks(&self, operation: &Operation) -> Ask {
        match operation.key.as_str() {
            key if key.contains("/v1/imports") => {
                self.valid_of_imports(key, self.client.as_ref(), "risks:write").await
            }
            "POST /v1/risks" => Ask::post("/v1/risks", self.new_risk().await),
            "GET /v1/risks/{}" => Ask::get(format!("/v1/risks/{}", self.risk().await)),
            "PATCH /v1/risks/{}" => {
                let body = json!({"title": self.text(), "category": self.text(),
                    "owner": self.person().await, "inherent": {"likelihood": 5, "impact": 5}, "status": "closed", "status_reason": self.text()});
                Ask::patch(format!("/v1/risks/{}", self.risk().await), body)
            }
            "DELETE /v1/risks/{}" => Ask::delete(format!("/v1/risks/{}", self.risk().await)),
            "POST /v1/risks/{}/restore" => {
                Ask::new(Method::POST, format!("/v1/risks/{}/restore", self.deleted_risk().await))
            }
            "POST /v1/evaluations" => {
                let mut row = self.new_evaluation();
                row["risk"] = json!(self.risk().await);
                Ask::post("/v1/evaluations", json!({"evaluations": [row]}))
            }
            "POST /v1/risks/{}/reviews" => {
                Ask::post(format!("/v1/risks/{}/reviews", self.risk().await), json!({"note": self.text()}))
            }
            "GET /v1/risks/{}/reviews" => Ask::get(format!("/v1/risks/{}/reviews", self.risk().await)),
            "POST /v1/risks/{}/evaluations" => {
                Ask::post(format!("/v1/risks/{}/evaluations", self.risk().await), self.new_evaluation())
            }
            "GET /v1/risks/{}/evaluations" => {
                Ask::get(format!("/v1/risks/{}/evaluations", self.tagged_risk().await.0))
            }
            "GET /v1/risks/{}/evaluations/{}" => {
                let risk = self.risk().await;
                let number = self.evaluation(&risk).await;
                Ask::get(format!("/v1/risks/{risk}/evaluations/{number}"))
            }
            "POST /v1/risks/{}/tags" => {
                let body = json!({"tag_id": self.tag().await});
                Ask::post(format!("/v1/risks/{}/tags", self.risk().await), body)
            }
            "GET /v1/risks/{}/tags" => Ask::get(format!("/v1/risks/{}/tags", self.tagged_risk().await.0)),
            "PUT /v1/risks/{}/tags/{}" => {
                Ask::put(format!("/v1/risks/{}/tags/{}", self.risk().await, self.tag().await))
            }
            "DELETE /v1/risks/{}/tags/{}" => {
                let (risk, tag) = self.tagged_risk().await;
                Ask::delete(format!("/v1/risks/{risk}/tags/{tag}"))
            }
            "PUT /v1/scale" => Ask::put("/v1/scale").with_body(self.new_scale()),
            "GET /v1/scale/versions/{}" => {
                let ask = Ask::put("/v1/scale").with_body(self.new_scale());
                Ask::get(format!("/v1/scale/versions/{}", self.created(&ask, "version").await))
            }
            _ => self.valid_of_tags(operation).await,
        }
    }

    /// The same for another caller in the organization that has this scope: only the author of a request can undo it, and
    /// who only declares incidents reads those alone.
    pub(crate) async fn valid_by(&self, operation: &Operation, caller: &str, scope: &str) -> Ask {
        if let Some(ask) = self.valid_of_notes_with(operation, caller, scope).await {
            return ask;
        }
        match operation.key.as_str() {
            "POST /v1/undo" => self.undo_of(caller, scope).await,
            // A person acknowledges for themselves.
            "POST /v1/documents/{}/versions/{}/acknowledgements" if caller.starts_with("bws_") => {
                let ask = self.valid(operation).await;
                ask.with_body(json!({"sha256": ask.body.clone().unwrap_or_default()["sha256"]}))
            }
            "POST /v1/incidents/bulk" if scope == "incidents:delete" => {
                let body = json!({"ids": [self.incident().await], "operation": {"type": "delete"}});
                Ask::post("/v1/incidents/bulk", body)
            }
            "POST /v1/risks/bulk" if scope == "risks:delete" => {
                let body = json!({"ids": [self.risk().await], "operation": {"type": "delete"}});
                Ask::post("/v1/risks/bulk", body)
            }
            "POST /v1/users/{}/handover" if scope == "risks:write" => self.handover(&["risks"]).await,
            "POST /v1/users/{}/handover" if scope == "documents:write" => self.handover(&["documents"]).await,
            // Callers take back what they changed themselves.
            "DELETE /v1/documents/{}/proposals/{}/edits/{}" => {
                let document = format!("/v1/documents/{}", self.document().await);
                let edit = self.app.patch(&document).bearer(caller).json(self.edits());
                let number = edit.expect(200).await.json()["proposal"].clone();
                Ask::new(Method::DELETE, format!("{document}/proposals/{number}/edits/mfa"))
            }
            // Authors withdraw what they proposed.
            "POST /v1/documents/{}/proposals/{}/withdraw" if scope == "documents:read" => {
                let path = self.proposal_by(caller).await;
                Ask::post(format!("{path}/withdraw"), json!({"reason": self.text()}))
            }
            // Of each kind, and by the caller: others do not see what is imported as incidents.
            key if key.contains(" /v1/imports") => self.valid_of_imports(key, caller, scope).await,
            _ if operation.template.starts_with("/v1/views") => {
                self.valid_of_views(operation, caller, scope).await
            }
            _ if scope == "incidents:declare" && operation.template.starts_with("/v1/incidents/{") => {
                self.valid_for_declarer(operation, caller).await
            }
            _ => self.valid(operation).await,
        }
    }

    /// The same with a view of the caller's own, of a list that the scope lets it read.
    async fn valid_of_views(&self, operation: &Operation, caller: &str, scope: &str) -> Ask {
        let new = self.new_view(match scope {
            "risks:read" => "risks",
            "documents:read" => "documents",
            _ => "incidents",
        });
        match operation.key.as_str() {
            "GET /v1/views" => return Ask::get("/v1/views"),
            "POST /v1/views" => return Ask::post("/v1/views", new),
            _ => {}
        }
        let made = self.app.post("/v1/views").bearer(caller).json(new).expect(201).await;
        let ask = self.valid(operation).await.with_path(format!("/v1/views/{}", made.text("id")));
        match operation.key.as_str() {
            "PATCH /v1/views/{}" => ask.with_body(json!({"name": self.text()})),
            _ => ask,
        }
    }

    /// The same for a caller who only sees the incidents that it declared.
    async fn valid_for_declarer(&self, operation: &Operation, caller: &str) -> Ask {
        let ask = self.valid(operation).await;
        let body = self.new_incident().await;
        let made = self.app.post("/v1/incidents").bearer(caller).json(body).expect(201).await;
        let mut values = path_values(&operation.template, &ask.path);
        values[0] = made.text("id").to_owned();
        if operation.template.contains("/tasks/{") {
            let task = self.task_of(&format!("/v1/incidents/{}", values[0])).await;
            values[1] = task.rsplit_once('/').unwrap().1.to_owned();
        }
        if operation.template.contains("/review") {
            let path = self.review_of(&values[0]).await;
            self.publish(&path, 1).await;
        }
        ask.with_path(path_with(&operation.template, &values))
    }

    /// Undoes a request of the caller that needed this scope.
    async fn undo_of(&self, caller: &str, scope: &str) -> Ask {
        let request = match scope {
            "incidents:write" => {
                let body = json!({"title": self.text(), "assigned_to": null, "source": null});
                Ask::patch(format!("/v1/incidents/{}", self.incident().await), body)
            }
            "incidents:delete" => {
                Ask::post("/v1/incidents/bulk-delete", json!({"ids": [self.incident().await]}))
            }
            "risks:write" => {
                let (risk, tag) = self.tagged_risk().await;
                Ask::delete(format!("/v1/risks/{risk}/tags/{tag}"))
            }
            "risks:delete" => Ask::delete(format!("/v1/risks/{}", self.risk().await)),
            "documents:write" => {
                let (document, tag) = self.tagged_document().await;
                Ask::delete(format!("/v1/documents/{document}/tags/{tag}"))
            }
            "tags:write" => Ask::patch(format!("/v1/tags/{}", self.tag().await), json!({"color": "#123456"})),
            other => panic!("no request that can be undone needs {other}"),
        };
        let answer = request.on(self.app).bearer(caller).await;
        assert!((200..300).contains(&answer.status), "{request:?}: {}", answer.status);
        Ask::post("/v1/undo", json!({"request_id": answer.header("x-request-id").unwrap()}))
    }
}
