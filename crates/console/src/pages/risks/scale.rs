//! `/o/{slug}/risks/scale`: the levels by which risks are rated and the bands, and their next version.

use std::borrow::Borrow;
use std::collections::HashMap;

use askama::Template;
use db::Tx;
use domain::group::Group;
use domain::json;
use domain::person::Person;
use domain::scale::{
    AcceptanceBy, NewScale, SIZE_MAX, SIZE_MIN, Scale, ScaleColor, ScaleContent, ScaleLevel,
};
use domain::{GroupId, OrgId, Scope, Scopes, UserId};
use http::json::read_value;
use store::View;
use store::groups::GroupFilter;
use store::scale_change::Effects;

use super::READ;
use super::scale_form::{Sizes, acceptors, by_field, digest, form_of, json_of, resized};
use crate::frame::form::{Form, MOST_CHOICES};
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

#[derive(Template)]
#[template(path = "risks/scale.html")]
struct ScalePage {
    frame: Layout,
    scale: Scale,
    versions: Vec<Scale>,
    groups: Vec<Group>,
    /// Whom the bands name, with what they may do; without scopes those who have left.
    people: HashMap<UserId, (Person, Option<Scopes>)>,
    sizes: Sizes,
    /// What the typed scale would do.
    effects: Option<Effects>,
    may_write: bool,
    form: Form,
    problems: Problems,
}

/// `GET /o/{slug}/risks/scale`
pub(crate) async fn page(request: PageRequest) -> Result {
    let page = scale_page(&request, None, None, Problems::default()).await?;
    request.show(&page)
}

/// `POST /o/{slug}/risks/scale`: shows what the scale would do, or adds it as it was shown. Where other numbers of levels or bands were
/// chosen, it only shows the form with these, also on the way to saving: what is new or gone, nobody has seen yet.
pub(crate) async fn submit(mut request: PageRequest) -> Result {
    request.require(&[Scope::OrganizationsWrite])?;
    let form = request.form().await?;
    let sizes = Sizes::chosen(&form);
    if sizes != Sizes::of_form(&form) {
        let form = resized(form, sizes);
        let page = scale_page(&request, Some(form), None, Problems::default()).await?;
        return request.show(&page);
    }
    let read = read_value(json_of(&form), json::body::<NewScale>).map_err(by_field);
    let (expected, author) = (form.expected(), request.author());
    let is_preview = form.has("preview");
    if let (Ok(new), true) = (&read, is_preview || !form.is("previewed", digest(&form))) {
        let planned = {
            let mut tx = request.read().await?;
            store::scale_change::plan(&mut tx, request.id(), &author, &expected, new, NAMED).await
        };
        return match planned {
            Ok((_, effects)) => {
                let problems = (!is_preview).then(|| Problems::with(texts::SCALE_NOT_PREVIEWED));
                let problems = problems.unwrap_or_default();
                request.show(&scale_page(&request, Some(form), Some(effects), problems).await?)
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
        let change = async move |tx: &mut Tx, organization, author: &domain::Author| {
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
    let form = sent.unwrap_or_else(|| form_of(&scale));
    let groups = match may_write {
        true => groups(&mut tx, request.id(), &scale, &form).await?,
        false => Vec::new(),
    };
    let sizes = Sizes::of_form(&form);
    let people: Vec<UserId> = (0..sizes.bands).flat_map(|place| acceptors(&scale, &form, place)).collect();
    let people = store::people::with_scopes(&mut tx, request.id(), people).await?;
    let frame = Layout::of(request, &mut tx, texts::SCALE, Section::Risks).await?;
    Ok(ScalePage { frame, scale, versions, groups, people, sizes, effects, may_write, form, problems })
}

/// The groups to choose from: the first by name, and those that the bands of the scale or the form name.
async fn groups(tx: &mut Tx, organization: OrgId, scale: &Scale, form: &Form) -> store::Result<Vec<Group>> {
    let filter = GroupFilter::default();
    let mut groups = store::groups::list(tx, organization, &filter, None, MOST_CHOICES).await?.rows;
    let known = scale.content.bands.iter().filter_map(|band| band.acceptance.group);
    let bands = 0..Sizes::of_form(form).bands;
    let typed = bands.filter_map(|place| GroupId::parse(form.text(&group_field(place))));
    let ids: Vec<_> = known.chain(typed).filter(|id| groups.iter().all(|it| it.id != *id)).collect();
    if !ids.is_empty() {
        let filter = GroupFilter { ids, ..GroupFilter::default() };
        groups.extend(store::groups::list(tx, organization, &filter, None, MOST_CHOICES).await?.rows);
    }
    Ok(groups)
}

/// The field for the group of a band.
fn group_field(place: usize) -> String {
    format!("bands_{place}_acceptance_group")
}

impl ScalePage {
    /// The group of a band, if it was deleted: without it the form would take it away from the band.
    fn deleted_group(&self, place: &usize) -> Option<&str> {
        let id = self.form.text(&group_field(*place));
        (!id.is_empty() && self.groups.iter().all(|it| it.id.to_string() != id)).then_some(id)
    }

    fn content(&self) -> &ScaleContent {
        &self.scale.content
    }

    /// The hash of the form that was previewed.
    fn previewed(&self) -> String {
        digest(&self.form)
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

    /// The sizes that can be chosen: the field, what it is called, and the present number.
    fn sized(&self) -> [(&'static str, &'static str, usize); 3] {
        let [likelihood, impact] = self.axes();
        [likelihood, impact, ("bands", texts::BANDS, self.sizes.bands)]
    }

    /// The people who can be ticked for a band, with their names, and whether they have left.
    fn people(&self, place: &usize) -> Vec<(UserId, &str, bool)> {
        let named = |id: UserId| {
            let (person, scopes) = self.people.get(&id)?;
            Some((id, person.name.as_str(), scopes.is_none()))
        };
        acceptors(&self.scale, &self.form, *place).into_iter().filter_map(named).collect()
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
