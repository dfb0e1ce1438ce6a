//! Several runs of bytes in one: first the length of each in four bytes, as this machine orders them, then all of them.

use crate::failure::Failure;
use crate::number::index;
use crate::slots::{COUNT, Slots};
use alloc::boxed::Box;
use alloc::vec::Vec;

#[cold]
fn broken() -> Box<Failure> {
    Failure::bug("the lengths of a list do not fit its bytes")
}

/// Cuts a list of `count` runs into them.
#[inline(never)]
pub(crate) fn unpack(bytes: &[u8], count: usize) -> Result<Vec<&[u8]>, Box<Failure>> {
    let (lengths, mut rest) = count.checked_mul(4).and_then(|end| bytes.split_at_checked(end)).ok_or_else(broken)?;
    let mut runs = Vec::with_capacity(count);
    for length in lengths.as_chunks::<4>().0 {
        let length = usize::try_from(u32::from_ne_bytes(*length)).unwrap_or(usize::MAX);
        let (run, behind) = rest.split_at_checked(length).ok_or_else(broken)?;
        runs.push(run);
        rest = behind;
    }
    if rest.is_empty() { Ok(runs) } else { Err(broken()) }
}

/// Reads the list that the bytes of a call are.
pub(crate) fn list<'a>(bytes: &'a [u8], slots: &Slots) -> Result<Vec<&'a [u8]>, Box<Failure>> {
    unpack(bytes, index(slots[COUNT]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_cut_by_its_lengths_and_refused_where_they_do_not_fit() {
        let list = [&2_u32.to_ne_bytes()[..], &0_u32.to_ne_bytes(), &1_u32.to_ne_bytes(), b"abc"].concat();
        let runs = |bytes: &[u8], count| {
            unpack(bytes, count).map(|runs| runs.into_iter().map(<[u8]>::to_vec).collect::<Vec<_>>())
        };
        assert_eq!(runs(&list, 3).ok(), Some(alloc::vec![b"ab".to_vec(), b"".to_vec(), b"c".to_vec()]));
        assert_eq!(runs(b"", 0).ok(), Some(Vec::new()));
        for (bytes, count) in [(&list[..], 2), (&list[..], 4), (&list[..14], 3), (&list[..], usize::MAX)] {
            assert!(runs(bytes, count).is_err(), "{count} of {bytes:?}");
        }
    }
}
