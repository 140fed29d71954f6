//! What scales say of a rating, in SQL. The cells of a scale are a text of digits, so that a band is read without a join.

use domain::scale::{Grade, Scale, ScaleBand, Scales};

/// What a code has for each generation: more than a scale has bands.
const GENERATION: i64 = 10;

/// The code of the band of the evaluation `of`: the generation of its scale, and the place of the band.
pub(crate) fn band_code(scales: &Scales, of: &str) -> String {
    let of = evaluated(of);
    let of = of.each_ref().map(String::as_str);
    by_generation(scales, of[2], |scale| format!("{} + {}", GENERATION * scale.generation, place(scale, of)))
}

/// The band with a code.
pub(crate) fn band_of_code(scales: &Scales, code: i64) -> Option<&ScaleBand> {
    let (generation, place) = (code / GENERATION, code % GENERATION);
    let scale = scales.generations().map(|(_, scale)| scale).find(|it| it.generation == generation);
    scale?.band(place)
}

/// The codes of the bands of the present scale.
pub(crate) fn present_codes(scales: &Scales) -> impl Iterator<Item = i64> {
    let generation = scales.present().generation;
    codes(scales).filter(move |code| code / GENERATION == generation)
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
    let of = evaluated(of);
    let of = of.each_ref().map(String::as_str);
    let [likelihood, impact, version] = of;
    by_generation(scales, version, |scale| {
        format!(
            "{} * {} + {likelihood} * {impact} * {} / {}",
            place(scale, of),
            Grade::ORDER_OF_A_BAND,
            Grade::ORDER_OF_A_SCORE,
            scale.highest_score()
        )
    })
}

/// The columns of the rating of the evaluation `of`.
fn evaluated(of: &str) -> [String; 3] {
    ["rating_likelihood", "rating_impact", "scale_version"].map(|column| format!("{of}.{column}"))
}

/// An expression that depends on the scale by which a rating of this version is read; NULL without a rating.
fn by_generation(scales: &Scales, version: &str, expression: impl Fn(&Scale) -> String) -> String {
    let case =
        |(first, scale): (i64, &Scale)| format!("WHEN {version} >= {first} THEN {}", expression(scale));
    format!("CASE {} END", scales.generations().map(case).collect::<Vec<_>>().join(" "))
}

/// The place of the band of a rating in a scale.
fn place(scale: &Scale, [likelihood, impact, _]: [&str; 3]) -> String {
    let cells: String = scale.content.matrix.iter().flatten().map(ToString::to_string).collect();
    let (_, columns) = scale.content.size();
    format!(
        "CAST(SUBSTR('{cells}', CAST(({likelihood} - 1) * {columns} + {impact} AS INTEGER), 1)
              AS BIGINT)"
    )
}
