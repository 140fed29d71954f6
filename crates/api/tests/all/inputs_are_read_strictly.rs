//! Every body and every query is read strictly: every fault is named, and nothing is changed.

use serde_json::{Value, json};
use testkit::{Answer, TestApp};

use crate::all::operations::{self, Operation};
use crate::all::register::Register;
use crate::all::world::{Ask, World};

const MIB: usize = 1024 * 1024;

/// An operation with a body, and a request that would succeed.
struct Case {
    operation: Operation,
    ask: Ask,
    body: Value,
}

impl Case {
    async fn all(world: &World<'_>) -> Vec<Self> {
        let mut cases = Vec::new();
        for operation in operations::all().into_iter().filter(Operation::has_body) {
            let ask = world.valid(&operation).await;
            let body =
                ask.body.clone().unwrap_or_else(|| panic!("{operation} has a body, its example has none"));
            cases.push(Self { operation, ask, body });
        }
        assert!(cases.len() > 5);
        cases
    }

    /// Sends a body unchanged.
    async fn send(&self, world: &World<'_>, body: impl Into<axum::body::Bytes>) -> Answer {
        self.send_as(world, "application/json", body).await
    }

    async fn send_as(
        &self,
        world: &World<'_>,
        media_type: &'static str,
        body: impl Into<axum::body::Bytes>,
    ) -> Answer {
        let request = world.app.request(self.ask.method.clone(), &self.ask.path);
        request.bearer(&world.client).body(media_type, body).await
    }

    /// The object in the body, and its position: the first element for a list of edits.
    fn object(&self) -> (&serde_json::Map<String, Value>, &'static str) {
        match &self.body {
            Value::Array(items) => (items[0].as_object().unwrap(), "#/0"),
            other => (other.as_object().unwrap(), "#"),
        }
    }

    /// The body as text, with its object replaced by another text.
    fn with_object(&self, object: &str) -> String {
        match &self.body {
            Value::Array(items) => {
                let others: String = items.iter().skip(1).map(|item| format!(",{item}")).collect();
                format!("[{object}{others}]")
            }
            _ => object.to_owned(),
        }
    }

    fn assert(&self, answer: &Answer, status: u16, code: &str, why: &str) {
        let found = answer.json()["code"].as_str().unwrap_or_default();
        assert_eq!((answer.status, found), (status, code), "{}: {why}: {}", self.operation, answer.json());
    }

    fn assert_fault(&self, answer: &Answer, fault: &str, why: &str) {
        self.assert(answer, 422, "validation_failed", why);
        let faults = answer.faults();
        assert!(faults.iter().any(|it| it == fault), "{}: {why}: no {fault:?} in {faults:?}", self.operation);
    }
}

/// Runs the checks of a test, then asserts that they changed nothing.
async fn unchanged(app: &TestApp, checks: impl Future<Output = ()>) {
    let before = Register::of(&app.db).await;
    checks.await;
    let after = Register::of(&app.db).await;
    let changed = after.changed_since(&before);
    assert!(changed.iter().all(|table| *table == "write_lane"), "{changed:?}");
}

#[testkit::both_engines]
async fn a_body_that_is_not_json_is_400(app: TestApp) {
    let world = World::new(&app).await;
    let cases = Case::all(&world).await;
    unchanged(&app, async {
        for case in &cases {
            let text = case.body.to_string();
            let deep = [b"[".repeat(128), b"]".repeat(128)].concat();
            let bodies: [&[u8]; 10] = [
                b"{",
                b"nope",
                b"\xef\xbb\xbf",
                b"{\"a\":\"\xff\"}",
                b"{\"a\":\"\\ud800\"}",
                b"{'a':1}",
                b"{\"a\":NaN}",
                &[text.as_bytes(), b" x"].concat(),
                &text.as_bytes()[..text.len() - 1],
                &deep,
            ];
            for body in bodies {
                let answer = case.send(&world, body.to_vec()).await;
                case.assert(&answer, 400, "malformed_body", &String::from_utf8_lossy(body));
            }
            if case.operation.needs_body() {
                case.assert(&case.send(&world, "").await, 400, "malformed_body", "no body");
            }
            // White space is not a JSON text, even where the body is optional.
            case.assert(&case.send(&world, " ").await, 400, "malformed_body", "a space");
        }
    })
    .await;
}

#[testkit::both_engines]
async fn another_type_of_body_is_422_at_the_root(app: TestApp) {
    let world = World::new(&app).await;
    let cases = Case::all(&world).await;
    unchanged(&app, async {
        for case in &cases {
            for wrong in
                [json!(null), json!([]), json!([1, "x"]), json!({}), json!("text"), json!(7), json!(true)]
            {
                let same_type = std::mem::discriminant(&wrong) == std::mem::discriminant(&case.body);
                if same_type || (wrong.is_null() && !case.operation.needs_body()) {
                    continue;
                }
                let answer = case.send(&world, wrong.to_string()).await;
                case.assert_fault(&answer, "# type", &wrong.to_string());
            }
        }
    })
    .await;
}

