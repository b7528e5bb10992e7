//! Which known word may be meant by one that is not known.

/// Longer words are no slips of the finger for each other, and their distance takes the product of their lengths.
const LONGEST_COMPARED: usize = 64;

/// The word in `candidates` that is nearest to `word`, where one is near enough to be what was meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > LONGEST_COMPARED {
        return None;
    }
    let most = |candidate: &str| word.len().max(candidate.len()) / 3;
    candidates
        .into_iter()
        // The lengths alone are that far apart.
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
