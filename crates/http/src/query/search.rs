//! `q`: the text of a search.

use domain::search::{QUERY_CHARACTERS, SearchQuery};
use domain::text::is_blank;

use super::{Query, Search};
use crate::error_codes::ParameterCode;

crate::parameters! {
    /// The parameter of lists.
    pub struct SearchParam {
        /// A search in the current records: `word`, `word*` for the start of a word, `"a phrase"`; all must match. `-`
        /// before one excludes it. Without `sort` the best matches come first. The header `Bailiwick-Search-Seq` is the
        /// journal entry up to which the register is indexed.
        #[example = "ransom* \"file server\" -drill"]
        q: Search,
    }
}

impl Query<'_> {
    /// What a search asks for, if there is one.
    pub fn search(&mut self) -> Option<SearchQuery> {
        SearchParam::read(self).q
    }

    pub(super) fn searched(&mut self, name: &'static str) -> Option<SearchQuery> {
        let text = self.text(name)?;
        if text.contains('\0') {
            self.fault(name, ParameterCode::Format, "must not contain U+0000");
        } else if is_blank(&text) {
            self.fault(name, ParameterCode::Blank, "must not be blank");
        } else if text.chars().count() > QUERY_CHARACTERS {
            self.fault(
                name,
                ParameterCode::TooLong,
                format!("must have at most {QUERY_CHARACTERS} characters"),
            );
        }
        Some(if self.is_typed { SearchQuery::typed(&text) } else { SearchQuery::parse(&text) })
    }

    /// Notes that a parameter of the past or of the trash was sent beside a search.
    pub(crate) fn refuse_beside_search(&mut self, name: &'static str) {
        if self.has("q") {
            self.fault(
                "q",
                ParameterCode::Conflict,
                format!("searches what is there today, so it cannot be sent with `{name}`"),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;

    fn search(query: &str) -> Result<SearchQuery, String> {
        let mut query = Query::new(Some(query));
        let search = query.search().unwrap_or_default();
        match query.finish() {
            Ok(()) => Ok(search),
            Err(Error::InvalidParameter(faults)) => Err(faults[0].detail.clone()),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_search_has_up_to_500_characters() {
        assert_eq!(search(&format!("q={}", "ä".repeat(500))).map(|it| it.terms.len()), Ok(1));
        assert_eq!(
            search(&format!("q={}", "ä".repeat(501))),
            Err("must have at most 500 characters".to_owned())
        );
        assert_eq!(search("q=+"), Err("must not be blank".to_owned()));
        assert_eq!(search("q=a%00b"), Err("must not contain U+0000".to_owned()));
        assert_eq!(search("q=***").map(|it| it.is_empty()), Ok(true));
        assert_eq!(search("q=a&q=b"), Err("must be given once".to_owned()));
    }
}
