//! The form of a scale. The names of its fields are the places of the body: `likelihood_0_name` is that of
//! `#/likelihood/0/name`.

use std::borrow::Cow;

use domain::document::sha256;
use domain::scale::{SIZE_MAX, SIZE_MIN, Scale, ScaleColor, ScaleContent, ScaleLevel};
use domain::{Error as E, FaultCode, Faults, UserId};
use http::Error;
use http::json::Json;

use crate::frame::form::Form;
use crate::texts;

/// How many levels and bands a form has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sizes {
    pub(super) likelihood: usize,
    pub(super) impact: usize,
    pub(super) bands: usize,
}

impl Sizes {
    fn of_scale(content: &ScaleContent) -> Self {
        let ScaleContent { likelihood, impact, bands, .. } = content;
        Self { likelihood: likelihood.len(), impact: impact.len(), bands: bands.len() }
    }

    /// Those that a form has.
    pub(super) fn of_form(form: &Form) -> Self {
        let size = |name: &str| size(form.text(name)).unwrap_or(SIZE_MIN);
        Self { likelihood: size("size_likelihood"), impact: size("size_impact"), bands: size("size_bands") }
    }

    /// Those that were chosen in a form: it is to get them.
    pub(super) fn chosen(form: &Form) -> Self {
        let present = Self::of_form(form);
        let size = |name: &str, present: usize| size(form.text(name)).unwrap_or(present);
        Self {
            likelihood: size("likelihood", present.likelihood),
            impact: size("impact", present.impact),
            bands: size("bands", present.bands),
        }
    }

    /// The fields that say so.
    fn fields(self) -> Vec<(String, String)> {
        let sizes = [("likelihood", self.likelihood), ("impact", self.impact), ("bands", self.bands)];
        sizes.map(|(list, size)| (format!("size_{list}"), size.to_string())).into()
    }
}

fn size(text: &str) -> Option<usize> {
    text.parse().ok().filter(|size| (SIZE_MIN..=SIZE_MAX).contains(size))
}

/// The form as it is shown first.
pub(super) fn form_of(scale: &Scale) -> Form {
    let content = &scale.content;
    let mut pairs = Sizes::of_scale(content).fields();
    pairs.push(("version".to_owned(), scale.number.to_string()));
    for (list, levels) in [("likelihood", &content.likelihood), ("impact", &content.impact)] {
        for (place, ScaleLevel { name, description, color }) in levels.iter().enumerate() {
            let color = color.map(ScaleColor::as_str).unwrap_or_default();
            pairs.push((format!("{list}_{place}_name"), name.to_string()));
            pairs.push((format!("{list}_{place}_description"), description.to_string()));
            pairs.push((format!("{list}_{place}_color"), color.to_owned()));
        }
    }
    for (place, band) in content.bands.iter().enumerate() {
        let acceptance = &band.acceptance;
        pairs.push((format!("bands_{place}_name"), band.name.to_string()));
        pairs.push((format!("bands_{place}_color"), band.color.as_str().to_owned()));
        pairs.push((format!("bands_{place}_acceptance_by"), acceptance.by.as_str().to_owned()));
        pairs.extend(acceptance.group.map(|it| (format!("bands_{place}_acceptance_group"), it.to_string())));
        let users = acceptance.users.iter().flatten();
        pairs.extend(users.map(|it| (format!("bands_{place}_acceptance_users"), it.to_string())));
    }
    for (row, cells) in content.matrix.iter().enumerate() {
        let cells = cells.iter().enumerate();
        pairs.extend(cells.map(|(column, cell)| (format!("matrix_{row}_{column}"), cell.to_string())));
    }
    Form::of(pairs.iter().map(|(name, value)| (name.as_str(), value.clone())))
}

/// A form that was sent with so many levels and bands. A cell that it does not have is like the nearest one.
pub(super) fn resized(form: Form, sizes: Sizes) -> Form {
    let before = Sizes::of_form(&form);
    let mut pairs = sizes.fields();
    for row in 0..sizes.likelihood {
        for column in 0..sizes.impact {
            let (near_row, near_column) = (row.min(before.likelihood - 1), column.min(before.impact - 1));
            let cell: usize =
                form.text(&format!("matrix_{near_row}_{near_column}")).parse().unwrap_or_default();
            pairs.push((format!("matrix_{row}_{column}"), cell.min(sizes.bands - 1).to_string()));
        }
    }
    let names: Vec<&str> = pairs.iter().map(|(name, _)| name.as_str()).collect();
    let fields = Form::of(pairs.iter().map(|(name, value)| (name.as_str(), value.clone())));
    form.with_fields_of(&names, &fields)
}

