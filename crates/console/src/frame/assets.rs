//! Styles, scripts and the icon: embedded, compressed when the program was built, and at addresses that change with
//! their contents.

use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use domain::ResourceKind;
use http::Error;
use http::elements::elements;
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE};

/// The route of an asset.
pub(crate) const PATH: &str = "/assets/{hash}/{name}";

/// An embedded file.
struct Asset {
    name: &'static str,
    media_type: &'static str,
    plain: &'static [u8],
    brotli: &'static [u8],
    gzip: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// `GET /assets/{hash}/{name}`
pub(crate) async fn asset(
    Path((hash, name)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let asset = ASSETS.iter().find(|asset| hash == HASH && asset.name == name);
    let asset = asset.ok_or(Error::not_found(ResourceKind::Path))?;
    let accepts = |coding: &str| {
        elements(&headers, &ACCEPT_ENCODING)
            .flatten()
            .any(|it| it.split(';').next() == Some(coding) && !it.ends_with("q=0"))
    };
    let (coding, bytes) = match () {
        () if accepts("br") => (Some("br"), asset.brotli),
        () if accepts("gzip") => (Some("gzip"), asset.gzip),
        () => (None, asset.plain),
    };
    let mut response = ([(CONTENT_TYPE, asset.media_type)], bytes).into_response();
    if let Some(coding) = coding {
        response.headers_mut().insert(CONTENT_ENCODING, hyper::header::HeaderValue::from_static(coding));
    }
    Ok(response)
}
