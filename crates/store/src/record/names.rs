//! Current names of people and actors: the one place that joins them.

/// What is read of a field, from which other tables. Rows of the record are called `r`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Joined {
    /// The columns, separated by commas.
    pub(crate) columns: String,
    /// The joins.
    pub(crate) joins: String,
}

/// A text whose further columns are only searched.
pub(crate) fn text_itself(field: &str) -> Joined {
    Joined { columns: format!("r.{field}"), joins: String::new() }
}

/// The person whose id is in the column `field`: id, name in the organization, e-mail address.
pub(crate) fn person(field: &str) -> Joined {
    Joined {
        columns: format!("r.{field}, {field}_member.name, {field}_person.email"),
        joins: format!(
            " LEFT JOIN membership AS {field}_member ON {field}_member.organization = r.organization
                  AND {field}_member.person = r.{field}
              LEFT JOIN person AS {field}_person ON {field}_person.id = r.{field}"
        ),
    }
}

/// The actor in the columns `field_kind` and `field_id`: both, and the name, which is the id where there is no other.
pub(crate) fn actor(field: &str) -> Joined {
    Joined {
        columns: format!(
            "r.{field}_kind, r.{field}_id, COALESCE({field}_client.name, {field}_member.name, r.{field}_id)"
        ),
        joins: format!(
            " LEFT JOIN client AS {field}_client ON r.{field}_kind = 'client'
                  AND {field}_client.organization = r.organization AND {field}_client.id = r.{field}_id
              LEFT JOIN membership AS {field}_member ON r.{field}_kind = 'user'
                  AND {field}_member.organization = r.organization AND {field}_member.actor_id = r.{field}_id"
        ),
    }
}
