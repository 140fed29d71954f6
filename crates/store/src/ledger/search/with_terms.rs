//! The parts of records that have what was searched, for snippets.

use db::Tx;
use domain::OrgId;
use domain::search::{SearchKind, SearchQuery};

use super::documents::{self, pieces};
use super::tables::{of_each, split};
use crate::ledger::dialect::{among, among_parameter, contains};
use crate::ledger::error::Result;
use crate::ledger::list::Text;

/// Bytes of the parts of a record that are read, and of the part with which it is enough.
const BYTES: i64 = 256 * 1024;

/// The parts of these records that have a term of the query, the first ones first, each with the number of its record: no more
/// of a record than 256 KB and one part.
pub(crate) async fn with_terms(
    tx: &mut Tx,
    organization: OrgId,
    kind: SearchKind,
    query: &SearchQuery,
    numbers: &[i64],
) -> Result<Vec<(i64, String)>> {
    let engine = tx.engine();
    let texts = match kind {
        SearchKind::Incident => of_each(|table| {
            format!(
                "SELECT found.number, found.part, {} FROM found JOIN {} AS r
                     ON r.organization = $1 AND r.incident = found.number AND {}
                 WHERE found.before < {{bytes}} AND {}",
                table.texts(engine),
                table.name,
                table.is_unit("found.part"),
                table.is_there()
            )
        }),
        SearchKind::Document => documents::of_each(|table| {
            format!(
                "SELECT found.number, found.part, {}
                 FROM found
                 JOIN search_record AS known ON known.organization = $1 AND known.noun = 'document'
                     AND known.number = found.number
                 JOIN {} AS r ON {} AND {} AND {}
                 WHERE found.before < {{bytes}}",
                (table.texts)(engine),
                table.name,
                table.is_of("known.id"),
                table.is_unit("found.part"),
                (table.is_there)(engine)
            )
        }),
        SearchKind::Risk => return Ok(Vec::new()),
    };
    if query.terms.is_empty() {
        return Ok(Vec::new());
    }
    let mut text = Text::of(organization);
    let numbers = text.add(among_parameter(engine, numbers.iter().copied()).into());
    let noun = text.add(kind.as_str().into());
    let terms: Vec<String> =
        query.terms.iter().map(|term| contains(engine, "p.texts", &text.add(term.wanted().into()))).collect();
    let bytes = text.add(BYTES.into());
    let sql = format!(
        "WITH found AS (
             SELECT p.number, p.part, SUM(octet_length(p.texts)) OVER (PARTITION BY p.number ORDER BY p.part)
                 - octet_length(p.texts) AS before
             FROM search_part AS p
             WHERE p.organization = $1 AND p.noun = {noun} AND {}
                 AND ({})
         ) {} ORDER BY 1, 2",
        among(engine, "p.number", &numbers),
        terms.join(" OR "),
        texts.replace("{bytes}", &bytes)
    );
    let rows: Vec<(i64, i64, String)> = tx.query(&sql, &text.params()).await?;
    let texts = |(number, part, joined): &(i64, i64, String)| {
        let (number, texts) = match kind {
            SearchKind::Document => (*number, pieces(*part, joined)),
            _ => (*number, split(joined).map(str::to_owned).collect()),
        };
        texts.into_iter().map(move |text| (number, text))
    };
    Ok(rows.iter().flat_map(texts).collect())
}
