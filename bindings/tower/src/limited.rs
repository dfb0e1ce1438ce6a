//! A limiter and the terms on which it stands before a server.

use ratelimit_core::http::{Asked, FieldStyle, Terms, TermsOptions, fields};
use ratelimit_core::{Decision, Error, Limiter};
use std::fmt;
use std::sync::Arc;

/// Holds a limiter and its terms. Clones are the same limiter.
#[derive(Clone)]
pub struct Limited(Arc<Inside>);

struct Inside {
    limiter: Arc<Limiter>,
    terms: Terms,
    /// What `RateLimit-Policy` says where this is the one limit; none if no fields are sent.
    policies: Option<String>,
    has_older_fields: bool,
}

impl Limited {
    /// Puts a limiter on terms: the names of its policies, the fields that are sent.
    ///
    /// # Errors
    /// If a name or the status of a saturated request is not one; the error names it.
    ///
    /// ```
    /// use ratelimit_core::Limiter;
    /// use ratelimit_core::http::TermsOptions;
    /// use ratelimit_tower::Limited;
    ///
    /// let limiter: Limiter = "5/second; 1000/day".parse()?;
    /// let names = vec!["burst".to_owned(), "daily".to_owned()];
    /// let limited = Limited::new(limiter, &TermsOptions { names, ..TermsOptions::default() })?;
    /// assert!(limited.limiter().is_empty());
    /// # Ok::<(), ratelimit_core::Error>(())
    /// ```
    pub fn new(limiter: impl Into<Arc<Limiter>>, options: &TermsOptions) -> Result<Limited, Error> {
        let limiter = limiter.into();
        let terms = Terms::new(limiter.policies(), options)?;
        let any = Decision::default();
        let first = fields(&[Asked::new(&terms, &any)]).into_iter().find(|(name, _)| *name == "ratelimit-policy");
        let policies = first.map(|(_, value)| value.into_owned());
        let has_older_fields = options.fields == FieldStyle::Legacy;
        Ok(Limited(Arc::new(Inside { limiter, terms, policies, has_older_fields })))
    }

    /// Returns the limiter, to look at or to refund.
    #[must_use]
    pub fn limiter(&self) -> &Limiter {
        &self.0.limiter
    }

    /// Returns the terms.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.0.terms
    }

    pub(crate) fn policies(&self) -> Option<&str> {
        self.0.policies.as_deref()
    }

    pub(crate) fn has_older_fields(&self) -> bool {
        self.0.has_older_fields
    }
}

impl fmt::Debug for Limited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Limited").field(&self.0.limiter).finish()
    }
}
