//! Traces go to an OpenTelemetry collector by OTLP; here to a small one of our own.

use axum::Router;
use axum::body::Bytes;
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use reqwest::Method;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::service::{Installation, PATIENCE};

/// Receives traces; its base URL, and what arrives.
async fn collector() -> (String, UnboundedReceiver<ExportTraceServiceRequest>) {
    let (sender, received) = unbounded_channel();
    let take = move |body: Bytes| {
        let sent = ExportTraceServiceRequest::decode(body).unwrap();
        let _ = sender.send(sent);
        async {}
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().route("/v1/traces", post(take));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (base, received)
}

fn attribute(span: &Span, key: &str) -> Option<String> {
    let attribute = span.attributes.iter().find(|attribute| attribute.key == key)?;
    match attribute.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => Some(text.clone()),
        Value::IntValue(number) => Some(number.to_string()),
        other => panic!("{key} is {other:?}"),
    }
}

#[tokio::test]
async fn a_request_is_a_span_of_the_callers_trace() {
    let (endpoint, mut received) = collector().await;
    let installation = Installation::new();
    let organization = installation.organization();
    let client = installation.client(&organization, "incidents:write");
    let mut service = installation
        .serve_with(&[], &["--otlp-endpoint", &endpoint, "--otlp-service-name", "register-of-a-test"]);
    let api = service.sign_in(&client).await;
    let answer = api
        .request(Method::POST, "/v1/incidents")
        .header("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        .header("tracestate", "vendor=1")
        .header("x-request-id", "traced")
        .json(&json!({"title": "SECRET-TITLE", "description": ""}))
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), 201);
    // Stopping sends what is left.
    service.terminate();
    assert_eq!(service.wait(), Some(0), "{}", service.log());

    let mut spans = Vec::new();
    while let Ok(Some(sent)) = tokio::time::timeout(PATIENCE, received.recv()).await {
        for resource in sent.resource_spans {
            let named = resource.resource.iter().flat_map(|it| &it.attributes).any(|attribute| {
                let value = attribute.value.as_ref().and_then(|it| it.value.as_ref());
                attribute.key == "service.name"
                    && value == Some(&Value::StringValue("register-of-a-test".to_owned()))
            });
            assert!(named, "{:?}", resource.resource);
            spans.extend(resource.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
        if spans.iter().any(|span| span.name == "POST /v1/incidents") {
            break;
        }
    }
    let span = spans.iter().find(|span| span.name == "POST /v1/incidents").expect("the request's span");
    assert_eq!(hex::encode(&span.trace_id), "0af7651916cd43dd8448eb211c80319c");
    assert_eq!(hex::encode(&span.parent_span_id), "b7ad6b7169203331");
    assert_eq!(span.trace_state, "vendor=1");
    for (key, value) in [
        ("http.request.method", "POST"),
        ("http.route", "/v1/incidents"),
        ("http.response.status_code", "201"),
        ("request_id", "traced"),
    ] {
        assert_eq!(attribute(span, key).as_deref(), Some(value), "{key}");
    }
    let everything = format!("{spans:?}");
    assert!(!everything.contains("SECRET-TITLE") && !everything.contains(&client.secret));
    // A request without a trace starts one.
    let token = spans.iter().find(|span| span.name == "POST /v1/oauth/token").expect("the token's span");
    assert_ne!(token.trace_id, span.trace_id);
    assert!(token.parent_span_id.is_empty());
}

#[tokio::test]
async fn a_missing_collector_does_not_disturb_requests() {
    let installation = Installation::new();
    let organization = installation.organization();
    let client = installation.client(&organization, "incidents:write");
    let mut service = installation.serve_with(&[], &["--otlp-endpoint", "http://127.0.0.1:9"]);
    let api = service.sign_in(&client).await;
    let body = json!({"title": "Untraced", "description": ""});
    let answer = api.request(Method::POST, "/v1/incidents").json(&body).send().await.unwrap();
    assert_eq!(answer.status(), 201);
    service.terminate();
    assert_eq!(service.wait(), Some(0), "{}", service.log());
}
