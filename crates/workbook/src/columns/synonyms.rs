//! The words of headers in English, German, French, Spanish, Dutch and Italian, folded: lower case, without accents.

use super::field::{Axis, Field, Stage};

/// The words of each field; a longer phrase wins over a shorter one, an equal header over a phrase in it.
pub(super) const FIELDS: &[(Field, &str)] = &[
    (
        Field::ExternalRef,
        "external ref, id, ref, reference, risk id, risk no, risk number, risk ref, no, nr, number, key, code, lfd nr, \
        nummer, risiko id, risiko nr, risikonummer, kennung, kennnummer, referenz, numero, n, identifiant, reference du \
        risque, identificador, codigo, referencia, referentie, volgnummer, risiconummer, codice, riferimento, \
        identificativo, incident id, ticket",
    ),
    (
        Field::Title,
        "title, risk title, risk name, name, risk, risk statement, risk event, summary, hazard, tag, titel, risiko, \
        risikobezeichnung, bezeichnung, risikotitel, kurzbezeichnung, gefahrdung, titre, risque, intitule, intitule du \
        risque, nom, evenement redoute, titulo, riesgo, nombre, nombre del riesgo, risico, naam, omschrijving risico, \
        titolo, rischio, nome, denominazione, risks, risiken, incident, vorfall, incidente",
    ),
    (
        Field::Description,
        "description, risk description, details, detail, scenario, risk scenario, cause, root cause, beschreibung, \
        risikobeschreibung, szenario, ursache, risikoszenario, description du risque, cause racine, descripcion, \
        descripcion del riesgo, causa, escenario, omschrijving, beschrijving, oorzaak, risicobeschrijving, descrizione, \
        descrizione del rischio, scenario di rischio",
    ),
    (
        Field::Category,
        "category, risk category, type, risk type, class, area, domain, kategorie, risikokategorie, risikoart, art, \
        bereich, categorie, categorie de risque, famille, domaine, type de risque, categoria, categoria de riesgo, tipo, \
        tipo de riesgo, ambito, risicocategorie, soort, categoria di rischio, tipologia",
    ),
    (
        Field::Owner,
        "owner, owner name, risk owner, responsible, responsible person, accountable, responsibility, assignee, assigned \
        to, verantwortlich, verantwortlicher, verantwortliche, risikoeigner, risikoeigentumer, eigentumer, zustandig, \
        risikoverantwortlicher, proprietaire, proprietaire du risque, responsable, porteur, pilote, responsable del \
        riesgo, propietario, propietario del riesgo, dueno, eigenaar, risico eigenaar, risicoeigenaar, \
        verantwoordelijke, responsabile, proprietario, proprietario del rischio, titolare",
    ),
    (Field::OwnerEmail, "owner email, email, e mail, owner e mail, mail, assigned to email, assignee email"),
    (
        Field::Asset,
        "asset, assets, asset name, affected asset, system, process, information asset, schutzobjekt, zielobjekt, wert, \
        werte, prozess, actif, actifs, bien, bien support, processus, systeme, activo, activos, proceso, sistema, \
        bedrijfsmiddel, bedrijfsmiddelen, proces, systeem, bene, beni, risorsa, processo",
    ),
    (
        Field::Threat,
        "threat, threats, threat source, bedrohung, bedrohungen, menace, menaces, amenaza, amenazas, dreiging, \
        bedreiging, minaccia, minacce",
    ),
    (
        Field::Vulnerability,
        "vulnerability, vulnerabilities, weakness, schwachstelle, schwachstellen, verwundbarkeit, vulnerabilite, \
        vulnerabilites, vulnerabilidad, vulnerabilidades, kwetsbaarheid, kwetsbaarheden, vulnerabilita, debolezza",
    ),
    (
        Field::ExistingControls,
        "existing controls, existing control, current controls, controls in place, controls, control, safeguards, \
        existing measures, bestehende massnahmen, vorhandene massnahmen, umgesetzte massnahmen, kontrollen, mesures \
        existantes, mesures en place, controles existants, mesures de securite, controles existentes, controles, medidas \
        existentes, salvaguardas, bestaande maatregelen, huidige maatregelen, beheersmaatregelen, controlli esistenti, \
        misure esistenti, controlli, contromisure esistenti",
    ),
    (
        Field::Controls,
        "iso 27001 controls, annex a, annex a controls, annex a control, iso control, iso controls, control reference, \
        control ref, applicable controls, iso 27001, iso 27001 control, anhang a, controls anhang a, annexe a, anexo a, \
        bijlage a, allegato a",
    ),
    (
        Field::Treatment,
        "treatment, risk treatment, treatment option, response, risk response, strategy, risk strategy, treatment \
        decision, treatment strategy, risk decision, option, behandlung, risikobehandlung, behandlungsoption, strategie, \
        risikostrategie, umgang, traitement, option de traitement, traitement du risque, decision, tratamiento, opcion \
        de tratamiento, tratamiento del riesgo, respuesta, estrategia, behandeling, risicobehandeling, behandeloptie, \
        respons, trattamento, opzione di trattamento, risposta, trattamento del rischio, strategia",
    ),
    (
        Field::TreatmentPlan,
        "treatment plan, mitigation, mitigation plan, risk treatment plan, planned controls, additional controls, \
        proposed controls, mitigation actions, measures, planned measures, recommended controls, contingency, massnahme, \
        massnahmen, geplante massnahmen, behandlungsplan, massnahmenplan, plan de traitement, mesures, mesures prevues, \
        plan d action, plan de tratamiento, medidas, controles propuestos, plan de accion, medidas previstas, maatregel, \
        maatregelen, behandelplan, geplande maatregelen, piano di trattamento, misure, misure previste, contromisure, \
        piano d azione",
    ),
    (
        Field::Task,
        "task, tasks, action, actions, action item, next step, next steps, to do, aufgabe, aufgaben, aktion, tache, \
        taches, tarea, tareas, accion, acciones, taak, taken, actie, acties, attivita, azione, azioni",
    ),
    (
        Field::TaskDue,
        "due, due date, deadline, target date, completion date, implementation date, by when, due by, frist, termin, \
        falligkeit, fallig am, bis wann, zieltermin, umsetzung bis, echeance, date limite, delai, date cible, fecha \
        limite, vencimiento, plazo, fecha objetivo, vervaldatum, einddatum, streefdatum, scadenza, data prevista, \
        termine",
    ),
    (Field::StatusReason, "status reason, closing reason, reason for closing, grund fur schliessung"),
    (Field::StatusDate, "status date, status since"),
    (Field::Status, "status, state, risk status, stand, zustand, statut, etat, estado, toestand, stato"),
    (
        Field::Tags,
        "tags, labels, keywords, schlagworte, mots cles, etiquettes, etiquetas, trefwoorden, etichette",
    ),
    (
        Field::EvaluatedAt,
        "evaluated at, assessment date, date assessed, last assessed, last review, review date, last reviewed, date of \
        assessment, evaluation date, bewertet am, bewertungsdatum, datum der bewertung, letzte bewertung, date d \
        evaluation, date de l evaluation, derniere evaluation, fecha de evaluacion, ultima evaluacion, \
        beoordelingsdatum, datum beoordeling, data di valutazione, ultima valutazione, evaluated, date, datum, fecha, \
        data",
    ),
    (Field::EvaluateEvery, "evaluate every days"),
    (Field::ReviewEvery, "review every days"),
    (
        Field::NextReview,
        "next review, next review date, date of next review, review due, review due date, nachste uberprufung, nachste \
        prufung, nachste bewertung, wiedervorlage, prochaine revue, date de prochaine revue, proxima revision, volgende \
        beoordeling, volgende review, prossima revisione, prossimo riesame",
    ),
    (
        Field::Note,
        "note, notes, comment, comments, remark, remarks, bemerkung, bemerkungen, kommentar, anmerkung, hinweis, \
        commentaire, commentaires, remarque, remarques, comentario, comentarios, observaciones, nota, notas, opmerking, \
        opmerkingen, toelichting, commento, commenti, osservazioni",
    ),
    (Field::Severity, "severity, priority, schweregrad, prioritat, gravite, gravedad, ernst, gravita"),
    (Field::SeverityReasoning, "severity reasoning, severity rationale, reason for severity"),
    (Field::SeveritySource, "severity source"),
    (Field::EventKind, "kind, incident kind"),
    (
        Field::Source,
        "source, detection source, detected by, quelle, source de detection, fuente, bron, fonte",
    ),
    (Field::Location, "location, place, ort, standort, lieu, lugar, locatie, plaats, luogo"),
    (Field::ExternalSource, "external source, external system, source system, ticket system"),
    (
        Field::OccurredAt,
        "occurred date, occurred at, occurred, started at, start, started, start date, start time, incident date, date of \
        incident, beginn, beginn am, debut, inicio, begin, inizio",
    ),
    (
        Field::DetectedAt,
        "detected date, detected at, detected, opened at, opened, reported, reported at, date reported, created, created \
        at, gemeldet, gemeldet am, entdeckt, entdeckt am, erkannt am, signale le, detecte le, fecha de apertura, detectado, \
        gemeld, gemeld op, ontdekt, segnalato, rilevato, date, datum, fecha, data",
    ),
    (Field::RespondedAt, "responded date, responded at, responded, acknowledged at, reaktion am"),
    (Field::ContainedAt, "contained date, contained at, contained, eingedammt am"),
    (
        Field::ResolvedAt,
        "resolved date, resolved at, resolved, fixed at, behoben, behoben am, gelost am, resolu le, resuelto, opgelost op, \
        risolto il",
    ),
    (
        Field::ClosedAt,
        "closed date, closed at, closed, end, end date, geschlossen, geschlossen am, ende, cloture le, fin, cerrado, \
        gesloten, gesloten op, chiuso, chiuso il",
    ),
    (Field::FirstContainedAt, "first contained date, first contained at"),
    (Field::FirstResolvedAt, "first resolved date, first resolved at"),
    (Field::ReopenCount, "reopen count, times reopened"),
    (Field::ResolutionReason, "resolution reason, closure code, resolution code, close code"),
    (
        Field::ResolutionSummary,
        "resolution summary, resolution, solution, corrective action, corrective actions, losung, behebung, solucion, \
        oplossing, soluzione",
    ),
    (Field::DuplicateOf, "duplicate of, duplikat von, doublon de, duplicado de, duplicaat van, duplicato di"),
    (Field::Restricted, "restricted"),
    (Field::LegalHold, "legal hold"),
    (Field::LegalHoldReason, "legal hold reason"),
    (Field::Color, "color, colour, farbe, couleur, kleur, colore"),
    (Field::Aliases, "aliases, alias, synonyms, synonyme, synonymes, sinonimos, synoniemen, sinonimi"),
];

