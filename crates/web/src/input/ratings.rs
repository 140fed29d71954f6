//! Ratings of risks, in bodies of risks and evaluations.

use domain::Faults;
use domain::risk::{self, Rating, RatingPatch};
use utoipa::ToSchema;

use crate::http::json::{Fields, Json, Pointer};

/// A rating in a request.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes the body, which `read_rating` reads")]
pub(crate) struct NewRating {
    /// How likely it is.
    #[schema(minimum = 1, maximum = 5, examples(4))]
    likelihood: i64,
    /// How bad it would be.
    #[schema(minimum = 1, maximum = 5, examples(5))]
    impact: i64,
}

/// A rating in a merge patch: absent members stay as they are.
#[derive(ToSchema)]
#[schema(as = RatingPatch)]
#[expect(dead_code, reason = "describes the body, which `read_patch` reads")]
pub(crate) struct RatingPatchInput {
    /// How likely it is.
    #[schema(value_type = i64, required = false, minimum = 1, maximum = 5)]
    likelihood: Option<i64>,
    /// How bad it would be.
    #[schema(value_type = i64, required = false, minimum = 1, maximum = 5)]
    impact: Option<i64>,
}

/// Reads a complete rating.
pub(crate) fn read_rating(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<Rating> {
    let mut fields = Fields::of(value, at, faults)?;
    let rating = read_levels(&mut fields);
    fields.finish();
    rating
}

/// Reads the two levels of a rating from an object with other members.
pub(crate) fn read_levels(fields: &mut Fields<'_, '_>) -> Option<Rating> {
    let likelihood = level(fields, "likelihood", Fields::required);
    let impact = level(fields, "impact", Fields::required);
    Some(Rating { likelihood: likelihood?, impact: impact? })
}

/// Reads a rating in a merge patch.
pub(crate) fn read_patch(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<RatingPatch> {
    let mut fields = Fields::of(value, at, faults)?;
    let likelihood = level(&mut fields, "likelihood", Fields::patch_set);
    let impact = level(&mut fields, "impact", Fields::patch_set);
    fields.finish();
    Some(RatingPatch { likelihood, impact })
}

/// A level within its range. One outside of it reads as absent, so that nothing is computed from it.
fn level<'f, 'a>(
    fields: &mut Fields<'f, 'a>,
    name: &'static str,
    read: fn(&mut Fields<'f, 'a>, &'static str) -> Option<i64>,
) -> Option<i64> {
    let level = read(fields, name)?;
    fields.check_with(name, |pointer, faults| risk::level(level, pointer, faults));
    (risk::LEVEL_MIN..=risk::LEVEL_MAX).contains(&level).then_some(level)
}
