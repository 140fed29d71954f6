//! Organizations: isolated tenants.

mod slug;

use std::ops::RangeInclusive;

use jiff::tz::{TimeZone, TimeZoneDatabase};
use jiff::{SignedDuration, Timestamp};
use macros::Body;
use serde::Serialize;
use unicode_normalization::UnicodeNormalization as _;

pub use slug::{SLUG_CHARACTERS, numbered_slug, slug, suggested_slug};
pub(crate) use slug::{numbered, suggested};

use crate::change::Change;
use crate::fault::{FaultCode, Faults};
use crate::ids::OrgId;
use crate::json::{FromJson, Json, Pointer};
use crate::nearest;
use crate::schema::{Schema, TextSchema};
use crate::text::{self, Line};

/// How many days deleted records may be kept in the trash; 0 is for ever.
pub const TRASH_DAYS: RangeInclusive<i64> = 0..=3_650;

/// How many days they are kept unless the organization says otherwise.
pub const DEFAULT_TRASH_DAYS: i64 = 90;

/// After how many days the name of somebody who has left may become a pseudonym.
pub const PSEUDONYM_DAYS: RangeInclusive<i64> = 1..=3_650;

/// So many former slugs of an organization are kept: the latest.
pub const FORMER_SLUGS: usize = 20;

/// An organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Organization {
    /// Its id.
    pub id: OrgId,
    /// Its name.
    pub name: String,
    /// What names it in the addresses of the console: see [`slug()`]. No other organization has or had it.
    pub slug: String,
    /// The slugs that it had before, which still lead to it, the latest last.
    pub former_slugs: Vec<String>,
    /// After how many days a deleted record is purged; 0 is never.
    pub trash_days: i64,
    /// The IANA name of the time zone that decides days, weeks and months; none is UTC.
    pub time_zone: Option<String>,
    /// Whether somebody else than its authors approves a proposal.
    pub four_eyes: bool,
    /// After how many days the name of somebody who has left becomes a pseudonym in acknowledgements; none: never.
    pub pseudonym_days: Option<i64>,
    /// When it was made.
    pub created_date: Timestamp,
    /// Counts its changes from 1.
    pub version: i64,
}

/// An organization by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OrganizationName {
    /// Its id.
    pub id: OrgId,
    /// Its name.
    pub name: String,
}

/// A merge patch (RFC 7396) of an organization: absent members stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Body)]
#[body(patch, read_only = &["id", "created_date", "version"])]
pub struct OrganizationPatch {
    /// Its name.
    #[body(example = "Example Ltd")]
    pub name: Option<Line>,
    /// What names it in the addresses of the console; former ones still lead there.
    pub slug: Option<OrganizationSlug>,
    /// The number of days after which a deleted incident or risk is purged from the trash; it also applies to records
    /// already in the trash. 0 means never.
    #[body(read = read_trash_days, schema = Schema::Integer(*TRASH_DAYS.start(), *TRASH_DAYS.end()), example = 90)]
    pub trash_days: Option<i64>,
    /// The IANA name of the time zone that decides days, weeks and months.
    #[body(read = read_time_zone, schema = TIME_ZONE, example = "Europe/Berlin")]
    pub time_zone: Option<String>,
    /// Whether somebody else than its authors approves a proposal; true at first.
    #[body(example = true)]
    pub four_eyes: Option<bool>,
    /// The number of days after which the name of somebody who has left becomes a pseudonym in acknowledgements; null means
    /// never.
    #[body(range = PSEUDONYM_DAYS, example = 730)]
    pub pseudonym_days: Change<i64>,
}

/// What names an organization in the addresses of the console.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OrganizationSlug(String);

text::texts! {
    () OrganizationSlug = slug, TextSchema::of(1, SLUG_CHARACTERS, "^[a-z0-9]+(-[a-z0-9]+)*$").such_as("example-ltd");
}

const TIME_ZONE: Schema = Schema::text(0, 64, text::ANY);

