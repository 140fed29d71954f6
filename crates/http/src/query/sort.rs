//! `sort`: the order that a caller chooses for a list.

use std::marker::PhantomData;

use domain::{Word, nearest};
use store::list::{Direction, Sort};
use utoipa::IntoParams;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::{ObjectBuilder, Required, Type};

use super::Query;
use crate::error_codes::ParameterCode;
use crate::word::{listed, names};

impl Query<'_> {
    /// The order that was chosen: one of the words of `S`, with `-` in front for the greatest first.
    pub fn sort<S: Word>(&mut self) -> Sort<S>
    where
        Sort<S>: Default,
    {
        let Some(text) = self.text("sort") else { return Sort::default() };
        let (direction, name) = match text.strip_prefix('-') {
            Some(name) => (Direction::Descending, name),
            None => (Direction::Ascending, text.as_ref()),
        };
        if let Some(by) = S::parse(name) {
            return Sort { by, direction };
        }
        let known = texts::<S>();
        let hint = nearest(&text, known.iter().map(String::as_str));
        let hint = hint.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
        let detail =
            format!("must be {}, with `-` in front for the greatest first{hint}", listed(&names::<S>()));
        self.fault("sort", ParameterCode::Enum, detail);
        Sort::default()
    }
}

/// Every value of the parameter.
fn texts<S: Word>() -> Vec<String> {
    S::ALL.iter().flat_map(|word| [word.as_str().to_owned(), format!("-{}", word.as_str())]).collect()
}

fn text<S: Word>(sort: Sort<S>) -> String {
    let sign = if sort.direction == Direction::Descending { "-" } else { "" };
    format!("{sign}{}", sort.by.as_str())
}

/// The parameter of a list that can be sorted by `S`, for the OpenAPI document.
pub struct SortParam<S>(PhantomData<S>);

impl<S: Word> IntoParams for SortParam<S>
where
    Sort<S>: Default,
{
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let meanings = S::ALL.iter().map(|word| format!("- `{}`: {}", word.as_str(), word.meaning()));
        let description = format!(
            "The order of the list; with `-` in front the greatest first. Equal rows are sorted by number, in the same \
             direction.\n\n{}",
            meanings.collect::<Vec<_>>().join("\n")
        );
        let schema = ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(texts::<S>()))
            .default(Some(text(Sort::<S>::default()).into()));
        let parameter = ParameterBuilder::new()
            .name("sort")
            .parameter_in(ParameterIn::Query)
            .required(Required::False)
            .description(Some(description))
            .schema(Some(schema));
        vec![parameter.build()]
    }
}

#[cfg(test)]
mod tests {
    use store::risks::RiskSort;

    use super::*;
    use crate::error::Error;

    fn sort(query: &str) -> Result<Sort<RiskSort>, String> {
        let mut query = Query::new(Some(query));
        let sort = query.sort();
        match query.finish() {
            Ok(()) => Ok(sort),
            Err(Error::InvalidParameter(faults)) => Err(faults[0].detail.clone()),
            Err(other) => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_minus_sign_puts_the_greatest_first() {
        let by = |by, direction| Ok(Sort { by, direction });
        assert_eq!(sort(""), by(RiskSort::Number, Direction::Descending));
        assert_eq!(sort("sort=number"), by(RiskSort::Number, Direction::Ascending));
        assert_eq!(sort("sort=-current_score"), by(RiskSort::CurrentScore, Direction::Descending));
    }

    #[test]
    fn an_unknown_order_gets_the_nearest() {
        let all = "must be number, current_score, updated_date or next_review_date, with `-` in front for the greatest first";
        assert_eq!(sort("sort=-curent_score"), Err(format!("{all}; did you mean `-current_score`?")));
        assert_eq!(sort("sort=+number"), Err(format!("{all}; did you mean `number`?")));
        for wrong in ["", "-", "title", "--number", "number,updated_date"] {
            let told = sort(&format!("sort={wrong}")).unwrap_err();
            assert!(told.starts_with(all), "{wrong}: {told}");
        }
    }
}
