//! Lists in pages. A cursor is opaque: it carries the position after which the next page begins, and a MAC over it,
//! the organization, the path, the filters and the sort, so that it is valid for no other list.

use std::borrow::Cow;

use aws_lc_rs::hmac;
use axum::http::Uri;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::OrgId;
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use crate::app::App;
use crate::as_of::AsOfShown;
use crate::cursor_key::CursorKey;
use crate::error_codes::ParameterCode;
use crate::limits::{PAGE_DEFAULT, PAGE_MOST};
use crate::query::{Flag, Number, Query, Text};
use crate::timestamp::Timestamp;

/// Bytes of the MAC that a cursor carries: 96 bits, and a cursor grants no access.
const MAC_BYTES: usize = 12;

/// The list that a cursor belongs to.
pub struct ListId<'l> {
    pub(crate) key: &'l CursorKey,
    pub(crate) organization: OrgId,
    /// The public URL of the service, without a trailing slash.
    pub(crate) service: &'l str,
    pub(crate) path: &'l str,
    pub(crate) query: Option<&'l str>,
}

/// The parameters that set where in the list a page begins.
const POSITION: &[&str] = &["cursor", "after"];

/// The parameters that set how a page is shown, but not which list it belongs to.
const SHOW: &[&str] = &["limit", "include_total", "fields"];

impl<'l> ListId<'l> {
    /// The list at this address.
    pub fn of(app: &'l App, organization: OrgId, uri: &'l Uri) -> Self {
        let (key, service) = (app.cursor_key(), app.auth().public_url.as_str());
        Self { key, organization, service, path: uri.path(), query: uri.query() }
    }

    fn parameters(&self) -> impl Iterator<Item = (Cow<'l, str>, Cow<'l, str>)> {
        form_urlencoded::parse(self.query.unwrap_or_default().as_bytes())
            .filter(|(name, _)| !POSITION.contains(&name.as_ref()))
    }

    /// The MAC of a position. Every parameter but the position is a filter; the order of filters does not matter.
    fn mac(&self, position: &[u8]) -> hmac::Tag {
        let mut filters: Vec<_> =
            self.parameters().filter(|(name, _)| !SHOW.contains(&name.as_ref())).collect();
        filters.sort();
        let mut context = hmac::Context::with_key(&self.key.0);
        let mut part = |bytes: &[u8]| {
            context.update(&bytes.len().to_be_bytes());
            context.update(bytes);
        };
        part(self.organization.uuid().as_bytes());
        part(self.path.as_bytes());
        for (name, value) in &filters {
            part(name.as_bytes());
            part(value.as_bytes());
        }
        part(position);
        context.sign()
    }

    fn seal(&self, position: &[u8]) -> String {
        let tag = self.mac(position);
        let mut bytes = tag.as_ref().get(..MAC_BYTES).unwrap_or_default().to_vec();
        bytes.extend_from_slice(position);
        URL_SAFE_NO_PAD.encode(bytes)
    }

    /// The header `Link` (RFC 8288): the first page and the next one, with all other parameters.
    fn link(&self, next_cursor: Option<&str>) -> String {
        let url = |cursor: Option<&str>| {
            let mut query = form_urlencoded::Serializer::new(String::new());
            query.extend_pairs(self.parameters());
            query.extend_pairs(cursor.map(|cursor| ("cursor", cursor)));
            let query = query.finish();
            let mark = if query.is_empty() { "" } else { "?" };
            format!("{}{}{mark}{query}", self.service, self.path)
        };
        let first = format!("<{}>; rel=\"first\"", url(None));
        match next_cursor {
            Some(cursor) => format!("{first}, <{}>; rel=\"next\"", url(Some(cursor))),
            None => first,
        }
    }

    fn open(&self, cursor: &str) -> Option<Vec<u8>> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let (mac, position) = bytes.split_at_checked(MAC_BYTES)?;
        let expected = self.mac(position);
        let is_ours = subtle::ConstantTimeEq::ct_eq(mac, expected.as_ref().get(..MAC_BYTES)?);
        bool::from(is_ours).then(|| position.to_vec())
    }
}

crate::parameters! {
    /// The parameters of every list.
    pub struct PageParams {
        /// The maximum number of rows of the page.
        limit: Number<1, PAGE_MOST> = 50,
        /// `next_cursor` of the previous page, with the same filters and the same `sort`.
        cursor: Text,
        /// Whether the response includes, as `total`, the number of rows of all pages together.
        include_total: Flag = false,
    }
}

