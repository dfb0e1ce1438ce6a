//! Limits over HTTP, for middlewares: what they are told and hand over are lists of texts, and a decision's numbers.

use crate::decision;
use crate::failure::Failure;
use crate::number::{index, shown, whole};
use crate::pack;
use crate::shelf::Shelf;
use crate::slots::{COST, COUNT, DECISION_LENGTH, LIMITER, LIST, NOW, Slots};
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use ratelimit_core::http::{
    Address, Asked, ByIp, ClientOptions, Outcome, Refusal, Statuses, Terms, TermsOptions, TrustedProxies, each_field,
    header_key,
};
use ratelimit_core::{Decision, Field, Policy};

/// Numbers of a limit in the list: that of its terms, and its decision's.
const LIMIT_LENGTH: usize = 1 + DECISION_LENGTH;
/// In place of a status: that there was none, and that a limit further in refused.
const NO_STATUS: f64 = 0.0;
const REFUSED_WITHIN: f64 = -1.0;

/// Holds what was made of options, by number.
#[derive(Debug, Default)]
pub(crate) struct Http {
    clients: Shelf<Box<ByIp>>,
    terms: Shelf<Box<Terms>>,
}

impl Http {
    pub(crate) const fn new() -> Http {
        Http { clients: Shelf::new(), terms: Shelf::new() }
    }

    /// Makes what finds clients. The bytes list the trusted networks and the forwarding field; the cost is the hops
    /// that are trusted, not a number if it is the networks; the time is the prefix of IPv6.
    pub(crate) fn make_client(&mut self, bytes: &[u8], slots: &Slots) -> Result<f64, Box<Failure>> {
        let mut texts = texts(bytes, slots)?;
        let forwarding_field = texts.pop().unwrap_or_default();
        let trusted_proxies = if slots[COST].is_nan() {
            TrustedProxies::Networks(texts)
        } else {
            TrustedProxies::Hops(whole(Field::TrustedProxies, slots[COST])?)
        };
        let ipv6_prefix = whole(Field::Ipv6Prefix, slots[NOW])?;
        let options = ClientOptions { trusted_proxies, forwarding_field, ipv6_prefix };
        Ok(shown(self.clients.keep(Box::new(ByIp::new(&options)?)) as u64))
    }

    /// Says the key of a client, and whether a field was passed over since its peer is not trusted. The bytes list the
    /// peer, empty if there is none, and the lines of the forwarding field.
    pub(crate) fn client(&self, bytes: &[u8], slots: &Slots, said: &mut String) -> Result<f64, Box<Failure>> {
        let by_ip = self.clients.get(index(slots[LIMITER])).ok_or_else(Failure::disposed)?;
        let lines = pack::list(bytes, slots)?;
        let (peer, lines) = lines.split_first().ok_or_else(|| Failure::bug("a client has no peer"))?;
        let client = by_ip.client(Address::parse(peer), lines);
        said.push_str(client.key.as_str());
        Ok(f64::from(u8::from(client.untrusted_field)))
    }

    /// Makes the terms of a limiter. The bytes list the names of its policies and the style of the fields; the time is
    /// the status of a saturated request.
    pub(crate) fn make_terms(&mut self, policies: &[Policy], bytes: &[u8], slots: &Slots) -> Result<f64, Box<Failure>> {
        let mut names = texts(bytes, slots)?;
        let fields = names.pop().unwrap_or_default().parse()?;
        let saturated_status = whole(Field::SaturatedStatus, slots[NOW])?;
        let terms = Terms::new(policies, &TermsOptions { names, fields, saturated_status })?;
        Ok(shown(self.terms.keep(Box::new(terms)) as u64))
    }

