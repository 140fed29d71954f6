//! A file that a person opens in a spreadsheet: it is read there as they expect, in their country and their time zone.

use domain::word;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::Column;
use super::cell::Cell;

/// Tells spreadsheets that the text is UTF-8.
pub(super) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Languages whose spreadsheets take `;` between values, because they write numbers with a decimal comma (Unicode CLDR), or
/// as their countries have it (German and Italian in Switzerland).
const WITH_SEMICOLONS: &[&str] = &[
    "af", "az", "be", "bg", "bs", "ca", "cs", "da", "de", "el", "et", "eu", "fi", "fo", "fr", "fy", "gl",
    "hr", "hu", "hy", "id", "is", "it", "ka", "kk", "kl", "lb", "lt", "lv", "mk", "mn", "nb", "nl", "nn",
    "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "tk", "tr", "uk", "uz", "vi",
];

/// Where Spanish is written with a decimal point.
const SPANISH_WITH_COMMAS: &[&str] =
    &["419", "CU", "DO", "GT", "HN", "MX", "NI", "PA", "PE", "PR", "SV", "US"];

/// Where English is written with a decimal comma.
const ENGLISH_WITH_SEMICOLONS: &[&str] = &["AT", "BE", "DE", "DK", "FI", "NL", "SE", "SI", "ZA"];

/// What is between the values of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separator {
    /// `,`
    Comma,
    /// `;`
    Semicolon,
}

impl Separator {
    /// What spreadsheets of people with this language take, which is a tag of `Accept-Language`: `de-CH`.
    pub fn of_language(tag: &str) -> Self {
        let (language, rest) = tag.split_once('-').unwrap_or((tag, ""));
        let region = rest.rsplit('-').next().unwrap_or_default().to_ascii_uppercase();
        let has_semicolons = match language.to_ascii_lowercase().as_str() {
            "es" => !SPANISH_WITH_COMMAS.contains(&region.as_str()),
            "en" => ENGLISH_WITH_SEMICOLONS.contains(&region.as_str()),
            other => WITH_SEMICOLONS.contains(&other),
        };
        if has_semicolons { Self::Semicolon } else { Self::Comma }
    }

    pub(super) fn byte(self) -> u8 {
        match self {
            Self::Comma => b',',
            Self::Semicolon => b';',
        }
    }
}

/// How a file is written for a person.
pub struct Spreadsheet {
    /// Whether it is a workbook of Excel, and not CSV.
    pub is_workbook: bool,
    /// What is between the values of a line of CSV.
    pub separator: Separator,
    /// The zone of its times.
    pub zone: TimeZone,
    /// The name of the zone.
    pub zone_name: String,
    /// The slug of the organization, for the name of the file.
    pub organization: String,
}

impl Spreadsheet {
    /// `acme-incidents-2026-11-27.csv`
    pub(super) fn file_name(&self, kind: &str, at: Timestamp) -> String {
        let ending = if self.is_workbook { "xlsx" } else { "csv" };
        format!("{}-{kind}-{}.{ending}", self.organization, at.to_zoned(self.zone.clone()).date())
    }

    /// The head of a column: of one with times it names their zone.
    pub(super) fn head<R>(&self, column: &Column<R>) -> String {
        match column.has_times {
            true => format!("{} ({})", column.label, self.zone_name),
            false => column.label.clone(),
        }
    }

    /// A time as every spreadsheet reads it. In an hour that the clock repeats it says its offset from UTC.
    fn time(&self, at: Timestamp) -> String {
        let at = at.to_zoned(self.zone.clone());
        let is_repeated = self.zone.to_ambiguous_timestamp(at.datetime()).is_ambiguous();
        at.strftime(if is_repeated { "%Y-%m-%d %H:%M:%S%:z" } else { "%Y-%m-%d %H:%M:%S" }).to_string()
    }

    /// The text of a cell: times in the zone, and words as pages show them.
    pub(super) fn text(&self, cell: Cell) -> String {
        match cell {
            Cell::Time(at) => self.time(at),
            // Several words have a space between them.
            Cell::Word(words) => words.split(' ').map(word::label).collect::<Vec<_>>().join(", "),
            Cell::Flag(true) => "Yes".to_owned(),
            Cell::Flag(false) => "No".to_owned(),
            other => other.text(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_zone(name: &str) -> Spreadsheet {
        let (organization, zone_name) = ("acme".to_owned(), name.to_owned());
        let (separator, zone) = (Separator::Comma, TimeZone::get(name).unwrap());
        Spreadsheet { is_workbook: false, separator, zone, zone_name, organization }
    }

    #[test]
    fn a_time_in_an_hour_that_is_repeated_says_which_it_is() {
        for (zone, at, shown) in [
            ("Europe/Berlin", "2026-10-24T23:59:59.9Z", "2026-10-25 01:59:59"),
            ("Europe/Berlin", "2026-10-25T00:10:00Z", "2026-10-25 02:10:00+02:00"),
            ("Europe/Berlin", "2026-10-25T01:10:00Z", "2026-10-25 02:10:00+01:00"),
            ("Europe/Berlin", "2026-10-25T02:00:00Z", "2026-10-25 03:00:00"),
            ("Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29 03:00:00"),
            ("America/New_York", "2026-11-01T06:10:00Z", "2026-11-01 01:10:00-05:00"),
            ("UTC", "2026-10-25T01:10:00Z", "2026-10-25 01:10:00"),
        ] {
            assert_eq!(of_zone(zone).text(Cell::Time(at.parse().unwrap())), shown);
        }
    }

    #[test]
    fn words_are_those_of_the_pages() {
        let spreadsheet = of_zone("UTC");
        for (word, shown) in [
            ("auditor approver", "Auditor, Approver"),
            ("near_miss", "Near miss"),
            ("undetermined", "Not assessed"),
        ] {
            assert_eq!(spreadsheet.text(Cell::Word(word.to_owned())), shown);
        }
    }

    #[test]
    fn the_separator_is_that_of_the_country() {
        for tag in ["de", "de-CH", "DE-de", "fr-CA", "sr-Latn-RS", "es", "es-AR", "en-DE", "pt-BR"] {
            assert_eq!(Separator::of_language(tag), Separator::Semicolon, "{tag}");
        }
        for tag in ["en", "en-GB", "en-US", "es-MX", "es-419", "ja", "zh-Hant-TW", "he", "", "*", "x"] {
            assert_eq!(Separator::of_language(tag), Separator::Comma, "{tag}");
        }
    }
}
