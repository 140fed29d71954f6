//! The report in words.

use domain::risk::Risk;
use domain::risk_change::RiskChangeKind;
use domain::scale::Grade;
use domain::word;
use store::risk_changes::{Placed, RiskChange};

use super::RiskReport;

/// The version of the words in kept reports, and of which facts and tables these have: raise it by one with any change of their text, so
/// that those that are kept with the words before are not compared with the new ones.
pub(super) const WORDING: i64 = 1;

/// How the figure is computed.
pub const FORMULA: &str = "For each risk that has a target and was evaluated in the 90 days before: (inherent score − current score) / \
    (inherent score − target score), limited to 0 to 100 %; the figure is the mean of these.";

impl RiskReport {
    /// The summary: a sentence for what is there, one for what changed, and one for how far the treatment is.
    pub fn summary(&self) -> [String; 3] {
        [self.what_is_there(), self.what_changed(), self.how_far()]
    }

    fn what_is_there(&self) -> String {
        let mut parts: Vec<String> =
            self.bands().into_iter().map(|(name, count)| format!("{count} {name}")).collect();
        if let Some(map) = self.current() {
            let others =
                [(map.not_placed, "rated by an earlier scale"), (map.not_evaluated, "not evaluated")];
            let others = others.into_iter().filter(|(count, _)| *count > 0);
            parts.extend(others.map(|(count, what)| format!("{count} {what}")));
        }
        format!("{} open: {}.", risks(self.open()), parts.join(", "))
    }

    fn what_changed(&self) -> String {
        let day = self.span.from.day;
        let counts = RiskChange::counts(&self.changes)
            .into_iter()
            .map(|(kind, count)| format!("{count} {}", lower(kind)));
        match counts.collect::<Vec<_>>().as_slice() {
            [] => format!("Nothing has changed since the end of {day}."),
            counts => format!("Since the end of {day}: {}.", counts.join(", ")),
        }
    }

    fn how_far(&self) -> String {
        match self.figure.total_risks_evaluated {
            0 => "No risk with a target was evaluated in the 90 days before.".to_owned(),
            count => format!(
                "{} evaluated in the 90 days before; on average {} % of the planned reduction is reached.",
                risks(count),
                self.figure.average_performance_percentage
            ),
        }
    }

    /// The day of the register, and what it rests on.
    pub fn stands_for(&self) -> String {
        let to = &self.span.to;
        format!("The end of {} ({}), audit log entry {}", to.day, self.span.time_zone, to.seq)
    }

    /// The trend of a risk in a word.
    pub fn trend_words(&self, risk: &Risk) -> String {
        self.trend(risk).map_or_else(|| "Unchanged".to_owned(), label)
    }
}

/// A kind of change as a label.
pub fn label(kind: RiskChangeKind) -> String {
    word::label(kind.as_str())
}

fn lower(kind: RiskChangeKind) -> String {
    label(kind).to_lowercase()
}

fn risks(count: i64) -> String {
    format!("{count} {}", if count == 1 { "risk" } else { "risks" })
}

/// A rating with its band: `12 High`.
pub(super) fn rated(score: i64, grade: Option<&Grade>) -> String {
    format!("{score} {}", grade.map_or("", |grade| grade.name.as_str())).trim_end().to_owned()
}

/// The ratings or the treatments before and after a change: `6 Medium → 12 High`.
pub(super) fn moved(change: &RiskChange) -> String {
    let words = |it: &Option<Placed>| it.as_ref().map(|it| rated(it.rating.0.score(), it.grade.as_ref()));
    if let Some((before, after)) = change.treatments {
        return format!("{} → {}", word::label(before.as_str()), word::label(after.as_str()));
    }
    match (words(&change.before), words(&change.after)) {
        (None, None) => String::new(),
        (before, after) => {
            let none = || "none".to_owned();
            format!("{} → {}", before.unwrap_or_else(none), after.unwrap_or_else(none))
        }
    }
}
