use shapewright_compiler::*;
#[test]
fn scratch() {
    let dir = std::env::var("SHAPES").unwrap();
    let mut paths: Vec<_> = if std::path::Path::new(&dir).is_dir() {
        std::fs::read_dir(&dir)
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|p| p.extension().is_some_and(|e| e == "shape"))
            .collect()
    } else {
        vec![dir.into()]
    };
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut dbase = db::CompilerDatabase::default();
        let file = dbase.set_text("f.shape", &text);
        let dbr: &dyn db::Db = &dbase;
        println!("=== {}", path.display());
        for item in db::items(dbr, file) {
            let t = db::tree(dbr, *item);
            let mut ds = names::name_diagnostics(dbr, *item).to_vec();
            for e in &t.errors {
                println!("  SYNTAX {:?} {}", item.key(dbr).head, e.message());
            }
            let Some(p) = &t.item else { continue };
            match &p.kind {
                syntax::tree::ItemKind::Dim { .. } => ds.extend(evaluate::dim_facts(dbr, *item).diagnostics.clone()),
                syntax::tree::ItemKind::Kernel(_) => {
                    let k = kernels::kernel(dbr, *item);
                    ds.extend(k.diagnostics.clone());
                    if let Some(k) = &k.kernel {
                        println!(
                            "  kernel {} launch {}x{} obligations {}",
                            k.name,
                            k.launch.blocks,
                            k.launch.threads,
                            k.obligations.len()
                        );
                    }
                }
                syntax::tree::ItemKind::Run(_) => ds.extend(kernels::run_item(dbr, *item).diagnostics.clone()),
                _ => {
                    ds.extend(evaluate::value(dbr, *item).diagnostics.clone());
                }
            }
            let toks: Vec<String> = (0..item.tokens(dbr).len()).map(|i| item.tokens(dbr).text(i).to_string()).collect();
            for d in ds {
                println!(
                    "  {} [{}] {} @ `{}` {:?} {:?}",
                    d.severity().name(),
                    d.page.code,
                    d.message,
                    toks.get(d.span.start as usize..d.span.end as usize).map(|t| t.join(" ")).unwrap_or_default(),
                    d.help,
                    d.label
                );
            }
        }
    }
}
