//! `fmt`

use serde_json::json;

use crate::program::Folder;

const UGLY: &str = "s:[7,8]\nmap   m=reshape_map([3]|[4]=>layout:[i0,t0])\n";

#[test]
fn files_are_formatted_once() {
    let folder = Folder::new(&[("a.shape", UGLY), ("sub/b.shape", UGLY)]);
    let answer = folder.run(&["fmt", "--check", "."]);
    assert_eq!((answer.status, answer.output.lines().count()), (1, 2), "{}", answer.output);
    assert_eq!(folder.read("a.shape"), UGLY);
    let answer = folder.run(&["fmt", "."]);
    assert_eq!(answer.status, 0, "{}", answer.errors);
    assert!(folder.read("a.shape").starts_with("s : [7, 8];\n"), "{}", folder.read("a.shape"));
    let (status, document) = folder.json(&["fmt", "--check", ".", "--format", "json"]);
    assert_eq!(status, 0);
    assert_eq!(document["files"][0]["changed"], json!(false));
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = Folder::new(&[]);
    let answer = folder.run_with(&["fmt", "-"], b"s:[7,8]");
    assert_eq!((answer.status, answer.output.as_str()), (0, "s : [7, 8];\n"));
    let answer = folder.run_with(&["fmt", "-", "--check"], b"s:[7,8]");
    assert_eq!((answer.status, answer.output.as_str()), (1, ""));
}

#[test]
fn what_cannot_be_parsed_stays() {
    let folder = Folder::new(&[("a.shape", "t:[1]\ns   :  [7,8 %% ;\n")]);
    assert_eq!(folder.run(&["fmt", "a.shape"]).status, 0);
    assert!(folder.read("a.shape").contains("s   :  [7,8 %%"), "{}", folder.read("a.shape"));
}

#[test]
fn a_body_without_braces_stays() {
    for body in ["if v v;", "for i in 0..4 v;", "if true { } else v;", "with threads(0..1, cuda_thread) v;"] {
        let text = format!("kernel   k() {{ {body} }}\n");
        let answer = Folder::new(&[]).run_with(&["fmt", "-"], text.as_bytes());
        assert_eq!((answer.status, answer.output.as_str()), (0, text.as_str()), "{}", answer.errors);
    }
}

#[test]
fn a_hyphenated_name_of_another_file_stays_one_name() {
    let folder =
        Folder::new(&[("b.shape", "new-shape : [4];\n"), ("a.shape", "use \"b.shape\";\ns : [new-shape, 2];\n")]);
    folder.run(&["fmt", "a.shape"]);
    assert!(folder.read("a.shape").contains("[new-shape, 2]"), "{}", folder.read("a.shape"));
}

#[test]
#[cfg(unix)]
fn permissions_and_links_survive() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new(&[("a.shape", UGLY)]);
    std::fs::set_permissions(folder.path("a.shape"), std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("a.shape", folder.path("link.shape")).unwrap();
    assert_eq!(folder.run(&["fmt", "link.shape"]).status, 0);
    assert!(folder.path("link.shape").is_symlink());
    assert_ne!(folder.read("a.shape"), UGLY);
    let mode = std::fs::metadata(folder.path("a.shape")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn a_file_of_another_language_stays_as_it_is() {
    let text = "a = foo( 1 );\n\n\n\nb\n";
    let folder = Folder::new(&[("mk.py", text), ("a.shape", "s:[7]")]);
    let answer = folder.run(&["fmt", "mk.py", "a.shape"]);
    assert_eq!((answer.status, folder.read("mk.py").as_str()), (3, text));
    assert!(answer.errors.contains("mk.py is no `.shape` file"), "{}", answer.errors);
    assert_eq!(folder.read("a.shape"), "s : [7];\n");
}
