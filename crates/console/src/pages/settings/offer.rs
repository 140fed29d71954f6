//! What the page of a member offers about their password: a link with which they choose another one, or what prevents it.

use db::Tx;
use domain::person::Member;
use domain::reset_link::{self, Obstacle, ResetLink};

use crate::frame::page_request::{PageRequest, Result};
use crate::texts;

/// What the page of a member offers.
pub(super) enum Offer {
    /// A link can be made; this one is open.
    Link(Option<ResetLink>),
    /// It is the page of the person who reads it.
    YourAccount,
    /// Why there is none.
    Refusal(&'static str),
}

/// What is offered about the password of a member, to whom manages people.
pub(super) async fn offer(request: &PageRequest, tx: &mut Tx, member: &Member) -> Result<Option<Offer>> {
    let scopes = request.permissions().scopes();
    if reset_link::access(member).check(scopes).is_err() {
        return Ok(None);
    }
    let author = request.author();
    let obstacle = store::reset_links::obstacle(tx, request.id(), &author.actor, member).await?;
    Ok(Some(match obstacle {
        None => Offer::Link(store::reset_links::open(tx, request.id(), member.person.id).await?),
        Some(Obstacle::Own) => Offer::YourAccount,
        Some(Obstacle::CannotSignIn) => Offer::Refusal(texts::CANNOT_SIGN_IN_YET),
        Some(Obstacle::Operator) => Offer::Refusal(texts::PASSWORD_OF_AN_OPERATOR),
        Some(Obstacle::MemberElsewhere) => Offer::Refusal(texts::PASSWORD_OPENS_OTHERS),
    }))
}
