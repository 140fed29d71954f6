//! The order of the checks: token, scope, form of the path's ids, query, length of the body, its type, its JSON, its
//! faults, and only then the state of the register. The first failed check is reported, whatever else is wrong.

use axum::http::Method;
use testkit::{Answer, TestApp};

use crate::all::operations::{self, Operation};
use crate::all::world::{World, path_values, path_with, unknown};

/// A request made of these parts, each of which may be wrong.
struct Parts<'p> {
    operation: &'p Operation,
    path: String,
    query: &'static str,
    media_type: &'static str,
    body: Vec<u8>,
}

impl Parts<'_> {
    async fn send(&self, world: &World<'_>) -> Answer {
        let path = format!("{}{}", self.path, self.query);
        let request = world.app.request(self.operation.method.clone(), &path).bearer(&world.client);
        request.body(self.media_type, self.body.clone()).await
    }

    async fn assert(&self, world: &World<'_>, status: u16, code: &str) {
        let answer = self.send(world).await;
        let found = answer.json()["code"].as_str().unwrap_or_default();
        assert_eq!(
            (answer.status, found),
            (status, code),
            "{} {}: {}",
            self.operation,
            self.path,
            answer.json()
        );
    }
}

#[testkit::both_engines]
async fn the_first_failed_check_is_reported(app: TestApp) {
    let world = World::new(&app).await;
    for operation in operations::all() {
        let ask = world.valid(&operation).await;
        let values = path_values(&operation.template, &ask.path);
        let with = |value: &dyn Fn(&str) -> String| {
            path_with(&operation.template, &values.iter().map(|it| value(it)).collect::<Vec<_>>())
        };
        let mut parts = Parts {
            operation: &operation,
            // A reference can be any text that is not blank.
            path: with(&|_| if operation.template.contains("/sources/") { "%20" } else { "~" }.to_owned()),
            query: "?zzz=1",
            media_type: "text/plain",
            body: vec![b'{'; 1024 * 1024 + 1],
        };
        if !values.is_empty() {
            parts.assert(&world, 404, "not_found").await;
        }
        // From here on the ids are well-formed but unknown. Another organization's id is refused without a lookup, and
        // the caller's own always exists.
        let of_organization = operation.template.starts_with("/v1/organizations/");
        let is_new = |_: &str| "new".to_owned();
        parts.path = match operation.template.contains("/sources/") {
            true => with(&is_new),
            false if of_organization => ask.path.clone(),
            false => with(&unknown),
        };
        parts.assert(&world, 400, "invalid_parameter").await;
        parts.query = "";
        if operation.has_body() {
            parts.assert(&world, 413, "body_too_large").await;
            parts.body = b"{".to_vec();
            parts.assert(&world, 415, "unsupported_media_type").await;
            parts.media_type = "application/json";
            parts.assert(&world, 400, "malformed_body").await;
            parts.body = b"{\"zzz\":1}".to_vec();
            parts.assert(&world, 422, "validation_failed").await;
        }
        if !values.is_empty() && !of_organization && !operation.declares_unknown() {
            parts.body = ask.body.map(|body| body.to_string().into_bytes()).unwrap_or_default();
            parts.assert(&world, 404, "not_found").await;
        }
    }
}

/// A known path answers every other method with 405 and the methods it supports.
#[testkit::both_engines]
async fn another_method_is_405_and_names_the_allowed_ones(app: TestApp) {
    let world = World::new(&app).await;
    let all = operations::all();
    for operation in &all {
        let ask = world.valid(operation).await;
        let own: Vec<&Method> =
            all.iter().filter(|it| it.template == operation.template).map(|it| &it.method).collect();
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"] {
            let method: Method = method.parse().unwrap();
            if own.contains(&&method) {
                continue;
            }
            let answer = app.request(method.clone(), &ask.path).expect(405).await;
            assert_eq!(answer.text("code"), "method_not_allowed", "{method} {}", ask.path);
            let allow = answer.header("allow").unwrap_or_default();
            for known in &own {
                assert!(
                    allow.split(',').any(|it| it.trim() == known.as_str()),
                    "{method} {}: {allow}",
                    ask.path
                );
            }
            assert!(
                !allow.split(',').any(|it| it.trim() == method.as_str()),
                "{method} {}: {allow}",
                ask.path
            );
        }
    }
}