#[testkit::both_engines]
async fn unknown_and_repeated_members_are_422(app: TestApp) {
    let world = World::new(&app).await;
    let cases = Case::all(&world).await;
    unchanged(&app, async {
        for case in &cases {
            let (object, at) = case.object();
            let inner: Vec<String> = object.iter().map(|(key, value)| format!("{key:?}:{value}")).collect();
            let inner = inner.join(",");
            let body = case.with_object(&format!("{{{inner},\"zzz/z\":{{}}}}"));
            case.assert_fault(
                &case.send(&world, body).await,
                &format!("{at}/zzz~1z unknown_field"),
                "unknown",
            );
            for (key, value) in object {
                let body = case.with_object(&format!("{{{inner},{key:?}:{value}}}"));
                case.assert_fault(
                    &case.send(&world, body).await,
                    &format!("{at}/{key} duplicate_key"),
                    "twice",
                );
                // Names are case-sensitive: this is another member.
                let body = case.with_object(&format!("{{{inner},{:?}:{value}}}", key.to_uppercase()));
                let fault = format!("{at}/{} unknown_field", key.to_uppercase());
                case.assert_fault(&case.send(&world, body).await, &fault, "upper case");
            }
        }
    })
    .await;
}

#[testkit::both_engines]
async fn each_member_has_its_type(app: TestApp) {
    let world = World::new(&app).await;
    let cases = Case::all(&world).await;
    unchanged(&app, async {
        for case in &cases {
            let (object, at) = case.object();
            for (key, value) in object {
                let mut wrong = object.clone();
                wrong[key] = if value.is_string() { json!(["x"]) } else { json!("x") };
                let body = case.with_object(&Value::Object(wrong).to_string());
                case.assert_fault(
                    &case.send(&world, body).await,
                    &format!("{at}/{key} type"),
                    "another type",
                );
                if value.is_string() {
                    let mut wrong = object.clone();
                    wrong[key] = json!("a\u{0}b");
                    let body = case.with_object(&Value::Object(wrong).to_string());
                    case.assert_fault(&case.send(&world, body).await, &format!("{at}/{key} nul"), "U+0000");
                }
            }
        }
    })
    .await;
}

#[testkit::both_engines]
async fn a_member_may_be_null_where_the_document_says_so(app: TestApp) {
    let world = World::new(&app).await;
    for case in Case::all(&world).await {
        let (object, at) = case.object();
        for (name, is_nullable) in case.operation.nullable_members() {
            let mut with_null = object.clone();
            with_null.insert(name.clone(), Value::Null);
            let body = case.with_object(&Value::Object(with_null).to_string());
            let answer = case.send(&world, body).await;
            let told = answer.status == 422;
            let has = |code: &str| told && answer.faults().contains(&format!("{at}/{name} {code}"));
            let is_right = if is_nullable { !has("type") } else { has("type") || has("required") };
            assert!(is_right, "{}: {name}: {}", case.operation, answer.json());
        }
    }
}

#[testkit::both_engines]
async fn all_faults_are_reported_at_once(app: TestApp) {
    let world = World::new(&app).await;
    let cases = Case::all(&world).await;
    unchanged(&app, async {
        for case in &cases {
            let (object, at) = case.object();
            let wrong: Vec<String> = object
                .iter()
                .map(|(key, value)| {
                    format!("{key:?}:{}", if value.is_string() { json!(["x"]) } else { json!("x") })
                })
                .collect();
            let body =
                case.with_object(&format!("{{{},\"zzz\":1,\"yyy\":1,\"yyy\":\"\\u0000\"}}", wrong.join(",")));
            let answer = case.send(&world, body).await;
            for key in object.keys() {
                case.assert_fault(&answer, &format!("{at}/{key} type"), "all at once");
            }
            for fault in ["zzz unknown_field", "yyy unknown_field", "yyy duplicate_key", "yyy nul"] {
                case.assert_fault(&answer, &format!("{at}/{fault}"), "all at once");
            }
        }
    })
    .await;
}

#[testkit::both_engines]
async fn another_media_type_is_415_and_names_the_accepted_ones(app: TestApp) {
    let world = World::new(&app).await;
    let cases = Case::all(&world).await;
    unchanged(&app, async {
        for case in &cases {
            for media_type in [
                "text/plain",
                "application/x-www-form-urlencoded",
                "application/json; charset=iso-8859-1",
                "application/jsonx",
                "*/*",
            ] {
                let answer = case.send_as(&world, media_type, case.body.to_string()).await;
                case.assert(&answer, 415, "unsupported_media_type", media_type);
                let accept = answer.header("accept").unwrap_or_default();
                for known in case.operation.media_types() {
                    assert!(accept.contains(&known), "{}: Accept: {accept}", case.operation);
                }
            }
            let request = case.ask.on(&app).bearer(&world.client).header("content-encoding", "gzip");
            case.assert(&request.await, 415, "unsupported_media_type", "gzip");
        }
    })
    .await;
}

