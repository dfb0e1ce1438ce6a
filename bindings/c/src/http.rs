//! Limits over HTTP.

use crate::client::{client_options, ratelimit_http_client_options};
use crate::decision::ratelimit_decision;
use crate::failure::{Failure, guarded};
use crate::key::ratelimit_part;
use crate::memory::{self, Answer, Items, Room};
use crate::policy::{policies, ratelimit_policy};
use crate::status::ratelimit_status;
use core::ffi::{CStr, c_char};
use ratelimit_core::Decision;
use ratelimit_core::http::{
    Address, Asked, ByIp, FieldStyle, Outcome, Refusal, Statuses, Terms, TermsOptions, fields, header_key,
};

/// Says which fields are sent with a response.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ratelimit_http_style {
    /// RateLimit-Policy and RateLimit, as the draft of the IETF has them.
    RATELIMIT_HTTP_STANDARD = 0,
    /// Those, and X-RateLimit-Limit, -Remaining and -Reset.
    RATELIMIT_HTTP_LEGACY = 1,
    /// None; a refusal still says when to come back.
    RATELIMIT_HTTP_OFF = 2,
}

/// Says what a limiter decided of a request, and on which terms it stands before the server. Start from
/// RATELIMIT_HTTP_LIMIT_INIT, which lacks policies and decision.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ratelimit_http_limit {
    /// sizeof(ratelimit_http_limit).
    pub size: usize,
    /// The limiter's policies.
    pub policies: *const ratelimit_policy,
    /// How many: 1 to RATELIMIT_MAX_POLICIES.
    pub policy_count: usize,
    /// The policies' names, printable ASCII, no two alike; NULL for "default", or in a stack "default-0", "default-1".
    pub names: *const ratelimit_part,
    /// How many: as many as policies, or 0.
    pub name_count: usize,
    /// A ratelimit_http_style.
    pub fields: i32,
    /// What a saturated request is answered with: 429 or 503.
    pub saturated_status: u32,
    /// What the limiter decided.
    pub decision: *const ratelimit_decision,
}

/// Is a range of statuses, both ends within, 100 to 999.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ratelimit_http_statuses {
    /// The least.
    pub first: u32,
    /// The greatest.
    pub last: u32,
}

/// In place of a status, says that a limit further in refused the request.
pub const RATELIMIT_HTTP_REFUSED_WITHIN: u32 = u32::MAX;

/// Finds the client of a request, and writes the key that stands for it: an IPv4 address, or the network of an IPv6
/// address, "2001:db8:1:2::/64". Use the text as a ratelimit_key of kind RATELIMIT_KEY_PLAIN.
///
/// There always is a key: where proxies are trusted, that of the rightmost address that is not; at an entry that is no
/// address, and when entries run out, that of the last one trusted; "unknown" if no address is known.
///
/// - `options`: NULL for RATELIMIT_HTTP_CLIENT_OPTIONS_INIT.
/// - `peer`: the peer's address as text, a port after it or not; NULL if there is none, as on a local socket.
/// - `lines`: `line_count` lines of the forwarding field, in their order; may be NULL if there are none.
/// - `buffer`: receives the key and a NUL, 48 bytes are always enough; NULL with a `capacity` of 0 to know the length.
/// - `length`: receives the key's length, without the NUL; may be NULL.
/// - `untrusted_field`: receives whether there were lines and they were passed over, for the peer is not trusted; worth
///   a line in the log, once; may be NULL.
///
/// Fails with RATELIMIT_OUT_OF_RANGE, RATELIMIT_MALFORMED (`trusted_proxies`, `forwarding_field`, `ipv6_prefix`),
/// RATELIMIT_CONFIG_SIZE, RATELIMIT_NULL_POINTER, RATELIMIT_TOO_LONG, RATELIMIT_BUFFER_TOO_SMALL.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_http_client(
    options: *const ratelimit_http_client_options,
    peer: *const ratelimit_part,
    lines: *const ratelimit_part,
    line_count: usize,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
    untrusted_field: *mut bool,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for options, a peer or NULL, so many lines, and so much room.
        let (options, peer, lines, room) = unsafe {
            let peer = if peer.is_null() { None } else { Some(part(memory::read(peer, "peer")?, PEER)?) };
            (client_options(options)?, peer, parts(lines, line_count, LINES)?, Room::new(buffer.cast(), capacity)?)
        };
        let client = ByIp::new(&options)?.client(peer.and_then(Address::parse), &lines);
        room.put_text(client.key.as_str())?;
        // Safe because the header asks for NULL or room.
        unsafe {
            memory::put_if_wanted(length, client.key.as_str().len());
            memory::put_if_wanted(untrusted_field, client.untrusted_field);
        }
        Ok(())
    })
}

