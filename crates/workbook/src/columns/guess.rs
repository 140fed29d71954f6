//! What each column is, by its header, by its neighbours and by what stands below.

use super::below::Below;
use super::field::{Axis, Field, Kind, Stage};
use super::ratings;
use super::synonyms::{AXES, FIELDS};
use crate::header::names::Head;
use crate::words::{self, lists};

/// What a column seems to be.
#[derive(Debug, Clone)]
pub(crate) struct Guess {
    pub(crate) field: Field,
    pub(crate) reason: String,
    /// How sure it is, to choose between two columns for one field.
    strength: usize,
    /// Whether the header says which rating it is.
    is_staged: bool,
}

impl Guess {
    fn new(field: Field, strength: usize, reason: impl Into<String>) -> Self {
        Self { field, reason: reason.into(), strength, is_staged: true }
    }

    fn block(reason: &str) -> Self {
        Self::new(Field::Block, 0, reason)
    }
}

/// More than any phrase has letters: the header is equal to a synonym.
const EQUAL: usize = 1_000;

/// The headers of our own files that nobody sets. The owner is known by the address beside the name.
const OURS: &[&str] = &[
    "id",
    "owner",
    "next evaluation date",
    "performance basis points",
    "created date",
    "updated date",
    "deleted date",
    "version",
    "scale version",
    "current band",
];

/// What a header of one of our own files is. An export has `inherent_score` for `inherent.score`.
fn ours(head: &Head, kind: Kind) -> Option<Field> {
    match (kind, head.folded.as_str()) {
        (Kind::Evaluations, "risk" | "number" | "evaluator" | "supersedes") => Some(Field::Ignored),
        (Kind::Incidents, "id") => Some(Field::OwnId),
        (Kind::Incidents, "assigned to" | "category" | "opened by") => Some(Field::Ignored),
        (_, folded) if OURS.contains(&folded) => Some(Field::Ignored),
        _ => {
            let named = Field::named(&head.name);
            let named = named.or_else(|| Field::named(&head.name.replacen('_', ".", 1)));
            named.filter(|field| field.is_of(kind))
        }
    }
}

/// How much a folded text is like a header of any kind: 0 if it names no field, 1 if it has a word for one, 3 if it is one.
pub(crate) fn known(folded: &str) -> usize {
    let rated = ratings::longest(folded, AXES).map(|(_, length)| length).max(ratings::score(folded));
    let fields =
        [Kind::Risks, Kind::Incidents, Kind::Tags].map(|kind| field(folded, kind).map(|(_, length)| length));
    match fields.into_iter().flatten().chain(rated).max() {
        None => 0,
        Some(length) if length >= folded.len() => 3,
        Some(_) => 1,
    }
}

/// Whether a folded header names which rating it is.
pub(crate) fn is_stage(folded: &str) -> bool {
    ratings::stage(folded).is_some()
}

/// The factor of a rating that a folded text names.
pub(crate) fn axis(folded: &str) -> Option<Axis> {
    ratings::axis(folded)
}

/// What each column is, in their order.
pub(crate) fn columns(heads: &[Head], below: &[Below], kind: Kind, is_ours: bool) -> Vec<Guess> {
    let mut guesses: Vec<Guess> =
        heads.iter().zip(below).map(|(head, below)| one(head, below, kind, is_ours)).collect();
    triads(&mut guesses, heads);
    stages(&mut guesses, heads);
    scores(&mut guesses);
    once(&mut guesses);
    for guess in &mut guesses {
        guess.field = match (guess.field, kind) {
            (Field::Rating(Stage::Residual, axis), Kind::Evaluations) => Field::Rating(Stage::Current, axis),
            (Field::Score(Stage::Residual), Kind::Evaluations) => Field::Score(Stage::Current),
            (field, _) => field,
        };
        if !guess.field.is_of(kind) {
            *guess = Guess::block("Such a record has no such field.");
        }
    }
    guesses
}