/// The words of the two factors.
pub(super) const AXES: &[(Axis, &str)] = &[
    (
        Axis::Likelihood,
        "likelihood, probability, prob, l, p, lh, frequency, occurrence, likelyhood, chance, eintrittswahrscheinlichkeit, \
        wahrscheinlichkeit, ew, haufigkeit, eintrittshaufigkeit, probabilite, vraisemblance, frequence, probabilidad, \
        frecuencia, waarschijnlijkheid, kans, frequentie, probabilita, frequenza, verosimiglianza, w",
    ),
    (
        Axis::Impact,
        "impact, consequence, consequences, severity, i, c, s, sev, auswirkung, auswirkungen, schadenshohe, \
        schadensausmass, schaden, ausmass, tragweite, konsequenz, schadensauswirkung, gravite, severite, impacto, \
        consecuencia, gravedad, severidad, gevolg, gevolgen, ernst, effect, impatto, gravita, conseguenza, conseguenze, \
        g",
    ),
];

/// The words of products.
pub(super) const SCORES: &str = "score, risk score, rating, risk rating, risk level, level, risk value, rpn, lxi, l x i, p x i, pxi, risk \
        priority number, exposure, risikowert, risikostufe, risikozahl, risikoklasse, rpz, bewertung, stufe, niveau, \
        niveau de risque, criticite, cotation, nivel, nivel de riesgo, puntuacion, valor, risicoscore, risiconiveau, \
        risicowaarde, livello, livello di rischio, punteggio, indice, indice di rischio, wert, risk, risiko, risque, \
        riesgo, risico, rischio, restrisiko, bruttorisiko, nettorisiko, zielrisiko, restrisico";

