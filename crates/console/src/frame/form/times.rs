//! The times of a form. A browser sends a time of day without a zone and cuts it short; beside it a field `…_instant` has
//! the moment that was shown, or that the person chose where the clocks are changed.

use std::fmt::Display;

use domain::{FaultCode, Faults};
use jiff::Timestamp;
use jiff::civil::DateTime;

use super::{As, Form, field_of};
use crate::frame::clock::{Clock, Typed};

/// Ends the names of the fields that have a moment.
pub(super) const INSTANT: &str = "_instant";

/// The field with the name of the zone in which the form shows its times.
pub(crate) const ZONE: &str = "zone_of_times";

/// One of the two moments that a time may mean.
pub(crate) struct Moment {
    /// The moment, as the form sends it.
    pub(crate) value: String,
    /// The moment, as people read it.
    pub(crate) label: String,
    /// Whether it is the one that is meant.
    pub(crate) is_chosen: bool,
}

impl Form {
    /// What a field for a time means: a moment, as the API has it; any other text as it was typed, which is refused by those
    /// who read it; empty for nothing. Of two moments that may be meant it is the earlier one.
    pub(crate) fn time(&self, name: &str, clock: &Clock) -> String {
        match self.typed(name, clock) {
            Typed::Nothing => String::new(),
            Typed::Moment(at) | Typed::Unclear([at, _]) => domain::time::format(at),
            Typed::Other(text) => text,
        }
    }

    /// What was typed into a field for a time.
    pub(crate) fn typed(&self, name: &str, clock: &Clock) -> Typed {
        let clock = self.clock(clock);
        typed(self.text(name), self.text(&format!("{name}{INSTANT}")), &clock)
    }

    /// Adds a fault for each time that exists twice or not at all, where the person has not chosen yet.
    pub(super) fn check_times(&self, members: &[(&'static str, As)], clock: &Clock, faults: &mut Faults) {
        let times = members.iter().filter(|(_, kind)| matches!(kind, As::Time));
        for (path, _) in times {
            self.check_time(&field_of(path), format_args!("#/{path}"), clock, faults);
        }
    }

    /// The same of one field, whose member is at this place.
    pub(crate) fn check_time(&self, name: &str, pointer: impl Display, clock: &Clock, faults: &mut Faults) {
        if let Typed::Unclear(moments) = self.typed(name, clock) {
            let detail = unclear(&moments, &self.clock(clock), self.text(name));
            faults.add(pointer, FaultCode::Format, detail);
        }
    }

    /// The moments of which a person chooses one: two for a time at which the clocks are changed, else none.
    pub(crate) fn moments(&self, name: &str, clock: &Clock) -> Vec<Moment> {
        moments(self.text(name), self.text(&format!("{name}{INSTANT}")), &self.clock(clock))
    }

    /// The moment that a field shows, to be sent with it; none of a field without one.
    pub(crate) fn instant(&self, name: &str) -> Option<&str> {
        let name = format!("{name}{INSTANT}");
        self.all(&name).next().filter(|text| !text.is_empty())
    }

    /// The clock of the form's times.
    pub(super) fn clock(&self, page: &Clock) -> Clock {
        page.in_zone(self.text(ZONE))
    }
}

/// What a time means that was typed beside a moment.
fn typed(text: &str, instant: &str, clock: &Clock) -> Typed {
    let typed = clock.typed(text);
    match (&typed, instant.parse::<Timestamp>()) {
        (Typed::Unclear(moments), Ok(at)) if moments.contains(&at) => Typed::Moment(at),
        (Typed::Moment(_) | Typed::Unclear(_), Ok(at)) if clock.shows(text, &at) => Typed::Moment(at),
        _ => typed,
    }
}

/// The two moments that a time may mean beside the one that is chosen; none of a time that is clear.
fn moments(text: &str, instant: &str, clock: &Clock) -> Vec<Moment> {
    let Typed::Unclear(moments) = clock.typed(text) else { return Vec::new() };
    let chosen = typed(text, instant, clock);
    let moment = |at: Timestamp| {
        // A moment that was shown has fractions of a second that its field has not.
        let at = match chosen {
            Typed::Moment(chosen) if chosen.duration_since(at).as_secs() == 0 => chosen,
            _ => at,
        };
        let is_chosen = chosen == Typed::Moment(at);
        Moment { value: domain::time::format(at), label: clock.with_offset(&at), is_chosen }
    };
    moments.map(moment).into()
}

/// Why a time has to be chosen.
fn unclear(moments: &[Timestamp; 2], clock: &Clock, text: &str) -> String {
    let local = text.parse::<DateTime>().map(|local| local.strftime("%-d %B %Y, %H:%M").to_string());
    let (local, zone) = (local.as_deref().unwrap_or(text), clock.zone());
    let why = match moments.iter().any(|at| clock.shows(text, at)) {
        true => format!("{local} exists twice in {zone}, because the clocks go back then"),
        false => format!("{local} does not exist in {zone}, because the clocks go forward then"),
    };
    format!("{why}. Choose one of the two times.")
}
