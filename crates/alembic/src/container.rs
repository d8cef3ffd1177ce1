//! Ogawa: groups of groups and data, by their places in the file.
//!
//! The file begins with `Ogawa`, a byte that is 0xff once it is whole, two bytes of
//! version and the place of the first group. A group is a count and so many places;
//! the highest bit of a place tells data from groups. Data is a size and so many
//! bytes. A place of zero is an empty group, one of the highest bit alone empty data.

use crate::Error;

/// The bit of a place that tells data from groups.
pub(crate) const DATA: u64 = 1 << 63;
/// Bytes of the file's own header.
pub(crate) const HEADER: usize = 16;

/// A group: where its children lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group<'a> {
    bytes: &'a [u8],
    /// Where its list of places begins, and how many there are.
    at: usize,
    count: usize,
}

pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    let all = bytes.get(at..at.checked_add(8)?)?;
    Some(u64::from_le_bytes(all.try_into().ok()?))
}

impl<'a> Group<'a> {
    /// The first group of a file.
    pub fn root(bytes: &'a [u8]) -> Result<Self, Error> {
        if !crate::is_ogawa(bytes) || bytes.len() < HEADER {
            return Err(Error::new(0, "it is no Ogawa archive"));
        }
        if bytes[5] != 0xff {
            return Err(Error::new(5, "it was never finished"));
        }
        let place = u64_at(bytes, 8).unwrap_or_default();
        Self::at(bytes, place)
    }

    fn at(bytes: &'a [u8], place: u64) -> Result<Self, Error> {
        let empty = Self {
            bytes,
            at: 0,
            count: 0,
        };
        if place == 0 {
            return Ok(empty);
        }
        let at = usize::try_from(place).unwrap_or(usize::MAX);
        let count = u64_at(bytes, at)
            .ok_or_else(|| Error::new(place, "a group lies beyond the end of the file"))?;
        let room = (bytes.len() - at - 8) / 8;
        if count > room as u64 {
            return Err(Error::new(
                place,
                format!("a group claims {count} members and there is room for {room}"),
            ));
        }
        Ok(Self {
            at: at + 8,
            count: count as usize,
            ..empty
        })
    }

    /// Number of its children.
    pub fn len(&self) -> usize {
        self.count
    }

    fn place(&self, index: usize) -> Result<u64, Error> {
        let place = (index < self.count).then(|| u64_at(self.bytes, self.at + 8 * index));
        place.flatten().ok_or_else(|| {
            let text = format!("member {index} of a group of {} is asked for", self.count);
            Error::new(self.at as u64, text)
        })
    }

    /// Whether a child is data.
    pub fn is_data(&self, index: usize) -> bool {
        self.place(index).is_ok_and(|place| place & DATA != 0)
    }

    /// A child that is a group.
    pub fn group(&self, index: usize) -> Result<Self, Error> {
        match self.place(index)? {
            place if place & DATA == 0 => Self::at(self.bytes, place),
            place => Err(Error::new(
                place & !DATA,
                "there is data where a group should be",
            )),
        }
    }

    /// A child that is data.
    pub fn data(&self, index: usize) -> Result<&'a [u8], Error> {
        let place = self.place(index)?;
        if place & DATA == 0 {
            return match place {
                0 => Ok(&[]),
                place => Err(Error::new(place, "there is a group where data should be")),
            };
        }
        let place = place & !DATA;
        if place == 0 {
            return Ok(&[]);
        }
        let beyond = || Error::new(place, "data lies beyond the end of the file");
        let at = usize::try_from(place).map_err(|_| beyond())?;
        let size = u64_at(self.bytes, at).ok_or_else(beyond)?;
        let end = usize::try_from(size)
            .ok()
            .and_then(|size| (at + 8).checked_add(size));
        let data = end.and_then(|end| self.bytes.get(at + 8..end));
        data.ok_or_else(|| {
            Error::new(
                place,
                format!("data claims {size} bytes, more than there are"),
            )
        })
    }

    /// Where the group lies, for messages.
    pub fn here(&self) -> u64 {
        self.at as u64
    }
}
