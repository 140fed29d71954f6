//! What scales say of a rating, in SQL. The cells of a scale are a text of digits, so that a band is read without a join.

use domain::scale::{Grade, Scale, ScaleBand, Scales};

/// What a code has for each generation: more than a scale has bands.
const GENERATION: i64 = 10;

/// The code of the band of the evaluation `of`: the generation of its scale, and the place of the band.
pub(crate) fn band_code(scales: &Scales, of: &str) -> String {
    by_generation(scales, of, |scale| format!("{} + {}", GENERATION * scale.generation, place(scale, of)))
}

/// The band with a code.
pub(crate) fn band_of_code(scales: &Scales, code: i64) -> Option<&ScaleBand> {
    let (generation, place) = (code / GENERATION, code % GENERATION);
    let scale = scales.generations().map(|(_, scale)| scale).find(|it| it.generation == generation);
    scale?.band(place)
}

/// Every code that there is.
pub(crate) fn codes(scales: &Scales) -> impl Iterator<Item = i64> {
    let bands = |scale: &Scale| i64::try_from(scale.content.bands.len()).unwrap_or_default();
    scales.generations().flat_map(move |(_, scale)| {
        let first = GENERATION * scale.generation;
        first..first + bands(scale)
    })
}

/// What orders ratings of the evaluations `of`: [`Grade::order`].
pub(crate) fn order(scales: &Scales, of: &str) -> String {
    by_generation(scales, of, |scale| {
        format!(
            "{} * {} + {of}.rating_likelihood * {of}.rating_impact * {} / {}",
            place(scale, of),
            Grade::ORDER_OF_A_BAND,
            Grade::ORDER_OF_A_SCORE,
            scale.highest_score()
        )
    })
}

/// An expression that depends on the scale by which the evaluation `of` is read; NULL without an evaluation.
fn by_generation(scales: &Scales, of: &str, expression: impl Fn(&Scale) -> String) -> String {
    let case = |(first, scale): (i64, &Scale)| {
        format!("WHEN {of}.scale_version >= {first} THEN {}", expression(scale))
    };
    format!("CASE {} END", scales.generations().map(case).collect::<Vec<_>>().join(" "))
}

/// The place of the band of the evaluation `of` in a scale.
fn place(scale: &Scale, of: &str) -> String {
    let cells: String = scale.content.matrix.iter().flatten().map(ToString::to_string).collect();
    let (_, columns) = scale.content.size();
    format!(
        "CAST(SUBSTR('{cells}', CAST(({of}.rating_likelihood - 1) * {columns} + {of}.rating_impact AS INTEGER), 1)
              AS BIGINT)"
    )
}
