//! What JavaScript holds by number.

use alloc::vec::Vec;

/// Keeps things by number. 0 is nobody's: it is what JavaScript holds when a thing is ended.
#[derive(Debug)]
pub(crate) struct Shelf<T> {
    things: Vec<Option<T>>,
    vacant: Vec<usize>,
}

impl<T> Shelf<T> {
    pub(crate) const fn new() -> Shelf<T> {
        Shelf { things: Vec::new(), vacant: Vec::new() }
    }

    #[inline(always)]
    pub(crate) fn get(&self, number: usize) -> Option<&T> {
        self.things.get(number).and_then(Option::as_ref)
    }

    /// Takes a thing in and returns its number.
    pub(crate) fn keep(&mut self, thing: T) -> usize {
        let number = self.vacant.pop().unwrap_or_else(|| {
            if self.things.is_empty() {
                self.things.push(None);
            }
            self.things.push(None);
            self.things.len() - 1
        });
        self.things[number] = Some(thing);
        number
    }

    /// Ends a thing; says whether it was there.
    pub(crate) fn free(&mut self, number: usize) -> bool {
        let held = self.things.get_mut(number).and_then(Option::take);
        if held.is_some() {
            self.vacant.push(number);
        }
        held.is_some()
    }
}

impl<T> Default for Shelf<T> {
    fn default() -> Shelf<T> {
        Shelf::new()
    }
}
