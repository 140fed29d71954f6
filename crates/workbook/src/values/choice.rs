//! Words of closed lists: treatments and statuses, in six languages, folded.

use crate::words::lists;

/// Words of a closed list, each with what people write for it.
pub(crate) type Words = &'static [(&'static str, &'static str)];

/// The words of each treatment.
pub(crate) const TREATMENTS: Words = &[
    (
        "mitigate",
        "mitigate, mitigation, reduce, reduction, treat, modify, control, mitigated, reduzieren, vermindern, mindern, \
        verringern, behandeln, reduktion, minderung, verminderung, reduire, attenuer, traiter, attenuation, reducir, \
        mitigar, tratar, mitigacion, reduccion, verminderen, beperken, reduceren, mitigeren, behandelen, ridurre, \
        mitigare, trattare, riduzione, mitigazione",
    ),
    (
        "accept",
        "accept, accepted, acceptance, tolerate, retain, akzeptieren, akzeptiert, akzeptanz, tragen, accepter, \
        acceptation, acceptee, aceptar, aceptado, aceptacion, asumir, accepteren, aanvaarden, geaccepteerd, acceptatie, \
        accettare, accettato, accettazione",
    ),
    (
        "transfer",
        "transfer, share, transferred, insure, transference, ubertragen, transferieren, teilen, versichern, ubertragung, \
        transferer, partager, transfert, partage, transferir, compartir, transferencia, overdragen, delen, verzekeren, \
        overdracht, trasferire, condividere, trasferimento",
    ),
    (
        "avoid",
        "avoid, avoidance, eliminate, terminate, remove, vermeiden, vermeidung, eviter, refuser, evitement, supprimer, \
        evitar, eliminar, evitacion, vermijden, elimineren, vermijding, evitare, eliminare",
    ),
    (
        "undecided",
        "undecided, tbd, open, to be decided, offen, unentschieden, a decider, pendiente, onbeslist, da decidere",
    ),
];

/// The words of each status.
pub(crate) const STATUSES: Words = &[
    (
        "open",
        "open, active, in progress, new, identified, ongoing, monitoring, pending, offen, aktiv, in bearbeitung, in \
        arbeit, neu, ouvert, ouverte, actif, en cours, nouveau, abierto, activo, en curso, nuevo, actief, lopend, in \
        behandeling, nieuw, aperto, attivo, in corso, nuovo",
    ),
    (
        "closed",
        "closed, done, resolved, complete, completed, inactive, geschlossen, erledigt, abgeschlossen, behoben, ferme, \
        fermee, clos, cloture, termine, cerrado, resuelto, terminado, gesloten, afgerond, opgelost, chiuso, risolto, \
        completato",
    ),
];

/// The word of a list that a folded text means.
pub(crate) fn meant(list: Words, text: &str) -> Option<&'static str> {
    list.iter().find(|(_, words)| lists(words, text)).map(|(word, _)| *word)
}
