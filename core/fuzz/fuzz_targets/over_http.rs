//! Any peers, forwarding fields, proxies, names and decisions: addresses come back as they went in, and what is sent is
//! structured fields and never out of bounds.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use ratelimit_core::http::{
    Address, AddressKey, Asked, ByIp, Client, ClientOptions, FieldStyle, Outcome, Statuses, Terms, TermsOptions,
    TrustedProxies, fields, header_key, join,
};
use ratelimit_core::{Decision, Key, Kind, Policy};
use std::net::{IpAddr, Ipv6Addr};
use std::time::Duration;

#[path = "../../tests/http/syntax.rs"]
mod syntax;

#[derive(Arbitrary, Debug)]
enum Proxies {
    Hops(u16),
    Networks(Vec<Network>),
}

#[derive(Arbitrary, Debug)]
enum Network {
    Written(String),
    Of(IpAddr, u8),
}

#[derive(Arbitrary, Debug)]
struct Request {
    proxies: Proxies,
    forwarding_field: Option<String>,
    reads_forwarded: bool,
    ipv6_prefix: u8,
    peer: Vec<u8>,
    lines: Vec<Vec<u8>>,
    /// What a trusted proxy adds at the end.
    client: IpAddr,
    header: Vec<Vec<u8>>,
    accept: Vec<Vec<u8>>,
}

#[derive(Arbitrary, Debug)]
struct Limit {
    policies: Vec<(u8, u32, u64, u32)>,
    names: Vec<String>,
    style: u8,
    saturated_status: u16,
    decision: Answer,
}

#[derive(Arbitrary, Debug)]
struct Answer {
    kind: u8,
    policy: u8,
    numbers: [u32; 3],
    reset_after_ms: u64,
    retry_after_ms: Option<u64>,
}

#[derive(Arbitrary, Debug)]
struct World {
    request: Request,
    limits: Vec<Limit>,
    statuses: Vec<[u64; 2]>,
    status: u16,
}

fn options(request: &Request) -> ClientOptions {
    let trusted_proxies = match &request.proxies {
        Proxies::Hops(hops) => TrustedProxies::Hops((*hops).into()),
        Proxies::Networks(networks) => TrustedProxies::Networks(networks.iter().map(written).collect()),
    };
    let list = || request.forwarding_field.clone().unwrap_or("x-forwarded-for".to_owned());
    let forwarding_field = if request.reads_forwarded { "Forwarded".to_owned() } else { list() };
    ClientOptions { trusted_proxies, forwarding_field, ipv6_prefix: request.ipv6_prefix.into() }
}

fn written(network: &Network) -> String {
    match network {
        Network::Written(text) => text.clone(),
        Network::Of(address, length) => format!("{address}/{length}"),
    }
}

/// An address is read again from how it is written, and so is its key.
fn comes_back(text: &[u8], prefix: u8) {
    let Some(address) = Address::parse(text) else { return };
    let whole = address.key(128);
    assert_eq!(Address::parse(whole.as_bytes()), Some(address), "{whole}");
    let ip: IpAddr = whole.as_str().parse().expect("a key is an address");
    assert_eq!(Address::from(ip), address);
    judge_key(&address.key(prefix), prefix, Some(ip));
}

/// A key is `unknown`, an address of IPv4, or a network of IPv6 of that prefix, which `of` lies in.
fn judge_key(key: &AddressKey, prefix: u8, of: Option<IpAddr>) {
    let text = key.as_str();
    assert!(!text.is_empty());
    let (host, length) = text.split_once('/').unwrap_or((text, "128"));
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(host)) => assert!(text == host.to_string() && of.is_none_or(|of| of == host)),
        Ok(IpAddr::V6(host)) => {
            assert_eq!(length.parse(), Ok(prefix.min(128)), "{text}");
            let cut = |address: Ipv6Addr| {
                (0..prefix.min(128)).fold(0, |kept, bit| kept | address.to_bits() & (1 << (127 - bit)))
            };
            assert_eq!(cut(host), host.to_bits(), "{text}: bits beyond the prefix");
            assert!(of.is_none_or(|of| matches!(of, IpAddr::V6(of) if cut(of) == host.to_bits())), "{text}: {of:?}");
        }
        Err(_) => assert_eq!(text, "unknown"),
    }
}

