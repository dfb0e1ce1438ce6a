//! Loads the vectors and drives a subject through them.