fn one(head: &Head, below: &Below, kind: Kind, is_ours: bool) -> Guess {
    let folded = head.folded.as_str();
    match ours(head, kind).filter(|_| is_ours) {
        Some(Field::Ignored) => {
            return Guess::new(Field::Ignored, EQUAL, "Our own files have it, and nobody sets it.");
        }
        Some(field) => return Guess::new(field, EQUAL, "Our own files have it."),
        None => {}
    }
    let named = named(head, kind);
    let has_ratings = matches!(kind, Kind::Risks | Kind::Evaluations);
    let is_rated = below.are_most(below.ratings) || below.filled == 0;
    if let Some(axis) = ratings::axis(folded).filter(|_| has_ratings && is_rated)
        && named.is_none_or(|(_, strength)| strength < EQUAL)
    {
        let stage = ratings::stage(folded);
        let field = Field::Rating(stage.unwrap_or(Stage::Single), axis);
        let reason = format!("The header names the {}.", axis.name());
        return Guess { is_staged: stage.is_some(), ..Guess::new(field, EQUAL, reason) };
    }
    if has_ratings && ratings::is_third(folded) && below.are_most(below.numbers) {
        return Guess::block("A third factor; we have two.");
    }
    let is_numbers = below.are_most(below.numbers);
    let stage = ratings::stage(folded);
    let is_score = ratings::score(folded).is_some_and(|length| match named {
        None => true,
        Some((Field::Title, strength)) => is_numbers || stage.is_some() || length > strength,
        Some((_, strength)) => is_numbers && strength < EQUAL,
    });
    if has_ratings && is_score {
        if below.filled > 0 && !is_numbers {
            return Guess::block("A word for a score; ours follows from likelihood and impact.");
        }
        let reason = "A score: compared with likelihood x impact, not imported.";
        let field = Field::Score(stage.unwrap_or(Stage::Single));
        return Guess { is_staged: stage.is_some(), ..Guess::new(field, EQUAL, reason) };
    }
    match named {
        Some((Field::Title | Field::ExternalRef, strength)) if strength < EQUAL && stage.is_some() => {
            Guess::block("We have no field for it.")
        }
        Some((field, strength)) => by_what_stands_below(field, strength, below),
        None => Guess::block("We have no field for it."),
    }
}

fn by_what_stands_below(field: Field, strength: usize, below: &Below) -> Guess {
    match field {
        Field::ExistingControls | Field::TreatmentPlan | Field::Controls
            if below.are_most(below.controls) =>
        {
            Guess::new(Field::Controls, strength, "Numbers of controls stand below.")
        }
        Field::Controls if below.filled > 0 => {
            Guess::new(Field::ExistingControls, strength, "No numbers of controls stand below.")
        }
        _ if field.is_date() && below.filled > 0 && !below.are_most(below.dates) => {
            Guess::block("It should be dates, and none stand below.")
        }
        _ if strength > EQUAL => Guess::new(field, strength, "The header is a word for it."),
        _ => Guess::new(field, strength, "The header has a word for it."),
    }
}

/// The field that a header names, and how surely. A group that is called “risk” says less than the name below it.
fn named(head: &Head, kind: Kind) -> Option<(Field, usize)> {
    let whole = field(&head.folded, kind);
    match (whole, head.name.rsplit_once(": ")) {
        (Some((Field::Title, strength)), Some((_, last))) if strength < EQUAL => {
            field(&words::folded(last), kind).filter(|(_, strength)| *strength > EQUAL).or(whole)
        }
        _ => whole,
    }
}

/// The field that a folded header names, and how surely.
fn field(folded: &str, kind: Kind) -> Option<(Field, usize)> {
    let mut best = None;
    for (field, words) in FIELDS {
        if !field.is_of(kind) {
            continue;
        }
        if lists(words, folded) {
            return Some((*field, EQUAL + folded.len()));
        }
        let found = ratings::longest(folded, &[(*field, words)]);
        if let Some((_, length)) = found.filter(|(_, length)| *length > 1)
            && best.is_none_or(|(_, longest)| length > longest)
        {
            best = Some((*field, length));
        }
    }
    best
}

