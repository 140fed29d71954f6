//! Words for levels in six languages, folded, from the lowest of five to the highest.

use crate::words::lists;

/// The words of each of five levels.
const WORDS: [&str; 5] = [
    "very low, vl, rare, remote, negligible, insignificant, minimal, very unlikely, sehr gering, sehr niedrig, sehr \
        unwahrscheinlich, sehr selten, unbedeutend, vernachlassigbar, tres faible, tres improbable, negligeable, \
        insignifiant, muy bajo, muy baja, raro, insignificante, despreciable, muy improbable, zeer laag, zeer \
        onwaarschijnlijk, verwaarloosbaar, onbeduidend, molto basso, molto bassa, molto improbabile, trascurabile, rara",
    "low, l, unlikely, improbable, minor, seldom, small, gering, niedrig, unwahrscheinlich, selten, klein, faible, \
        peu probable, mineur, mineure, limite, bajo, baja, poco probable, menor, laag, onwaarschijnlijk, beperkt, basso, \
        bassa, improbabile, minore, poco probabile, begrenzt",
    "medium, m, med, moderate, possible, occasional, average, mittel, moglich, gelegentlich, massig, moderat, moyen, \
        moyenne, modere, moderee, medio, media, moderado, moderada, posible, gemiddeld, middel, midden, mogelijk, matig, \
        moderato, moderata, possibile",
    "high, h, likely, probable, major, significant, serious, hoch, wahrscheinlich, erheblich, haufig, gross, \
        betrachtlich, eleve, elevee, fort, forte, majeur, majeure, important, alto, alta, mayor, importante, hoog, \
        waarschijnlijk, aanzienlijk, ernstig, probabile, maggiore, elevato, elevata",
    "very high, vh, almost certain, certain, critical, severe, extreme, catastrophic, very likely, sehr hoch, fast \
        sicher, nahezu sicher, sehr wahrscheinlich, sehr haufig, kritisch, katastrophal, existenzbedrohend, tres eleve, \
        tres elevee, quasi certain, certaine, critique, catastrophique, tres probable, muy alto, muy alta, casi seguro, \
        seguro, critico, critica, catastrofico, catastrofica, muy probable, extremo, zeer hoog, bijna zeker, vrijwel \
        zeker, kritiek, catastrofaal, zeer waarschijnlijk, molto alto, molto alta, quasi certo, certo, molto probabile",
];

/// The level that a folded word means on a scale of so many levels.
pub(super) fn level(folded: &str, levels: usize) -> Option<usize> {
    let place = WORDS.iter().position(|words| lists(words, folded))?;
    Some(match (levels, place) {
        // Three are low, medium and high; four have a critical one above.
        (3 | 4, 0 | 1) => 1,
        (3 | 4, 2) => 2,
        (3, _) | (4, 3) => 3,
        (4, _) => 4,
        // Else the nearest by the share of the scale.
        _ => (place * levels.saturating_sub(1) + 2) / 4 + 1,
    })
}
