//! Every vector of limits over HTTP holds.

use ratelimit_core::http::{
    Address, Asked, ByIp, ClientOptions, Outcome as Ended, Refusal, Statuses, Terms, TermsOptions, TrustedProxies,
    fields, header_key, join,
};
use ratelimit_core::{AsKey, Error};
use ratelimit_testkit::Failure;
use ratelimit_testkit::http::{self as asked, Outcome, Question, http_cases};
use std::collections::BTreeMap;

use crate::syntax;

#[path = "../subject/mod.rs"]
#[allow(dead_code, unreachable_pub, reason = "only the translation of policies and decisions is used here")]
mod subject;

#[test]
fn every_question_has_the_answer_of_the_model() {
    let mut asked: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failures = Vec::new();
    let cases = http_cases().unwrap();
    for case in &cases {
        let (kind, result) = answer(&case.question);
        *asked.entry(kind).or_default() += 1;
        if let Err(difference) = result {
            failures.push(format!("{}: {}\n  {difference}", case.place, case.why));
        }
    }
    println!("{asked:?}");
    assert!(failures.is_empty(), "{} of {} failed\n{}", failures.len(), cases.len(), failures.join("\n"));
    assert_eq!(asked.len(), 7, "a kind of question was not asked");
}

fn answer(question: &Question) -> (&'static str, Result<(), String>) {
    match question {
        Question::Address { text, ipv6_prefix, expect } => {
            let key = Address::parse(&text.0).map(|address| address.key(*ipv6_prefix).as_str().to_owned());
            ("address", same(&expect.key, &key))
        }
        Question::Client { options, peer, lines, expect } => {
            let lines = borrowed(lines);
            let made = ByIp::new(&client_options(options)).map(|by_ip| {
                let client = by_ip.client(peer.as_ref().and_then(|peer| Address::parse(&peer.0)), &lines);
                assert_eq!(client.key.as_key().bytes(), client.key.as_str().as_bytes());
                asked::ClientIs { key: client.key.to_string(), untrusted_field: client.untrusted_field }
            });
            ("client", same(expect, &outcome(made)))
        }
        Question::Header { lines, expect } => {
            let key = header_key(&borrowed(lines)).map(|key| asked::Bytes(key.into_owned()));
            ("header", same(&expect.key, &key))
        }
        Question::Parts { parts, expect } => {
            let parts: Vec<_> = parts.iter().map(|part| part.as_ref().map(|part| part.0.as_slice())).collect();
            let joined = join(&parts).map(|key| asked::Bytes(key.as_key().bytes().to_vec()));
            ("parts", same(&expect.joined, &joined))
        }
        Question::Answer { limits, accept, expect } => ("answer", same(expect, &outcome(respond(limits, accept)))),
        Question::MissingKey { accept, expect } => {
            ("missing key", same(&expect.refusal, &plain(Refusal::missing_key(&borrowed(accept)))))
        }
        Question::Refund { refund_if, outcome: ended, expect } => {
            let ended = match ended {
                asked::Ended::Status(status) => Ended::Status(*status),
                asked::Ended::Word(word) if word == "refused_within" => Ended::RefusedWithin,
                asked::Ended::Word(_) => Ended::None,
            };
            let made = Statuses::new(refund_if).map(|statuses| asked::Refund { refund: statuses.refunds(ended) });
            ("refund", same(expect, &outcome(made)))
        }
    }
}

fn respond(limits: &[asked::Limit], accept: &[asked::Bytes]) -> Result<asked::Answer, Error> {
    let terms = limits.iter().map(terms).collect::<Result<Vec<_>, _>>()?;
    let decisions: Vec<_> = limits.iter().map(|limit| subject::given(&limit.decision)).collect();
    let all: Vec<_> = terms.iter().zip(&decisions).map(|(terms, decision)| Asked::new(terms, decision)).collect();
    let sent = fields(&all);
    if let ([terms], [decision]) = (terms.as_slice(), decisions.as_slice()) {
        assert_eq!(decision.headers(terms), sent);
    }
    syntax::judge(&sent);
    let (innermost, decision) = terms.last().zip(decisions.last()).expect("an answer is to at least one limit");
    let refusal = innermost.refusal(decision, &borrowed(accept)).map(plain);
    let fields = sent.into_iter().map(|(name, value)| (name.to_owned(), value.into_owned())).collect();
    Ok(asked::Answer { fields, refusal })
}

fn terms(limit: &asked::Limit) -> Result<Terms, Error> {
    let policies: Vec<_> = limit.policies.iter().map(subject::policy).collect();
    let mut options = TermsOptions { names: limit.names.clone(), ..TermsOptions::default() };
    if let Some(word) = &limit.fields {
        options.fields = word.parse()?;
    }
    if let Some(status) = limit.saturated_status {
        options.saturated_status = status;
    }
    Terms::new(&policies, &options)
}

fn client_options(given: &asked::ClientOptions) -> ClientOptions {
    let mut options = ClientOptions::default();
    match &given.trusted_proxies {
        Some(asked::Proxies::Hops(hops)) => options.trusted_proxies = TrustedProxies::Hops(*hops),
        Some(asked::Proxies::Networks(networks)) => {
            options.trusted_proxies = TrustedProxies::Networks(networks.clone())
        }
        None => {}
    }
    if let Some(field) = &given.forwarding_field {
        options.forwarding_field.clone_from(field);
    }
    if let Some(prefix) = given.ipv6_prefix {
        options.ipv6_prefix = prefix;
    }
    options
}

fn borrowed(lines: &[asked::Bytes]) -> Vec<&[u8]> {
    lines.iter().map(|line| line.0.as_slice()).collect()
}

fn plain(refusal: Refusal) -> asked::Refusal {
    let Refusal { status, content_type, body } = refusal;
    if content_type == "application/problem+json" {
        let problem: serde_json::Value = serde_json::from_str(&body).expect("a problem is JSON");
        assert_eq!(problem["status"], status);
    }
    asked::Refusal { status: status.into(), content_type: content_type.to_owned(), body }
}

fn outcome<T>(made: Result<T, Error>) -> Outcome<T> {
    match made {
        Ok(answer) => Outcome::Is(answer),
        Err(error) => {
            let Failure { code, name, field, offset } = subject::failure(&error);
            assert!(error.to_string().starts_with(&format!("{field} is ")), "{error}");
            Outcome::Error { error: Failure { code, name, field, offset } }
        }
    }
}

fn same<T: PartialEq + std::fmt::Debug>(expected: &T, got: &T) -> Result<(), String> {
    if expected == got { Ok(()) } else { Err(format!("expected {expected:?}\n  got      {got:?}")) }
}
