//! What routes declare about themselves. Most are data of an organization: private to the caller.

use http::problem;
use http::route::{Admission, Caching, Content, ErrorForms, Rules};

use crate::{docs, oauth};

/// Data of an organization; also what is declared about paths that do not exist.
pub(super) const DATA: Rules = Rules {
    caching: Caching::Private,
    content: Content::Json,
    errors: PROBLEMS,
    admission: Admission::Usual,
};

/// Data with a secret that is shown once.
pub(super) const SECRET: Rules = Rules { caching: Caching::NoStore, ..DATA };

/// A person signs in or out.
pub(super) const SESSION: Rules = Rules { admission: Admission::SignIn, ..SECRET };

/// A client gets tokens, or asks about them.
pub(super) const OAUTH: Rules = Rules { errors: OAUTH_ERRORS, ..SESSION };

/// The same for every caller, and possibly another after an upgrade.
pub(super) const OPEN: Rules = Rules { caching: Caching::Public("no-cache"), ..DATA };

/// Discovery: a key is published long before it signs.
pub(super) const PUBLISHED: Rules = Rules { caching: Caching::Public("public, max-age=300"), ..DATA };

pub(super) const PROBE: Rules = Rules { admission: Admission::Probe, ..OPEN };

pub(super) const PAGE: Rules = Rules { content: Content::Page, ..PUBLISHED };

pub(super) const REFERENCE: Rules = Rules { content: Content::Reference, ..PUBLISHED };

/// The parts of the reference change only with the program.
pub(super) const ASSET: Rules = Rules { caching: Caching::Public("public, max-age=3600"), ..DATA };

const PROBLEMS: ErrorForms = ErrorForms { program: problem::FORM, browser: docs::error_page::FORM };

/// OAuth clients get the error format of OAuth, whatever they accept.
const OAUTH_ERRORS: ErrorForms = ErrorForms { program: oauth::ERROR_FORM, browser: oauth::ERROR_FORM };
