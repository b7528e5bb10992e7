//! What somebody may have meant who wrote a word that nobody knows.

/// The word in `candidates` that is nearest to `word`, where one is near enough to be what was meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= word.len().max(candidate.len()) / 3)
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