/// Factors beside the two, of a product of three.
pub(super) const THIRD: &str = "detection, detectability, d, velocity, vulnerability rating, entdeckung, entdeckungswahrscheinlichkeit, \
        detectabilite, detection rating, deteccion, detectie, rilevabilita";

/// The words of which rating it is.
pub(super) const STAGES: &[(Stage, &str)] = &[
    (
        Stage::Inherent,
        "inherent, gross, initial, raw, before treatment, before controls, pre mitigation, untreated, uncontrolled, \
        inharent, inharentes, brutto, bruttorisiko, ausgangsrisiko, vor massnahmen, brut, risque brut, avant traitement, \
        inherente, bruto, inicial, antes de controles, initieel, brutorisico, voor maatregelen, inerente, lordo, \
        iniziale",
    ),
    (
        Stage::Residual,
        "residual, net, remaining, after treatment, after controls, post mitigation, mitigated, restrisiko, rest, netto, \
        nettorisiko, nach massnahmen, verbleibend, verbleibendes, residuel, residuelle, apres traitement, neto, despues \
        de controles, restrisico, nettorisico, na maatregelen, residuo, dopo trattamento",
    ),
    (
        Stage::Target,
        "target, planned, desired, goal, tolerable, ziel, soll, zielrisiko, zielwert, angestrebt, cible, vise, objetivo, \
        meta, deseado, doel, gewenst, doelrisico, obiettivo, atteso",
    ),
    (
        Stage::Current,
        "current, actual, present, today, aktuell, aktuelles, ist, derzeit, actuel, actuelle, huidig, huidige, attuale",
    ),
];
