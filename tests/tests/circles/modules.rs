//! The modules of a crate, and which of them uses which.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::visit::Visit;

/// The path of a module in its crate, without `crate`.
pub type Module = [String];

/// A path as it is written.
type Written = Vec<String>;

/// A name that a module imports.
struct Import {
    path: Written,
    name: String,
    is_passed_on: bool,
}

/// What a file says of others.
#[derive(Default)]
struct Contents {
    imports: Vec<Import>,
    /// The paths in its items.
    paths: Vec<Written>,
    /// Their first names.
    names: BTreeSet<String>,
}

/// The modules of a crate, without those of tests.
pub struct Modules(BTreeMap<Vec<String>, Contents>);

impl Modules {
    /// Reads the files below a folder.
    pub fn read(folder: &Path) -> Modules {
        let mut found = BTreeMap::new();
        add_files(folder, &[], &mut found);
        Modules(found)
    }

    /// The modules of these texts, each with its path.
    pub fn of_texts(texts: &[(&str, &str)]) -> Modules {
        let path = |path: &str| path.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
        Modules(texts.iter().map(|(name, text)| (path(name), contents(text))).collect())
    }

    /// Each pair of a module and another one that it uses.
    pub fn uses(&self) -> impl Iterator<Item = (&Module, &Module)> {
        self.0.iter().flat_map(move |(module, contents)| {
            let used: BTreeSet<&Module> = self.used_by(module, contents).collect();
            used.into_iter().map(move |used| (module.as_slice(), used))
        })
    }

    fn used_by<'m>(&'m self, module: &'m Module, contents: &'m Contents) -> impl Iterator<Item = &'m Module> {
        let imports = contents.imports.iter().filter(|import| {
            let is_named = contents.names.contains(&import.name);
            !import.is_passed_on || is_named
        });
        let imported = imports.filter_map(|import| self.absolute(module, &import.path));
        let named = contents.paths.iter().filter_map(|path| self.absolute_in(module, contents, path));
        imported.chain(named).filter_map(|path| self.declaring(path, 0)).filter(move |used| *used != module)
    }

    /// A path in the items of a module, which may begin with what it imports or with a module below it.
    fn absolute_in(&self, module: &Module, contents: &Contents, path: &Written) -> Option<Written> {
        let first = path.first()?;
        if let Some(import) = contents.imports.iter().find(|import| import.name == *first) {
            let mut absolute = self.absolute(module, &import.path)?;
            absolute.extend(path[1..].iter().cloned());
            return Some(absolute);
        }
        self.absolute(module, path)
    }

    /// A path from the root of the crate on; `None` if it leads out of the crate.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Written> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([module, rest].concat()),
            "super" => {
                let above = &module[..module.len().checked_sub(1)?];
                match rest.first().map(String::as_str) {
                    Some("super") => self.absolute(above, rest),
                    _ => Some([above, rest].concat()),
                }
            }
            _ => {
                let below = [module, std::slice::from_ref(first)].concat();
                self.0.contains_key(&below).then(|| [module, path].concat())
            }
        }
    }

    /// The module that declares what a path names, through those that pass it on; `None` if it names a module itself.
    fn declaring(&self, path: Written, depth: usize) -> Option<&Module> {
        let length = (0..=path.len()).rev().find(|length| self.0.contains_key(&path[..*length]))?;
        let (module, contents) = self.0.get_key_value(&path[..length])?;
        let name = path.get(length)?;
        let passed_on = contents.imports.iter().find(|import| import.name == *name).filter(|_| depth < 8);
        if let Some(import) = passed_on
            && let Some(mut absolute) = self.absolute(module, &import.path)
        {
            absolute.extend(path[length + 1..].iter().cloned());
            return self.declaring(absolute, depth + 1);
        }
        Some(module)
    }
}

fn add_files(folder: &Path, path: &[String], found: &mut BTreeMap<Vec<String>, Contents>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for entry in entries {
        let stem = entry.file_stem().unwrap().to_str().unwrap().to_owned();
        if stem == "tests" || stem.ends_with("_tests") {
            continue;
        }
        let is_root = ["mod", "lib", "main"].contains(&stem.as_str());
        let own = if is_root { path.to_vec() } else { [path, &[stem]].concat() };
        if entry.is_dir() {
            add_files(&entry, &own, found);
        } else if entry.extension().is_some_and(|extension| extension == "rs") {
            found.insert(own, contents(&std::fs::read_to_string(&entry).unwrap()));
        }
    }
}

fn contents(text: &str) -> Contents {
    let mut contents = Contents::default();
    contents.visit_file(&syn::parse_file(text).unwrap());
    contents
}

/// `#[cfg(test)]`, or `#[cfg(all(test, …))]`.
fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let condition = attribute.path().is_ident("cfg").then(|| attribute.parse_args::<syn::Meta>());
        match condition {
            Some(Ok(syn::Meta::Path(path))) => path.is_ident("test"),
            Some(Ok(syn::Meta::List(list))) if list.path.is_ident("all") => {
                let parsed =
                    list.parse_args_with(syn::punctuated::Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated);
                parsed.is_ok_and(|parts| parts.iter().any(|part| part.path().is_ident("test")))
            }
            _ => false,
        }
    })
}

impl Visit<'_> for Contents {
    fn visit_item_mod(&mut self, item: &syn::ItemMod) {
        if !is_for_tests(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &syn::ItemUse) {
        if !is_for_tests(&item.attrs) {
            let is_passed_on = !matches!(item.vis, syn::Visibility::Inherited);
            add_imports(&item.tree, Vec::new(), is_passed_on, &mut self.imports);
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let written: Written = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        self.names.extend(written.first().cloned());
        if written.len() > 1 {
            self.paths.push(written);
        }
        syn::visit::visit_path(self, path);
    }
}

fn add_imports(tree: &syn::UseTree, before: Written, is_passed_on: bool, found: &mut Vec<Import>) {
    let with = |name: &syn::Ident| [before.clone(), vec![name.to_string()]].concat();
    let mut import = |path: Written, name: String| found.push(Import { path, name, is_passed_on });
    match tree {
        syn::UseTree::Path(path) => add_imports(&path.tree, with(&path.ident), is_passed_on, found),
        syn::UseTree::Group(group) => {
            group.items.iter().for_each(|item| add_imports(item, before.clone(), is_passed_on, found));
        }
        syn::UseTree::Name(name) if name.ident == "self" => {
            let own = before.last().cloned().unwrap_or_default();
            import(before.clone(), own);
        }
        syn::UseTree::Name(name) => import(with(&name.ident), name.ident.to_string()),
        syn::UseTree::Rename(rename) => import(with(&rename.ident), rename.rename.to_string()),
        // What it stands for is declared there, so the module itself is used.
        syn::UseTree::Glob(_) => import([before.clone(), vec!["*".to_owned()]].concat(), "*".to_owned()),
    }
}
