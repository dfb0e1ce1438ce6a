//! The layer before real servers, over sockets.

mod keys;
mod limits;
mod nesting;
mod outcomes;
mod servers;
mod streams;
mod world;
