//! The console as a browser sees it, in process.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod acceptances;
mod acknowledgements;
mod approval;
mod beginning;
mod browser;
mod controls;
mod document_import;
mod document_list;
mod document_writing;
mod documents;
mod everywhere;
mod exceptions;
mod figures;
mod home;
mod html;
mod import_kinds;
mod in_place;
mod incident_list;
mod incidents;
mod incidents_later;
mod journal;
mod kept_reports;
mod many;
mod markdown;
mod offers;
mod pages;
mod registers;
mod reset_password;
mod risk_fields;
mod risk_import;
mod risk_scale;
mod risks;
mod round;
mod search;
mod settings;
mod signing_in;
mod spreadsheets;
mod tasks;
mod times;
mod together;
mod views;