/// The requested page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<P> {
    /// The maximum number of rows.
    pub limit: i64,
    /// The position of the last row of the previous page.
    pub after: Option<P>,
    /// Whether the response includes the number of rows of all pages.
    include_total: bool,
}

impl<P: DeserializeOwned> Page<P> {
    /// Reads `limit`, `cursor` and `include_total`.
    pub fn read(list: &ListId<'_>, query: &mut Query<'_>) -> Self {
        let PageParams { limit, cursor, include_total } = PageParams::read(query);
        let limit = limit.unwrap_or(PAGE_DEFAULT);
        let after = cursor.and_then(|cursor| {
            let position = list.open(&cursor).and_then(|bytes| serde_json::from_slice(&bytes).ok());
            if position.is_none() {
                query.fault(
                    "cursor",
                    ParameterCode::Cursor,
                    "is not a cursor of this list with these filters and this sort",
                );
            }
            position
        });
        Self { limit, after, include_total: include_total.unwrap_or(false) }
    }

    /// Runs `count`, a future of a store function, if the total is requested.
    pub async fn total(&self, count: impl Future<Output = store::Result<i64>>) -> store::Result<Option<i64>> {
        if self.include_total { count.await.map(Some) } else { Ok(None) }
    }

    /// The page made of the rows that were read with [`Page::rows_to_read`].
    pub fn cut<R>(&self, rows: Vec<R>) -> store::Page<R> {
        store::Page::cut(rows, self.limit)
    }

    /// The page made of all rows of the list, in the order of `position`.
    pub fn of_all<R>(&self, mut rows: Vec<R>, position: impl Fn(&R) -> P) -> store::Page<R>
    where
        P: PartialOrd,
    {
        rows.retain(|row| self.after.as_ref().is_none_or(|after| position(row) > *after));
        self.cut(rows)
    }

    /// One row more than the page has shows whether there is another page.
    pub fn rows_to_read(&self) -> i64 {
        self.limit + 1
    }
}

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub struct List<T> {
    /// The rows of this page.
    #[schema(max_items = 200)]
    pub data: Vec<T>,
    /// Whether more rows follow.
    pub has_more: bool,
    /// What to send as `cursor` for the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 1024)]
    pub next_cursor: Option<String>,
    /// The number of rows of all pages together, if `include_total` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    pub total: Option<i64>,
    /// The point in time that the response shows, if `as_of` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Timestamp, required = false)]
    pub as_of: Option<Timestamp>,
    /// The journal entry whose state the response shows, if `as_of_seq` was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    pub as_of_seq: Option<i64>,
    /// The time zone that decides days and weeks, if a filter depends on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 64, examples("Europe/Berlin"))]
    pub time_zone: Option<String>,
    /// Where a search found nothing: its text with words that are one letter away, which finds something; absent if there is
    /// none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, max_length = 500, examples("ransom* -drill"))]
    pub did_you_mean: Option<String>,
    /// The header `Link`.
    #[serde(skip)]
    #[schema(ignore)]
    pub link: String,
}

impl<T> List<T> {
    /// The response for one page; `total` is that of [`Page::total`], and `position` returns a row's position in the
    /// order of the list.
    pub fn of<R, P: Serialize>(
        list: &ListId<'_>,
        page: store::Page<R>,
        total: Option<i64>,
        position: impl Fn(&R) -> P,
        view: impl FnMut(R) -> T,
    ) -> Self {
        let has_more = page.has_more;
        let last = if has_more { page.rows.last() } else { None };
        let next_cursor = last.map(|row| {
            // Numbers and strings only: serializing them cannot fail.
            list.seal(&serde_json::to_vec(&position(row)).unwrap_or_default())
        });
        let data = page.rows.into_iter().map(view).collect();
        let link = list.link(next_cursor.as_deref());
        let (as_of, as_of_seq, time_zone, did_you_mean) = (None, None, None, None);
        Self { data, has_more, next_cursor, total, as_of, as_of_seq, time_zone, did_you_mean, link }
    }