#[testkit::both_engines]
async fn a_body_may_be_as_long_as_its_limit_and_not_one_byte_longer(app: TestApp) {
    let world = World::new(&app).await;
    for case in Case::all(&world).await {
        let limit = MIB;
        let padded = |length: usize| {
            let mut body = case.body.to_string().into_bytes();
            body.resize(length, b' ');
            body
        };
        let head = world.head().await;
        case.assert(&case.send(&world, padded(limit + 1)).await, 413, "body_too_large", "one byte more");
        assert_eq!(world.head().await, head, "{}", case.operation);
        let answer = case.send(&world, padded(limit)).await;
        assert!((200..300).contains(&answer.status), "{}: {}", case.operation, answer.json());
    }
}

#[testkit::both_engines]
async fn queries_are_read_strictly(app: TestApp) {
    let world = World::new(&app).await;
    let mut asks = Vec::new();
    for operation in operations::all() {
        let ask = world.valid(&operation).await;
        asks.push((operation, ask));
    }
    unchanged(&app, async {
        for (operation, ask) in &asks {
            let mut wrong = vec![("zzz=1".to_owned(), "zzz unknown".to_owned())];
            wrong.push(("Limit=1".to_owned(), "Limit unknown".to_owned()));
            wrong.push(("%00=%00".to_owned(), "\0 unknown".to_owned()));
            let known = operation.query_parameters();
            let repeatable = operation.repeatable_parameters();
            for name in &known {
                let Some((_, values)) = repeatable.iter().find(|(repeatable, _)| repeatable == name) else {
                    wrong.push((format!("{name}=1&{name}=1"), format!("{name} repeated")));
                    continue;
                };
                let most = usize::try_from(values["maxItems"].as_u64().unwrap()).unwrap();
                wrong.push((format!("&{name}=x").repeat(most + 1), format!("{name} too_many")));
                let code = if values["items"]["enum"].is_array() { "enum" } else { "format" };
                wrong.push((format!("{name}=%00"), format!("{name} {code}")));
            }
            let mut integer = |name: &str, out: &[&str], no: &[&str]| {
                if known.iter().any(|it| it == name) {
                    wrong
                        .extend(out.iter().map(|value| (format!("{name}={value}"), format!("{name} range"))));
                    wrong
                        .extend(no.iter().map(|value| (format!("{name}={value}"), format!("{name} format"))));
                }
            };
            let huge = "99999999999999999999999";
            integer("limit", &["0", "201", "-1", huge], &["", "x", "1.0", "1e1", "+", "0x1", "%201"]);
            integer("after", &["-1", huge], &["", "x", "1.5"]);
            integer("as_of_seq", &["-1", "99999999", huge], &["", "x"]);
            integer("period_days", &["0", "-1", "3651", huge], &["", "x", "90.0"]);
            if known.iter().any(|it| it == "cursor") {
                for cursor in ["", "x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAA", "%00", "\u{e9}"] {
                    let cursor = cursor.replace('\u{e9}', "%C3%A9");
                    wrong.push((format!("cursor={cursor}"), "cursor cursor".to_owned()));
                }
            }
            for (query, fault) in wrong {
                let request = ask.with_path(format!("{}?{query}", ask.path));
                let answer = world.send(&request).await;
                let found = (answer.status, answer.json()["code"].as_str().unwrap_or_default());
                assert_eq!(found, (400, "invalid_parameter"), "{operation} {query}: {}", answer.json());
                assert!(answer.faults().contains(&fault), "{operation} {query}: {:?}", answer.faults());
            }
            for (name, word) in operation.words().into_iter().filter(|(_, word)| word.len() > 3) {
                let typo = ask.with_path(format!("{}?{name}={}x", ask.path, word));
                let answer = world.send(&typo).await;
                let told = answer.text("/errors/0/detail");
                let hint = format!("did you mean `{word}`?");
                assert!(told.ends_with(&hint), "{operation} {name}={word}x: {told}");
            }
        }
    })
    .await;
}

/// A cursor of one list is not valid for another.
#[testkit::both_engines]
async fn a_cursor_fits_its_own_list(app: TestApp) {
    let world = World::new(&app).await;
    let lists: Vec<_> = operations::all().into_iter().filter(Operation::is_list).collect();
    let mut cursors = Vec::new();
    for operation in operations::writes().into_iter().chain(operations::writes()) {
        world.must(&world.valid(&operation).await).await;
    }
    for operation in &lists {
        let ask = world.valid(operation).await;
        let page = world.must(&ask.with_path(format!("{}?limit=1", ask.path))).await;
        if let Some(cursor) = page.json()["next_cursor"].as_str() {
            let next = ask.with_path(format!("{}?limit=2&cursor={cursor}", ask.path));
            world.must(&next).await;
            cursors.push((ask.path.clone(), cursor.to_owned()));
        }
    }
    for operation in &lists {
        let ask = world.valid(operation).await;
        for (path, cursor) in &cursors {
            if *path == ask.path {
                continue;
            }
            let answer = world.send(&ask.with_path(format!("{}?cursor={cursor}", ask.path))).await;
            assert_eq!(answer.faults(), ["cursor cursor"], "{operation} with a cursor of {path}");
        }
    }
    assert!(cursors.len() >= 4, "{cursors:?}");
}
