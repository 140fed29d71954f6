//! `/o/{slug}/risks/scale`: the levels by which risks are rated and the bands, and their next version.

use std::borrow::Borrow;

use askama::Template;
use domain::Scope;
use domain::group::Group;
use domain::json;
use domain::scale::{
    AcceptanceBy, NewScale, SIZE_MAX, SIZE_MIN, Scale, ScaleColor, ScaleContent, ScaleLevel,
};
use http::json::read_value;
use store::View;
use store::groups::GroupFilter;
use store::scale_change::Effects;

use super::READ;
use super::scale_form::{Sizes, by_field, form_of, json_of};
use crate::frame::form::Form;
use crate::frame::layout::{Layout, Section};
use crate::frame::next::Next;
use crate::frame::page_request::{PageRequest, Result};
use crate::frame::problems::Problems;
use crate::frame::words;
use crate::texts;

/// So many versions are listed.
const SHOWN: i64 = 20;

/// So many risks of each rating that changes band are named.
const NAMED: i64 = 5;

/// The most groups that can be chosen.
const MOST_GROUPS: i64 = 200;

#[derive(Template)]
#[template(path = "risks/scale.html")]
struct ScalePage {
    frame: Layout,
    scale: Scale,
    versions: Vec<Scale>,
    groups: Vec<Group>,
    sizes: Sizes,
    /// What the typed scale would do.
    effects: Option<Effects>,
    may_write: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/risks/scale?likelihood=4&impact=4&bands=4`: the form with so many levels and bands.
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = scale_page(&request, None, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/risks/scale`: shows what the scale would do, or adds it.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(&[Scope::OrganizationsWrite])?;
    let form = request.form().await?;
    let read = read_value(json_of(&form), json::body::<NewScale>).map_err(by_field);
    let (expected, author) = (form.expected(), request.author());
    if let (Ok(new), true) = (&read, form.has("preview")) {
        let planned = {
            let mut tx = request.read().await?;
            store::scale_change::plan(&mut tx, request.id(), &author, &expected, new, NAMED).await
        };
        return match planned {
            Ok((_, effects)) => {
                let page = scale_page(&request, Some(form), Some(effects), Problems::default()).await?;
                request.show(&page)
            }
            Err(error) => {
                let problems = request.problems(by_field(error.into()))?;
                request.show_again(&scale_page(&request, Some(form), None, problems).await?)
            }
        };
    }
    let (to, version) = (request.to("/risks/scale"), form.version());
    let changed = async {
        let new = read?;
        let change = async move |tx: &mut db::Tx, organization, author: &domain::Author| {
            store::scale_change::change(tx, organization, author, &expected, &new).await
        };
        let next = move |it: Scale| Next::after(Some(it.number) != version, to.clone());
        request.write(&form, change, next).await.map_err(by_field)
    };
    let changed = changed.await;
    let again = async |problems| scale_page(&request, Some(form), None, problems).await;
    request.answer(changed, (texts::SCALE_CHANGED, false), again).await
}

async fn scale_page(
    request: &PageRequest,
    sent: Option<Form>,
    effects: Option<Effects>,
    problems: Problems,
) -> Result<ScalePage> {
    request.require(READ)?;
    let may_write = request.may(Scope::OrganizationsWrite);
    let mut tx = request.read().await?;
    let scales = store::scales::known(&mut tx, request.id(), View::now()).await?;
    let scale = scales.present().clone();
    let versions = store::scales::list(&mut tx, request.id(), None, SHOWN).await?.rows;
    let groups = match may_write {
        true => {
            let all = GroupFilter::default();
            store::groups::list(&mut tx, request.id(), &all, None, MOST_GROUPS).await?.rows
        }
        false => Vec::new(),
    };
    let sizes = match &sent {
        Some(form) => Sizes::of_form(form),
        None => Sizes::asked(&request.asked(), &scale.content),
    };
    let form = sent.unwrap_or_else(|| form_of(&scale, sizes));
    let frame = Layout::of(request, &mut tx, texts::SCALE, Section::Risks).await?;
    Ok(ScalePage { frame, scale, versions, groups, sizes, effects, may_write, form, problems })
}

impl ScalePage {
    fn content(&self) -> &ScaleContent {
        &self.scale.content
    }

    /// How many levels and bands there can be.
    fn all_sizes(&self) -> std::ops::RangeInclusive<usize> {
        SIZE_MIN..=SIZE_MAX
    }

    fn colors(&self) -> &'static [ScaleColor] {
        ScaleColor::ALL
    }

    fn acceptances(&self) -> &'static [AcceptanceBy] {
        AcceptanceBy::ALL
    }

    /// The two lists of levels of the form: the members, what they are called, and the numbers of levels.
    fn axes(&self) -> [(&'static str, &'static str, usize); 2] {
        [
            ("likelihood", texts::LIKELIHOOD, self.sizes.likelihood),
            ("impact", texts::IMPACT, self.sizes.impact),
        ]
    }

    /// The sizes that can be chosen: the parameter, what it is called, and the present number.
    fn sized(&self) -> [(&'static str, &'static str, usize); 3] {
        let [likelihood, impact] = self.axes();
        [likelihood, impact, ("bands", texts::BANDS, self.sizes.bands)]
    }

    /// The people who may accept risks of a band, as the form keeps them.
    fn people(&self, place: &usize) -> Vec<String> {
        let name = format!("bands_{place}_acceptance_users");
        self.form.all(&name).map(str::to_owned).collect()
    }

    /// The name that was typed for a level or band.
    fn typed(&self, list: &str, place: &usize) -> String {
        self.form.text(&format!("{list}_{place}_name")).to_owned()
    }

    /// The rows of a matrix as they are drawn, the highest likelihood first.
    fn rows(&self, count: impl Borrow<usize>) -> Vec<usize> {
        (0..*count.borrow()).rev().collect()
    }

    /// A level of likelihood of the present scale.
    fn level(&self, row: &usize) -> Option<&ScaleLevel> {
        self.content().likelihood.get(*row)
    }

    /// How the band of a cell of the present scale is drawn, and its name.
    fn band(&self, row: &usize, column: &usize) -> (&'static str, String) {
        let place = self.content().matrix.get(*row).and_then(|row| row.get(*column)).copied();
        let band = self.scale.band(place.unwrap_or_default());
        band.map_or(("none", String::new()), |it| (words::drawn(it.color), it.name.to_string()))
    }
}