    /// The same with the requested point in time.
    pub fn seen(self, named: AsOfShown) -> Self {
        Self { as_of: named.as_of, as_of_seq: named.as_of_seq, ..self }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn list<'l>(key: &'l CursorKey, path: &'l str, query: &'l str) -> ListId<'l> {
        let service = "https://bailiwick.example";
        ListId { key, organization: OrgId(Uuid::nil()), service, path, query: Some(query) }
    }

    #[test]
    fn a_cursor_fits_its_own_list_only() {
        let key = CursorKey::new(&[1; 32]);
        let cursor = list(&key, "/v1/incidents", "limit=2&a=1&b=2").seal(b"42");
        let opens = |path, query| list(&key, path, query).open(&cursor).is_some();
        assert!(opens("/v1/incidents", "b=2&a=1&cursor=x&limit=50"));
        assert!(opens("/v1/incidents", "a=1&b=2&include_total=true&fields=id"));
        assert!(!opens("/v1/risks", "a=1&b=2"));
        assert!(!opens("/v1/incidents", "a=1"));
        assert!(!opens("/v1/incidents", "a=1&b=3"));
        let mut other = list(&key, "/v1/incidents", "a=1&b=2");
        other.organization = OrgId(Uuid::max());
        assert!(other.open(&cursor).is_none());
        let other_key = CursorKey::new(&[2; 32]);
        assert!(list(&other_key, "/v1/incidents", "a=1&b=2").open(&cursor).is_none());
    }

    #[test]
    fn a_changed_cursor_is_refused() {
        let key = CursorKey::new(&[1; 32]);
        let list = list(&key, "/v1/tags", "");
        let cursor = list.seal(b"42");
        for index in 0..cursor.len() {
            let mut bytes = cursor.clone().into_bytes();
            bytes[index] = if bytes[index] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(bytes).unwrap();
            // The last character of base64 has unused bits, which must be zero.
            assert!(list.open(&changed).is_none(), "{changed}");
        }
        for text in ["", "x", "42", "é", "AAAAAAAAAAAAAAAAAAAA"] {
            assert!(list.open(text).is_none(), "{text}");
        }
    }

    #[test]
    fn the_last_page_has_no_cursor() {
        let key = CursorKey::new(&[1; 32]);
        let list = list(&key, "/v1/tags", "");
        let page = Page { limit: 2, after: None::<i64>, include_total: false };
        let full = List::of(&list, page.cut(vec![3, 2, 1]), None, |row| i64::from(*row), |row| row);
        assert!(full.has_more && full.data == [3, 2]);
        let mut query = Query::new(None);
        assert_eq!(Page::<i64>::read(&list, &mut query), Page { limit: 50, ..page.clone() });
        assert_eq!(list.open(&full.next_cursor.unwrap()).as_deref(), Some(&b"2"[..]));
        let last = List::of(&list, page.cut(vec![2, 1]), Some(2), |row| i64::from(*row), |row| row);
        assert!(!last.has_more && last.next_cursor.is_none() && last.total == Some(2));
        assert_eq!(last.link, r#"<https://bailiwick.example/v1/tags>; rel="first""#);
    }

    #[test]
    fn links_keep_every_parameter_but_the_place() {
        let key = CursorKey::new(&[1; 32]);
        let list = list(&key, "/v1/risks", "after=3&q=a%26b+%C3%A9&cursor=old&limit=2&include_total=true");
        let kept = "q=a%26b+%C3%A9&limit=2&include_total=true";
        let first = format!(r#"<https://bailiwick.example/v1/risks?{kept}>; rel="first""#);
        assert_eq!(list.link(None), first);
        let next = format!(r#"<https://bailiwick.example/v1/risks?{kept}&cursor=new>; rel="next""#);
        assert_eq!(list.link(Some("new")), format!("{first}, {next}"));
    }

    #[tokio::test]
    async fn a_total_is_counted_only_if_it_is_asked_for() {
        let key = CursorKey::new(&[1; 32]);
        let list = list(&key, "/v1/tags", "");
        let read = |text| {
            let mut query = Query::new(Some(text));
            let page = Page::<i64>::read(&list, &mut query);
            query.finish().map(|()| page)
        };
        let count = async || Ok(7);
        assert_eq!(read("include_total=true").unwrap().total(count()).await.unwrap(), Some(7));
        for text in ["include_total=false", "limit=1"] {
            let uncounted = async { panic!("counted") };
            assert_eq!(read(text).unwrap().total(uncounted).await.unwrap(), None, "{text}");
        }
        for text in ["include_total=", "include_total=1", "include_total=TRUE"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
