//! Files after the scale has become another one.

use serde_json::{Value, json};
use testkit::{TestApp, both_engines};

use super::{ALL, counts, import, read, run};
use crate::api::bulk::assert_sound;
use crate::api::scale::sized;

const HEADER: &str = "Risk ID,Risk,Inherent likelihood,Inherent impact,Target likelihood,Target impact\n";

#[both_engines]
async fn rows_are_read_by_the_present_scale(app: TestApp) {
    let client = app.client_with_scopes(&format!("{ALL} organizations:write")).await;
    let before = format!("{HEADER}R-1,Fire,Likely,5,1,2\nR-2,Flood,4,4,1,2\n");
    assert_eq!(import(&app, &client, &before).await, counts(2, 0, 0, 0, 0));
    let scale = read(&app, &client, "/v1/scale").await;
    let mut four = sized(&scale, 4);
    four["likelihood"][3]["name"] = json!("Constant");
    app.put("/v1/scale").bearer(&client).json(four).expect(200).await;
    let shown = async |id: &str| -> [Value; 4] {
        let risk = read(&app, &client, &format!("/v1/risks/{id}")).await;
        let score = |rating: &str| risk[rating]["score"].clone();
        [score("inherent"), score("target"), score("current"), risk["scale_outdated"].clone()]
    };
    // A risk that has a target needs both ratings.
    let after = format!("{HEADER}R-1,Fire,Constant,4,1,1\nR-2,Flood,4,4,,\n");
    assert_eq!(import(&app, &client, &after).await, counts(0, 1, 0, 0, 1));
    assert_eq!(shown("RSK-1").await, [json!(16), json!(1), Value::Null, json!(false)]);
    assert_eq!(shown("RSK-2").await, [json!(16), json!(2), Value::Null, json!(true)]);
    // So does an evaluation.
    let ratings = "Risk ID,Date,Likelihood,Impact,Inherent likelihood,Inherent impact,Target likelihood,Target impact\n\
                   R-2,2026-02-20,2,3,,,,\nR-2,2026-02-20,2,2,4,3,1,1\n";
    let sent = app.post("/v1/imports?kind=evaluations").bearer(&client).body("text/csv", ratings);
    let sent = sent.expect(201).await;
    let body = json!({"accept_proposals": true, "skip_wrong": true});
    let done = run(&app, &client, sent.text("id"), body).await;
    assert_eq!(done.json()["counts"], counts(1, 0, 0, 0, 1), "{}", done.json());
    assert_eq!(shown("RSK-2").await, [json!(12), json!(1), json!(4), json!(false)]);
    assert_sound(&app).await;
}
