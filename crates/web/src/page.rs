//! Lists in pages. A cursor is opaque: it carries the position after which the next page begins, and
//! a MAC over it, the organization, the path and the filters, so that it fits no other list.

use aws_lc_rs::hmac;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::OrgId;
use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::{IntoParams, ToSchema};

use crate::api::as_of::Named;
use crate::api::shared::Moment;
use crate::limits::{PAGE_DEFAULT, PAGE_MOST};
use crate::query::Query;

/// Bytes of the MAC that a cursor carries: 96 bits, and a cursor grants no access.
const MAC_BYTES: usize = 12;

/// Signs cursors.
pub(crate) struct CursorKey(hmac::Key);

impl CursorKey {
    pub(crate) fn new(secret: &[u8; 32]) -> Self {
        Self(hmac::Key::new(hmac::HMAC_SHA256, secret))
    }
}

/// Which list a cursor belongs to.
pub(crate) struct ListId<'l> {
    pub(crate) key: &'l CursorKey,
    pub(crate) organization: OrgId,
    pub(crate) path: &'l str,
    pub(crate) query: Option<&'l str>,
}

impl ListId<'_> {
    /// Everything but the place in the list is a filter; the order of filters does not matter.
    fn mac(&self, position: &[u8]) -> hmac::Tag {
        let mut filters: Vec<_> = form_urlencoded::parse(self.query.unwrap_or_default().as_bytes())
            .filter(|(name, _)| !matches!(name.as_ref(), "limit" | "cursor" | "after"))
            .collect();
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

    fn open(&self, cursor: &str) -> Option<Vec<u8>> {
        let bytes = URL_SAFE_NO_PAD.decode(cursor).ok()?;
        let (mac, position) = bytes.split_at_checked(MAC_BYTES)?;
        let expected = self.mac(position);
        let is_ours = subtle::ConstantTimeEq::ct_eq(mac, expected.as_ref().get(..MAC_BYTES)?);
        bool::from(is_ours).then(|| position.to_vec())
    }
}

/// The parameters of every list, for its description.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes the parameters, which `Page::read` reads")]
pub(crate) struct PageParams {
    /// The most rows of the page.
    #[param(minimum = 1, maximum = 200, default = 50)]
    limit: Option<i64>,
    /// `next_cursor` of the page before, with the same filters.
    cursor: Option<String>,
}

/// Which page is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Page<P> {
    /// The most rows.
    pub(crate) limit: i64,
    /// The position of the last row of the page before.
    pub(crate) after: Option<P>,
}

impl<P: DeserializeOwned> Page<P> {
    /// Reads `limit` and `cursor`.
    pub(crate) fn read(list: &ListId<'_>, query: &mut Query<'_>) -> Self {
        let limit = query.integer("limit", 1, PAGE_MOST).unwrap_or(PAGE_DEFAULT);
        let after = query.text("cursor").and_then(|cursor| {
            let position = list.open(&cursor).and_then(|bytes| serde_json::from_slice(&bytes).ok());
            if position.is_none() {
                query.fault("cursor", "cursor", "is not a cursor of this list with these filters");
            }
            position
        });
        Self { limit, after }
    }

    /// The page of rows that were read with [`Page::rows_to_read`].
    pub(crate) fn cut<R>(&self, rows: Vec<R>) -> store::Page<R> {
        store::Page::cut(rows, self.limit)
    }

    /// One row more than the page has tells whether there is another page.
    pub(crate) fn rows_to_read(&self) -> i64 {
        self.limit + 1
    }
}

/// One page of a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct List<T> {
    /// The rows of this page.
    pub(crate) data: Vec<T>,
    /// Whether there are more after them.
    pub(crate) has_more: bool,
    /// What to send as `cursor` for the next page; absent on the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false)]
    pub(crate) next_cursor: Option<String>,
    /// The moment the answer speaks of, when it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = DateTime, required = false)]
    pub(crate) as_of: Option<Moment>,
    /// The journal's number the answer speaks of, when it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = i64, required = false)]
    pub(crate) as_of_seq: Option<i64>,
}

impl<T> List<T> {
    /// The answer for one page; `position` is where a row stands in the order of the list.
    pub(crate) fn of<R, P: Serialize>(
        list: &ListId<'_>,
        page: store::Page<R>,
        position: impl Fn(&R) -> P,
        view: impl FnMut(R) -> T,
    ) -> Self {
        let has_more = page.has_more;
        let last = if has_more { page.rows.last() } else { None };
        let next_cursor = last.map(|row| {
            // Numbers and strings only: writing them cannot fail.
            list.seal(&serde_json::to_vec(&position(row)).unwrap_or_default())
        });
        let data = page.rows.into_iter().map(view).collect();
        Self { data, has_more, next_cursor, as_of: None, as_of_seq: None }
    }

    /// The same, naming the moment it speaks of.
    pub(crate) fn seen(self, named: Named) -> Self {
        Self { as_of: named.as_of, as_of_seq: named.as_of_seq, ..self }
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn list<'l>(key: &'l CursorKey, path: &'l str, query: &'l str) -> ListId<'l> {
        ListId { key, organization: OrgId(Uuid::nil()), path, query: Some(query) }
    }

    #[test]
    fn a_cursor_fits_its_own_list_only() {
        let key = CursorKey::new(&[1; 32]);
        let cursor = list(&key, "/v1/incidents", "limit=2&a=1&b=2").seal(b"42");
        let opens = |path, query| list(&key, path, query).open(&cursor).is_some();
        assert!(opens("/v1/incidents", "b=2&a=1&cursor=x&limit=50"));
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
        let page = Page { limit: 2, after: None::<i64> };
        let full = List::of(&list, page.cut(vec![3, 2, 1]), |row| i64::from(*row), |row| row);
        assert!(full.has_more && full.data == [3, 2]);
        let mut query = Query::new(None);
        assert_eq!(Page::<i64>::read(&list, &mut query), Page { limit: 50, after: None });
        assert_eq!(list.open(&full.next_cursor.unwrap()).as_deref(), Some(&b"2"[..]));
        let last = List::of(&list, page.cut(vec![2, 1]), |row| i64::from(*row), |row| row);
        assert!(!last.has_more && last.next_cursor.is_none());
    }
}
