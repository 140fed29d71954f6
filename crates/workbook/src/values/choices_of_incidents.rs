//! Words of the closed lists that incidents have, in six languages, folded.

/// The words of each status.
pub(super) const STATUSES: &[(&str, &str)] = &[
    (
        "new",
        "new, open, reported, logged, pending, neu, offen, gemeldet, nouveau, ouvert, nuevo, abierto, nieuw, nuovo, aperto",
    ),
    (
        "investigating",
        "investigating, under investigation, in progress, work in progress, active, ongoing, assigned, in arbeit, in \
        bearbeitung, aktiv, en cours, en curso, in behandeling, lopend, in corso",
    ),
    ("contained", "contained, mitigated, eingedammt, contenu, contenido, ingedamd, contenuto"),
    (
        "resolved",
        "resolved, fixed, solved, done, behoben, gelost, erledigt, resolu, resolue, resuelto, opgelost, risolto",
    ),
    (
        "closed",
        "closed, complete, completed, geschlossen, abgeschlossen, ferme, clos, cloture, cerrado, gesloten, afgerond, chiuso, \
        completato",
    ),
    (
        "dismissed",
        "dismissed, rejected, cancelled, canceled, false positive, abgelehnt, verworfen, rejete, rechazado, afgewezen, \
        respinto",
    ),
];

/// The words of each severity.
pub(super) const SEVERITIES: &[(&str, &str)] = &[
    (
        "undetermined",
        "undetermined, unknown, not assessed, tbd, unbekannt, offen, inconnu, desconocido, onbekend, sconosciuto",
    ),
    ("low", "low, minor, l, p4, sev4, sev 4, s4, niedrig, gering, faible, baja, bajo, laag, basso, bassa"),
    (
        "medium",
        "medium, moderate, m, p3, sev3, sev 3, s3, mittel, moyen, moyenne, media, medio, middel, gemiddeld, moderato",
    ),
    ("high", "high, major, h, p2, sev2, sev 2, s2, hoch, eleve, elevee, alta, alto, hoog, grave"),
    ("critical", "critical, severe, c, p1, sev1, sev 1, s1, kritisch, critique, critica, critico, kritiek"),
];

/// The words of each kind of event.
pub(super) const KINDS: &[(&str, &str)] = &[
    ("real", "real, incident, vorfall"),
    ("drill", "drill, exercise, ubung, exercice, simulacro, oefening, esercitazione"),
    ("test", "test"),
    ("retrospective", "retrospective"),
    (
        "near_miss",
        "near miss, beinahe vorfall, beinaheunfall, presque accident, casi incidente, bijna incident",
    ),
];

/// The words of each reason why an incident was resolved or dismissed.
pub(super) const RESOLUTION_REASONS: &[(&str, &str)] = &[
    ("fixed", "fixed, solved, resolved, behoben, gelost"),
    ("mitigated", "mitigated, workaround"),
    ("accepted", "accepted, risk accepted, akzeptiert"),
    ("false_positive", "false positive, false alarm, fehlalarm, faux positif, falso positivo"),
    ("duplicate", "duplicate, duplikat, doublon, duplicado, duplicaat, duplicato"),
    ("not_an_incident", "not an incident, no incident, kein vorfall"),
    ("test", "test"),
    ("other", "other, sonstiges, andere, autre, otro, overig, altro"),
];
