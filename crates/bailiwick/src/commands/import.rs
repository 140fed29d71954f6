//! `bailiwick import …`.

mod shown;

use std::ffi::OsStr;
use std::fs;
use std::sync::Arc;

use db::{Db, Tx};
use domain::import::{Import, ImportKind, ImportRow, ImportState, RowOutcome};
use domain::{Author, ExpectedVersion, OrgId};
use lists::imports::{Around, ImportPatch, Opened, Proposal, file_name};
use store::imports::{NewImport, Parts, Run};

use crate::cli;
use crate::commands::operator;
use crate::failure::{Failure, Result};

pub(crate) async fn run(command: cli::Import, json: bool) -> Result<()> {
    let (kind, spreadsheet) = match command {
        cli::Import::Risks(spreadsheet) => (ImportKind::Risks, spreadsheet),
        cli::Import::Evaluations(spreadsheet) => (ImportKind::Evaluations, spreadsheet),
        cli::Import::Incidents(spreadsheet) => (ImportKind::Incidents, spreadsheet),
        cli::Import::Tags(spreadsheet) => (ImportKind::Tags, spreadsheet),
    };
    import(kind, &spreadsheet, json).await
}

async fn import(kind: ImportKind, asked: &cli::Spreadsheet, json: bool) -> Result<()> {
    let (db, organization) = super::open(&asked.which).await?;
    let shown = asked.file.display();
    let file =
        fs::read(&asked.file).map_err(|error| Failure::new(format!("{shown} cannot be read: {error}")))?;
    let opened = open(&db, organization, kind, asked, &file).await?;
    let proposal = opened.proposal();
    let name = asked.file.file_name().map(OsStr::to_string_lossy);
    let file_name = name.as_deref().and_then(file_name);
    let new = NewImport { kind, file_name, proposed: opened.proposed(), file };
    let (rows, author) = (opened.rows()?, operator());
    let planned = {
        let mut tx = db.read().await?;
        let import = store::imports::draft(&mut tx, &author, &new);
        store::imports::plan(&mut tx, organization, &author, &import, &rows).await?
    };
    shown::show(&proposal, &planned, asked.dry_run, json)?;
    refuse(&new, &proposal, &planned, asked)?;
    drop(planned);
    if asked.dry_run {
        return Ok(());
    }
    let import = keep(&db, organization, &author, new).await?;
    let run = Run {
        id: import.id,
        expected: ExpectedVersion::Any,
        read: import.version,
        parts: Parts::of(&rows, 0),
        rows,
        skip_wrong: asked.skip_wrong,
    };
    write(&db, organization, &author, run).await
}

/// Opens the file, with what is remembered for its header and what the call answers.
async fn open(
    db: &Db,
    organization: OrgId,
    kind: ImportKind,
    asked: &cli::Spreadsheet,
    file: &[u8],
) -> Result<Opened> {
    let mut tx = db.read().await?;
    let around = Around::read(&mut tx, organization).await?;
    let opened = Opened::read(kind, asked.file.to_str(), file, None, around)?;
    let mapping = store::imports::mapping(&mut tx, organization, kind, opened.fingerprint()).await?;
    let opened = match mapping {
        Some(mapping) => opened.with(&mapping),
        None => opened,
    };
    let answer = |text: &String| match text.rsplit_once('=') {
        Some((id, answer)) => Ok((id.to_owned(), answer.to_owned())),
        None => Err(Failure::new(format!("{text} is no answer: write ID=VALUE")).coded("usage")),
    };
    let answers = asked.answers.iter().map(answer).collect::<Result<Vec<_>>>()?;
    Ok(opened.patched(ImportPatch::answering(answers))?)
}

/// Refuses what cannot be imported, and a run with questions that have no answer.
fn refuse(
    new: &NewImport,
    proposal: &Proposal,
    planned: &[ImportRow],
    asked: &cli::Spreadsheet,
) -> Result<()> {
    let is_open = new.proposed.state == ImportState::NeedsAnswers;
    if is_open && !asked.dry_run && !asked.accept_proposals {
        let open = proposal.questions.iter().filter(|question| question.answer.is_none());
        let lines = open.map(|question| format!("--answer {}={}", question.id, question.proposal));
        let message = "the file has questions: answer them, or add --accept-proposals";
        return Err(Failure::new(message).coded("validation_failed").with(lines));
    }
    let wrong = planned.iter().filter(|row| row.outcome == RowOutcome::Wrong).count();
    if wrong > 0 && !asked.skip_wrong {
        let message =
            format!("{wrong} of the records cannot be imported: mend the file, or add --skip-wrong");
        return Err(Failure::new(message).coded("validation_failed"));
    }
    Ok(())
}

async fn keep(db: &Db, organization: OrgId, author: &Author, new: NewImport) -> Result<Import> {
    let author = author.clone();
    let create = async move |tx: &mut Tx| store::imports::create(tx, organization, &author, &new).await;
    Ok(db.write_alone(organization, create).await?)
}

/// Writes all parts, one after the other.
async fn write(db: &Db, organization: OrgId, author: &Author, run: Run) -> Result<()> {
    let run = Arc::new(run);
    for part in 0..run.parts.ranges.len() {
        let (author, run) = (author.clone(), Arc::clone(&run));
        let write =
            async move |tx: &mut Tx| store::imports::run_part(tx, organization, &author, &run, part).await;
        let import = db.write_alone(organization, write).await?;
        if import.state == ImportState::Failed {
            let message = format!(
                "{} of {} entries are written; the next ones cannot be imported any more: call it again",
                import.written(),
                import.entries
            );
            return Err(Failure::new(message).coded("validation_failed"));
        }
    }
    Ok(())
}
