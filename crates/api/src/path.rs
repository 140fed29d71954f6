//! The ids in paths, as the description of the API has them.

use utoipa::IntoParams;

/// Declares the ids that are texts: type, name in the path, example, most characters.
macro_rules! ids {
    ($($(#[doc = $about:literal])+ $id:ident, $name:ident, $example:tt, $most:tt;)*) => {$(
        $(#[doc = $about])+
        #[derive(IntoParams)]
        #[into_params(parameter_in = Path)]
        #[expect(dead_code, reason = "it only describes the id")]
        pub(crate) struct $id {
            $(#[doc = $about])+
            #[param(max_length = $most, example = $example)]
            $name: String,
        }
    )*};
}

ids! {
    /// `INC-0001`, also `inc-1` or `1`
    IncidentId, id, "INC-0001", 200;
    /// `RSK-1`, also `rsk-1` or `1`
    RiskId, risk_id, "RSK-1", 24;
    /// The document slug
    DocumentId, id, "access-control", 200;
    /// `client_id`
    ClientId, id, "bwc_3mJr9x2Kq7LpTfYv8NzWd4Ha", 200;
}
