//! Writes that are told everything by their path: deleting and restoring one record.

use db::Tx;
use domain::{Author, ExpectedVersion, OrgId, ResourceKind};
use futures_util::future::BoxFuture;
use http::answer::Answer;
use http::api_request::ApiRequest;
use http::error::Result;
use http::write::Respond;

/// A function of the store that changes the record with this id, if it has the expected version.
pub(crate) type ChangeRecord<I, T> =
    for<'a> fn(&'a mut Tx, OrgId, &'a Author, I, &'a ExpectedVersion) -> BoxFuture<'a, store::Result<T>>;

/// The same for records that have no versions.
pub(crate) type ChangeUnversioned<I> =
    for<'a> fn(&'a mut Tx, OrgId, &'a Author, I) -> BoxFuture<'a, store::Result<()>>;

/// Changes a record, and responds with what the change returns.
pub(crate) async fn change<I: Copy + Send + 'static, T: Send + 'static>(
    request: ApiRequest,
    noun: ResourceKind,
    parse: fn(&str) -> Option<I>,
    change: ChangeRecord<I, T>,
    respond: impl Respond<T>,
) -> Result<Answer> {
    let id = request.path(0, noun, parse)?;
    change_with_id(request, id, change, respond).await
}

/// The same for an id that was read before.
pub(crate) async fn change_with_id<I: Copy + Send + 'static, T: Send + 'static>(
    mut request: ApiRequest,
    id: I,
    change: ChangeRecord<I, T>,
    respond: impl Respond<T>,
) -> Result<Answer> {
    request.no_query()?;
    request.no_body()?;
    let expected = request.expected_version();
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        change(tx, organization, author, id, &expected).await
    };
    request.write(change, respond).await
}

/// Deletes a record: 204.
pub(crate) async fn delete<I: Copy + Send + 'static>(
    request: ApiRequest,
    noun: ResourceKind,
    parse: fn(&str) -> Option<I>,
    change: ChangeRecord<I, ()>,
) -> Result<Answer> {
    self::change(request, noun, parse, change, |()| Ok(Answer::no_content())).await
}

/// Deletes a record that has no versions: 204.
pub(crate) async fn delete_unversioned<I: Copy + Send + 'static>(
    mut request: ApiRequest,
    noun: ResourceKind,
    parse: fn(&str) -> Option<I>,
    change: ChangeUnversioned<I>,
) -> Result<Answer> {
    let id = request.path(0, noun, parse)?;
    request.no_query()?;
    request.no_body()?;
    let change = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
        change(tx, organization, author, id).await
    };
    request.write(change, |()| Ok(Answer::no_content())).await
}
