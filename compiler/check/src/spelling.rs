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
    candidates
        .into_iter()
        // The distance is at least the difference of the lengths.
        .filter(|candidate| word.len().abs_diff(candidate.len()) <= most(candidate))
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= most(candidate))
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_suggested_only_where_it_is_near() {
        assert_eq!(nearest("shpae", ["shape", "map"]), Some("shape"));
        assert_eq!(nearest("zzz", ["shape", "map"]), None);
    }
}
