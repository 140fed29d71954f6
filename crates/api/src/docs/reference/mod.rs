//! The API reference at `/docs`: Swagger UI, embedded in this binary, with the OpenAPI document of this service. It
//! sends requests to this service only.

use std::sync::Arc;

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use domain::ResourceKind;
use http::error::Error;
use hyper::header::CONTENT_TYPE;

/// The page.
pub(crate) async fn page() -> Response {
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], include_str!("page.html")).into_response()
}

/// A file that the page loads.
pub(crate) async fn asset(Path(name): Path<String>) -> Response {
    let file = match name.as_str() {
        "reference.css" => Some(("text/css", include_bytes!("reference.css").to_vec())),
        "reference.js" => Some(("text/javascript", include_bytes!("reference.js").to_vec())),
        "swagger-ui.css" => swagger_ui(&name).map(|bytes| ("text/css", bytes)),
        "swagger-ui-bundle.js" => swagger_ui(&name).map(|bytes| ("text/javascript", bytes)),
        _ => None,
    };
    match file {
        Some((kind, bytes)) => {
            let headers = [(CONTENT_TYPE, format!("{kind}; charset=utf-8"))];
            (headers, bytes).into_response()
        }
        None => Error::not_found(ResourceKind::Path).into_response(),
    }
}

/// A file of Swagger UI, unchanged.
fn swagger_ui(name: &str) -> Option<Vec<u8>> {
    let file = utoipa_swagger_ui::serve(name, Arc::new(utoipa_swagger_ui::Config::from("/openapi.json")));
    file.ok().flatten().map(|file| file.bytes.into_owned())
}