fn read_trash_days(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<i64> {
    let (days, mut found) = (i64::from_json(value, at, faults)?, Faults::new());
    trash_days(days, "", &mut found);
    faults.extend_at(at, found);
    Some(days)
}

fn read_time_zone(value: Json<'_>, at: &Pointer<'_>, faults: &mut Faults) -> Option<String> {
    let (name, mut found) = (String::from_json(value, at, faults)?, Faults::new());
    let zone = time_zone(&name, "", &mut found);
    faults.extend_at(at, found);
    zone
}

impl Organization {
    /// The organization after a patch; none when it changes nothing.
    #[must_use]
    pub fn patched(&self, patch: &OrganizationPatch) -> Option<Self> {
        let name = patch.name.as_deref().unwrap_or(&self.name).to_owned();
        let trash_days = patch.trash_days.unwrap_or(self.trash_days);
        let time_zone = patch.time_zone.clone().or_else(|| self.time_zone.clone());
        let four_eyes = patch.four_eyes.unwrap_or(self.four_eyes);
        let pseudonym_days = patch.pseudonym_days.of(&self.pseudonym_days);
        let mut after = Self { name, trash_days, time_zone, four_eyes, pseudonym_days, ..self.clone() };
        if let Some(slug) = patch.slug.as_deref().filter(|slug| *slug != self.slug) {
            after.former_slugs.retain(|former| former != slug);
            after.former_slugs.push(std::mem::replace(&mut after.slug, slug.to_owned()));
            let surplus = after.former_slugs.len().saturating_sub(FORMER_SLUGS);
            after.former_slugs.drain(..surplus);
        }
        (after != *self).then(|| Self { version: self.version + 1, ..after })
    }

    /// The IANA name of the time zone.
    pub fn time_zone_name(&self) -> &str {
        self.time_zone.as_deref().unwrap_or("UTC")
    }

    /// The time zone that decides days, weeks and months.
    pub fn time_zone(&self) -> TimeZone {
        named_zone(self.time_zone.as_deref())
    }
}

/// The time zone with the name that an organization has; none is UTC.
pub fn named_zone(name: Option<&str>) -> TimeZone {
    let named = name.and_then(|name| TimeZoneDatabase::bundled().get(name).ok());
    named.unwrap_or(TimeZone::UTC)
}

/// Checks an organization's name.
pub fn name(text: &str, pointer: &str, faults: &mut Faults) {
    text::filled_line(text, pointer, faults);
}

/// Reads the IANA name of a time zone, in any case, or the city that it is named after; returns it as the database writes it.
pub fn time_zone(name: &str, pointer: &str, faults: &mut Faults) -> Option<String> {
    let zones = TimeZoneDatabase::bundled();
    let known = zones.get(name).ok().and_then(|zone| zone.iana_name().map(str::to_owned));
    let known = known.or_else(|| zone_of_city(name));
    if known.is_none() {
        let names: Vec<_> = zones.available().map(|name| name.to_string()).collect();
        let hint = nearest(name, names.iter().map(String::as_str));
        let hint = hint.map(|name| format!("; did you mean {name}?")).unwrap_or_default();
        let detail = format!("must be a time zone of the IANA database, such as Europe/Berlin{hint}");
        faults.add(pointer, FaultCode::Format, detail);
    }
    known
}

/// The time zone that is named after a city, such as `Europe/Berlin` and `America/Sao_Paulo`. Countries with several zones
/// have old names for them, such as `US/Central`, which name no city.
fn zone_of_city(city: &str) -> Option<String> {
    let city: String = city.trim().nfd().filter(char::is_ascii).collect::<String>().replace(' ', "_");
    let zones = TimeZoneDatabase::bundled();
    let names = zones.available().map(|name| name.to_string());
    let is_of_city = |name: &String| {
        let (area, last) = name.split_once('/').unzip();
        let last = last.and_then(|rest| rest.rsplit('/').next());
        last.is_some_and(|last| last.eq_ignore_ascii_case(&city))
            && area.is_none_or(|area| !AREAS_WITHOUT_CITIES.contains(&area))
    };
    // Of two names of one zone the shorter is the usual one.
    names.filter(is_of_city).min_by_key(String::len)
}

/// Their zones are not named after cities.
const AREAS_WITHOUT_CITIES: [&str; 5] = ["US", "Canada", "Brazil", "Mexico", "Etc"];

/// The time zone with this IANA name, in any case.
pub fn zone_named(name: &str) -> Option<TimeZone> {
    // A zone without a name, such as one by its offset, decides no days.
    TimeZoneDatabase::bundled().get(name).ok().filter(|zone| zone.iana_name().is_some())
}

/// Checks after how many days the trash is emptied.
pub fn trash_days(days: i64, pointer: &str, faults: &mut Faults) {
    if !TRASH_DAYS.contains(&days) {
        let (least, most) = (TRASH_DAYS.start(), TRASH_DAYS.end());
        faults.add(pointer, FaultCode::Range, format_args!("must be from {least} to {most}; 0 is never"));
    }
}

/// Checks after how many days the name of somebody who has left becomes a pseudonym.
pub fn pseudonym_days(days: i64, pointer: &str, faults: &mut Faults) {
    if !PSEUDONYM_DAYS.contains(&days) {
        let (least, most) = (PSEUDONYM_DAYS.start(), PSEUDONYM_DAYS.end());
        faults.add(pointer, FaultCode::Range, format_args!("must be from {least} to {most}"));
    }
}

/// What was deleted at this moment or before is to be purged at `now`; none when nothing ever is.
pub fn purged_before(now: Timestamp, trash_days: i64) -> Option<Timestamp> {
    let kept = SignedDuration::from_hours(24 * trash_days);
    (trash_days > 0).then(|| now.saturating_sub(kept).unwrap_or(Timestamp::MIN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_trash_is_kept_for_whole_days_or_forever() {
        let now: Timestamp = "2026-03-01T09:00:00Z".parse().unwrap();
        assert_eq!(purged_before(now, 1), Some("2026-02-28T09:00:00Z".parse().unwrap()));
        assert_eq!(purged_before(now, 90), Some("2025-12-01T09:00:00Z".parse().unwrap()));
        assert_eq!(purged_before(now, 0), None);
        assert_eq!(purged_before(Timestamp::MIN, 3_650), Some(Timestamp::MIN));
    }

    #[test]
    fn former_slugs_are_kept_until_they_are_taken_back() {
        let patched = |before: &Organization, slug: &str| {
            before.patched(&OrganizationPatch {
                slug: Some(OrganizationSlug::stored(slug)),
                ..Default::default()
            })
        };
        let first = Organization {
            id: OrgId::INSTANCE,
            name: "Acme".to_owned(),
            slug: "acme".to_owned(),
            former_slugs: Vec::new(),
            trash_days: 90,
            time_zone: None,
            four_eyes: true,
            pseudonym_days: None,
            created_date: Timestamp::UNIX_EPOCH,
            version: 1,
        };
        assert_eq!(patched(&first, "acme"), None);
        let second = patched(&first, "acme-ltd").unwrap();
        assert_eq!((second.slug.as_str(), &second.former_slugs[..]), ("acme-ltd", &["acme".to_owned()][..]));
        let third = patched(&second, "acme").unwrap();
        assert_eq!((third.slug.as_str(), &third.former_slugs[..]), ("acme", &["acme-ltd".to_owned()][..]));
        let many = (0..50).fold(third, |it, number| patched(&it, &format!("a-{number}")).unwrap());
        assert_eq!((many.former_slugs.len(), many.former_slugs[0].as_str()), (FORMER_SLUGS, "a-29"));
    }

    #[test]
    fn a_time_zone_is_one_of_the_iana_database() {
        let mut faults = Faults::new();
        assert_eq!(time_zone("europe/berlin", "#", &mut faults).as_deref(), Some("Europe/Berlin"));
        assert_eq!(time_zone("UTC", "#", &mut faults).as_deref(), Some("UTC"));
        assert!(faults.is_empty());
        for wrong in ["Europe/Berlln", "", "+01:00", "../etc/passwd", "Mars/Olympus"] {
            let mut faults = Faults::new();
            assert_eq!(time_zone(wrong, "#/time_zone", &mut faults), None, "{wrong}");
            assert_eq!(faults.as_slice()[0].code, FaultCode::Format, "{wrong}");
        }
        for (city, zone) in
            [("berlin ", "Europe/Berlin"), ("Zürich", "Europe/Zurich"), ("São Paulo", "America/Sao_Paulo")]
        {
            assert_eq!(time_zone(city, "#", &mut Faults::new()).as_deref(), Some(zone));
        }
        assert_eq!(time_zone("Central", "#", &mut Faults::new()), None);
        time_zone("Europe/Berlln", "#/time_zone", &mut faults);
        assert!(faults.as_slice()[0].detail.ends_with("did you mean Europe/Berlin?"), "{faults:?}");
    }

    #[test]
    fn days_are_from_0_to_3650() {
        for (days, fits) in [(-1, false), (0, true), (3_650, true), (3_651, false)] {
            let mut faults = Faults::new();
            trash_days(days, "#/trash_days", &mut faults);
            assert_eq!(faults.is_empty(), fits, "{days}");
        }
    }
}
