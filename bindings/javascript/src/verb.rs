//! What can be asked. `node/src/engine.ts` counts the verbs alike.

/// Names what a call asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Decides for the key in the bytes, and takes.
    Check,
    /// Decides for the key in the bytes.
    Peek,
    /// Says the largest cost that would be allowed to the key in the bytes.
    Remaining,
    /// Gives back what a decision took from the key in the bytes.
    Refund,
    /// Forgets the key in the bytes.
    Reset,
    /// Checks each of the keys in the bytes.
    CheckMany,
    /// Removes rows that owe nothing.
    Sweep,
    /// Counts rows.
    Size,
    /// Counts decisions by kind.
    Stats,
    /// Forgets every key.
    Clear,
    /// Makes a limiter of the policies in the list.
    Make,
    /// Makes a limiter of the policies that the bytes say in text.
    MakeFromText,
    /// Writes a limiter's policies into the list.
    Policies,
    /// Says a limiter's cap.
    MaxIdentities,
    /// Ends a limiter.
    Free,
    /// Reads the system's clock.
    Now,
    /// Gives a limiter a number by which other threads can open it.
    Share,
    /// Opens a limiter that was shared.
    Open,
    /// Says a limiter's policies as text.
    Text,
    /// Makes what finds the client of a request.
    MakeClient,
    /// Finds the client of a request.
    Client,
    /// Reads a key from the lines of a header.
    Header,
    /// Makes the terms on which a limiter stands before a server.
    MakeTerms,
    /// Writes the fields of a response.
    Fields,
    /// Writes what a refused request is answered with.
    Refusal,
    /// Tells whether a response gives back what its request took.
    Refunds,
    /// Ends terms, or what finds clients.
    FreeHttp,
    /// Fails as a field does whose value, shown in the bytes, is no integer, or one that no field holds.
    Refuse,
}

impl Verb {
    /// Lists the verbs in the order in which JavaScript counts them.
    pub const ALL: [Verb; 28] = [
        Verb::Check,
        Verb::Peek,
        Verb::Remaining,
        Verb::Refund,
        Verb::Reset,
        Verb::CheckMany,
        Verb::Sweep,
        Verb::Size,
        Verb::Stats,
        Verb::Clear,
        Verb::Make,
        Verb::MakeFromText,
        Verb::Policies,
        Verb::MaxIdentities,
        Verb::Free,
        Verb::Now,
        Verb::Share,
        Verb::Open,
        Verb::Refuse,
        Verb::Text,
        Verb::MakeClient,
        Verb::Client,
        Verb::Header,
        Verb::MakeTerms,
        Verb::Fields,
        Verb::Refusal,
        Verb::Refunds,
        Verb::FreeHttp,
    ];
}