    /// Writes the fields of a response, a name and a value in turn, each on a line. The list holds the limits that were
    /// asked, as many as the count says.
    pub(crate) fn fields(&self, slots: &Slots, said: &mut String) -> Result<f64, Box<Failure>> {
        let mut limits: Vec<(&Terms, Decision)> = Vec::new();
        for limit in slots[LIST..].chunks_exact(LIMIT_LENGTH).take(index(slots[COUNT])) {
            limits.push((self.terms(limit[0])?, decision(&limit[1..])?));
        }
        let asked: Vec<Asked<'_>> = limits.iter().map(|(terms, decision)| Asked::new(terms, decision)).collect();
        each_field(&asked, |name, value| {
            let value = core::str::from_utf8(&value).unwrap_or_default();
            [name, "\n", value, "\n"].iter().for_each(|part| said.push_str(part));
        });
        Ok(0.0)
    }

    /// Writes the content type and, on the lines after it, the body of a refusal, and returns its status; 0 if the
    /// request was allowed. The list holds the limit, of terms 0 if the request has no key; the bytes list the lines of
    /// Accept.
    pub(crate) fn refusal(&self, bytes: &[u8], slots: &Slots, said: &mut String) -> Result<f64, Box<Failure>> {
        let accept = pack::list(bytes, slots)?;
        let refusal = if slots[LIST] == 0.0 {
            Some(Refusal::missing_key(&accept))
        } else {
            self.terms(slots[LIST])?.refusal(&decision(&slots[LIST + 1..])?, &accept)
        };
        let Some(Refusal { status, content_type, body }) = refusal else { return Ok(0.0) };
        [content_type, "\n", &*body].iter().for_each(|part| said.push_str(part));
        Ok(status.into())
    }

    /// Tells whether what was taken is given back. The list holds ranges of statuses, as many as the count says; the
    /// cost is the status.
    pub(crate) fn refunds(slots: &Slots) -> Result<f64, Box<Failure>> {
        let mut ranges = Vec::new();
        for [first, last] in slots[LIST..].as_chunks::<2>().0.iter().take(index(slots[COUNT])) {
            ranges.push([whole(Field::RefundIf, *first)?, whole(Field::RefundIf, *last)?]);
        }
        let statuses = Statuses::new(&ranges)?;
        let outcome = match slots[COST] {
            NO_STATUS => Outcome::None,
            REFUSED_WITHIN => Outcome::RefusedWithin,
            status => u16::try_from(index(status)).map_or(Outcome::None, Outcome::Status),
        };
        Ok(f64::from(u8::from(statuses.refunds(outcome))))
    }

    /// Ends terms, or what finds clients if the cost is 1.
    pub(crate) fn free(&mut self, slots: &Slots) -> f64 {
        let number = index(slots[LIMITER]);
        let held = if slots[COST] == 1.0 { self.clients.free(number) } else { self.terms.free(number) };
        f64::from(u8::from(held))
    }

    fn terms(&self, number: f64) -> Result<&Terms, Box<Failure>> {
        self.terms.get(index(number)).map(|terms| &**terms).ok_or_else(Failure::disposed)
    }
}

/// Writes the key that the lines of a header are; says whether there is one.
pub(crate) fn header(bytes: &[u8], slots: &Slots, said: &mut String) -> Result<f64, Box<Failure>> {
    let lines = pack::list(bytes, slots)?;
    let Some(key) = header_key(&lines) else { return Ok(0.0) };
    said.push_str(&text(&key));
    Ok(1.0)
}

fn decision(numbers: &[f64]) -> Result<Decision, Box<Failure>> {
    decision::read(numbers.first_chunk().ok_or_else(|| Failure::bug("a decision is cut short"))?)
}

fn texts(bytes: &[u8], slots: &Slots) -> Result<Vec<String>, Box<Failure>> {
    Ok(pack::list(bytes, slots)?.into_iter().map(text).collect())
}

/// Reads text, which JavaScript's always is.
fn text(bytes: &[u8]) -> String {
    core::str::from_utf8(bytes).unwrap_or_default().to_owned()
}
