//! What an error is in HTTP: its status, its texts, its further members and its header, in whatever form it is shown.

use domain::ErrorCode;
use hyper::StatusCode;
use hyper::header::{HeaderName, HeaderValue};

use super::members::Members;
use crate::error_codes::status;

/// An error as HTTP shows it.
pub struct Parts<'e> {
    /// The status.
    pub status: StatusCode,
    pub(super) code: ErrorCode,
    /// The code whose row of `/docs/errors` explains it.
    pub row: ErrorCode,
    /// What kind of error it is.
    pub title: String,
    /// What happened.
    pub detail: String,
    pub(super) members: Members<'e>,
    /// The header that goes with the status.
    pub header: Option<(HeaderName, HeaderValue)>,
}

impl<'e> Parts<'e> {
    /// What is said about every error with this code.
    pub(super) fn of(code: ErrorCode) -> Self {
        let said = code.explanation();
        Self {
            status: status(code),
            code,
            row: code,
            title: said.title.to_owned(),
            detail: said.detail.to_owned(),
            members: Members::default(),
            header: None,
        }
    }

    /// The same with a detail of this one error.
    pub(super) fn detail(self, detail: impl Into<String>) -> Self {
        Self { detail: detail.into(), ..self }
    }

    /// The same with a more specific title.
    pub(super) fn title(self, title: impl Into<String>) -> Self {
        Self { title: title.into(), ..self }
    }

    pub(super) fn members(self, members: Members<'e>) -> Self {
        Self { members, ..self }
    }

    pub(super) fn header(self, name: HeaderName, value: impl Into<HeaderValue>) -> Self {
        Self { header: Some((name, value.into())), ..self }
    }

    /// The `type` of the problem: the path of the service that explains it.
    pub(super) fn link(&self) -> String {
        format!("/docs/errors#{}", self.row)
    }
}
