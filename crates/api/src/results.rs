//! What became of many acts on risks, each of which has made a numbered record or was refused.

/// Declares the response, `ResultsView`, in a module that has the words of an `Outcome`: that of success, and `Failed`.
macro_rules! results {
    (
        $(#[$about:meta])+
        $results:ident: $most:tt;
        $(#[$of_count:meta])+
        $count:ident: $done:ident;
        $(#[$of_result:meta])+
        $result:ident;
        $(#[$of_number:meta])+
        number;
    ) => {
        type OutcomeView = http::word::OneOf<Outcome>;

        $(#[$about])+
        #[derive(serde::Serialize, utoipa::ToSchema)]
        #[schema(as = $results)]
        struct ResultsView<'e> {
            $(#[$of_count])+
            #[schema(minimum = 0, maximum = $most, examples(1))]
            $count: usize,
            /// How many were refused.
            #[schema(minimum = 0, maximum = $most)]
            failed_count: usize,
            /// In the order of the request.
            #[schema(max_items = $most)]
            results: Vec<ResultView<'e>>,
        }

        $(#[$of_result])+
        #[derive(serde::Serialize, utoipa::ToSchema)]
        #[schema(as = $result)]
        struct ResultView<'e> {
            /// The id of the risk.
            risk: domain::RiskNumber,
            /// What became of it.
            outcome: OutcomeView,
            $(#[$of_number])+
            #[schema(minimum = 1)]
            number: Option<i64>,
            /// Why it was refused; absent if it was not. The pointers of faults begin at the whole body.
            #[serde(skip_serializing_if = "Option::is_none")]
            #[schema(schema_with = http::problem::ItemProblem::schema, required = false)]
            problem: Option<http::problem::ItemProblem<'e>>,
        }

        impl<'e> ResultsView<'e> {
            fn of(public_url: &auth::PublicUrl, all: &'e [(domain::RiskNumber, domain::Result<i64>)]) -> Self {
                let problem = |error| http::problem::ItemProblem::at(public_url, error);
                let result = |(risk, made): &'e (domain::RiskNumber, domain::Result<i64>)| {
                    let (outcome, number, problem) = match made {
                        Ok(number) => (Outcome::$done, Some(*number), None),
                        Err(error) => (Outcome::Failed, None, Some(problem(error))),
                    };
                    ResultView { risk: *risk, outcome: outcome.into(), number, problem }
                };
                let results: Vec<_> = all.iter().map(result).collect();
                let $count = results.iter().filter(|it| it.number.is_some()).count();
                let failed_count = results.len() - $count;
                Self { $count, failed_count, results }
            }
        }
    };
}

pub(crate) use results;
