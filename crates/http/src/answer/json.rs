//! Responses with a JSON body.

use hyper::StatusCode;
use serde::Serialize;

use super::Answer;
use crate::conditional::entity_tag;
use crate::error::{Error, Result};
use crate::page::List;

impl Answer {
    /// 200 with one record as GET returns it, after a change. `version` is the record's version; without one
    /// the entity tag is a hash alone.
    pub fn record(version: impl Into<Option<i64>>, view: &impl Serialize) -> Result<Self> {
        let answer = Self::outcome(view)?;
        Ok(Self { etag: Some(entity_tag(version.into(), &answer.body)), ..answer })
    }

    /// 201 with the path of the created record, and the record just as a GET of that path returns it.
    pub fn created(location: String, version: impl Into<Option<i64>>, view: &impl Serialize) -> Result<Self> {
        Ok(Self { status: StatusCode::CREATED, location: Some(location), ..Self::record(version, view)? })
    }

    /// 201 with the path of the created record, and a secret that a GET of that path does not return.
    pub fn shown_once(location: String, view: &impl Serialize) -> Result<Self> {
        let answer = Self::outcome(view)?;
        Ok(Self { status: StatusCode::CREATED, location: Some(location), is_secret: true, ..answer })
    }

    /// 200 with a page of a list.
    pub fn list<T: Serialize>(list: &List<T>) -> Result<Self> {
        Self::page(list, &list.link)
    }

    /// 200 with a body that has a page of a list, and the list's header `Link`.
    pub fn page(body: &impl Serialize, link: &str) -> Result<Self> {
        Ok(Self { link: Some(link.to_owned()), ..Self::record(None, body)? })
    }

    /// 200 with the outcome of a write that does not return a record.
    pub fn outcome(view: &impl Serialize) -> Result<Self> {
        // Most answers are records, and smaller than this.
        let mut body = Vec::with_capacity(4_096);
        sonic_rs::to_writer(&mut body, view).map_err(|error| Error::internal(error.to_string()))?;
        Ok(Self { body: body.into(), ..Self::empty(StatusCode::OK) })
    }

    /// 200 with the outcome of a bulk operation and the number of rows it changed.
    pub fn bulk_outcome(changed_rows: i64, view: &impl Serialize) -> Result<Self> {
        Ok(Self { changed_rows: changed_rows.unsigned_abs(), ..Self::outcome(view)? })
    }
}