/// Writes the key that a header is: its value without the spaces and tabs about it. Several lines are one value.
///
/// - `lines`: `line_count` lines of the header, in their order; may be NULL if there are none.
/// - `buffer`: receives the key's bytes, without a NUL; NULL with a `capacity` of 0 to know the length. All the lines'
///   lengths together and 2 more for each line are always enough.
/// - `length`: receives how many there are; 0 if the header is missing or empty: then the request has no key.
///
/// Fails with RATELIMIT_NULL_POINTER, RATELIMIT_TOO_LONG, RATELIMIT_BUFFER_TOO_SMALL.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_http_header_key(
    lines: *const ratelimit_part,
    line_count: usize,
    buffer: *mut core::ffi::c_void,
    capacity: usize,
    length: *mut usize,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for so many lines, so much room, and a length.
        let (lines, room, length) = unsafe {
            let room = Room::new(buffer.cast(), capacity)?;
            (parts(lines, line_count, LINES)?, room, Answer::new(length, "length")?)
        };
        let key = header_key(&lines).unwrap_or_default();
        room.put(&key)?;
        length.put(key.len());
        Ok(())
    })
}

/// Writes the fields of a response as lines, "ratelimit: \"default\";r=50;t=30\r\n", for the limits that its request
/// was held to; the same in every language.
///
/// A refusal's fields are among them: Retry-After if waiting helps, X-RateLimit-Saturated. Names are in small letters.
///
/// - `limits`: `count` of them, the outermost first; the last alone can have refused.
/// - `buffer`: receives the lines and a NUL; NULL with a `capacity` of 0 to know the length.
/// - `length`: receives the length of the lines, without the NUL; may be NULL.
///
/// Fails with RATELIMIT_MALFORMED (`names`, `saturated_status`), RATELIMIT_OUT_OF_RANGE, RATELIMIT_BUCKET_TOO_LARGE,
/// RATELIMIT_SLIDING_LOG_TOO_LONG, RATELIMIT_POLICY_COUNT, RATELIMIT_UNKNOWN_VALUE, RATELIMIT_CONFIG_SIZE;
/// RATELIMIT_NULL_POINTER, RATELIMIT_TOO_LONG, RATELIMIT_BUFFER_TOO_SMALL.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_http_fields(
    limits: *const ratelimit_http_limit,
    count: usize,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for so many limits, and so much room.
        let (limits, room) = unsafe {
            let limits = Items::new(limits, count, ["limits", "count"])?.places();
            let limits: Vec<_> = limits.map(|limit| read(limit)).collect::<Result<_, _>>()?;
            (limits, Room::new(buffer.cast(), capacity)?)
        };
        let asked: Vec<_> = limits.iter().map(|(terms, decision)| Asked::new(terms, decision)).collect();
        let mut text = String::new();
        for (name, value) in fields(&asked) {
            text.extend([name, ": ", &*value, "\r\n"]);
        }
        room.put_text(&text)?;
        // Safe because the header asks for NULL or a length.
        unsafe { memory::put_if_wanted(length, text.len()) }
        Ok(())
    })
}

/// Writes what a refused request is answered with, beside its fields: status, content type and body, the same in every
/// language.
///
/// - `limit`: the innermost limit that was asked; NULL for a request that is refused because it has no key.
/// - `accept`: `accept_count` lines of the request's Accept; may be NULL if there are none. A client that takes no JSON
///   gets plain text.
/// - `status`: receives the status; 0 if the request was allowed, and then the body is empty.
/// - `content_type`: receives the content type, which belongs to the library.
/// - `buffer`: receives the body and a NUL; NULL with a `capacity` of 0 to know the length.
/// - `length`: receives the body's length, without the NUL; may be NULL.
///
/// Fails as ratelimit_http_fields does.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_http_refusal(
    limit: *const ratelimit_http_limit,
    accept: *const ratelimit_part,
    accept_count: usize,
    status: *mut u32,
    content_type: *mut *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for a limit or NULL, so many lines, and room for the answers.
        let (limit, accept, room, answers) = unsafe {
            let limit = if limit.is_null() { None } else { Some(read(limit)?) };
            let accept = parts(accept, accept_count, ["accept", "accept_count"])?;
            let answers = (Answer::new(status, "status")?, Answer::new(content_type, "content_type")?);
            (limit, accept, Room::new(buffer.cast(), capacity)?, answers)
        };
        let refusal = match &limit {
            Some((terms, decision)) => terms.refusal(decision, &accept),
            None => Some(Refusal::missing_key(&accept)),
        };
        let (code, kind, body) = match &refusal {
            Some(refusal) => (refusal.status, content_type_text(refusal.content_type), refusal.body.as_str()),
            None => (0, c"", ""),
        };
        room.put_text(body)?;
        answers.0.put(code.into());
        answers.1.put(kind.as_ptr());
        // Safe because the header asks for NULL or a length.
        unsafe { memory::put_if_wanted(length, body.len()) }
        Ok(())
    })
}

