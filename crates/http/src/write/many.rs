//! One operation on many records.

use db::Tx;
use domain::bulk::all_or_nothing;
use domain::{Author, OrgId};
use store::bulk::{Bulk, Call, ChangeOf, ResultsOf, Writes};

use super::parts::RespondToParts;
use super::{Transaction, Write, check_version};
use crate::answer::Answer;
use crate::error::Result;

impl Write {
    /// What would become of each record. Nothing is written, and a key is not used up.
    pub async fn plan_many<R: Bulk>(self, bulk: &ChangeOf<R>) -> Result<ResultsOf<R>> {
        let mut tx = self.app.db().read().await?;
        let call = self.begin::<R>(&mut tx, bulk).await?;
        let results = plan::<R>(&mut tx, self.organization, &self.author, bulk, &call).await?;
        self.check_no_version()?;
        Ok(results)
    }

    /// Changes the records, in as many writes as `bulk` says, and makes the response from what became of each. What must be one
    /// write and is refused is refused in a read.
    pub async fn change_many<R: Bulk>(
        self,
        bulk: ChangeOf<R>,
        respond: impl RespondToParts<domain::bulk::ItemResult<R::Number>>,
    ) -> Result<Answer> {
        let is_one = bulk.writes == Writes::One;
        if (is_one || bulk.target.filter().is_some())
            && let Some(answer) = self.stored().await?
        {
            return Ok(answer);
        }
        let mut tx = self.app.db().read().await?;
        let call = self.begin::<R>(&mut tx, &bulk).await?;
        if !is_one {
            drop(tx);
            let total = call.count();
            let part = async move |tx: &mut Tx, organization: OrgId, author: &Author, done: usize| {
                R::APPLY_PART(tx, organization, author, &bulk, &call, done).await
            };
            return self.run_in_parts(total, part, respond).await;
        }
        plan::<R>(&mut tx, self.organization, &self.author, &bulk, &call).await?;
        drop(tx);
        let whole = async move |tx: &mut Tx, organization: OrgId, author: &Author| {
            R::APPLY_WHOLE(tx, organization, author, &bulk, &call).await
        };
        self.run(Transaction::Own, whole, move |results: ResultsOf<R>| respond(&results)).await
    }

    /// Which records are meant. Looking at them counts against the limit, also if they are refused.
    async fn begin<R: Bulk>(&self, tx: &mut Tx, bulk: &ChangeOf<R>) -> Result<Call<R::Number>> {
        let call = R::BEGIN(tx, self.organization, &self.author, bulk).await?;
        self.look_at(call.count());
        call.check()?;
        Ok(call)
    }
}

impl Write {
    /// Counts records that the request looks at against the limit of its caller.
    pub fn look_at(&self, records: usize) {
        if let Some(account) = &self.account {
            account.look_at(records);
        }
    }

    /// Refuses an expected version: what changes many records has none.
    pub fn check_no_version(&self) -> Result<()> {
        Ok(check_version(self.unchecked_version.as_ref())?)
    }
}

/// What would become of each record, in a read: batch by batch, between which others are served.
async fn plan<R: Bulk>(
    tx: &mut Tx,
    organization: OrgId,
    author: &Author,
    bulk: &ChangeOf<R>,
    call: &Call<R::Number>,
) -> Result<ResultsOf<R>> {
    let mut results = Vec::with_capacity(call.count());
    loop {
        results.extend(R::PLAN(tx, organization, author, bulk, call, results.len()).await?);
        if results.len() >= call.count() {
            break;
        }
        tokio::task::yield_now().await;
    }
    match bulk.writes {
        Writes::One => Ok(all_or_nothing(results)?),
        Writes::Several | Writes::OneIfShort => Ok(results),
    }
}
