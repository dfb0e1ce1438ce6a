//! Processor time that an axum server takes for a request, with the layer and without, and with tower_governor's: ours
//! and theirs both with fields, and both without.
//!
//! Each server is a process of its own with one thread, pinned to one core; what asks is pinned to another. A round
//! asks each of them, in an order that turns, and reads from the system how long it ran. No limit is reached.

use axum::Router;
use axum::routing::get;
use ratelimit_bench::{Ratio, of_rounds, write};
use ratelimit_core::Limiter;
use ratelimit_core::http::{ClientOptions, FieldStyle, TermsOptions};
use ratelimit_tower::{KeyFrom, Limited, RateLimitLayer};
use rustix::thread::{CpuSet, sched_setaffinity};
use std::io::{BufRead, BufReader, Error, Result};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, fs};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Runtime;
use tower_governor::GovernorLayer;
use tower_governor::governor::GovernorConfigBuilder;

/// By their places in this list.
const SERVERS: [&str; 5] = ["plain", "ratelimit", "governor-with-fields", "ratelimit-without-fields", "governor"];
const CONNECTIONS: u8 = 16;
/// The servers take turns: in each round so many, with so many requests on each connection. Short turns, so that what
/// else the machine does meets all of them alike.
const TURNS: u16 = 25;
const REQUESTS: u32 = 60;
const ROUNDS: usize = 11;

fn layer(fields: FieldStyle) -> std::result::Result<RateLimitLayer, ratelimit_core::Error> {
    let options = TermsOptions { fields, ..TermsOptions::default() };
    let limited = Limited::new("4000000000/hour".parse::<Limiter>()?, &options)?;
    Ok(RateLimitLayer::new(limited, KeyFrom::ip(&ClientOptions::default())?))
}

fn app(kind: &str) -> std::result::Result<Router, ratelimit_core::Error> {
    let app = Router::new().route("/", get(|| async { "hello" }));
    let mut governor = GovernorConfigBuilder::default();
    governor.per_nanosecond(1).burst_size(u32::MAX);
    Ok(match kind {
        "ratelimit" => app.layer(layer(FieldStyle::Standard)?),
        "ratelimit-without-fields" => app.layer(layer(FieldStyle::Off)?),
        "governor" => app.layer(GovernorLayer::new(governor.finish().expect("the quota is right"))),
        "governor-with-fields" => {
            let config = governor.use_headers().finish().expect("the quota is right");
            app.layer(GovernorLayer::new(config))
        }
        _ => app,
    })
}

fn pin(core: usize) -> Result<()> {
    let mut cores = CpuSet::new();
    cores.set(core);
    Ok(sched_setaffinity(None, &cores)?)
}

fn on_this_thread() -> Result<Runtime> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()
}

#[expect(clippy::print_stdout, reason = "it says where it listens")]
fn serve(kind: &str) -> Result<()> {
    pin(0)?;
    let app = app(kind).map_err(Error::other)?;
    on_this_thread()?.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        println!("{}", listener.local_addr()?);
        axum::serve(listener, app.into_make_service_with_connect_info::<SocketAddr>()).await
    })
}

struct Server {
    process: Child,
    clients: Vec<TcpStream>,
}

impl Server {
    async fn start(kind: &str) -> Result<Server> {
        let mut process = Command::new(env::current_exe()?).args(["--serve", kind]).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut line)?;
        }
        let address = line.trim().parse().map_err(Error::other)?;
        let mut server = Server { process, clients: Vec::new() };
        for client in 1..=CONNECTIONS {
            let socket = TcpSocket::new_v4()?;
            // Each is a client with an address of its own.
            socket.bind((Ipv4Addr::new(127, 0, 1, client), 0).into())?;
            let stream = socket.connect(address).await?;
            stream.set_nodelay(true)?;
            server.clients.push(stream);
        }
        Ok(server)
    }

    /// Returns how long the server's one thread has run, in seconds.
    fn ran(&self) -> Result<f64> {
        let line = fs::read_to_string(format!("/proc/{}/schedstat", self.process.id()))?;
        let nanoseconds = line.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or_default();
        Ok(Duration::from_nanos(nanoseconds).as_secs_f64())
    }

    /// Lets all clients ask at once, and returns how long the server ran for one request.
    async fn measure(&mut self) -> Result<f64> {
        let before = self.ran()?;
        let asking: Vec<_> = self.clients.drain(..).map(|client| tokio::spawn(ask(client))).collect();
        for client in asking {
            self.clients.push(client.await??);
        }
        Ok((self.ran()? - before) / f64::from(REQUESTS * u32::from(CONNECTIONS)))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // There is nothing to do about a process that is gone already.
        let _ = self.process.kill().and_then(|()| self.process.wait());
    }
}

/// Asks again and again.
async fn ask(mut stream: TcpStream) -> Result<TcpStream> {
    let mut answer = [0; 1024];
    for _ in 0..REQUESTS {
        stream.write_all(b"GET / HTTP/1.1\r\nhost: localhost\r\n\r\n").await?;
        let mut length = 0;
        while !answer[..length].ends_with(b"hello") {
            length += match stream.read(&mut answer[length..]).await? {
                0 => return Err(Error::other("the server ended the connection")),
                count => count,
            };
        }
        assert!(answer.starts_with(b"HTTP/1.1 200"), "a limit was reached");
    }
    Ok(stream)
}

/// Lets each server have its turns; returns how long each ran for one request.
async fn round(servers: &mut [Server], turns: u16) -> Result<[f64; SERVERS.len()]> {
    let mut times = [0.0; SERVERS.len()];
    for turn in 0..usize::from(turns) {
        for place in 0..SERVERS.len() {
            // By steps of 1 to 3, of which 5 is no multiple: so each has its turn, and none always runs after the same
            // other, or twice in a row with its caches warm.
            let at = (turn + place * (1 + turn % 3)) % SERVERS.len();
            times[at] += servers[at].measure().await? / f64::from(turns);
        }
    }
    Ok(times)
}

async fn compare() -> Result<Vec<Ratio>> {
    pin(1)?;
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        // New ones in each round: where in memory a server happens to lie costs it some hundredths as long as it lives.
        let mut servers = Vec::new();
        for kind in SERVERS {
            servers.push(Server::start(kind).await?);
        }
        round(&mut servers, TURNS / 4).await?;
        rounds.push(round(&mut servers, TURNS).await?);
    }
    let of = |ours: usize, peer: usize| rounds.iter().map(|times| [times[ours], times[peer]]).collect::<Vec<_>>();
    Ok(vec![
        of_rounds("http_cpu_of_a_request_with_the_layer", 1.05, &of(1, 0)),
        of_rounds("http_cpu_of_a_request_with_fields_to_tower_governors", 1.0, &of(1, 2)),
        of_rounds("http_cpu_of_a_request_without_fields_to_tower_governors", 1.0, &of(3, 4)),
    ])
}

fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().collect();
    if let Some(at) = arguments.iter().position(|argument| argument == "--serve") {
        return serve(arguments.get(at + 1).map_or("plain", String::as_str));
    }
    write("http", &on_this_thread()?.block_on(compare())?)
}
