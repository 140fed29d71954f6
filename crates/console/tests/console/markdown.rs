//! What people write in Markdown is shown as it is meant.

use axum::http::Method;
use domain::Role;
use serde_json::json;
use testkit::{TestApp, both_engines};

use crate::browser::Browser;

const TEXT: &str = "# Now\n\nA **b** [c](https://a.example/d) [e](javascript:alert(1)) <script>alert(1)</script>\n\n- [x] f\n\n\
                    | g | h |\n|---|---|\n| 1 | 2 |\n\n![i](https://a.example/i.png)";

/// The pages that show the text, and how often.
const PAGES: [(&str, usize); 6] = [
    ("incidents/INC-0001", 4),
    ("incidents/INC-0001/review", 1),
    ("risks/RSK-1", 2),
    ("documents/policy", 4),
    ("tags", 1),
    ("incidents", 0),
];

async fn written(app: &TestApp) -> Browser {
    let ada = app.person("Ada", Role::Admin).await;
    let rating = json!({"likelihood": 3, "impact": 3});
    let option = json!({"id": "a", "label": "A", "text": "A", "guidance": TEXT});
    let items = json!([
        {"id": "x", "kind": "select", "label": "X", "options": [option], "guidance": TEXT},
        {"id": "y", "kind": "text", "label": "Y", "guidance": TEXT},
    ]);
    let resolved = json!({"to": "resolved", "resolution_reason": "fixed", "resolution_summary": TEXT,
        "responded_date": "2026-03-01T09:00:00Z"});
    let sent = [
        (Method::POST, "/v1/incidents", json!({"title": "I", "description": TEXT})),
        (Method::PUT, "/v1/incidents/1/severity", json!({"severity": "low", "reason": TEXT})),
        (Method::POST, "/v1/incidents/1/notes", json!({"kind": "comment", "text": TEXT})),
        (Method::PATCH, "/v1/incidents/1/review", json!({"root_cause": TEXT, "summary": "S"})),
        (Method::PATCH, "/v1/incidents/1/review", json!({"state": "in_review"})),
        (Method::PATCH, "/v1/incidents/1/review", json!({"state": "published"})),
        (Method::POST, "/v1/incidents/1/transitions", resolved),
        (
            Method::POST,
            "/v1/risks",
            json!({"title": "R", "description": TEXT, "inherent": rating, "target": rating}),
        ),
        (Method::POST, "/v1/risks/RSK-1/evaluations", json!({"likelihood": 2, "impact": 3, "note": TEXT})),
        (
            Method::POST,
            "/v1/documents",
            json!({"slug": "policy", "title": "D", "description": TEXT, "items": items}),
        ),
        (Method::POST, "/v1/tags", json!({"name": "T", "description": TEXT})),
    ];
    for (method, path, body) in sent {
        let answer = app.request(method.clone(), path).bearer(&ada.token).json(body).await;
        assert!(answer.status < 300, "{method} {path}: {}", answer.json());
    }
    Browser::of(app, &ada).await
}

#[both_engines]
async fn markdown_is_shown_on_every_page_that_has_it(app: TestApp) {
    let mut browser = written(&app).await;
    for (address, times) in PAGES {
        let page = browser.get(&format!("/o/acme/{address}")).await.page;
        let count = |selector: &str| page.all(&format!(".md {selector}")).len();
        let found = ["h3", "strong", "a[rel][href='https://a.example/d']", ".task", ".scroll td:last-child"]
            .map(count);
        assert_eq!(found, [times; 5], "{address}: {}", page.text());
        assert_eq!(count("a[href='https://a.example/i.png']"), times, "{address}");
        assert_eq!(page.all("main script, main img, [href^=javascript]").len(), 0, "{address}");
        assert_eq!(
            page.texts(".md").concat().matches("<script>alert(1)</script>").count(),
            times,
            "{address}"
        );
    }
}
