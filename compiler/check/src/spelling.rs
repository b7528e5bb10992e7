//! Spelling suggestions.

/// The longest words that are compared. Longer ones are rarely mistyped, and a comparison takes time proportional to
/// the product of both lengths.
const LONGEST_COMPARED: usize = 64;

/// The candidate that is nearest to `word`, if it is near enough to be a misspelling.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST_COMPARED {
        return None;
    }
    let most = |candidate: &str| word.len().max(candidate.len()) / 3;
    let letters = letters(word);
    candidates
        .into_iter()
        // The distance is at least the difference of the lengths.
        .filter(|candidate| word.len().abs_diff(candidate.len()) <= most(candidate))
        .filter(|candidate| least_distance(letters, self::letters(candidate)) <= most(candidate))
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= most(candidate))
        .min()
        .map(|(_, candidate)| candidate)
}

/// The set of a word's letters, as a bit for each; letters may share a bit.
fn letters(word: &str) -> u64 {
    word.chars().fold(0, |letters, letter| letters | 1 << (u32::from(letter) % u64::BITS))
}

/// The least distance of words with these letters: each letter that only one of them has takes an edit, and an edit
/// replaces one letter at most.
fn least_distance(one: u64, other: u64) -> usize {
    (one & !other).count_ones().max((other & !one).count_ones()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_only_where_it_is_near() {
        assert_eq!(nearest("shpae", ["shape", "map"]), Some("shape"));
        assert_eq!(nearest("zzz", ["shape", "map"]), None);
    }

    #[test]
    fn the_letters_of_two_words_bound_their_distance() {
        let words = ["", "row_major", "rwo_major", "major", "block", "blöck", "klcob", "aaaa", "warp", "warps", "Warp"];
        for one in words {
            for other in words {
                let least = least_distance(letters(one), letters(other));
                assert!(least <= strsim::damerau_levenshtein(one, other), "{one} and {other}: {least}");
            }
        }
    }
}
