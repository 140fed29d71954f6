//! How a device shows the pages: theme, height of rows, time zone, single keys, files. A cookie of the device has it, because a
//! phone and a wall screen of the same person differ.

use domain::Faults;
use jiff::tz::TimeZone;

use super::form::Form;

/// What the device chose. What it did not choose is as the system or the organization has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Display {
    /// `light` or `dark`; none follows the system.
    pub(crate) theme: Option<&'static str>,
    /// `compact` or `roomy`; none is between the two.
    pub(crate) rows: Option<&'static str>,
    /// The name of a time zone; none is the organization's.
    pub(crate) zone: Option<String>,
    /// The columns of the list of incidents, by name; none are the usual ones.
    pub(crate) columns: Vec<String>,
    /// Whether single keys do nothing.
    pub(crate) without_keys: bool,
    /// What is between the values of a file: `comma` or `semicolon`; none is as the language of the browser has it.
    pub(crate) separator: Option<&'static str>,
}

impl Display {
    /// What the value of a cookie says. What it says wrongly is not chosen.
    pub(crate) fn open(value: &str) -> Self {
        Self::of(&Form::of_query(value), &mut Faults::new())
    }

    /// Reads the form of the account's page.
    pub(crate) fn of(form: &Form, faults: &mut Faults) -> Self {
        let one_of = |name: &str, known: [&'static str; 2]| known.into_iter().find(|it| form.is(name, it));
        let zone = match form.text("zone") {
            "" => None,
            zone => domain::organization::time_zone(zone, "#/zone", faults),
        };
        Self {
            theme: one_of("theme", ["light", "dark"]),
            rows: one_of("rows", ["compact", "roomy"]),
            zone,
            columns: form.all("columns").filter(|name| is_name(name)).map(str::to_owned).collect(),
            without_keys: form.is("keys", "off"),
            separator: one_of("separator", ["comma", "semicolon"]),
        }
    }

    /// The value of the cookie.
    pub(crate) fn sealed(&self) -> String {
        let keys = if self.without_keys { "off" } else { "" };
        let fields = [
            ("theme", self.theme.unwrap_or_default()),
            ("rows", self.rows.unwrap_or_default()),
            ("zone", self.zone.as_deref().unwrap_or_default()),
            ("keys", keys),
            ("separator", self.separator.unwrap_or_default()),
        ];
        let columns = self.columns.iter().map(|name| ("columns", name.clone()));
        let fields = fields.into_iter().map(|(name, value)| (name, value.to_owned()));
        Form::of(fields.filter(|(_, value)| !value.is_empty()).chain(columns)).query()
    }

    /// The zone of the times, unless it is the organization's.
    pub(crate) fn time_zone(&self) -> Option<(TimeZone, &str)> {
        let name = self.zone.as_deref()?;
        Some((domain::organization::zone_named(name)?, name))
    }
}

/// Whether a text may be the name of a column; a column that is not known any more is not shown.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.len() < 40 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_survives_its_cookie() {
        let chosen = Display {
            theme: Some("dark"),
            rows: Some("compact"),
            zone: Some("America/Argentina/Buenos_Aires".to_owned()),
            columns: vec!["kind".to_owned(), "age".to_owned()],
            without_keys: true,
            separator: Some("semicolon"),
        };
        for display in [Display::default(), chosen] {
            assert_eq!(Display::open(&display.sealed()), display);
        }
    }

    #[test]
    fn a_cookie_that_says_something_else_chooses_nothing() {
        for value in [
            "",
            "x",
            "theme=\"><b>&rows=9&zone=Nowhere/None&keys=on&separator=%3B&columns=%3Cb%3E&columns=",
            "%ff%fe",
        ] {
            assert_eq!(Display::open(value), Display::default(), "{value}");
        }
    }
}
