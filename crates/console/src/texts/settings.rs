//! Texts of the settings.

pub(crate) const SEND_THESE_LINKS: &str = "Send these links";
pub(crate) const LINKS_WORK_ONCE: &str = "Each link works once, for 7 days, and is shown only here. Bailiwick does not send e-mail yet: send each person their link yourself.";
pub(crate) const SQLITE_EMBEDDED: &str = "SQLite, embedded";
pub(crate) const NO_PEOPLE: &str = "Enter at least one person.";
pub(crate) const COPY_THE_SECRET_NOW: &str = "Copy the secret now";
pub(crate) const COPY_ID_AND_SECRET: &str = "The client authenticates with its ID and secret. The secret is shown only here; only its hash is stored.";
pub(crate) const CLIENT_ID: &str = "Client ID";
pub(crate) const CLIENT_SECRET: &str = "Client secret";
pub(crate) const USE_THE_NEW_SECRET: &str =
    "Update the program with it, then delete the old secret. It is shown only here.";
pub(crate) const SECRET_DELETED: &str = "Secret deleted. Tokens issued with it are revoked.";
pub(crate) const ORGANIZATION_UPDATED: &str = "Organization updated.";
pub(crate) const INVITATION_IS_GONE: &str =
    "Nothing changed: the invitation was used, withdrawn or has expired.";
pub(crate) const RESET_LINK_WITHDRAWN: &str = "Reset link withdrawn. It no longer works.";
pub(crate) const RESET_LINK_IS_GONE: &str = "The reset link was already used or withdrawn, or has expired.";
pub(crate) const INVITATION_WITHDRAWN: &str = "Invitation withdrawn. Its link no longer works.";
pub(crate) const MEMBER_UPDATED: &str = "Member updated.";
pub(crate) const RESPONSIBILITIES_HANDED_OVER: &str = "Responsibilities handed over.";
pub(crate) const MEMBER_REMOVED: &str = "Member removed. What they wrote stays under their name.";

pub(crate) const GROUP_ADDED: &str = "Group added.";
pub(crate) const GROUP_UPDATED: &str = "Group updated.";
pub(crate) const GROUP_DELETED: &str = "Group deleted.";
pub(crate) const GROUP_IS_GONE: &str = "Nothing changed: the group was deleted already.";
pub(crate) const GROUP_MEMBER_ADDED: &str = "Member added to the group.";
pub(crate) const GROUP_MEMBER_REMOVED: &str = "Member removed from the group.";
pub(crate) const NOT_IN_THE_GROUP: &str = "Nothing changed: they were not in the group any more.";

pub(crate) const SEND_THIS_LINK: &str = "Send this link";
pub(crate) const RESET_LINK_WORKS_ONCE: &str = "Send it only to this person, over a channel that you trust: anyone who opens it can choose their password. It works once, for 30 minutes, and is shown only here. Bailiwick does not send e-mail yet.";
pub(crate) const CANNOT_SIGN_IN_YET: &str =
    "They have no password yet, because no invitation was accepted. Invite them first.";
pub(crate) const PASSWORD_OF_AN_OPERATOR: &str =
    "This member operates the service. Set their password on the server: bailiwick user set-password.";
pub(crate) const PASSWORD_OPENS_OTHERS: &str = "This person also belongs to another organization, so only the operator of the service can reset the password: bailiwick user set-password.";

/// The recipient of a link, and when it expires.
pub(crate) fn until(email: &str, time: &str) -> String {
    format!("For {email}, expires {time}")
}

pub(crate) fn at_most_people(most: usize) -> String {
    format!("You can invite at most {most} people at once.")
}

/// What was done with a client: it was disabled or enabled, or its name or its scopes changed.
pub(crate) fn client_changed(disabled: &str) -> &'static str {
    match disabled {
        "yes" => "Client disabled. Its tokens are revoked.",
        "no" => "Client enabled.",
        _ => "Client updated.",
    }
}

/// A word that stands where a role is expected.
pub(crate) fn unknown_role(word: &str) -> String {
    let roles = domain::Role::ALL.iter().map(|role| role.as_str()).collect::<Vec<_>>().join(", ");
    format!("“{word}” is not a role. Roles are {roles}.")
}

/// What is wrong with a line of the invited people.
pub(crate) fn wrong_line(number: usize, detail: &str) -> String {
    format!("Line {number}: {detail}")
}
