//! People: their passwords, sessions and invitations.

mod accept_invitation;
mod change_password;
mod hashing;
mod password;
mod refused_sign_in;
pub(crate) mod session;
mod sign_in;

pub use accept_invitation::{Accept, accept_invitation};
pub use change_password::{PasswordChange, change_password};
pub use password::{Password, PasswordCost};
pub use sign_in::{SignIn, SignedIn, sign_in};

pub(crate) use hashing::PasswordHasher;
