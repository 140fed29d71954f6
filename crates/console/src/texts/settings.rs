//! Texts of the settings.

pub(crate) const SEND_THESE_LINKS: &str = "Send these links";
pub(crate) const LINKS_WORK_ONCE: &str = "Each link works once, for 7 days. The service sends no mail yet: send each \
    person their link yourself. It is shown only here.";
pub(crate) const SQLITE_EMBEDDED: &str = "SQLite, embedded";
pub(crate) const NOBODY_IS_NAMED: &str = "Nobody is named.";
pub(crate) const COPY_THE_SECRET_NOW: &str = "Copy the secret now";
pub(crate) const COPY_ID_AND_SECRET: &str =
    "The client signs in with its id and its secret. The secret is shown only here; only its hash is kept.";
pub(crate) const CLIENT_ID: &str = "Client id";
pub(crate) const CLIENT_SECRET: &str = "Client secret";
pub(crate) const CLIENT_CHANGED: &str = "The client is changed.";
pub(crate) const GIVE_THE_NEW_SECRET: &str =
    "Give it to the program, then delete the old one. It is shown only here.";
pub(crate) const SECRET_DELETED: &str = "The secret and the tokens made with it work no more.";
pub(crate) const ORGANIZATION_CHANGED: &str = "The organization is changed.";
pub(crate) const INVITATION_IS_GONE: &str =
    "Nothing was changed: the invitation was used, withdrawn or ended already.";
pub(crate) const INVITATION_WITHDRAWN: &str = "The invitation is withdrawn; its link leads nowhere.";
pub(crate) const MEMBER_CHANGED: &str = "The member is changed.";
pub(crate) const DUTIES_HANDED_OVER: &str = "The duties are handed over.";
pub(crate) const MEMBER_REMOVED: &str =
    "They are no member any more. What they wrote stays under their name.";

pub(crate) const SEND_THIS_LINK: &str = "Send this link";
pub(crate) const RESET_LINK_WORKS_ONCE: &str = "Send it to this person only, over a channel that you trust: whoever \
    opens it chooses their password. It works once, for 30 minutes, and is shown only here. The service sends no mail yet.";
pub(crate) const CANNOT_SIGN_IN_YET: &str =
    "No invitation was accepted, so there is no password yet. Invite them to sign in.";
pub(crate) const PASSWORD_OF_AN_OPERATOR: &str = "An operator of the service sets their password on the machine: \
    bailiwick user set-password.";
pub(crate) const PASSWORD_OPENS_OTHERS: &str = "This password opens another organization too, so one of them cannot \
    reset it alone. The operator of the service can: bailiwick user set-password.";

/// For whom a link is, and until when.
pub(crate) fn until(email: &str, time: &str) -> String {
    format!("For {email}, until {time}")
}

pub(crate) fn at_most_people(most: usize) -> String {
    format!("At most {most} people are invited at once.")
}

/// What is wrong with a line of the invited people.
pub(crate) fn wrong_line(number: usize, detail: &str) -> String {
    format!("Line {number}: {detail}")
}
