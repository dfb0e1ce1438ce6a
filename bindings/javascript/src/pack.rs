//! Several runs of bytes in one: first the length of each in four bytes, as this machine orders them, then all of them.

use crate::failure::Failure;

const BROKEN: Failure = Failure::Bug("the lengths of a list do not fit its bytes");

/// Cuts a list of `count` runs into them.
pub(crate) fn unpack(bytes: &[u8], count: usize) -> Result<impl Iterator<Item = &[u8]>, Failure> {
    let (lengths, mut rest) = count.checked_mul(4).and_then(|end| bytes.split_at_checked(end)).ok_or(BROKEN)?;
    let (lengths, _) = lengths.as_chunks::<4>();
    let length = |bytes: &[u8; 4]| usize::try_from(u32::from_ne_bytes(*bytes)).unwrap_or(usize::MAX);
    let whole = lengths.iter().try_fold(0_usize, |sum, bytes| sum.checked_add(length(bytes)));
    if whole != Some(rest.len()) {
        return Err(BROKEN);
    }
    Ok(lengths.iter().map(move |bytes| {
        let (run, behind) = rest.split_at_checked(length(bytes)).unwrap_or_default();
        rest = behind;
        run
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn a_list_is_cut_by_its_lengths_and_refused_where_they_do_not_fit() {
        let list = [&2_u32.to_ne_bytes()[..], &0_u32.to_ne_bytes(), &1_u32.to_ne_bytes(), b"abc"].concat();
        let runs = |bytes: &[u8], count| unpack(bytes, count).map(|runs| runs.map(<[u8]>::to_vec).collect::<Vec<_>>());
        assert_eq!(runs(&list, 3).ok(), Some(alloc::vec![b"ab".to_vec(), b"".to_vec(), b"c".to_vec()]));
        assert_eq!(runs(b"", 0).ok(), Some(Vec::new()));
        for (bytes, count) in [(&list[..], 2), (&list[..], 4), (&list[..14], 3), (&list[..], usize::MAX)] {
            assert!(runs(bytes, count).is_err(), "{count} of {bytes:?}");
        }
    }
}
