//! `GET /v1/search`

use db::Tx;
use domain::search::{SearchKind, SearchQuery, Snippet};
use domain::{OrgId, Permissions, Scope, Scopes};
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::page::{List, PageParams};
use http::query::{Search, Words};
use http::snippets::with_snippets;
use http::timestamp::Timestamp;
use http::word::OneOf;
use serde::Serialize;
use store::did_you_mean::{Within, did_you_mean};
use store::hits::{Hit, HitPosition};
use utoipa::ToSchema;

http::parameters! {
    /// The parameters.
    struct SearchParams {
        /// The search: `word`, `word*` for the start of a word, `"a phrase"`; all must match. `-` before one excludes it.
        /// Without it everything matches.
        #[example = "ransom* -drill"]
        q: Search,
        /// Only records of these kinds; every kind that the caller may read unless it is sent.
        kind: Words<SearchKind>,
    }
}

type KindView = OneOf<SearchKind>;

/// A record that a search found.
#[derive(Serialize, ToSchema)]
#[schema(as = SearchHit)]
pub(crate) struct HitView {
    /// What it is.
    kind: KindView,
    /// Its id as its own operations take it: a number such as `INC-0042`, or the slug of a document.
    #[schema(max_length = 100, examples("INC-0042"))]
    id: String,
    /// Its title.
    #[schema(max_length = 200)]
    title: String,
    /// Its status, of the list of its kind.
    #[schema(max_length = 20, pattern = "^[a-z_]+$", examples("active"))]
    status: String,
    /// When it was last changed.
    updated_date: Timestamp,
    /// The piece of a text where it was found, in parts; the beginning of its description if it was found by its title alone.
    #[schema(max_items = 500)]
    snippet: Vec<PartView>,
}

/// A part of a piece of text.
#[derive(Serialize, ToSchema)]
#[schema(as = SnippetPart)]
pub(crate) struct PartView {
    /// The text as it is written; the first or last part is `…` where the text goes on.
    #[schema(max_length = 65_536)]
    text: String,
    /// Whether it is what was searched.
    #[serde(rename = "match")]
    is_match: bool,
}

impl From<Hit> for HitView {
    fn from(hit: Hit) -> Self {
        let Hit { kind, id, title, status, updated_date, snippet, .. } = hit;
        Self {
            kind: kind.into(),
            id,
            title,
            status,
            updated_date: updated_date.into(),
            snippet: parts(snippet),
        }
    }
}

fn parts(snippet: Snippet) -> Vec<PartView> {
    let Snippet { parts, is_cut_before, is_cut_after } = snippet;
    let more = |is_cut: bool| is_cut.then(|| PartView { text: "…".to_owned(), is_match: false });
    let parts = parts.into_iter().map(|part| PartView { text: part.text, is_match: part.is_match });
    more(is_cut_before).into_iter().chain(parts).chain(more(is_cut_after)).collect()
}

/// Search
///
/// Finds incidents by their title, description, source, location, external reference and resolution summary, and by their notes,
/// tasks, review and links; risks by their title and description, and documents by their title, reference, description, template, items with
/// their options, text in force and open proposal. The best matches come first: words in the title or reference rank highest, then
/// those in the description, then the rest, and the searched word that ranks lowest counts. With equal rank incidents come first,
/// then risks, then documents, and of each kind the latest. Upper and lower case and accents do not matter.
///
/// If nothing is found, `did_you_mean` is the same search with words that are one letter away and find something.
///
/// What was written is found within a second or so: the header `Bailiwick-Search-Seq` is the number of the journal entry up to
/// which the search knows the register.
#[utoipa::path(
    get,
    path = "/v1/search",
    operation_id = "search",
    tag = "Search",
    params(SearchParams, PageParams),
    responses((status = 200, description = "What was found", body = List<HitView>))
)]
pub(crate) async fn search(request: ApiRequest) -> Result<Answer> {
    let mut query = request.query();
    let page = request.page::<HitPosition>(&mut query);
    let SearchParams { q, kind } = SearchParams::read(&mut query);
    let asked = q.unwrap_or_else(SearchQuery::everything);
    query.finish()?;
    let kinds = readable(request.permissions(), kind)?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let mut tx = request.app.db().read().await?;
    let what = (kinds.as_slice(), &asked);
    let found = store::hits::hits(&mut tx, organization, &viewer, what, page.after, page.limit).await?;
    let total = page.total(store::hits::count(&mut tx, organization, &viewer, what)).await?;
    let is_empty = found.rows.is_empty() && page.after.is_none();
    let did_you_mean = meant(&request, &mut tx, Within::Kinds(&kinds), is_empty).await?;
    let search_seq = searched_up_to(&mut tx, organization, Some(&asked)).await?;
    drop(tx);
    let found = with_snippets(found, asked).await?;
    let list = request.list(found, total, Hit::position, HitView::from);
    Ok(Answer::list(&List { did_you_mean, ..list })?.searched(search_seq))
}

/// The text of a search that `is_empty`, with words that are one letter away and find something there; none of another search.
pub(crate) fn meant<'t>(
    request: &ApiRequest,
    tx: &'t mut Tx,
    within: Within<'t>,
    is_empty: bool,
) -> impl Future<Output = store::Result<Option<String>>> + Send + use<'t> {
    let text = request.query().text("q").filter(|_| is_empty).map(String::from);
    let (organization, viewer) = (request.organization(), request.viewer());
    async move {
        let Some(text) = text else { return Ok(None) };
        did_you_mean(tx, organization, &viewer, within, &text, SearchQuery::parse).await
    }
}

/// The kinds that are searched: those that were asked for, which the caller must be allowed to read, or all that it may read.
fn readable(permissions: &Permissions, asked: Vec<SearchKind>) -> Result<Vec<SearchKind>> {
    let scopes = permissions.scopes();
    let may_read = |kind: &SearchKind| scopes_of(*kind).iter().any(|scope| scopes.has(*scope));
    if asked.is_empty() {
        return Ok(SearchKind::ALL.iter().copied().filter(may_read).collect());
    }
    for kind in &asked {
        if !may_read(kind) {
            let first: Scopes = scopes_of(*kind).iter().copied().take(1).collect();
            permissions.require(first)?;
        }
    }
    Ok(asked)
}

fn scopes_of(kind: SearchKind) -> &'static [Scope] {
    match kind {
        SearchKind::Incident => &[Scope::IncidentsRead, Scope::IncidentsDeclare],
        SearchKind::Risk => &[Scope::RisksRead],
        SearchKind::Document => &[Scope::DocumentsRead],
    }
}

/// Up to which journal entry a search knows the register, if there is one.
pub(crate) async fn searched_up_to(
    tx: &mut Tx,
    organization: OrgId,
    query: Option<&SearchQuery>,
) -> store::Result<Option<i64>> {
    match query {
        Some(_) => Ok(Some(store::search::progress(tx, organization).await?)),
        None => Ok(None),
    }
}
