//! People: their passwords, sessions, invitations and reset links.

mod accept_invitation;
mod change_password;
pub mod first_run;
mod hashing;
mod password;
mod refused_sign_in;
mod reset_password;
pub(crate) mod session;
mod sign_in;

pub use accept_invitation::{Accept, accept_invitation, invited};
pub use change_password::{PasswordChange, Passwords, change_password};
pub use password::{Password, PasswordCost};
pub use reset_password::{Reset, reset_for, reset_password};
pub use session::console_session;
pub use sign_in::{SignIn, SignedIn, sign_in, sign_in_to_console};

pub(crate) use hashing::PasswordHasher;
