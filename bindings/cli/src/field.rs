//! What a user may ask of a line: an address, a path, a user, or any field by its name.

/// One field of a line. An address or a path may be looked for under a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Field {
    /// The client's address, brought to one spelling.
    Ip(Option<String>),
    /// The request's path, without its query.
    Path(Option<String>),
    /// The user who was logged in.
    User,
    /// The field of that name, as it is.
    Named(String),
}
