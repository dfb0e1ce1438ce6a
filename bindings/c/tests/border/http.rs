//! Limits over HTTP, with arguments that C cannot keep out.

use crate::{UNTOUCHED, field, message};
use ratelimit::ratelimit_status::*;
use ratelimit::*;
use std::ptr::{null, null_mut};

const DECIDED: ratelimit_decision = ratelimit_decision { kind: 1, policy: 0, ..UNTOUCHED };

fn part(text: &str) -> ratelimit_part {
    ratelimit_part { bytes: text.as_ptr().cast(), length: text.len() }
}

fn options() -> ratelimit_http_client_options {
    ratelimit_http_client_options {
        size: size_of::<ratelimit_http_client_options>(),
        trusted_hops: 0,
        trusted_networks: null(),
        trusted_network_count: 0,
        forwarding_field: null(),
        forwarding_field_length: 0,
        ipv6_prefix: 64,
    }
}

fn limit(policy: &ratelimit_policy, decision: *const ratelimit_decision) -> ratelimit_http_limit {
    ratelimit_http_limit {
        size: size_of::<ratelimit_http_limit>(),
        policies: policy,
        policy_count: 1,
        names: null(),
        name_count: 0,
        fields: 0,
        saturated_status: 429,
        decision,
    }
}

const POLICY: ratelimit_policy = ratelimit_policy { algorithm: 1, limit: 5, window_ms: 1000, refill: 0 };

/// Finds a client; gives its key and whether a field was passed over.
fn client(options: *const ratelimit_http_client_options, lines: &[ratelimit_part]) -> Result<(String, bool), String> {
    let (mut buffer, mut length, mut untrusted) = ([b'#'; 64], usize::MAX, false);
    let (peer, room) = (part("10.0.0.1:80"), (&raw mut buffer).cast());
    // Safe because each pointer is to what it says.
    let status = unsafe {
        ratelimit_http_client(options, &peer, lines.as_ptr(), lines.len(), room, 64, &mut length, &mut untrusted)
    };
    if status == RATELIMIT_OK {
        assert_eq!(buffer[length], 0);
        return Ok((String::from_utf8_lossy(&buffer[..length]).into_owned(), untrusted));
    }
    assert!(length == usize::MAX && buffer == [b'#'; 64], "an answer was written over");
    Err(format!("{status:?} {}", field()))
}

#[test]
fn a_client_is_found_without_options_and_with_them() {
    let lines = [part("6.6.6.6, 203.0.113.9"), part("10.0.0.2")];
    assert_eq!(client(null(), &lines), Ok(("10.0.0.1".to_owned(), true)));
    assert_eq!(client(null(), &[]), Ok(("10.0.0.1".to_owned(), false)));
    let hops = ratelimit_http_client_options { trusted_hops: 2, ..options() };
    assert_eq!(client(&hops, &lines), Ok(("203.0.113.9".to_owned(), false)));
    let networks = [part("10.0.0.0/8")];
    let by_network =
        ratelimit_http_client_options { trusted_networks: networks.as_ptr(), trusted_network_count: 1, ..options() };
    assert_eq!(client(&by_network, &lines), Ok(("203.0.113.9".to_owned(), false)));
    let both = ratelimit_http_client_options { trusted_hops: 1, ..by_network };
    assert_eq!(client(&both, &lines), Err("RATELIMIT_MALFORMED trusted_proxies".to_owned()));
}

#[test]
fn options_and_limits_of_another_size_are_refused() {
    for size in [0, 8, size_of::<ratelimit_http_client_options>() + 8] {
        let other = ratelimit_http_client_options { size, ..options() };
        assert_eq!(client(&other, &[]), Err("RATELIMIT_CONFIG_SIZE options.size".to_owned()));
        let other = ratelimit_http_limit { size, ..limit(&POLICY, &DECIDED) };
        let mut length = 7;
        // Safe because each pointer is to what it says.
        let status = unsafe { ratelimit_http_fields(&other, 1, null_mut(), 0, &mut length) };
        assert_eq!((status, field(), length), (RATELIMIT_CONFIG_SIZE, "limit.size", 7));
        assert!(message().ends_with("the size of a ratelimit_http_limit"), "{}", message());
    }
}

