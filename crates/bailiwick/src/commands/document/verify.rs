//! `bailiwick document verify`.

use db::Db;
use domain::document::{PublishedText, sha256};
use domain::{Error, OrgId, ResourceKind};
use serde::Serialize;
use store::documents::DocumentFilter;
use store::version_check::{self, CheckedVersion, VersionFault};

use crate::failure::{Failure, Result};
use crate::{cli, output};

/// Documents that are read at a time.
const PAGE: i64 = 100;

pub(super) async fn verify(
    which: &cli::InOrganization,
    slug: Option<String>,
    number: Option<i64>,
    json: bool,
) -> Result<()> {
    let (db, organization) = crate::commands::open(which).await?;
    let is_named = slug.is_some();
    let slugs = match slug {
        Some(slug) => vec![slug],
        None => slugs(&db, organization).await?,
    };
    let (mut count, mut is_sound) = (0, true);
    for slug in slugs {
        let mut tx = db.read().await?;
        let mut checked = match is_named {
            true => version_check::check(&mut tx, organization, &slug).await?,
            false => version_check::check_if_there(&mut tx, organization, &slug).await?,
        };
        if let Some(number) = number {
            checked.retain(|it| it.number == number);
            if checked.is_empty() {
                return Err(Error::NotFound(ResourceKind::DocumentVersion).into());
            }
        }
        for version in &mut checked {
            lists::risk_report::check(&mut tx, organization, version).await?;
            count += 1;
            is_sound &= version.faults.is_empty();
            tell(&slug, version, json)?;
        }
    }
    if !json {
        output::line(&format!("versions compared: {count}"))?;
    }
    match is_sound {
        true => Ok(()),
        false => Err(Failure::new("a published version is not what was approved").coded("fault_found")),
    }
}

/// Those of every document.
async fn slugs(db: &Db, organization: OrgId) -> Result<Vec<String>> {
    let mut slugs: Vec<String> = Vec::new();
    loop {
        let (all, after) = (DocumentFilter::default(), slugs.last().cloned());
        let mut tx = db.read().await?;
        let page = store::documents::list(&mut tx, organization, &all, after.as_deref(), PAGE).await?;
        slugs.extend(page.rows.into_iter().map(|document| document.slug));
        if !page.has_more {
            return Ok(slugs);
        }
    }
}

/// Prints what was found.
fn tell(
    slug: &str,
    CheckedVersion { number, stored, faults, report, erased, .. }: &CheckedVersion,
    json: bool,
) -> Result<()> {
    let html_same = stored.as_ref().and_then(html_same);
    let wording_same = report.as_ref().map(lists::risk_report::has_present_wording);
    if json {
        return output::json(&View {
            document: slug,
            version: *number,
            verified: faults.is_empty(),
            sha256: stored.as_ref().map(|it| it.version.sha256.as_str()),
            html_same,
            wording_same,
            faults: faults.iter().map(FaultView::of).collect(),
            erased: erased.iter().map(FaultView::of).collect(),
        });
    }
    let told = if faults.is_empty() { "same" } else { "DIFFERENT" };
    let html = match html_same {
        Some(false) => "; its HTML is made differently than when it was approved, which is no fault",
        _ => "",
    };
    let worded = match wording_same {
        Some(false) => {
            "; it was kept with an earlier wording and cannot be made again by this program, which is no fault"
        }
        _ => "",
    };
    let gone = if erased.is_empty() { "" } else { "; parts of it cannot be compared, which is no fault" };
    output::line(&format!("{slug}  version {number}: {told}{html}{worded}{gone}"))?;
    faults.iter().chain(erased).try_for_each(|it| output::line(&format!("  {}", it.detail)))
}

/// Whether the HTML of a version is the one that it had when it was approved; none if that was not noted.
fn html_same(PublishedText { version, markdown }: &PublishedText) -> Option<bool> {
    let html = render::html(domain::document::body_of(markdown)).to_string();
    version.html_sha256.as_ref().map(|noted| *noted == sha256(&html))
}

#[derive(Serialize)]
struct View<'v> {
    document: &'v str,
    version: i64,
    verified: bool,
    sha256: Option<&'v str>,
    html_same: Option<bool>,
    /// Whether a kept report has the words of this program, and so was compared with the register.
    wording_same: Option<bool>,
    faults: Vec<FaultView<'v>>,
    /// What of a kept report was deleted from the register for good since.
    erased: Vec<FaultView<'v>>,
}

#[derive(Serialize)]
struct FaultView<'v> {
    /// The first line of the text that differs.
    line: Option<usize>,
    detail: &'v str,
}

impl<'v> FaultView<'v> {
    fn of(it: &'v VersionFault) -> Self {
        Self { line: it.line, detail: &it.detail }
    }
}
