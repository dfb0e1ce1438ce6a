//! Requests on their way from the log to the limits: read together, then put to each limit in turn.

/// Requests that are read before the limits decide on them.
const ROOM: usize = 4096;

/// One request as a limit sees it, and where in the logs it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request {
    key_end: usize,
    pub(crate) identity: usize,
    pub(crate) time_ms: u64,
    pub(crate) cost: u32,
    pub(crate) place: Place,
}

/// A line of one of the logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Index of the log.
    pub(crate) log: usize,
    /// Number of the line, from 1.
    pub(crate) line: u64,
}

/// A bounded run of requests with the bytes of their keys.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    keys: Vec<u8>,
    requests: Vec<Request>,
}

impl Batch {
    /// Says whether it should be put to the limits before another request is added.
    pub(crate) fn is_full(&self) -> bool {
        self.requests.len() >= ROOM
    }

    /// Returns where the next request's key is to be written.
    pub(crate) fn room(&mut self) -> &mut Vec<u8> {
        &mut self.keys
    }

    /// Returns the key that was written to [`room`](Batch::room) since the last request was added.
    pub(crate) fn new_key(&self) -> &[u8] {
        &self.keys[self.requests.last().map_or(0, |last| last.key_end)..]
    }

    /// Adds the request whose key was written.
    pub(crate) fn push(&mut self, identity: usize, time_ms: u64, cost: u32, place: Place) {
        self.requests.push(Request { key_end: self.keys.len(), identity, time_ms, cost, place });
    }

    /// Iterates over the requests and their keys in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[u8], &Request)> {
        let mut start = 0;
        self.requests.iter().map(move |request| {
            let key = &self.keys[start..request.key_end];
            start = request.key_end;
            (key, request)
        })
    }

    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.requests.clear();
    }
}