fn whose(request: &Request) {
    comes_back(&request.peer, request.ipv6_prefix);
    request.lines.iter().for_each(|line| comes_back(line, request.ipv6_prefix));
    let options = options(request);
    let Ok(by_ip) = ByIp::new(&options) else { return };
    let prefix = request.ipv6_prefix;
    let peer = Address::parse(&request.peer);
    let mut lines: Vec<&[u8]> = request.lines.iter().map(Vec::as_slice).collect();
    let Client { key, untrusted_field } = by_ip.client(peer, &lines);
    judge_key(&key, prefix, None);
    assert!(!untrusted_field || !lines.is_empty());

    // Behind one proxy it is what that adds, whatever was written before.
    let one = ClientOptions { trusted_proxies: TrustedProxies::Hops(1), ..options };
    let Ok(by_ip) = ByIp::new(&one) else { return };
    let client = request.client;
    let added = match (by_ip.forwarding_field(), client) {
        ("forwarded", IpAddr::V6(_)) => format!("for=\"[{client}]:80\""),
        ("forwarded", IpAddr::V4(_)) => format!("proto=https;For={client}"),
        _ => client.to_string(),
    };
    lines.push(added.as_bytes());
    let found = by_ip.client(peer, &lines);
    assert_eq!((found.key, found.untrusted_field), (Address::from(client).key(prefix), false));
}

fn keys(request: &Request) {
    let lines: Vec<&[u8]> = request.header.iter().map(Vec::as_slice).collect();
    if let Some(key) = header_key(&lines) {
        assert!(!key.is_empty() && ![key[0], key[key.len() - 1]].iter().any(|end| b" \t".contains(end)));
    }
    let parts: Vec<Option<&[u8]>> = lines.iter().copied().map(Some).collect();
    assert_eq!(join(&parts), Some(Key::parts(&lines)));
}

fn policy(&(kind, first, window_ms, second): &(u8, u32, u64, u32)) -> Policy {
    let window = Duration::from_millis(window_ms);
    match kind % 3 {
        0 => Policy::fixed_window(first.into(), window),
        1 => Policy::sliding_window(first.into(), window),
        _ => Policy::token_bucket(first.into(), second.into(), window),
    }
}

fn terms(limit: &Limit) -> Option<Terms> {
    let policies: Vec<Policy> = limit.policies.iter().take(4).map(policy).collect();
    let fields = [FieldStyle::Standard, FieldStyle::Legacy, FieldStyle::Off][usize::from(limit.style % 3)];
    let saturated_status = match limit.saturated_status {
        any @ 600.. => any.into(),
        less => {
            if less % 2 == 0 {
                429
            } else {
                503
            }
        }
    };
    Terms::new(&policies, &TermsOptions { names: limit.names.clone(), fields, saturated_status }).ok()
}

fn decision(answer: &Answer, is_last: bool) -> Decision {
    let mut decision = Decision::default();
    let kinds = [Kind::Allowed, Kind::Denied, Kind::Saturated, Kind::ExceedsLimit];
    decision.kind = if is_last { kinds[usize::from(answer.kind % 4)] } else { Kind::Allowed };
    decision.policy = answer.policy;
    [decision.limit, decision.remaining, decision.cost] = answer.numbers;
    decision.reset_after_ms = answer.reset_after_ms;
    decision.retry_after_ms = answer.retry_after_ms;
    decision
}

fn sent(world: &World) {
    let terms: Vec<(Terms, &Answer)> =
        world.limits.iter().filter_map(|limit| Some((terms(limit)?, &limit.decision))).collect();
    let count = terms.len();
    let decided: Vec<(&Terms, Decision)> =
        terms.iter().zip(1..).map(|((terms, answer), place)| (terms, decision(answer, place == count))).collect();
    let asked: Vec<Asked<'_>> = decided.iter().map(|(terms, decision)| Asked::new(terms, decision)).collect();
    let fields = fields(&asked);
    syntax::judge(&fields);
    for (index, (name, _)) in fields.iter().enumerate() {
        assert!(fields[..index].iter().all(|(before, _)| before != name), "{name} twice");
    }
    let accept: Vec<&[u8]> = world.request.accept.iter().map(Vec::as_slice).collect();
    for (terms, decision) in &decided {
        let refusal = terms.refusal(decision, &accept);
        assert_eq!(refusal.is_none(), decision.is_allowed());
        let Some(refusal) = refusal else { continue };
        assert!([429, 503].contains(&refusal.status) && refusal.body.is_ascii());
        assert_eq!(refusal.content_type.contains("json"), refusal.body.starts_with('{'));
    }
}

fuzz_target!(|world: World| {
    whose(&world.request);
    keys(&world.request);
    sent(&world);
    if let Ok(statuses) = Statuses::new(&world.statuses) {
        let within = |range: &[u64; 2]| (range[0]..=range[1]).contains(&world.status.into());
        assert_eq!(statuses.refunds(Outcome::Status(world.status)), world.statuses.iter().any(within));
    }
});