/// The people whom a form names for a band: those of the scale, also those who were unticked, and others of the form.
pub(super) fn acceptors(scale: &Scale, form: &Form, place: usize) -> Vec<UserId> {
    let band = scale.content.bands.get(place);
    let mut users = band.and_then(|it| it.acceptance.users.clone()).unwrap_or_default();
    let name = format!("bands_{place}_acceptance_users");
    for user in form.all(&name).filter_map(UserId::parse) {
        if !users.contains(&user) {
            users.push(user);
        }
    }
    users
}

/// A form that was sent as the body of the operation.
pub(super) fn json_of(form: &Form) -> Json<'static> {
    let Sizes { likelihood, impact, bands } = Sizes::of_form(form);
    let cell = |name: String| form.text(&name).parse().map_or(Json::Null, Json::Integer);
    let matrix = (0..likelihood)
        .map(|row| Json::Array((0..impact).map(|column| cell(format!("matrix_{row}_{column}"))).collect()));
    object([
        ("reason", text(form.text("reason"))),
        ("meaning_changed", Json::Bool(form.has("meaning_changed"))),
        ("likelihood", levels(form, "likelihood", likelihood)),
        ("impact", levels(form, "impact", impact)),
        ("bands", Json::Array((0..bands).map(|place| band(form, place)).collect())),
        ("matrix", Json::Array(matrix.collect())),
    ])
}

/// The hash of what a form says but for the reason. The form that was previewed has it in a field.
pub(super) fn digest(form: &Form) -> String {
    let mut body = Vec::new();
    json_of(&form.clone().without(&["reason"])).canonical(&mut body);
    sha256(&String::from_utf8_lossy(&body))
}

fn levels(form: &Form, list: &str, count: usize) -> Json<'static> {
    let level = |place| {
        let member = |name: &str| form.text(&format!("{list}_{place}_{name}"));
        object([
            ("name", text(member("name"))),
            ("description", text(member("description"))),
            ("color", text_or_null(member("color"))),
        ])
    };
    Json::Array((0..count).map(level).collect())
}

fn band(form: &Form, place: usize) -> Json<'static> {
    let member = |name: &str| form.text(&format!("bands_{place}_{name}"));
    let (by, are_people) = (member("acceptance_by"), member("acceptance_by") == "people");
    let users: Vec<_> = form.all(&format!("bands_{place}_acceptance_users")).map(text).collect();
    let acceptance = object([
        ("by", text(by)),
        // Both are kept in the form while it says something else.
        ("group", if are_people { text_or_null(member("acceptance_group")) } else { Json::Null }),
        ("users", if are_people && !users.is_empty() { Json::Array(users) } else { Json::Null }),
    ]);
    object([("name", text(member("name"))), ("color", text(member("color"))), ("acceptance", acceptance)])
}

fn object<const N: usize>(members: [(&'static str, Json<'static>); N]) -> Json<'static> {
    Json::Object(members.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect())
}

fn text(text: &str) -> Json<'static> {
    Json::String(Cow::Owned(text.to_owned()))
}

fn text_or_null(value: &str) -> Json<'static> {
    if value.is_empty() { Json::Null } else { text(value) }
}

/// The error with each fault at its field. The people of a band are one.
pub(super) fn by_field(error: Error) -> Error {
    let Error::Domain(E::Invalid(faults)) = error else { return error };
    let mut named = Faults::new();
    for fault in faults.iter() {
        let place = fault.pointer.trim_start_matches("#/");
        let place =
            place.rsplit_once("/users/").map_or_else(|| place.to_owned(), |(of, _)| format!("{of}/users"));
        let pointer = format!("#/{}", place.replace('/', "_"));
        let detail = match fault.code {
            FaultCode::UnknownUser => texts::UNTICK_WHO_HAS_LEFT,
            FaultCode::UnknownGroup => texts::GROUP_WAS_DELETED,
            _ => fault.detail.as_str(),
        };
        if named.iter().all(|it| it.pointer != pointer || it.detail != detail) {
            named.add(pointer, fault.code, detail);
        }
    }
    Error::Domain(E::Invalid(named))
}
