//! The example runs, and limits as it says.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start() -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_example-axum"));
        let mut process = command.arg("127.0.0.1:0").stdout(Stdio::piped()).spawn().expect("the example starts");
        let mut line = String::new();
        let output = process.stdout.take().expect("its output is read");
        BufReader::new(output).read_line(&mut line).expect("it says where it listens");
        let address = line.trim().trim_start_matches("listening on ").to_owned();
        Server { process, address }
    }

    fn ask(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let request = format!("{request}\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("the request is sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer comes");
        answer
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself, which the test has told then.
        let _ = self.process.kill().and_then(|()| self.process.wait());
    }
}

#[test]
fn logins_that_succeed_cost_nothing_and_the_sixth_failure_is_refused() {
    let server = Server::start();
    let right = "POST /login HTTP/1.1\r\nauthorization: Basic YWRhOnNlY3JldA==";
    for _ in 0..8 {
        assert!(server.ask(right).starts_with("HTTP/1.1 204"));
    }
    for _ in 0..5 {
        assert!(server.ask("POST /login HTTP/1.1").starts_with("HTTP/1.1 401"));
    }
    let refused = server.ask("POST /login HTTP/1.1");
    assert!(refused.starts_with("HTTP/1.1 429") && refused.contains("\"violated-policies\":[\"login\"]"), "{refused}");
    assert!(refused.contains("\r\nratelimit-policy: \"site\";q=100;w=60, \"login\";q=5;w=3600\r\n"), "{refused}");
    assert!(server.ask(right).starts_with("HTTP/1.1 429"), "who failed too often waits");
    let hello = server.ask("GET / HTTP/1.1");
    assert!(hello.ends_with("\r\n\r\nhello\n") && hello.contains("\r\nratelimit: \"site\";r="), "{hello}");
}
