//! Numbered things, and tables of them: an id is the place of an entry.

use std::fmt::{self, Debug};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// The number of a thing, in the order in which things of its kind were made.
pub trait Id: Copy + Debug {
    /// The id with a number.
    fn from_number(number: u32) -> Self;

    /// Its number.
    fn number(self) -> u32;

    /// The id of the next entry of a list.
    ///
    /// # Panics
    /// If the list has 2³² entries. The text of a kernel has fewer bytes, and the work on it is bounded.
    fn next<T>(entries: &[T]) -> Self {
        let number = u32::try_from(entries.len());
        Self::from_number(number.unwrap_or_else(|_| unreachable!("a list of 2^32 entries")))
    }
}

/// Makes tuple structs of a `u32` ids.
macro_rules! ids {
    ($($id:ty),*) => {
        $(impl $crate::table::Id for $id {
            fn from_number(number: u32) -> Self {
                Self(number)
            }

            fn number(self) -> u32 {
                self.0
            }
        })*
    };
}
pub(crate) use ids;

/// Entries by their ids. Only the table gives ids of its entries, so every id that it gave has an entry.
#[derive(Clone, PartialEq)]
pub struct Table<I, T> {
    entries: Vec<T>,
    id: PhantomData<I>,
}

impl<I: Id, T> Table<I, T> {
    /// Adds an entry.
    pub fn push(&mut self, entry: T) -> I {
        let id = I::next(&self.entries);
        self.entries.push(entry);
        id
    }

    /// Removes the entry that was added last.
    pub fn pop(&mut self) -> Option<T> {
        self.entries.pop()
    }

    /// The entry of an id; `None` for an id of another table.
    pub fn get(&self, id: I) -> Option<&T> {
        self.entries.get(id.number() as usize)
    }

    /// The entry of an id, to be changed; `None` for an id of another table.
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.entries.get_mut(id.number() as usize)
    }

    /// The entries with their ids, ascending.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.entries.iter().enumerate().map(|(number, entry)| (I::from_number(number as u32), entry))
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The ids of the entries that there are now, ascending.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..I::next(&self.entries).number()).map(I::from_number)
    }
}

impl<I, T> Table<I, T> {
    /// The entries, in the order of their ids.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.entries.iter()
    }

    /// The entries, to be changed, in the order of their ids.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.entries.iter_mut()
    }

    /// The entries, in the order of their ids.
    pub fn as_slice(&self) -> &[T] {
        &self.entries
    }
}

impl<I, T: Debug> Debug for Table<I, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(&self.entries).finish()
    }
}

impl<'t, I, T> IntoIterator for &'t Table<I, T> {
    type Item = &'t T;
    type IntoIter = std::slice::Iter<'t, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<I, T> IntoIterator for Table<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

impl<I, T> Default for Table<I, T> {
    fn default() -> Self {
        Table { entries: Vec::new(), id: PhantomData }
    }
}

impl<I: Id, T> FromIterator<T> for Table<I, T> {
    fn from_iter<E: IntoIterator<Item = T>>(entries: E) -> Self {
        Table { entries: entries.into_iter().collect(), id: PhantomData }
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;

    fn index(&self, id: I) -> &T {
        &self.entries[id.number() as usize]
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.entries[id.number() as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::ValueId;

    #[test]
    fn an_entry_has_the_id_that_the_table_gave_it() {
        let mut table: Table<ValueId, &str> = Table::default();
        let (first, second) = (table.push("first"), table.push("second"));
        assert_eq!((table[first], table[second], table.len()), ("first", "second", 2));
        assert_eq!(table.ids().collect::<Vec<ValueId>>(), [first, second]);
        table[first] = "changed";
        assert_eq!(table.get(first), Some(&"changed"));
        assert_eq!((table.pop(), table.get(second)), (Some("second"), None));
    }
}
