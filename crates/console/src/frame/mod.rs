//! What every page has in common: assets, the session, the request, the frame around the page, forms, errors.

pub(crate) mod assets;
pub(crate) mod clock;
pub(crate) mod cookie;
pub(crate) mod device;
pub(crate) mod display;
pub(crate) mod done;
pub(crate) mod entrance;
pub(crate) mod error_page;
pub(crate) mod facet;
pub(crate) mod form;
pub(crate) mod in_frame;
pub(crate) mod layout;
pub(crate) mod meant;
pub(crate) mod news;
pub(crate) mod next;
pub(crate) mod open_page;
pub(crate) mod page_request;
pub(crate) mod problems;
pub(crate) mod rules;
pub(crate) mod same_origin;
pub(crate) mod save;
pub(crate) mod tabs;
pub(crate) mod words;