/// Tells whether what a request took is given back once its outcome is known: for a status in one of the ranges, and
/// always if a limit further in refused it.
///
/// - `ranges`: `count` of them; may be NULL if there are none.
/// - `status`: that of the handler's own response; RATELIMIT_HTTP_REFUSED_WITHIN; or 0 if there was no response.
/// - `refunds`: receives the answer; ratelimit_refund gives back.
///
/// Fails with RATELIMIT_OUT_OF_RANGE, RATELIMIT_MALFORMED (`refund_if`), RATELIMIT_NULL_POINTER, RATELIMIT_TOO_LONG.
#[must_use]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ratelimit_http_refunds(
    ranges: *const ratelimit_http_statuses,
    count: usize,
    status: u32,
    refunds: *mut bool,
) -> ratelimit_status {
    guarded(|| {
        // Safe because the header asks for so many ranges.
        let ranges = unsafe { Items::new(ranges, count, ["ranges", "count"]) }?;
        // Safe because the header asks for room for an answer.
        let answer = unsafe { Answer::new(refunds, "refunds") }?;
        let ranges: Vec<_> = ranges.iter().map(|range| [range.first, range.last].map(u64::from)).collect();
        let outcome = match status {
            RATELIMIT_HTTP_REFUSED_WITHIN => Outcome::RefusedWithin,
            status => u16::try_from(status).map_or(Outcome::None, Outcome::Status),
        };
        answer.put(Statuses::new(&ranges)?.refunds(outcome));
        Ok(())
    })
}

const PEER: [&str; 2] = ["peer.bytes", "peer.length"];
const LINES: [&str; 2] = ["lines", "line_count"];

/// Borrows bytes that are given with their length.
///
/// # Safety
/// The part points at its bytes, which nobody changes while they are borrowed.
pub(crate) unsafe fn part<'a>(part: ratelimit_part, fields: [&'static str; 2]) -> Result<&'a [u8], Failure> {
    // Safe because the caller promises the same.
    unsafe { memory::bytes(part.bytes, part.length, fields) }
}

/// Borrows an array of them.
///
/// # Safety
/// A pointer that is not NULL points at `count` parts, and each at its bytes.
pub(crate) unsafe fn parts<'a>(
    first: *const ratelimit_part,
    count: usize,
    fields: [&'static str; 2],
) -> Result<Vec<&'a [u8]>, Failure> {
    // Safe because the caller promises so many, and that each points at its bytes.
    unsafe {
        let parts = Items::new(first, count, fields)?.iter();
        parts.map(|given| part(given, ["part.bytes", "part.length"])).collect()
    }
}

/// Reads a limit.
///
/// # Safety
/// A pointer that is not NULL points at `size` bytes, and that limit at what its fields say.
unsafe fn read(pointer: *const ratelimit_http_limit) -> Result<(Terms, Decision), Failure> {
    // Safe because the caller promises a limit of the size that it says, so many policies and names, and a decision.
    let (limit, policies, names, decision) = unsafe {
        let limit = memory::read_sized(pointer, ["limit", "limit.size"], "ratelimit_http_limit")?;
        let policies = policies(limit.policies, limit.policy_count, ["limit.policies", "limit.policy_count"])?;
        let names = parts(limit.names, limit.name_count, ["limit.names", "limit.name_count"])?;
        (limit, policies, names, memory::read(limit.decision, "limit.decision")?.to_core()?)
    };
    let fields = match limit.fields {
        0 => FieldStyle::Standard,
        1 => FieldStyle::Legacy,
        2 => FieldStyle::Off,
        value => {
            let known = "a ratelimit_http_style, 0 to 2";
            return Err(Failure::Unknown { field: "limit.fields", value: value.into(), known });
        }
    };
    let saturated_status = limit.saturated_status.into();
    // What is no UTF-8 becomes signs that no name may have.
    let names = names.into_iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
    Ok((Terms::new(&policies, &TermsOptions { names, fields, saturated_status })?, decision))
}

/// Returns core's content type as C has text; a test holds the two to each other.
fn content_type_text(text: &str) -> &'static CStr {
    match text {
        "application/problem+json" => c"application/problem+json",
        _ => c"text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_types_are_those_of_core() {
        for accept in [&[][..], &[b"text/html".as_slice()]] {
            let refusal = Refusal::missing_key(accept);
            assert_eq!(content_type_text(refusal.content_type).to_str(), Ok(refusal.content_type));
        }
    }
}