/// Confidentiality, integrity and availability of an asset, by their first letters, are no factors.
fn triads(guesses: &mut [Guess], heads: &[Head]) {
    let last = |head: &Head| head.folded.rsplit(' ').next().unwrap_or_default().to_owned();
    for at in 0..heads.len() {
        let names: Vec<String> = heads.iter().skip(at).take(3).map(last).collect();
        if names == ["c", "i", "a"] {
            for guess in guesses.iter_mut().skip(at).take(3) {
                *guess = Guess::block("Confidentiality, integrity and availability have no fields.");
            }
        }
    }
}

/// Which rating is meant where no header says so: by how many there are, and by those beside them that do say so.
fn stages(guesses: &mut [Guess], heads: &[Head]) {
    let has = |wanted: &[Stage]| {
        let is_one = |guess: &Guess| {
            guess.is_staged && matches!(guess.field, Field::Rating(stage, _) if wanted.contains(&stage))
        };
        guesses.iter().any(is_one)
    };
    let beside = (has(&[Stage::Inherent]), has(&[Stage::Residual, Stage::Current]));
    let likelihoods = unnamed(guesses, Axis::Likelihood);
    let impacts = unnamed(guesses, Axis::Impact);
    // Of one likelihood with several impacts the first of them is its.
    let pairs = likelihoods.len().min(impacts.len());
    let (stages, reason): (&[Stage], _) = match (pairs, beside) {
        (0 | 1, (true, _)) => (&[Stage::Current], "beside the inherent one."),
        (0 | 1, (false, true)) => (&[Stage::Inherent], "beside the residual one."),
        (0 | 1, (false, false)) => (&[Stage::Single], "the only one."),
        (_, (true, _)) => (&[Stage::Current, Stage::Target], "by its position beside the inherent one."),
        (2, _) => (&[Stage::Inherent, Stage::Residual], "by its position of two."),
        _ => (&[Stage::Inherent, Stage::Current, Stage::Target], "by its position."),
    };
    for (wanted, columns) in [(Axis::Likelihood, likelihoods), (Axis::Impact, impacts)] {
        for (nth, at) in columns.into_iter().enumerate() {
            let (Some(guess), Some(head)) = (guesses.get_mut(at), heads.get(at)) else { continue };
            *guess = match stages.get(nth) {
                Some(stage) => {
                    Guess::new(Field::Rating(*stage, wanted), EQUAL, format!("{} is {reason}", head.name))
                }
                None => Guess::block("There are more ratings than we have."),
            };
        }
    }
}

/// The columns of a factor whose headers do not say of which rating it is.
fn unnamed(guesses: &[Guess], wanted: Axis) -> Vec<usize> {
    let is_one = |guess: &Guess| !guess.is_staged && guess.field == Field::Rating(Stage::Single, wanted);
    guesses.iter().enumerate().filter(|(_, guess)| is_one(guess)).map(|(at, _)| at).collect()
}

/// A score belongs to the rating before it, unless its header says otherwise.
fn scores(guesses: &mut [Guess]) {
    let mut last = Stage::Single;
    for guess in guesses {
        match guess.field {
            Field::Rating(stage, _) => last = stage,
            Field::Score(_) if !guess.is_staged => guess.field = Field::Score(last),
            _ => {}
        }
    }
}

/// Of several columns for one field the surest has it, of equal ones the first; the others become blocks.
fn once(guesses: &mut [Guess]) {
    for at in 0..guesses.len() {
        let Some(guess) = guesses.get(at).cloned() else { continue };
        if guess.field.is_joined() {
            continue;
        }
        let is_surer = |other: &Guess| other.field == guess.field && other.strength > guess.strength;
        let before = guesses.iter().take(at).any(|other| other.field == guess.field);
        if (before || guesses.iter().any(is_surer))
            && let Some(guess) = guesses.get_mut(at)
        {
            *guess = Guess::block("Another column is surer to be this field.");
        }
    }
}
