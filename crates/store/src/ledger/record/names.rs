//! Current names of people and actors: the one place that joins them.

/// What is read of a field, from which other tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Joined {
    /// The columns, separated by commas.
    pub(crate) columns: String,
    /// The joins.
    pub(crate) joins: String,
    /// What is read instead of the columns where there are no joins.
    pub(crate) unnamed: String,
}

impl Joined {
    /// Columns that need no join.
    pub(crate) fn bare(columns: String) -> Self {
        Self { unnamed: columns.clone(), columns, joins: String::new() }
    }
}

/// A text whose further columns are only searched.
pub(crate) fn text_itself(row: &str, field: &str) -> Joined {
    Joined::bare(format!("{row}.{field}"))
}

/// The organization that the row is of, whatever the field is called.
pub(crate) fn organization(row: &str, _: &str) -> Joined {
    Joined::bare(format!("{row}.organization"))
}

/// The person whose id is in the column `field`: id, name in the organization, e-mail address.
pub(crate) fn person(row: &str, field: &str) -> Joined {
    let email = email(row, field);
    Joined {
        columns: format!("{row}.{field}, {field}_member.name, {}", email.columns),
        joins: format!(
            " LEFT JOIN membership AS {field}_member ON {field}_member.organization = {row}.organization
                  AND {field}_member.person = {row}.{field}{}",
            email.joins
        ),
        unnamed: format!("{row}.{field}, NULL, NULL"),
    }
}

/// The e-mail address of the person whose id is in the column `field`.
pub(crate) fn email(row: &str, field: &str) -> Joined {
    Joined {
        columns: format!("{field}_person.email"),
        joins: format!(" LEFT JOIN person AS {field}_person ON {field}_person.id = {row}.{field}"),
        unnamed: "NULL".to_owned(),
    }
}

/// The actor in the columns `field_kind` and `field_id`: both, and the name, which is the id where there is no other.
pub(crate) fn actor(row: &str, field: &str) -> Joined {
    let (kind, id) = (format!("{row}.{field}_kind"), format!("{row}.{field}_id"));
    Joined {
        columns: format!("{kind}, {id}, COALESCE({field}_client.name, {field}_member.name, {id})"),
        // `membership.actor_id` is the person as text, because the engines cast a UUID differently.
        joins: format!(
            " LEFT JOIN client AS {field}_client ON {kind} = 'client'
                  AND {field}_client.organization = {row}.organization AND {field}_client.id = {id}
              LEFT JOIN membership AS {field}_member ON {kind} = 'user'
                  AND {field}_member.organization = {row}.organization AND {field}_member.actor_id = {id}"
        ),
        unnamed: format!("{kind}, {id}, {id}"),
    }
}

/// The pause in the columns that begin with `field`: since when, until when, why, and by which actor.
pub(crate) fn hold(row: &str, field: &str) -> Joined {
    let own = format!("{row}.{field}_since, {row}.{field}_until, {row}.{field}_reason");
    let by = actor(row, &format!("{field}_by"));
    Joined {
        columns: format!("{own}, {}", by.columns),
        joins: by.joins,
        unnamed: format!("{own}, {}", by.unnamed),
    }
}
