//! Words of closed lists, such as treatments and statuses, in six languages, folded.

use super::choices_of_incidents as incidents;
use crate::columns::field::{Field, Kind};
use crate::words::lists;

/// Words of a closed list, each with what people write for it.
pub(crate) type Words = &'static [(&'static str, &'static str)];

/// A closed list that a field has its values from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice {
    /// What a value is called; the ids of questions begin with it.
    pub(crate) name: &'static str,
    /// The same in a question.
    pub(crate) noun: &'static str,
    /// The word that is proposed for one that is not known.
    pub(crate) proposal: &'static str,
    pub(crate) words: Words,
}

/// The fields with closed lists, in the order of their questions.
pub(crate) const FIELDS: [Field; 5] =
    [Field::Treatment, Field::Status, Field::Severity, Field::EventKind, Field::ResolutionReason];

impl Choice {
    /// The list of a field in a file of this kind.
    pub(crate) fn of(field: Field, kind: Kind) -> Option<Self> {
        let of = |name, noun, proposal, words| Some(Self { name, noun, proposal, words });
        match (field, kind) {
            (Field::Treatment, _) => of("treatment", "treatment", "undecided", TREATMENTS),
            (Field::Status, Kind::Risks) => of("status", "status", "open", STATUSES),
            (Field::Status, Kind::Incidents) => of("status", "status", "new", incidents::STATUSES),
            (Field::Severity, _) => of("severity", "severity", "undetermined", incidents::SEVERITIES),
            (Field::EventKind, _) => of("kind", "kind of event", "real", incidents::KINDS),
            (Field::ResolutionReason, _) => {
                of("resolution_reason", "resolution reason", "other", incidents::RESOLUTION_REASONS)
            }
            _ => None,
        }
    }

    /// The word that a folded text means.
    pub(crate) fn meant(&self, text: &str) -> Option<&'static str> {
        self.words.iter().find(|(_, words)| lists(words, text)).map(|(word, _)| *word)
    }

    /// All words.
    pub(crate) fn all(&self) -> Vec<&'static str> {
        self.words.iter().map(|(word, _)| *word).collect()
    }
}

/// The words of each treatment.
const TREATMENTS: Words = &[
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
const STATUSES: Words = &[
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
