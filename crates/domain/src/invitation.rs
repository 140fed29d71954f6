//! Invitations: the one way in which a member comes to sign in.

use jiff::{SignedDuration, Timestamp};

use crate::actor::Actor;
use crate::ids::InvitationId;
use crate::role::Roles;
use crate::text::Line;

/// How long an invitation is open: 7 days.
pub const OPEN_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);

/// An open invitation of an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// Its id.
    pub id: InvitationId,
    /// The name that the organization will show.
    pub name: String,
    /// The invited person's e-mail address.
    pub email: String,
    /// Their job title once they accept.
    pub job_title: Option<Line>,
    /// Their roles once they accept.
    pub roles: Roles,
    /// When it was made.
    pub created_date: Timestamp,
    /// From when on it cannot be accepted.
    pub expires_date: Timestamp,
    /// The actor that created the invitation.
    pub invited_by: Actor,
}
