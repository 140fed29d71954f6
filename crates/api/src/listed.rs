//! What the API does with incidents and risks alike: their lists, counts, exports, tags, and changes of many at once. Each
//! handler passes its kind of record.

use axum::response::Response;
use domain::bulk::{BulkOperation, ItemResult, MAX_IDS};
use domain::tag::TagReference;
use domain::{Actor, Faults, Scope, TagId, json};
use http::answer::{Answer, with_search_seq};
use http::api_request::ApiRequest;
use http::as_of::Seen;
use http::error::Result;
use http::json::Json;
use http::page::List;
use http::query::Query;
use hyper::StatusCode;
use jiff::Timestamp;
use lists::export::{Export, Exported, Lines};
use serde::Serialize;
use store::bulk::ChangeOf;
use store::facets::Facets;
use store::incidents::StatusFacet;
use store::list::{ListQuery, Position, Sort};
use store::listed;
use utoipa::ToSchema;

use crate::bulk::{require, respond, search_seq};
use crate::search::{meant, searched_up_to};
use crate::tags::TagView;

/// Reads a change of many records, and whether it is a dry run.
pub(crate) type ReadMany<R> = fn(Json<'_>, &Actor, &mut Faults) -> Option<(ChangeOf<R>, bool)>;

/// A kind of record with a list of its own, as the API has it.
pub(crate) trait Resource: Exported {
    /// A record in a response.
    type View: Serialize + ToSchema + 'static;
    /// What reading them needs: one of these.
    const READ: &'static [Scope];
    /// What changing them needs.
    const WRITE: Scope;
    /// What deleting them needs.
    const DELETE: Scope;
    /// Reads the filters of the list.
    const FILTER: fn(&mut Query<'_>, &Actor) -> Self::Filter;
    /// Reads a change of many, and whether it is a dry run.
    const MANY: ReadMany<Self>;
    /// Shows a record as of a time.
    const VIEW: fn(Self::Row, Timestamp) -> Self::View;
}

/// The page of the list that a request asks for.
pub(crate) async fn list<R: Resource>(request: ApiRequest) -> Result<Answer>
where
    Sort<R::Sort>: Default,
{
    let mut query = request.query();
    let page = request.page::<Position>(&mut query);
    let seen = Seen::read(request.permissions(), &mut query, R::DELETE)?;
    let is_ranked = query.has("q") && !query.has("sort");
    let (filter, sort) = (R::FILTER(&mut query, request.actor()), query.sort::<R::Sort>());
    query.finish()?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let mut tx = request.app.db().read().await?;
    let (view, named) = seen.resolve(&mut tx, organization).await?;
    let asked = ListQuery { view, filter, sort, after: page.after.clone() };
    let found = listed::read::<R>(&mut tx, organization, &viewer, &asked, is_ranked, page.limit).await?;
    let total = page.total(R::COUNT(&mut tx, organization, &viewer, view, &asked.filter)).await?;
    let at = tx.at();
    let search_seq = searched_up_to(&mut tx, organization, R::SEARCH(&asked.filter)).await?;
    let (rows, position) = found.into_parts();
    let is_empty = rows.rows.is_empty() && page.after.is_none() && search_seq.is_some();
    let did_you_mean = meant(&request, &mut tx, R::WITHIN(&asked.filter), is_empty).await?;
    let list = request.list(rows, total, position, |row| R::VIEW(row, at));
    Ok(Answer::list(&List { did_you_mean, ..list.seen(named) })?.searched(search_seq))
}

/// How many records the filters of a request let through, and how many with each value: `view` shows both.
pub(crate) async fn facets<R: Resource, V: Serialize>(
    request: ApiRequest,
    view: fn(i64, &mut Facets) -> V,
) -> Result<Answer> {
    let mut query = request.query();
    let filter = R::FILTER(&mut query, request.actor());
    query.finish()?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let mut tx = request.app.db().read().await?;
    let status = StatusFacet::WithoutStatus;
    let mut found = R::FACETS(&mut tx, organization, &viewer, &filter, status).await?;
    let search_seq = searched_up_to(&mut tx, organization, R::SEARCH(&filter)).await?;
    Ok(Answer::record(None, &view(found.total, &mut found))?.searched(search_seq))
}

/// The file with all records that the filters of a request let through.
pub(crate) async fn export<R: Resource>(request: ApiRequest) -> Result<Response> {
    let mut query = request.query();
    let seen = Seen::read(request.permissions(), &mut query, R::DELETE)?;
    let filter = R::FILTER(&mut query, request.actor());
    let lines = Lines::read(&request, &mut query, R::columns(), R::VIEW);
    query.finish()?;
    let mut tx = request.app.db().read().await?;
    let (view, seq) = seen.resolve_to_entry(&mut tx, request.organization()).await?;
    let (db, organization, viewer) = (request.app.db().clone(), request.organization(), request.viewer());
    let search_seq = searched_up_to(&mut tx, organization, R::SEARCH(&filter)).await?;
    let file = Export::<R> { db, organization, viewer, view, seq, filter }.file(&mut tx, lines).await?;
    Ok(with_search_seq(file, search_seq))
}

/// Changes many records, or says what would become of them.
pub(crate) async fn change_many<R: Resource>(mut request: ApiRequest) -> Result<Answer> {
    request.no_query()?;
    let caller = request.actor().clone();
    let (bulk, is_dry_run) =
        request.json_of(MAX_IDS, move |body, faults| R::MANY(body, &caller, faults)).await?;
    let changes = match bulk.operation {
        BulkOperation::Delete => R::DELETE,
        _ => R::WRITE,
    };
    require(&request, changes, &bulk.target, R::READ)?;
    let query = bulk.target.filter().and_then(R::SEARCH);
    let search_seq = search_seq(request.app.db(), request.organization(), query).await?;
    let write = request.into_write();
    let public_url = write.app.auth().public_url.clone();
    let respond = move |results: &[ItemResult<R::Number>]| respond(&public_url, results);
    let answer = match is_dry_run {
        true => respond(&write.plan_many::<R>(&bulk).await?)?,
        false => write.change_many::<R>(bulk, respond).await?,
    };
    Ok(answer.searched(search_seq))
}

/// Puts the tag in the body on the record in the path, whose id `parse` reads, and responds with `added`.
pub(crate) async fn add_tag<R: Resource, V: Serialize + Send + Sync + 'static>(
    mut request: ApiRequest,
    parse: fn(&str) -> Option<R::Number>,
    added: V,
) -> Result<Answer> {
    let number = request.path(0, R::TAGS.missing, parse)?;
    request.no_query()?;
    let TagReference { tag_id: tag } = request.json(json::body).await?;
    request
        .write(
            async move |tx, organization, author| {
                listed::add_tag::<R>(tx, organization, author, number, tag).await
            },
            move |()| {
                // A GET of the location returns the whole list, so this response carries no entity tag.
                let location = Some(format!("/v1/{}/{number}/tags", R::NAME));
                Ok(Answer { status: StatusCode::CREATED, location, ..Answer::outcome(&added)? })
            },
        )
        .await
}

/// The page of the tags of the record in the path.
pub(crate) async fn list_tags<R: Resource>(request: ApiRequest) -> Result<Answer> {
    let number = request.path(0, R::KIND, R::PARSE)?;
    let mut query = request.query();
    let page = request.page::<String>(&mut query);
    query.finish()?;
    let after = page.after.as_deref();
    let mut tx = request.app.db().read().await?;
    let (organization, viewer) = (request.organization(), request.viewer());
    let rows = listed::list_tags::<R>(&mut tx, organization, &viewer, number, after, page.limit).await?;
    let total = page.total(listed::count_tags::<R>(&mut tx, organization, number)).await?;
    Answer::list(&request.list(rows, total, |tag| tag.name.clone(), TagView::from))
}

/// Puts the tag in the path on the record in the path, or takes it off: 204.
pub(crate) async fn change_tag<R: Resource>(mut request: ApiRequest, is_added: bool) -> Result<Answer> {
    let number = request.path(0, R::TAGS.missing, R::PARSE)?;
    let tag = request.path(1, R::TAGS.missing, TagId::parse)?;
    request.no_query()?;
    request.no_body()?;
    let change =
        async move |tx: &mut db::Tx, organization: domain::OrgId, author: &domain::Author| match is_added {
            true => listed::put_tag::<R>(tx, organization, author, number, tag).await,
            false => listed::remove_tag::<R>(tx, organization, author, number, tag).await,
        };
    request.write(change, |()| Ok(Answer::no_content())).await
}
