//! Rate limiting decisions.
#![cfg_attr(not(feature = "std"), no_std)]
