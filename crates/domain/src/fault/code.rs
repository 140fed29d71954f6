//! What can be wrong with a value of a body, as one table.

crate::codes! {
    "FaultCode"
    /// What is wrong with a value.
    pub enum FaultCode {
        /// A member is missing, or null where a value must be.
        Required = "required" {
            remedy: "Send a value.",
        }
        /// The value does not have the expected JSON type; at `#` this is about the body as a whole.
        Type = "type" {
            remedy: "Send the type that `detail` names.",
        }
        /// The member is unknown. Unknown members are not ignored, so that a typo cannot go unnoticed.
        UnknownField = "unknown_field" {
            remedy: "Leave it out, or use the name that `detail` suggests.",
        }
        /// The member is set by the service.
        ReadOnly = "read_only" {
            remedy: "Leave it out, or call the operation that `detail` names.",
        }
        /// The member occurs twice in one object.
        DuplicateKey = "duplicate_key" {
            remedy: "Send it once.",
        }
        /// The text is empty, or has only white space and invisible characters.
        Blank = "blank" {
            remedy: "Send a text with at least one visible character.",
        }
        /// The text is too long.
        TooLong = "too_long" {
            remedy: "Shorten it to the limit that `detail` names.",
        }
        /// The text is too short.
        TooShort = "too_short" {
            remedy: "Make it at least as long as `detail` says.",
        }
        /// The list has too many elements.
        TooMany = "too_many" {
            remedy: "Send fewer at a time.",
        }
        /// The record has too many tags.
        TooManyTags = "too_many_tags" {
            remedy: "Remove another tag first.",
        }
        /// The record has too many notes.
        TooManyNotes = "too_many_notes" {
            remedy: "Delete another note first.",
        }
        /// The notes about the record together are too large.
        NotesTooLarge = "notes_too_large" {
            remedy: "Shorten it, or shorten or delete other notes first.",
        }
        /// The proposal contains too much text.
        ProposalTooLarge = "proposal_too_large" {
            remedy: "Shorten its texts.",
        }
        /// The list has too few elements.
        TooFew = "too_few" {
            remedy: "Send at least as many as `detail` names.",
        }
        /// The number is outside its limits.
        Range = "range" {
            remedy: "Send a number within the limits that `detail` names.",
        }
        /// The value is not one of those allowed.
        Enum = "enum" {
            remedy: "Send one of the values that `detail` lists.",
        }
        /// The text is not of the expected form, such as a UUID or a date-time with an offset.
        Format = "format" {
            remedy: "Send it in the form that `detail` describes.",
        }
        /// The password is easy to guess: the name, the e-mail address, or one character repeated.
        Guessable = "guessable" {
            remedy: "Choose another one; a few unrelated words are easy to remember.",
        }
        /// The member cannot be sent together with another one.
        Conflict = "conflict" {
            remedy: "Send one of the two that `detail` names.",
        }
        /// Records of this kind do not have this member, or the kind cannot be changed to this one.
        NotOfKind = "not_of_kind" {
            remedy: "Leave it out, or write a new note of a kind that has it.",
        }
        /// `me` is the person who asks, and the caller is a client.
        NotAPerson = "not_a_person" {
            remedy: "Send the id of a user.",
        }
        /// The text has the character U+0000, which databases cannot store.
        Nul = "nul" {
            remedy: "Leave it out.",
        }
        /// A single-line text has a control character, a line break or a bidirectional override (U+2028 to U+202E,
        /// U+2066 to U+2069), which could make it look like another text.
        ControlCharacter = "control_character" {
            remedy: "Leave it out. Direction marks (U+200E, U+200F) and zero-width joiners are allowed.",
        }
        /// The same element occurs twice in a list that must not have duplicates.
        Duplicate = "duplicate" {
            remedy: "Send it once.",
        }
        /// No member of the organization has this id.
        UnknownUser = "unknown_user" {
            remedy: "Take an id from `GET /v1/users`, or add the person first.",
        }
        /// No group of the organization has this id.
        UnknownGroup = "unknown_group" {
            remedy: "Take an id from `GET /v1/groups`.",
        }
        /// A rating is by an earlier scale that cannot be compared with the present one.
        ScaleOutdated = "scale_outdated" {
            remedy: "Read `GET /v1/scale`, and send the inherent rating and the target rating by that scale.",
        }
        /// The document has no item with this id.
        UnknownItem = "unknown_item" {
            remedy: "Read the document again: `node_id` is the id of one of its items.",
        }
        /// The item has no option with this id.
        UnknownOption = "unknown_option" {
            remedy: "Send the id of one of its options, not its label.",
        }
        /// The template has a place, a block or a reference that cannot be printed.
        Template = "template" {
            remedy: "Correct it at the line and column that `detail` names.",
        }
        /// `node_type` is not the kind of the item: `select` takes an option's id, `text` a text.
        KindMismatch = "kind_mismatch" {
            remedy: "Send the item's own kind.",
        }
        /// The risk has no evaluation with this number.
        UnknownEvaluation = "unknown_evaluation" {
            remedy: "Take a number from the risk's evaluations.",
        }
        /// The incident has no task with this number.
        UnknownTask = "unknown_task" {
            remedy: "Take a number from `GET /v1/incidents/{id}/tasks`.",
        }
        /// The organization has no incident with this id.
        UnknownIncident = "unknown_incident" {
            remedy: "Take the id of an incident that you can read.",
        }
        /// The organization has no tag with this name, and the caller may not create one.
        UnknownTag = "unknown_tag" {
            remedy: "Take a name from `GET /v1/tags`, or call with the scope `tags:write`.",
        }
        /// The organization has no risk with this id.
        UnknownRisk = "unknown_risk" {
            remedy: "Take the id of a risk from `GET /v1/risks`.",
        }
        /// The organization has no document with this id.
        UnknownDocument = "unknown_document" {
            remedy: "Take the slug of a document from `GET /v1/documents`.",
        }
        /// The proposal has no such comment.
        UnknownComment = "unknown_comment" {
            remedy: "Take the number of a comment from `GET …/comments` that is no reply.",
        }
        /// An incident would be linked to itself.
        LinkToItself = "link_to_itself" {
            remedy: "Name another incident.",
        }
        /// An incident would be a duplicate of itself, directly or through other duplicates.
        DuplicateCycle = "duplicate_cycle" {
            remedy: "Name the original incident.",
        }
        /// The text to be redacted does not occur, neither now nor in an earlier state.
        NothingToRedact = "nothing_to_redact" {
            remedy: "Compare the text with the stored one, letter by letter.",
        }
        /// The field cannot have this value while the record has its status.
        NotInStatus = "not_in_status" {
            remedy: "Leave it out, or send it with the status that it belongs to.",
        }
        /// The date is more than 5 minutes ahead of the service's clock.
        DateInFuture = "date_in_future" {
            remedy: "Check the clock and the offset; leave the date out to use the current time.",
        }
        /// Two dates contradict each other; `fields` names both, and `detail` their values.
        DateOrder = "date_order" {
            remedy: "Correct the wrong one; there is one such fault for each pair.",
        }
    }
}
