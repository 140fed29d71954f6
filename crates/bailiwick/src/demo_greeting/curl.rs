//! The greeting of `serve --demo`: address, client, how to sign in, and three commands to paste.

use std::fmt::Write;

/// The way into the demo organization, for one start of the service.
#[derive(Debug)]
pub(crate) struct Way<'a> {
    /// `http://127.0.0.1:8080`, without a slash at the end.
    pub(crate) address: &'a str,
    /// The organization's UUID.
    pub(crate) organization: &'a str,
    /// The name of the client that may do everything.
    pub(crate) client_id: &'a str,
    /// Its secret, made at this start.
    pub(crate) client_secret: &'a str,
    /// The address of a person who may do everything.
    pub(crate) email: &'a str,
    /// Their password, made at this start.
    pub(crate) password: &'a str,
}

impl Way<'_> {
    /// Three lines for a POSIX shell with curl and sed: a token, something new, and a figure.
    ///
    /// Ids and secrets are made of `[A-Za-z0-9_-]` and need no quotes. `jq` would be nicer than sed,
    /// and is not everywhere.
    pub(crate) fn curl_lines(&self) -> [String; 3] {
        let Self { address, organization, client_id, client_secret, .. } = self;
        let credentials = format!("-u {client_id}:{client_secret} -d grant_type=client_credentials");
        let pick = r#"sed 's/.*"access_token" *: *"\([^"]*\)".*/\1/'"#;
        let bearer = r#"-H "Authorization: Bearer $TOKEN""#;
        let body = r#"{"title":"Dock door 4 does not close","description":"Stuck at half height.","source":"Employee report"}"#;
        [
            format!("TOKEN=$(curl -sS {credentials} {address}/v1/oauth/token | {pick})"),
            format!(
                "curl -sS {bearer} -H 'Content-Type: application/json' -d '{body}' {address}/v1/incidents; echo"
            ),
            format!(
                "curl -sS {bearer} '{address}/v1/organizations/{organization}/risk-performance?period_days=30'; echo"
            ),
        ]
    }

    /// Everything a newcomer needs, for standard error: standard output belongs to scripts.
    pub(crate) fn greeting(&self) -> String {
        let mut text = String::from("\n");
        for (label, value) in [
            ("address", self.address),
            ("organization", self.organization),
            ("client_id", self.client_id),
            ("client_secret", self.client_secret),
        ] {
            // Writing to a String does not fail.
            let _ = writeln!(text, "  {label:<14} {value}");
        }
        let _ =
            writeln!(text, "\nTo sign in as a person:\n\ne-mail {}\npassword {}", self.email, self.password);
        text.push_str("\nTo try it, paste these lines:\n\n");
        for line in self.curl_lines() {
            text.push_str(&line);
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    const WAY: Way<'_> = Way {
        address: "http://127.0.0.1:8080",
        organization: "0190163d-8694-739b-aea5-966c26f8ad91",
        client_id: "client_1",
        client_secret: "bwk_secret",
        email: "marta@example.org",
        password: "abcde-fghij",
    };

    /// Runs the lines in a shell whose `curl` is a function.
    fn run(curl: &str) -> String {
        let script = format!("curl() {{ {curl}; }}\n{}", WAY.curl_lines().join("\n"));
        let output = Command::new("sh").args(["-euc", &script]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    #[test]
    fn the_token_of_the_first_line_reaches_the_others() {
        let answer = r#"{"access_token":"abc.d-e_f.ghi","refresh_token":"no","token_type":"Bearer"}"#;
        let out =
            run(&format!(r#"case "$*" in *oauth/token) echo '{answer}';; *) printf '<%s>' "$@";; esac"#));
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines.len(), 2, "{out}");
        for line in &lines {
            assert!(line.contains("<Authorization: Bearer abc.d-e_f.ghi>"), "{line}");
        }
        assert!(lines[0].contains(r#"<{"title":"Dock door 4 does not close","#), "{out}");
        assert!(
            lines[1].ends_with(
                "<http://127.0.0.1:8080/v1/organizations/0190163d-8694-739b-aea5-966c26f8ad91/risk-performance?period_days=30>"
            ),
            "{out}"
        );
    }

    #[test]
    fn the_greeting_names_what_the_lines_use() {
        let greeting = WAY.greeting();
        for text in [WAY.address, WAY.organization, WAY.client_id, WAY.client_secret] {
            assert!(greeting.contains(text), "{greeting}");
        }
        for line in ["e-mail marta@example.org", "password abcde-fghij"] {
            assert!(greeting.lines().any(|told| told == line), "{greeting}");
        }
    }
}