#[test]
fn each_pointer_that_is_null_and_each_number_that_names_nothing_is_named() {
    let no_bytes = ratelimit_part { bytes: null(), length: 1 };
    let right = limit(&POLICY, &DECIDED);
    let odd = ratelimit_decision { kind: 9, ..DECIDED };
    let beyond = ratelimit_decision { policy: 4, ..DECIDED };
    let (mut length, mut status, mut kind, mut back) = (0, 0, null(), false);
    let (length, status, kind, back) = (&raw mut length, &raw mut status, &raw mut kind, &raw mut back);
    let none = null_mut();
    let fields = |limit: ratelimit_http_limit| {
        // Safe because each pointer is NULL or to what it says.
        assert_ne!(unsafe { ratelimit_http_fields(&limit, 1, null_mut(), 0, length) }, RATELIMIT_OK);
        field()
    };
    assert_eq!(fields(ratelimit_http_limit { policies: null(), ..right }), "limit.policies");
    assert_eq!(fields(ratelimit_http_limit { name_count: 1, ..right }), "limit.names");
    assert_eq!(fields(ratelimit_http_limit { names: &no_bytes, name_count: 1, ..right }), "part.bytes");
    assert_eq!(fields(ratelimit_http_limit { decision: null(), ..right }), "limit.decision");
    assert_eq!(fields(ratelimit_http_limit { decision: &odd, ..right }), "decision.kind");
    assert_eq!(fields(ratelimit_http_limit { decision: &beyond, ..right }), "decision.policy");
    assert_eq!(fields(ratelimit_http_limit { fields: 3, ..right }), "limit.fields");
    assert_eq!(fields(ratelimit_http_limit { policy_count: 0, ..right }), "policies");
    let named = |call: &dyn Fn() -> ratelimit_status, name: &str| {
        assert_eq!((call(), field()), (RATELIMIT_NULL_POINTER, name));
    };
    // Safe because each pointer is NULL or to what it says.
    unsafe {
        let no_flag = null_mut();
        named(&|| ratelimit_http_client(null(), null(), null(), 1, none, 0, length, no_flag), "lines");
        named(&|| ratelimit_http_client(null(), &no_bytes, null(), 0, none, 0, length, no_flag), "peer.bytes");
        named(&|| ratelimit_http_header_key(null(), 1, none.cast(), 0, length), "lines");
        named(&|| ratelimit_http_header_key(null(), 0, none.cast(), 0, null_mut()), "length");
        named(&|| ratelimit_http_header_key(null(), 0, none.cast(), 1, length), "buffer");
        named(&|| ratelimit_http_fields(null(), 1, none, 0, length), "limits");
        named(&|| ratelimit_http_refusal(&right, null(), 1, status, kind, none, 0, length), "accept");
        named(&|| ratelimit_http_refusal(&right, null(), 0, null_mut(), kind, none, 0, length), "status");
        named(&|| ratelimit_http_refusal(&right, null(), 0, status, null_mut(), none, 0, length), "content_type");
        named(&|| ratelimit_http_refunds(null(), 1, 200, back), "ranges");
        named(&|| ratelimit_http_refunds(null(), 0, 200, null_mut()), "refunds");
    }
}

#[test]
fn names_and_networks_that_are_no_text_are_refused_as_what_they_are() {
    let bytes = [b'a', 0xff];
    let name = ratelimit_part { bytes: bytes.as_ptr().cast(), length: 2 };
    let limit = ratelimit_http_limit { names: &name, name_count: 1, ..limit(&POLICY, &DECIDED) };
    // Safe because each pointer is to what it says.
    let status = unsafe { ratelimit_http_fields(&limit, 1, null_mut(), 0, null_mut()) };
    assert_eq!((status, field()), (RATELIMIT_MALFORMED, "names"));
    let networks = ratelimit_http_client_options { trusted_networks: &name, trusted_network_count: 1, ..options() };
    assert_eq!(client(&networks, &[]), Err("RATELIMIT_MALFORMED trusted_proxies".to_owned()));
    let field_name = ratelimit_http_client_options {
        forwarding_field: bytes.as_ptr().cast(),
        forwarding_field_length: 2,
        ..options()
    };
    assert_eq!(client(&field_name, &[]), Err("RATELIMIT_MALFORMED forwarding_field".to_owned()));
}

#[test]
fn nothing_is_read_behind_a_size_that_is_too_small() {
    // A page that ends right behind the size would show it too; valgrind and the sanitizers see it here.
    let size = Box::new(8_usize);
    let limit = (&raw const *size).cast();
    let (mut status, mut kind) = (7, null());
    let none = null_mut();
    // Safe because of a struct of 8 bytes only those are read.
    let answers = unsafe {
        [
            ratelimit_http_fields(limit, 1, none, 0, null_mut()),
            ratelimit_http_refusal(limit, null(), 0, &mut status, &mut kind, none, 0, null_mut()),
            ratelimit_http_client(limit.cast(), null(), null(), 0, none, 0, null_mut(), null_mut()),
        ]
    };
    assert_eq!(answers, [RATELIMIT_CONFIG_SIZE; 3]);
    let known = size_of::<ratelimit_http_client_options>();
    assert_eq!(message(), format!("options.size is 8, must be {known}, the size of a ratelimit_http_client_options"));
}
