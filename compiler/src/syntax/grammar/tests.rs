use super::*;
use crate::syntax::items::split;
use crate::syntax::lexer::lex;

fn parses(source: &str) -> Vec<Parse> {
    split(source, &lex(source))
        .items
        .iter()
        .map(|item| parse_item(&item.tokens))
        .collect()
}

#[test]
fn smoke() {
    for parse in parses("a : [1, 2];\nmap m = reshape_map([3] | [4] => layout: [i0,") {
        println!("{parse:#?}");
        for e in &parse.errors {
            println!("{}", e.message());
        }
    }
}
