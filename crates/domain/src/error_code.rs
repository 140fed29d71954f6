//! The codes of errors: what a problem, or an error of OAuth, is called. One table has what is said about each; its
//! status is in `http::error_codes`. The responses, their examples in the OpenAPI document, `docs/errors.md` and the
//! page at `/docs/errors`, to which the `type` of every problem leads, are made from it. It is one file, because it is
//! one table.

/// What is said about a code, besides its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Explanation {
    /// The `title` of its response; none for a fault, which is part of a problem.
    pub title: &'static str,
    /// The `detail` of its example, and of a response without a more specific one.
    pub detail: &'static str,
    /// What to do about it. Text between backticks is code, in the meaning too.
    pub remedy: &'static str,
}

/// Declares codes: [`words!`](crate::words) with an [`Explanation`] of each. The comment of a code is its meaning.
///
/// ```
/// domain::codes! {
///     "DoorCode"
///     /// What is wrong with a door.
///     pub enum DoorCode {
///         /// The door is locked.
///         Locked = "locked" {
///             title: "The door is locked.",
///             remedy: "Take the key.",
///         }
///     }
/// }
/// let explanation = DoorCode::Locked.explanation();
/// assert_eq!((explanation.title, explanation.remedy), ("The door is locked.", "Take the key."));
/// assert_eq!(DoorCode::Locked.meaning(), "The door is locked.");
/// ```
#[macro_export]
macro_rules! codes {
    (
        $list:literal
        $(#[doc = $about:literal])+
        $public:vis enum $name:ident {
            $($(#[doc = $meaning:literal])+ $code:ident = $text:literal { $($member:ident: $said:literal,)+ })*
        }
    ) => {
        $crate::words! {
            $list
            $(#[doc = $about])+
            $public enum $name {
                $($(#[doc = $meaning])+ $code = $text,)*
            }
        }

        impl $name {
            /// What is said about it.
            #[allow(clippy::needless_update, reason = "a row may have all members")]
            $public fn explanation(self) -> $crate::error_code::Explanation {
                match self {
                    $(Self::$code => $crate::error_code::Explanation {
                        $($member: $said,)+
                        ..$crate::error_code::Explanation::default()
                    },)*
                }
            }
        }
    };
}

codes! {
    "ErrorCode"
    /// The kind of a problem (`code`), or of an error of OAuth; by status.
    pub enum ErrorCode {
        /// A query parameter or a header is wrong, repeated or unknown; `errors` lists each.
        InvalidParameter = "invalid_parameter" {
            title: "A parameter is not valid.",
            detail: "limt is not known; did you mean `limit`?",
            remedy: "Correct the parameters that `errors` lists. For a typo it suggests the name that was probably \
                meant.",
        }
        /// The body is missing, is not UTF-8, is not JSON, or nests deeper than 127 levels.
        MalformedBody = "malformed_body" {
            title: "The body is not JSON.",
            detail: "The body is not JSON: at line 1, column 2, the body ends inside an object.",
            remedy: "Send one JSON value in UTF-8. `detail` says where reading stopped.",
        }
        /// An HTTP/1.1 request has no `Host`, two, or one that is not a valid host, or has a `Transfer-Encoding` other
        /// than `chunked` (RFC 9112, sections 3.2 and 6.1). The connection is closed.
        MalformedRequest = "malformed_request" {
            title: "The request is malformed.",
            detail: "HTTP/1.1 asks for one Host header.",
            remedy: "Send one `Host`, and the body with `Content-Length` or `Transfer-Encoding: chunked`.",
        }
        /// The e-mail address, password or organization is wrong, or the person is not a member of the organization, or
        /// has not accepted an invitation yet. The response does not say which.
        InvalidCredentials = "invalid_credentials" {
            title: "Invalid credentials",
            detail: "The e-mail address, the password or the organization is wrong, or no invitation was accepted yet.",
            remedy: "Check all three. If the password is forgotten, an admin of the organization creates a reset link: \
                `POST /v1/users/{id}/reset-link`.",
        }
        /// There is no access token, or it is expired, revoked or from another service.
        Unauthenticated = "unauthenticated" {
            title: "An access token is required.",
            detail: "The access token is not valid, or no longer.",
            remedy: "Get a token at `POST /v1/oauth/token` and send it as `Authorization: Bearer TOKEN`. If a token \
                was sent, `WWW-Authenticate` has `error=\"invalid_token\"`: refresh the token.",
        }
        /// The request came over plain HTTP, so that others could read it on its way.
        HttpsRequired = "https_required" {
            title: "HTTPS is required.",
            detail: "The request could be read on its way. Replace any secret that it carried, and use https.",
            remedy: "Use `https`. If the request carried a secret or a token, replace it. Behind a proxy that speaks \
                HTTPS, the operator names it in `trusted_proxies`.",
        }
        /// The token is valid, but lacks scopes that are needed here; `scope` names them. A change of what a member, an
        /// invitation or a client may do needs every scope that it grants or revokes.
        InsufficientScope = "insufficient_scope" {
            title: "The access token lacks a scope.",
            detail: "This needs the scope incidents:write.",
            remedy: "Request a token with those scopes. If the client does not have them, ask an administrator.",
        }
        /// A proposal is approved by a person who has changed nothing in it, and has not created a client that has.
        FourEyes = "four_eyes" {
            title: "Somebody else has to approve this",
            detail: "A proposal is approved by a person who is no author of it. Nothing was changed.",
            remedy: "Ask one of those in `who`.",
        }
        /// The criteria name others who decide, or somebody else has to, because the caller has asked for it or is a client.
        NotDecider = "not_decider" {
            title: "Somebody else has to decide this",
            detail: "A person decides whom the criteria name, and who has not asked for it. Nothing was changed.",
            remedy: "Ask one of those in `who`, or one of those whom the band of the risk names: `GET /v1/scale`.",
        }
        /// The pending step of a proposal names others, or has the caller's approval already.
        NotInStep = "not_in_step" {
            title: "The pending step waits for others",
            detail: "It does not name you, or you have approved already. Nothing was changed.",
            remedy: "Read the proposal: `next` says who can approve it.",
        }
        /// The invitation is unknown, was used or withdrawn, or has expired after 7 days, or its creator has lost a
        /// scope of the roles since.
        InvitationNotValid = "invitation_not_valid" {
            title: "The invitation is not valid.",
            detail: "It was used or withdrawn, or has expired. Ask for another one.",
            remedy: "Ask the person who invited you for another link.",
        }
        /// The record does not exist, was deleted, or belongs to another organization: the response does not say which.
        /// The title names what was looked for. A path that does not exist has this code too, with its own `type`:
        /// `path_not_found`.
        NotFound = "not_found" {
            title: "Not found",
            detail: "There is none with this id in your organization.",
            remedy: "Check the id and the organization of the token. Deleted records can be listed with \
                `?deleted=only`.",
        }
        /// The path does not exist, whatever the token. The problem's `code` is `not_found`.
        PathNotFound = "path_not_found" {
            title: "Path not found",
            detail: "This path does not exist.",
            remedy: "Compare the path with `/openapi.json`; check for a slash at the end.",
        }
        /// The reset link is unknown, was used or replaced by a newer one, or has expired after 30 minutes; or since
        /// its creation the member was removed or got another password, or its creator has lost a scope that it needs.
        ResetLinkNotValid = "reset_link_not_valid" {
            title: "The reset link is not valid.",
            detail: "It was used or replaced by a newer one, or has expired. Ask for another one.",
            remedy: "Ask an admin of your organization for another link.",
        }
        /// The path exists, but not with this method.
        MethodNotAllowed = "method_not_allowed" {
            title: "Method not allowed",
            detail: "This path takes GET, HEAD, OPTIONS.",
            remedy: "Use one of the methods in the header `Allow`.",
        }
        /// The header `Accept` refuses both `application/json` and `application/problem+json`, with `q=0`.
        NotAcceptable = "not_acceptable" {
            title: "The Accept header refuses every type there is.",
            detail: "Answers are application/json, errors application/problem+json.",
            remedy: "Accept `application/json`, or leave the header out.",
        }
        /// The body did not arrive in time. Nothing was changed.
        Timeout = "timeout" {
            title: "The body did not arrive in time.",
            detail: "The body did not arrive in time. Send it again. Nothing was changed.",
            remedy: "Send it again; over a slow connection, in smaller parts.",
        }
        /// A task was already created from the action of the review; its member `task` has the number.
        ActionIsTask = "action_is_task" {
            title: "The action is a task already",
            detail: "A task was created from this action before: change that task. Nothing was changed.",
            remedy: "Change that task.",
        }
        /// There is already a link of this kind between the two.
        AlreadyLinked = "already_linked" {
            title: "Already linked",
            detail: "There is a link of this kind between the two. Nothing was changed.",
            remedy: "No action is needed.",
        }
        /// A person with this e-mail address is already a member of the organization.
        AlreadyMember = "already_member" {
            title: "Already a member of the organization",
            detail: "A member of the organization has this e-mail address. Nothing was changed.",
            remedy: "Find them in `GET /v1/users`.",
        }
        /// An acceptance of the risk has been asked for and is not decided yet.
        AcceptanceRequested = "acceptance_requested" {
            title: "An acceptance is asked for already",
            detail: "A risk has one open request at most. Nothing was changed.",
            remedy: "Have the open request decided or withdraw it: `acceptance_request` of the risk has its number.",
        }
        /// Another evaluation has already replaced this one.
        AlreadySuperseded = "already_superseded" {
            title: "Evaluation already superseded",
            detail: "Another evaluation replaces this one: supersede that one. Nothing was changed.",
            remedy: "Read the evaluation and supersede the one that `superseded_by` names.",
        }
        /// The incident does not meet the requirements of closing; `missing` lists what is missing: a severity, a
        /// resolution summary, mandatory tasks that are done, and for a real incident of high or critical severity a
        /// published review. Also returned for a change of a closed incident that would leave it without one of these.
        CloseRequirements = "close_requirements" {
            title: "The incident cannot be closed yet.",
            detail: "It has no resolution summary.",
            remedy: "Add what `missing` lists. Callers with `incidents:override` can close with `override` and a \
                `reason`. Reopen a closed incident before you change what closing requires.",
        }
        /// The document is archived and takes no edits.
        DocumentArchived = "document_archived" {
            title: "The document is archived",
            detail: "An archived document takes no edits: restore it, or edit the one that replaced it. Nothing was \
                changed.",
            remedy: "Restore the document (`POST …/restore`), or edit the one that replaced it.",
        }
        /// The document has a published version, so it cannot be deleted.
        DocumentPublished = "document_published" {
            title: "The document was published",
            detail: "Only a document that was never published can be deleted. Nothing was changed.",
            remedy: "Archive the document (`POST …/archive`).",
        }
        /// Another person created the document, others have changed it or its proposals, commented on or decided about one, or a
        /// way out of an approval was taken, so the document cannot be deleted.
        DocumentWorkedOn = "document_worked_on" {
            title: "Others have worked on the document",
            detail: "Only a draft on which nobody else has worked can be deleted: archive this one. Nothing was changed.",
            remedy: "Archive the document (`POST …/archive`).",
        }
        /// A proposal is submitted while its authors disagree about an item; `conflicts` of the proposal lists the values.
        ConflictsOpen = "conflicts_open" {
            title: "Authors disagree about an item",
            detail: "Authors set the same item differently: set it to the value that is to be published. Nothing \
                was changed.",
            remedy: "Set the item to the value that is to be published.",
        }
        /// The status of the proposal does not allow this step, such as the approval of one that is not submitted.
        NotNext = "not_next" {
            title: "The proposal is not at this step",
            detail: "The proposal is open: it can be submitted or withdrawn. Nothing was changed.",
            remedy: "Read the proposal: its status says what can be done.",
        }
        /// The proposal would publish what is published already.
        NothingToPublish = "nothing_to_publish" {
            title: "The proposal changes nothing",
            detail: "The text is the published one: change an item, or withdraw the proposal. To have it approved again, \
                open a proposal with `confirm`. Nothing was changed.",
            remedy: "Change an item, or withdraw the proposal. To have the published text approved again, open a \
                proposal with `{\"confirm\": true}`.",
        }
        /// An exception to a document is decided about whose text is another one by now.
        DocumentChanged = "document_changed" {
            title: "The document was published again",
            detail: "The decision names another version than the latest one, or the item is not there any more. Nothing \
                was changed.",
            remedy: "Read the newest version, and name it. If the item is gone, refuse or withdraw the request.",
        }
        /// What is about a published text is asked for of a document that has none.
        NotPublished = "not_published" {
            title: "The document is not published",
            detail: "No version of the document was published yet. Nothing was changed.",
            remedy: "Publish the document first.",
        }
        /// What was asked for was decided, withdrawn or ended before, or is not decided yet.
        DecisionNotPossible = "decision_not_possible" {
            title: "This is not possible in its state",
            detail: "It was decided or has ended already, or it is not decided yet. Nothing was changed.",
            remedy: "Read it again: `state` says what became of it. To extend or to renew an acceptance ask for another one.",
        }
        /// Risks of this band are never accepted.
        NeverAccepted = "never_accepted" {
            title: "A risk of this band cannot be accepted",
            detail: "The criteria of the band let nobody accept it. Nothing was changed.",
            remedy: "Treat the risk until its rating is in a lower band, or change the criteria: `PUT /v1/scale`.",
        }
        /// The risk has no evaluation, or its latest one is by an earlier scale that cannot be compared with the present one.
        NotEvaluated = "not_evaluated" {
            title: "The risk is not evaluated",
            detail: "Only a risk with an evaluation by the present scale is accepted. Nothing was changed.",
            remedy: "Evaluate the risk first: `POST /v1/risks/{risk_id}/evaluations`.",
        }
        /// The owner of the risk decides, and it has none.
        OwnerMissing = "owner_missing" {
            title: "The risk has no owner",
            detail: "The criteria of its band let the owner decide, and it has none. Nothing was changed.",
            remedy: "Name an owner: `PATCH /v1/risks/{risk_id}`.",
        }
        /// The request or the decision names another evaluation than the latest one of the risk, or another version of the risk;
        /// `difference` has both.
        RiskChanged = "risk_changed" {
            title: "The risk was changed meanwhile",
            detail: "The named evaluation is not the latest one, or the risk has another version. Nothing was changed.",
            remedy: "Read the risk again, and name its latest evaluation, `current.evaluation`, and its `version`.",
        }
        /// The day until which the acceptance was asked for has passed.
        UntilPassed = "until_passed" {
            title: "The last day has passed",
            detail: "It was asked for until a day that is over. Nothing was changed.",
            remedy: "Withdraw or refuse the request, and ask again until a later day.",
        }
        /// The approval names another text than the proposal has by now; `sha256` is the hash of the present one.
        ProposalChanged = "proposal_changed" {
            title: "The proposal was changed meanwhile",
            detail: "The text has another hash, `sha256`, by now: read it before you approve it. Nothing was \
                changed.",
            remedy: "Read the present text, and approve its hash.",
        }
        /// The acknowledgement names a text that is not the newest published one; `sha256` is the hash of that.
        VersionSuperseded = "version_superseded" {
            title: "Another text is published by now",
            detail: "The newest text has another hash, `sha256`: read it before you acknowledge it. Nothing was \
                recorded.",
            remedy: "Read the newest version, and acknowledge its hash.",
        }
        /// The document has a proposal that is open or submitted, and has one at a time.
        ProposalOpen = "proposal_open" {
            title: "The document has an open proposal",
            detail: "A document has one proposal at a time: add to that one, or withdraw it. Nothing was changed.",
            remedy: "Add to the open proposal, or withdraw it.",
        }
        /// A proposal of the document is submitted, so the document cannot be deleted.
        ProposalSubmitted = "proposal_submitted" {
            title: "The document has a submitted proposal",
            detail: "A proposal is submitted: withdraw it first. Nothing was changed.",
            remedy: "Withdraw the proposal (`POST …/withdraw`), or archive the document (`POST …/archive`).",
        }
        /// An incident would get a reference of an external system that another incident, not a deleted one, already
        /// has; `taken` lists each such incident. If several are to be restored, none is. Or a risk would get the
        /// `external_ref` of another risk, which may be deleted; `detail` names that one.
        ExternalRefTaken = "external_ref_taken" {
            title: "Another incident has this reference",
            detail: "INC-0007 has a reference that another incident has. Nothing was changed.",
            remedy: "Change the `external_ref` of the other incident, or delete it, or restore the others without \
                those that `taken` lists.",
        }
        /// A bulk operation with `atomic` cannot change some of its incidents or risks; `failed` lists the first
        /// hundred. Without `atomic`, each of them has its own problem in the results instead.
        BulkFailed = "bulk_failed" {
            title: "Not every record can be changed",
            detail: "INC-0007: It cannot go from closed to contained. 2 others cannot be changed either. Nothing was \
                changed.",
            remedy: "Leave these out, or send the request without `atomic`.",
        }
        /// The export of documents, tags or users would have more than 16 MiB, an Excel file more rows than a sheet takes, or a Word
        /// file or PDF more than 2,500 people.
        ExportTooLarge = "export_too_large" {
            title: "The file would be too large",
            detail: "It would have more than 16 MiB, as Excel more than 1,048,575 records, or as Word or PDF more than 2,500 \
                people.",
            remedy: "Use filters, or read the list page by page.",
        }
        /// The import is over: it is done or cancelled, or some of its rows are written already.
        ImportOver = "import_over" {
            title: "The import cannot be changed any more.",
            detail: "It is done or cancelled, or some of its rows are written already. Nothing was changed.",
            remedy: "Read the import. One that is running or failed goes on when it is run again; otherwise send the file again.",
        }
        /// The first request with this `Idempotency-Key` is still running.
        InProgress = "in_progress" {
            title: "The first request with this key is still running.",
            detail: "Try again later with the same key.",
            remedy: "Wait, then send the same request with the same key: it gets the response of the first.",
        }
        /// The member is the only admin who can sign in: without them, no one could manage members.
        LastAdmin = "last_admin" {
            title: "The last admin who can sign in cannot be removed or lose the role",
            detail: "Make another member an admin who can sign in, then try again. Nothing was changed.",
            remedy: "Make another member an admin, let them accept an invitation, and try again.",
        }
        /// A reset link was requested for a member who cannot sign in to the organization yet.
        MemberCannotSignIn = "member_cannot_sign_in" {
            title: "The member has not accepted an invitation",
            detail: "Invite them instead. Nothing was changed.",
            remedy: "Invite them: `POST /v1/invitations`.",
        }
        /// The member also belongs to another organization. A password opens all organizations of a person, so one of
        /// them alone cannot reset it. The response does not name the others.
        MemberElsewhere = "member_elsewhere" {
            title: "The member belongs to another organization too",
            detail: "The password opens both. The operator of the service can set it. Nothing was changed.",
            remedy: "The operator of the service sets it: `bailiwick user set-password`.",
        }
        /// The member is assigned open incidents, or owns tasks, reviews, risks or documents; `duties` has the number
        /// of each kind, as far as the caller may read them.
        MemberHasDuties = "member_has_duties" {
            title: "The member has duties.",
            detail: "The member has 1 open incident, 2 open tasks. Hand them over first, or send duties=keep.",
            remedy: "Hand them over with `POST /v1/users/{id}/handover`, or remove the member with `duties=keep`: the \
                records then still name them.",
        }
        /// An operator of the service may do more than any member of an organization, so an organization cannot reset
        /// their password.
        MemberIsOperator = "member_is_operator" {
            title: "The member is an operator of the service",
            detail: "Their password is set on the machine of the service. Nothing was changed.",
            remedy: "Set it on the machine: `bailiwick user set-password`.",
        }
        /// Another record has this name; case, white space around it, invisible characters and forms of the same letter
        /// make no difference.
        NameTaken = "name_taken" {
            title: "The name is in use",
            detail: "Another record has this name, whatever its case: use that record, or choose another name. \
                Nothing was changed.",
            remedy: "Use the existing record, or choose another name.",
        }
        /// Records have the tag.
        TagInUse = "tag_in_use" {
            title: "The tag is in use",
            detail: "Records have the tag: send detach=true, or merge it into another tag. Nothing was changed.",
            remedy: "Send `detach=true` to remove it from them too, or merge it into another tag.",
        }
        /// The first organization cannot be created, because there is one already.
        OrganizationExists = "organization_exists" {
            title: "The register is already set up",
            detail: "There is an organization already: sign in to it. Nothing was changed.",
            remedy: "Sign in to it. `bailiwick organization create` creates another one.",
        }
        /// The person can sign in to several organizations, and the request names none; `organizations` lists them. The
        /// password is correct, but the person is not signed in yet.
        OrganizationNeeded = "organization_needed" {
            title: "The organization must be named.",
            detail: "The password is right. Send the id of one of these organizations as organization_id.",
            remedy: "Let the person choose, and send the `id` as `organization_id`.",
        }
        /// The client would remove `clients:admin` from itself, and could not restore it.
        OwnAdminScope = "own_admin_scope" {
            title: "A client cannot drop its own clients:admin",
            detail: "A client cannot take clients:admin from itself. Nothing was changed.",
            remedy: "Let another client do it.",
        }
        /// The client would lock itself out: it cannot disable itself or delete its own last valid secret.
        OwnClient = "own_client" {
            title: "A client cannot lock itself out",
            detail: "The client would have no way to sign in again: let another client do this. Nothing was changed.",
            remedy: "Let another client do it, or add a secret before the old one is deleted.",
        }
        /// A person asked for a reset link for themselves: someone who finds their session open could take over the
        /// account with it.
        OwnPassword = "own_password" {
            title: "Your own password is changed with the old one",
            detail: "Send both to POST /v1/me/password. Nothing was changed.",
            remedy: "Change it with `POST /v1/me/password`, or ask another admin to create the link.",
        }
        /// The password was set by another request between being checked and being used. Nothing was changed.
        PasswordChanged = "password_changed" {
            title: "The password was changed at the same moment",
            detail: "The password was set between the check and the change: try again. Nothing was changed.",
            remedy: "Try again.",
        }
        /// Another document has this reference.
        ReferenceTaken = "reference_taken" {
            title: "The reference is in use",
            detail: "Another document has this reference: choose another one, or leave it out. Nothing was changed.",
            remedy: "Choose another reference, or leave it out.",
        }
        /// The request with this `Idempotency-Key` was carried out, but its response cannot be repeated: a text of an
        /// incident that it shows has been redacted since, or it names an incident that the caller can no longer see.
        ResponseNotKept = "response_not_kept" {
            title: "The response is not kept any more.",
            detail: "The request was done. It is not done again.",
            remedy: "Do not send it again. Read the record to see its current state.",
        }
        /// The latest edition of the review is published, and published editions never change.
        ReviewPublished = "review_published" {
            title: "The published review is frozen",
            detail: "A published edition never changes: send \"state\": \"draft\" to begin the next one. Nothing \
                was changed.",
            remedy: "Send the change with `\"state\": \"draft\"`: that creates the next edition, with the same texts.",
        }
        /// The risk is closed and takes no new evaluation and no review. An evaluation that supersedes another one is taken.
        RiskClosed = "risk_closed" {
            title: "The risk is closed",
            detail: "A closed risk takes no new evaluation and no review: reopen it first. Nothing was changed.",
            remedy: "Reopen the risk with a reason (`PATCH /v1/risks/{risk_id}`), or supersede an evaluation of it.",
        }
        /// Another document has this slug.
        SlugTaken = "slug_taken" {
            title: "The slug is in use",
            detail: "Another document has this slug, which is its address: choose another one. Nothing was changed.",
            remedy: "Choose another slug.",
        }
        /// The risk or incident already has this tag.
        TagAlreadyAssociated = "tag_already_associated" {
            title: "Tag already associated",
            detail: "The record has this tag. Nothing was changed.",
            remedy: "No action is needed.",
        }
        /// The client already has two secrets, the maximum. An expired one still counts for half an hour.
        TooManySecrets = "too_many_secrets" {
            title: "The client has two secrets",
            detail: "A client has at most two secrets: delete the one that is no longer used. Nothing was changed.",
            remedy: "Delete the one that is no longer used, then add another.",
        }
        /// The caller already has 100 saved views, the maximum; views of all lists count, shared or not.
        TooManyViews = "too_many_views" {
            title: "You have 100 saved views",
            detail: "A person has at most 100 saved views: delete one that is no longer used. Nothing was changed.",
            remedy: "Delete one that is no longer used, then save the new one.",
        }
        /// The incident cannot change from its current status to this one; `allowed` lists the possible ones.
        TransitionNotAllowed = "transition_not_allowed" {
            title: "The incident cannot get this status now.",
            detail: "An incident that is new cannot become closed. It can become investigating, contained, resolved or \
                dismissed.",
            remedy: "Use one of `allowed`, or read the incident again: someone else may have changed it.",
        }
        /// `If-Match` names another version than the current one: the record was changed in the meantime. Nothing was
        /// changed by this request. A resource without versions accepts only `*`.
        PreconditionFailed = "precondition_failed" {
            title: "The record is another version.",
            detail: "Nothing was changed. It is version 4: read it again.",
            remedy: "Read the record again, look at what changed, and send the change with the new `ETag`.",
        }
        /// The body is over 1 MiB; for tokens and sessions over 64 KiB.
        BodyTooLarge = "body_too_large" {
            title: "The body is too large.",
            detail: "The limit is 1048576 bytes.",
            remedy: "Send less at a time; `detail` names the limit.",
        }
        /// The path and query are over 8 KiB.
        UriTooLong = "uri_too_long" {
            title: "The path and query are too long.",
            detail: "The limit is 8192 bytes.",
            remedy: "Send fewer or shorter parameters.",
        }
        /// The body's `Content-Type` is not one that this operation takes, or the body is compressed.
        UnsupportedMediaType = "unsupported_media_type" {
            title: "The body's type is not supported.",
            detail: "Send application/json.",
            remedy: "Send one of the types in the header `Accept` of the response, uncompressed.",
        }
        /// A proposal is submitted while required items have no value; `missing` of the proposal lists them.
        ItemsMissing = "items_missing" {
            title: "Required items have no value",
            detail: "Required items have no value: set those that the proposal lists in `missing`. Nothing was \
                changed.",
            remedy: "Set the items that the proposal lists in `missing`, and submit it again.",
        }
        /// A PDF cannot show all characters of the text, because its fonts do not have them: `detail` names the first 20.
        NoGlyphs = "no_glyphs" {
            title: "A PDF cannot show all characters of the text.",
            detail: "The fonts of PDF files do not have 漢 (U+6F22).",
            remedy: "Read the text in another format, or print the page in the browser.",
        }
        /// This `Idempotency-Key` was used for another request: another method, path or body.
        IdempotencyKeyReused = "idempotency_key_reused" {
            title: "The Idempotency-Key was used with another request.",
            detail: "A key belongs to one method, path and body. Use a new key.",
            remedy: "Use a new key for every new request, and the same key only to repeat one.",
        }
        /// The body is JSON, but not what the operation takes; `errors` lists every fault with its place, up to the
        /// first 100; `more_errors` says that there are more.
        ValidationFailed = "validation_failed" {
            title: "The request is not valid.",
            detail: "Title is required.",
            remedy: "Correct every place that `errors` lists. Nothing was changed.",
        }
        /// The operator of this service requires `If-Match` with every change of a record that has versions; or it is an approval
        /// of changed `approval_steps`, for which `*` is not enough.
        PreconditionRequired = "precondition_required" {
            title: "The change must name the version it is based on.",
            detail: "Send the ETag of the record that was read as If-Match.",
            remedy: "Read the record and send its `ETag` as `If-Match`; `*` matches any version, but approves no changed steps.",
        }
        /// The client sent too many requests, or too many wrong credentials.
        RateLimited = "rate_limited" {
            title: "Too many requests.",
            detail: "Try again in 7 s.",
            remedy: "Wait for the seconds in `Retry-After`.",
        }
        /// The request's header is over 32 KiB.
        HeaderTooLarge = "header_too_large" {
            title: "The header is too large.",
            detail: "The limit is 32768 bytes.",
            remedy: "Send a smaller header: the cause is usually a cookie that is not needed here.",
        }
        /// Something went wrong in the service. It is not the fault of the request.
        Internal = "internal" {
            title: "Something went wrong here.",
            detail: "The log has the details under this request_id.",
            remedy: "Report it with the `request_id`: the log has the details under it. A write did not take effect, \
                unless a repetition with the same `Idempotency-Key` shows otherwise.",
        }
        /// The connection to the database broke while a change was being made durable. It is not known whether it was
        /// made.
        OutcomeUnknown = "outcome_unknown" {
            title: "The outcome is unknown.",
            detail: "The connection broke while the change was made durable. Check the record before you repeat it, or \
                repeat it with the same Idempotency-Key.",
            remedy: "Check the record before you repeat it, or repeat it with the same `Idempotency-Key`.",
        }
        /// The database lacks changes that this process has acknowledged, for instance after a failover to a standby
        /// that had not received them. The process has stopped writing. Nothing was changed.
        RegisterWentBack = "register_went_back" {
            title: "The register went back.",
            detail: "The database lacks changes that were acknowledged, so nothing more is written before an \
                administrator has looked. Nothing was changed.",
            remedy: "An administrator must decide how to continue; the log and `bailiwick doctor` say what is missing. \
                See docs/operation.md.",
        }
        /// The database does not answer, or too many writes wait. Nothing was changed.
        Unavailable = "unavailable" {
            title: "The register is unavailable.",
            detail: "The database does not answer, or too many changes wait: try again in a moment. Nothing was \
                changed.",
            remedy: "Try again after the seconds in `Retry-After`.",
        }

        // Errors of OAuth that are not problems of the API too (RFC 6749, section 5.2).

        /// Invalid credentials: the client is unknown or disabled, its secret is wrong or expired, or there are no
        /// credentials. The log tells them apart; the response does not.
        InvalidClient = "invalid_client" {
            title: "Invalid credentials",
            detail: "The client credentials are missing or not valid.",
            remedy: "Check `client_id` and `client_secret`. Send them by HTTP Basic or in the body, not both.",
        }
        /// Invalid credentials: the refresh token is wrong, expired, revoked, spent, or another client's. Using a spent
        /// token revokes all tokens that descend from the same token request.
        InvalidGrant = "invalid_grant" {
            title: "Invalid credentials",
            detail: "The refresh token is not valid, or no longer.",
            remedy: "Get a new pair with `grant_type=client_credentials`. Keep only the latest refresh token.",
        }
        /// Invalid request: a parameter is missing, repeated or not a string, the body cannot be read, or there are two
        /// ways of authentication. With another `code`, such as `body_too_large`, this is only the `error`.
        InvalidRequest = "invalid_request" {
            title: "Invalid request",
            detail: "grant_type is missing.",
            remedy: "Read `error_description`: it says which.",
        }
        /// Invalid request: a scope is unknown, or the client may not have it.
        InvalidScope = "invalid_scope" {
            title: "Invalid request",
            detail: "A requested scope is unknown or was not given to the client.",
            remedy: "Ask for fewer scopes, or leave `scope` out to get all that the client has.",
        }
        /// Invalid request: the requested token is for another API (`resource`, RFC 8707).
        InvalidTarget = "invalid_target" {
            title: "Invalid request",
            detail: "The requested resource is not this API.",
            remedy: "Leave `resource` out, or send the public URL with `/v1`.",
        }
        /// Invalid request: the client may not use this grant.
        UnauthorizedClient = "unauthorized_client" {
            title: "Invalid request",
            detail: "The client may not use this grant.",
            remedy: "Use another grant, or have the client changed.",
        }
        /// Invalid request: `grant_type` is neither `client_credentials` nor `refresh_token`.
        UnsupportedGrantType = "unsupported_grant_type" {
            title: "Invalid request",
            detail: "grant_type must be client_credentials or refresh_token.",
            remedy: "Use one of the two.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ErrorCode;

    #[test]
    fn every_problem_says_what_happened_and_what_to_do() {
        for code in ErrorCode::ALL {
            let said = code.explanation();
            assert!(!said.title.is_empty() && !said.remedy.is_empty(), "{code}");
            assert!(!["", "Nothing was changed."].contains(&said.detail), "{code}");
        }
    }
}
