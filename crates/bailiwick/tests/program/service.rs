//! An installation of the program and a service that runs on it.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::{EmptyDatabase, until};

pub(crate) use testkit::PATIENCE;

/// No rate limit, one issuer of tokens, whatever port a service gets, and nothing is refused because the machine is slow.
const SETTINGS: [(&str, &str); 4] = [
    ("BAILIWICK_RATE_LIMIT", "0"),
    ("BAILIWICK_PUBLIC_URL", "http://bailiwick.test"),
    ("BAILIWICK_QUEUE_WAIT_SECONDS", "600"),
    ("BAILIWICK_STATEMENT_TIMEOUT_SECONDS", "600"),
];

/// A data folder and a database.
pub(crate) struct Installation {
    pub(crate) data: PathBuf,
    pub(crate) database: Option<String>,
    environment: Vec<(String, String)>,
    program: PathBuf,
    _folder: Option<tempfile::TempDir>,
}

impl Installation {
    /// On SQLite in a folder of its own.
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new().prefix("bailiwick-test-").tempdir().unwrap();
        Self {
            data: folder.path().join("data"),
            database: None,
            environment: SETTINGS.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
            program: PathBuf::from(env!("CARGO_BIN_EXE_bailiwick")),
            _folder: Some(folder),
        }
    }

    /// On the empty database of a test.
    pub(crate) fn at(database: &EmptyDatabase) -> Self {
        let url = match database.location() {
            db::Location::Sqlite(_) => None,
            db::Location::Postgres(url) => Some(url),
        };
        Self { data: database.folder().join("data"), database: url, _folder: None, ..Self::new() }
    }

    /// On a PostgreSQL database.
    pub(crate) fn on(url: &str) -> Self {
        Self { database: Some(url.to_owned()), ..Self::new() }
    }

    /// In this folder.
    pub(crate) fn in_folder(data: &Path) -> Self {
        Self { data: data.to_owned(), ..Self::new() }
    }

    /// One that reaches the same database by another URL. No service has run yet, so there is no master key to share.
    pub(crate) fn through(&self, url: &str) -> Self {
        Self { database: Some(url.to_owned()), environment: self.environment.clone(), ..Self::new() }
    }

    /// Another machine's data folder on the same database, with the same master key.
    pub(crate) fn beside(&self) -> Self {
        let other =
            Self { database: self.database.clone(), environment: self.environment.clone(), ..Self::new() };
        std::fs::create_dir_all(&other.data).unwrap();
        std::fs::copy(self.data.join("master.key"), other.data.join("master.key")).unwrap();
        other
    }

    /// The same folder and database with another program, such as an earlier release's.
    pub(crate) fn run_by(&self, program: &Path) -> Self {
        Self {
            data: self.data.clone(),
            database: self.database.clone(),
            environment: self.environment.clone(),
            program: program.to_owned(),
            _folder: None,
        }
    }

    /// Sets a variable of the environment for every later command.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With the limits that a service has by itself, for tests of what happens when they are reached.
    pub(crate) fn with_usual_limits(self) -> Self {
        self.without("BAILIWICK_QUEUE_WAIT_SECONDS").without("BAILIWICK_STATEMENT_TIMEOUT_SECONDS")
    }

    /// The same without a variable.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.environment.retain(|(other, _)| other != name);
        self
    }

    /// The program with `arguments`, the folder and the database, and an environment of ours only.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        self.command_under(&[], arguments)
    }

    /// The same, run by another program.
    pub(crate) fn command_under(&self, wrapper: &[&str], arguments: &[&str]) -> Command {
        let mut command = self.bare_command_under(wrapper, arguments);
        command.arg("--data").arg(&self.data);
        if let Some(url) = &self.database {
            command.arg("--database").arg(url);
        }
        command
    }

    /// The program without the folder and the database.
    pub(crate) fn bare_command(&self, arguments: &[&str]) -> Command {
        self.bare_command_under(&[], arguments)
    }

    fn bare_command_under(&self, wrapper: &[&str], arguments: &[&str]) -> Command {
        let program = &self.program;
        let mut command = match wrapper {
            [] => Command::new(program),
            [first, rest @ ..] => {
                let mut command = Command::new(first);
                command.args(rest).arg(program);
                command
            }
        };
        for (name, _) in std::env::vars() {
            if name.starts_with("BAILIWICK_") || name == "DATABASE_URL" || name == "RUST_LOG" {
                command.env_remove(name);
            }
        }
        command.args(arguments).envs(self.environment.iter().cloned()).stdin(Stdio::null());
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Done {
        Done::of(&mut self.command(arguments))
    }

    /// Runs a command that must succeed and print one JSON value.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let done = self.run(arguments);
        assert!(done.code == Some(0), "{arguments:?} ended with {:?}: {}", done.code, done.err);
        serde_json::from_str(&done.out)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {:?}", done.out))
    }

    /// Fails unless the journals verify.
    pub(crate) fn verify(&self) {
        let verified = self.run(&["journal", "verify"]);
        assert_eq!(verified.code, Some(0), "{}{}", verified.out, verified.err);
    }

    /// Makes an organization and answers its id.
    pub(crate) fn organization(&self) -> String {
        let made = self.json(&["organization", "create", "--name", "Acme", "--json"]);
        made["id"].as_str().unwrap().to_owned()
    }

    /// Makes a client with these scopes.
    pub(crate) fn client(&self, organization: &str, scopes: &str) -> Credentials {
        let arguments =
            ["client", "create", "--organization", organization, "--name", "probe", "--scopes", scopes];
        let made = self.json(&[&arguments[..], &["--json"]].concat());
        Credentials {
            id: made["client_id"].as_str().unwrap().to_owned(),
            secret: made["client_secret"].as_str().unwrap().to_owned(),
        }
    }

    /// Starts the service on a free port of loopback and waits for its line.
    pub(crate) fn serve(&self) -> Service {
        self.serve_with(&[], &[])
    }

    /// The same under another program, such as `strace`, and with more arguments.
    pub(crate) fn serve_with(&self, wrapper: &[&str], arguments: &[&str]) -> Service {
        let listen = ["serve", "--listen", "127.0.0.1:0"];
        let mut command = self.command_under(wrapper, &[&listen[..], arguments].concat());
        Service::start(&mut command).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// How a command ended.
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Done {
    /// Runs `command` to its end, which must come by itself.
    pub(crate) fn of(command: &mut Command) -> Self {
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let pid = child.id().to_string();
        let (sender, ended) = mpsc::channel();
        std::thread::spawn(move || sender.send(child.wait_with_output()));
        let Ok(output) = ended.recv_timeout(PATIENCE) else {
            let _ = Command::new("kill").args(["-KILL", &pid]).status();
            panic!("{command:?} does not end");
        };
        let output = output.unwrap();
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// What a client knows.
#[derive(Clone)]
pub(crate) struct Credentials {
    pub(crate) id: String,
    pub(crate) secret: String,
}

/// A running service; it is killed when the test is done with it.
pub(crate) struct Service {
    pub(crate) base: String,
    child: Child,
    log: tempfile::NamedTempFile,
}

impl Service {
    /// Starts it and waits for the line that says where it listens.
    pub(crate) fn start(command: &mut Command) -> Result<Self, String> {
        Self::start_while(command, |_| ())
    }

    /// The same, doing something before, which can read what it logged so far.
    pub(crate) fn start_while(
        command: &mut Command,
        meanwhile: impl FnOnce(&dyn Fn() -> String),
    ) -> Result<Self, String> {
        let log = tempfile::NamedTempFile::new().unwrap();
        let errors = File::create(log.path()).unwrap();
        let mut child = command.stdout(Stdio::piped()).stderr(errors).spawn().unwrap();
        let (sender, lines) = mpsc::channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                // The rest is read too, or the service would block on a full pipe.
                let _ = sender.send(line);
            }
        });
        meanwhile(&|| std::fs::read_to_string(log.path()).unwrap());
        let from = Instant::now();
        while let Ok(line) = lines.recv_timeout(PATIENCE.saturating_sub(from.elapsed())) {
            if let Some(base) = line.strip_prefix("listening on ") {
                return Ok(Self { base: base.to_owned(), child, log });
            }
        }
        let _ = child.kill();
        let _ = child.wait();
        Err(format!("the service did not start:\n{}", std::fs::read_to_string(log.path()).unwrap()))
    }

    /// What it logged so far.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(self.log.path()).unwrap()
    }

    /// `kill -9`.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// `kill -TERM`.
    pub(crate) fn terminate(&self) {
        assert!(self.signal("-TERM"));
    }

    /// Fails if the stop came to its limit of time (`SHUTDOWN_TIMEOUT`) because something held it up.
    pub(crate) fn assert_not_held_up(&self) {
        assert!(!self.log().contains("although requests were still running"), "{}", self.log());
    }

    /// Waits until it logs this.
    pub(crate) async fn until_logged(&self, text: &str) {
        until(text, async || self.log().contains(text)).await;
    }

    /// Sends a signal to the service.
    pub(crate) fn signal(&self, signal: &str) -> bool {
        Command::new("kill").args([signal, &self.pid()]).status().is_ok_and(|status| status.success())
    }

    /// The service's process, or the one below the program that wraps it.
    pub(crate) fn pid(&self) -> String {
        let pid = self.child.id();
        let below = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
        if below.trim().is_empty() { pid.to_string() } else { below.trim().to_owned() }
    }

    /// Its memory that is of no file (RssAnon), in KiB.
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.pid())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// How many files and connections it has open.
    pub(crate) fn open_files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.pid())).unwrap().count()
    }

    /// How long it has been computing.
    pub(crate) fn computed(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid())).unwrap();
        let (_, fields) = stat.rsplit_once(')').unwrap();
        let ticks = fields.split_whitespace().skip(11).take(2).map(|field| field.parse::<u64>().unwrap());
        Duration::from_millis(ticks.sum::<u64>() * 10)
    }

    /// Waits for its end; the exit code, `None` after a signal.
    pub(crate) fn wait(&mut self) -> Option<i32> {
        let from = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            assert!(from.elapsed() < PATIENCE, "the service does not end:\n{}", self.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Signs a client in.
    pub(crate) async fn sign_in(&self, credentials: &Credentials) -> Api {
        Api::sign_in(&self.base, credentials).await
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(None)) {
            self.signal("-KILL");
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        if std::thread::panicking() {
            eprintln!("What the service logged:\n{}", self.log());
        }
    }
}

/// The service as a signed-in client sees it.
#[derive(Clone)]
pub(crate) struct Api {
    pub(crate) base: String,
    pub(crate) http: reqwest::Client,
    pub(crate) token: String,
}

impl Api {
    async fn sign_in(base: &str, credentials: &Credentials) -> Self {
        let http = reqwest::Client::builder().timeout(PATIENCE).build().unwrap();
        let form = [
            ("grant_type", "client_credentials"),
            ("client_id", &credentials.id),
            ("client_secret", &credentials.secret),
        ];
        let answer = http.post(format!("{base}/v1/oauth/token")).form(&form).send().await.unwrap();
        let (status, body) = (answer.status().as_u16(), answer.json::<Value>().await.unwrap());
        assert_eq!(status, 200, "{body}");
        Self { base: base.to_owned(), http, token: body["access_token"].as_str().unwrap().to_owned() }
    }

    /// The same client at another address of the service.
    pub(crate) fn moved_to(&self, service: &Service) -> Self {
        Self { base: service.base.clone(), ..self.clone() }
    }

    /// A signed-in request.
    pub(crate) fn request(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        self.http.request(method, format!("{}{path}", self.base)).bearer_auth(&self.token)
    }

    /// Waits until its token is refused. Without a cause that comes after 15 minutes only.
    pub(crate) async fn until_refused(&self) {
        let read = async || self.request(reqwest::Method::GET, "/v1/incidents").send().await.unwrap();
        until("the token is refused", async || read().await.status() != 200).await;
    }

    /// Declares an incident.
    pub(crate) async fn declare(&self, title: &str, description: &str) -> Declared {
        self.declare_with(title, description, |request| request).await
    }

    /// Declares an incident under an `Idempotency-Key`.
    pub(crate) async fn declare_once(&self, key: &str, title: &str) -> Declared {
        self.declare_with(title, "", |request| request.header("idempotency-key", key)).await
    }

    async fn declare_with(
        &self,
        title: &str,
        description: &str,
        more: impl FnOnce(reqwest::RequestBuilder) -> reqwest::RequestBuilder,
    ) -> Declared {
        let body = serde_json::json!({"title": title, "description": description});
        let request = more(self.request(reqwest::Method::POST, "/v1/incidents").json(&body));
        let Ok(answer) = request.send().await else { return Declared::Lost };
        let status = answer.status().as_u16();
        let retry_after = answer.headers().contains_key("retry-after");
        match (status, answer.json::<Value>().await) {
            (201, Ok(incident)) => Declared::Done(incident["id"].as_str().unwrap().to_owned()),
            (_, Err(_)) => Declared::Lost,
            (status, Ok(problem)) => Declared::Refused { status, retry_after, problem },
        }
    }

    /// Reads a path that must answer 200.
    pub(crate) async fn read(&self, path: &str) -> Value {
        let answer = self.request(reqwest::Method::GET, path).send().await.unwrap();
        let (status, body) = (answer.status().as_u16(), answer.json::<Value>().await.unwrap());
        assert_eq!(status, 200, "{path}: {body}");
        body
    }

    /// Every incident as (id, title), oldest first.
    pub(crate) async fn incidents(&self) -> Vec<(String, String)> {
        let (mut found, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = self.read(&format!("/v1/incidents?limit=200{cursor}")).await;
            for incident in page["data"].as_array().unwrap() {
                let text = |name: &str| incident[name].as_str().unwrap().to_owned();
                found.push((text("id"), text("title")));
            }
            match page["next_cursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        found.reverse();
        found
    }
}

/// What became of a declaration.
#[derive(Debug)]
pub(crate) enum Declared {
    /// 201, with this id.
    Done(String),
    /// Another answer.
    Refused { status: u16, retry_after: bool, problem: Value },
    /// No answer, or not all of it.
    Lost,
}

impl Declared {
    /// Whether the service could not find out what became of it.
    pub(crate) fn is_unknown(&self) -> bool {
        matches!(self, Self::Refused { status: 503, retry_after: true, problem }
            if problem["code"] == "outcome_unknown")
    }
}
