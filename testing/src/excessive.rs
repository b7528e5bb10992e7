//! Excessive texts: launches beyond every limit, loops without a known end, thousands of statements, an expression of a
//! megabyte. All questions about them have to be answered quickly.

/// An excessive text.
pub struct Excess {
    /// A short description.
    pub what: &'static str,
    /// The contents of the file.
    pub text: String,
}

/// The number of statements in a long body.
const MANY: usize = 10_000;
/// The bytes of a large text.
const MEGABYTE: usize = 1 << 20;

/// All excessive texts.
pub fn all() -> Vec<Excess> {
    let parts = [launches(), loops(), data(), chains(), lengths(), depths(), doubled(), sizes(), functions()];
    parts.into_iter().flatten().collect()
}

fn excess(what: &'static str, text: String) -> Excess {
    Excess { what, text }
}

/// A kernel of one block of 64 threads with shared arrays.
fn kernel(what: &'static str, body: &str) -> Excess {
    let text = format!(
        "dim N;\nkernel f(x: f32[4096], start: i32[64], y: mut f32[64], z: mut f32[N]) grid(1) block(64) {{\n\
         shared s : f32[64];\nshared count : i32[64];\n{body}\n\
         for t in threads(64, cuda_thread) {{ if t < N {{ z[t] = 0.0; }} }}\n}}\n\
         run f(x: zeros, start: zeros, y: zeros, z: zeros) with N = 64;\n"
    );
    excess(what, text)
}

/// Executes a body in each of the 64 threads.
fn threads(body: &str) -> String {
    format!("for t in threads(64, cuda_thread) {{ {body} }}")
}

/// A body in `depth` nested loops: `for i0 in 0..2 { for i1 in 0..2 { … } }`.
fn nested(depth: usize, end: &str, body: &str) -> String {
    let heads: String = (0..depth).map(|level| format!("for i{level} in 0..{end} {{ ")).collect();
    format!("{heads}{body}{}", " }".repeat(depth))
}

fn launches() -> Vec<Excess> {
    let launched = |what, launch: &str| {
        let body = "shared s : f32[64]; s[0] = 1.0; y[0] = s[63];";
        excess(what, format!("kernel f(y: mut f32[64]) {launch} {{ {body} }}\n"))
    };
    vec![
        launched("a block of 2147483648 threads", "grid(1) block(2147483648)"),
        launched("a block of 100000000 threads", "grid(1) block(100000000)"),
        launched("a block of 9223372036854775807 threads", "grid(1) block(9223372036854775807)"),
        launched("a grid of 1099511627776 blocks", "grid(1099511627776) block(1024)"),
    ]
}

fn loops() -> Vec<Excess> {
    let own = threads("s[t] = 1.0; y[t] = s[t];");
    let meet = format!("{} {}", threads("s[t] = x[t];"), threads("y[t] = s[63 - t];"));
    let sum = "let mut a : f32 = 0.0; for i in 0..64 { if s[i] > 0.0 { a += 1.0; } } y[t] = a;";
    vec![
        kernel("12 nested loops around a thread's own element", &nested(12, "2", &own)),
        kernel("12 nested loops around shared memory", &nested(12, "2", &meet)),
        kernel("50 nested loops around shared memory", &nested(50, "2", &meet)),
        kernel("50 nested loops of unknown length around shared memory", &nested(50, "N", &meet)),
        kernel("50 nested loops in a thread", &threads(&nested(50, "1000000", "y[t] += s[t];"))),
        kernel("a loop of 2^62 iterations around shared memory", &nested(1, "4611686018427387904", &meet)),
        kernel("a loop whose end is data around shared memory", &nested(1, "start[0]", &meet)),
        kernel("a comparison of shared data in each thread", &format!("{}\n{}", threads("s[t] = x[t];"), threads(sum))),
        kernel("20 loops over threads in a row, in 20 loops", &nested(20, "3", &meet.repeat(10))),
    ]
}

fn data() -> Vec<Excess> {
    let histogram = "for i in 0..4096 { for t in threads(64, cuda_thread) { if f32(t) == x[i] { count[t] += 1; } } }";
    let histogram = format!("{}\n{histogram}\n{}", threads("count[t] = 0;"), threads("y[t] = f32(count[t]);"));
    let scattered = threads("let to = start[t]; if to >= 0 && to < 64 { y[t] = x[to]; }");
    let through =
        threads("let a = start[t]; if a >= 0 && a < 64 { let b = start[a]; if b >= 0 && b < 64 { y[t] = s[b]; } }");
    vec![
        kernel("a histogram by comparison", &histogram),
        kernel("a load from a place that is data", &scattered),
        kernel("a load from a place that another load says", &format!("{}\n{through}", threads("s[t] = x[t];"))),
        kernel("the same in a loop of unknown length", &nested(1, "N", &scattered)),
    ]
}

fn chains() -> Vec<Excess> {
    let chain = |count: usize, step: &dyn Fn(usize) -> String| {
        let lets: String = (1..=count).map(|number| format!("let a{number} = {};\n", step(number))).collect();
        threads(&format!("let a0 = t;\n{lets}y[a{count} % 64] = 1.0; s[t] = x[t];"))
    };
    let before = |number: usize, by: usize| number.saturating_sub(by);
    let squares = |number: usize| format!("a{0} * a{0} + a{0}", before(number, 1));
    let sums = |number: usize| format!("a{} + a{} % 7", before(number, 1), before(number, 2));
    let divided = |number: usize| format!("(a{} * 3 + a{}) / 2", before(number, 1), before(number, 2));
    let exclusive = |number: usize| format!("bit_xor(a{}, a{} * 5) % 65536", before(number, 1), before(number, 2));
    let factors = vec!["t * 9223372036854775807"; 200].join(" + ");
    vec![
        kernel("a chain of 20 squares", &chain(20, &squares)),
        kernel("a chain of 5000 squares", &chain(5_000, &squares)),
        kernel("a chain of 5000 sums", &chain(5_000, &sums)),
        kernel("a chain of 500 divisions", &chain(500, &divided)),
        kernel("a chain of 500 xors", &chain(500, &exclusive)),
        kernel("a variable that is updated 256 times under conditions on itself", &updated(256)),
        kernel("two variables that are updated 800 times under conditions on both", &updated_together(800)),
        kernel("an index that overflows at every step", &threads(&format!("y[{factors}] = 1.0;"))),
        kernel("an index of 64 factors", &threads(&format!("y[{}] = 1.0;", vec!["(t + 1)"; 64].join(" * ")))),
    ]
}

/// Updates of a variable, each of which tests what the ones before have made of it.
fn updated(count: usize) -> String {
    let updates: String = (0..count).map(|number| format!("if a < N - {number} {{ a = a + 1; }}\n")).collect();
    threads(&format!("let mut a = 0;\n{updates}if a >= 0 && a < 64 {{ y[t] = x[a]; }}"))
}

/// Updates of one of two variables, each of which tests what the ones before have made of both.
fn updated_together(count: usize) -> String {
    let update = |number: usize| {
        format!("if a < {number} && b > {number} {{ a = a + i64(start[t]); }} else {{ b = b - {number}; }}\n")
    };
    let updates: String = (0..count).map(update).collect();
    threads(&format!("let mut a = 0;\nlet mut b = i64(start[t]);\n{updates}if a >= 0 && a < 64 {{ y[t] = x[a]; }}"))
}

fn lengths() -> Vec<Excess> {
    let ones = |bytes: usize| format!("1{}", "+1".repeat(bytes / 2));
    let numbered = |count: usize, part: &dyn Fn(usize) -> String| (0..count).map(part).collect::<String>();
    let ladder = numbered(5_000, &|arm| format!("if t == {arm} {{ y[t] = {arm}.0; }} else "));
    let stages = " |> pad(1, 1)".repeat(2_000);
    let divided = " |> embed((3, N), (1, 1)) |> merge".repeat(100);
    vec![
        excess("a megabyte of one sum", format!("const a = {};\n", ones(MEGABYTE))),
        kernel("a megabyte of one sum in a kernel", &threads(&format!("y[t] = x[{}];", ones(MEGABYTE)))),
        kernel("10000 exclusive ors in one", &threads(&format!("s[t] = f32({}1);", "t ^ ".repeat(MANY)))),
        kernel("2000 times the thread in one index", &threads(&format!("y[{}] = 1.0;", vec!["t"; 2_000].join(" + ")))),
        excess("a megabyte of one name", format!("const {} = 1;\n", "a".repeat(MEGABYTE))),
        excess("a megabyte of one number", format!("const a = {};\n", "9".repeat(MEGABYTE))),
        excess("100000 items", numbered(100_000, &|number| format!("const c{number} = {number};\n"))),
        excess(
            "a chain of 3000 items",
            format!(
                "{}const c3000 = 1;\n",
                numbered(3_000, &|number| format!("const c{number} = c{} + 1;\n", number + 1))
            ),
        ),
        excess("a pipeline of 2000 stages", format!("map m = row_major([64]){stages};\nassert m.injective;\n")),
        excess("a pipeline of 100 stages that divide", format!("dim N;\nmap m = row_major([N]){divided};\n")),
        excess("10000 lists of errors", numbered(MANY, &|number| format!("a{number} : [missing{number}];\n"))),
        kernel("10000 stores", &threads(&"y[t] = 1.0;\n".repeat(MANY))),
        kernel("10000 accesses of shared memory", &threads(&"y[t] = s[t];\n".repeat(MANY))),
        kernel(
            "1000 loops over threads in a row",
            &format!("{}\n{}\n", threads("s[t] = x[t];"), threads("y[t] = s[63 - t];")).repeat(500),
        ),
        kernel("1000 shared arrays", &numbered(1_000, &|number| format!("shared s{number} : f32[1];\n"))),
        kernel("a ladder of 5000 arms", &threads(&format!("{ladder}{{ y[t] = 0.0; }}"))),
        kernel(
            "5000 conditions in one",
            &threads(&format!("if {} {{ y[t] = 1.0; }}", vec!["t < 64"; 5_000].join(" && "))),
        ),
    ]
}

fn depths() -> Vec<Excess> {
    let deep = |open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(MANY), close.repeat(MANY));
    vec![
        excess("10000 brackets", format!("const a = {};\n", deep("(", "1", ")"))),
        excess("a megabyte of open brackets", format!("const a = {}\n", "(".repeat(MEGABYTE))),
        excess("10000 signs", format!("const a = {}1;\n", "-".repeat(MANY))),
        kernel("10000 nested loops", &deep("for i in 0..2 { ", "y[0] = 1.0;", " }")),
        kernel("10000 nested conditions", &threads(&deep("if t < 64 { ", "y[t] = 1.0;", " }"))),
        kernel("60 nested conditions on data", &threads(&nested_conditions(60))),
        kernel("10000 nested calls", &threads(&format!("y[t] = {};", deep("max(", "x[t]", ", x[0])")))),
    ]
}

fn nested_conditions(depth: usize) -> String {
    let heads: String = (0..depth).map(|level| format!("if x[t + {level}] > s[t] {{ s[t] = {level}.0; ")).collect();
    format!("{heads}y[t] = 1.0;{}", " }".repeat(depth))
}

/// Items each of which is twice as large as the one before.
fn doubled() -> Vec<Excess> {
    let doubled =
        |first: &str, next: &dyn Fn(usize) -> String| first.to_owned() + &(0..60).map(next).collect::<String>();
    vec![
        excess("60 shapes that double", doubled("a0 : [1, 2];\n", &|at| format!("a{} : [a{at}, a{at}];\n", at + 1))),
        excess(
            "60 lists that double",
            doubled("const a0 = [\"a\", \"b\"];\n", &|at| format!("const a{} = [a{at}, a{at}];\n", at + 1)),
        ),
        excess(
            "60 tuples that double",
            doubled("const a0 = (1, 2);\n", &|at| format!("const a{} = (a{at}, a{at});\n", at + 1)),
        ),
    ]
}

/// Very many sizes that facts connect.
fn sizes() -> Vec<Excess> {
    let names = |count: usize| (0..count).map(|number| format!("N{number}")).collect::<Vec<_>>().join(", ");
    let facts = |count: usize, fact: &dyn Fn(usize) -> String| (1..count).map(fact).collect::<Vec<_>>().join(", ");
    let ascending = facts(MANY, &|number| format!("N{} < N{number}", number - 1));
    let halved = facts(200, &|number| format!("N{} / 2 == N{number} + 1", number - 1));
    vec![
        excess("10000 ascending sizes", format!("dim {} where {ascending};\n", names(MANY))),
        excess(
            "200 halved sizes",
            format!(
                "dim {} where {halved};\nkernel k(x: f32[N0], y: mut f32[N0]) {{ for i in grid(N0) {{ y[i] = x[i]; }} }}\n\
                 run k(x: zeros, y: zeros) with N0 = 4;\n",
                names(200)
            ),
        ),
    ]
}

fn functions() -> Vec<Excess> {
    let each = |count: usize, part: &dyn Fn(usize) -> String| (1..=count).map(part).collect::<String>();
    let doubling = |typed: &str| {
        let call = |number: usize| format!("fn f{number}(v{typed}) = f{0}(v) + f{0}(v + 1.0);\n", number - 1);
        format!(
            "fn f0(v{typed}) = v;\n{}kernel f(x: f32[64], y: mut f32[64]) {{ for i in grid(64) {{ y[i] = f60(x[i]); }} }}\n",
            each(60, &call)
        )
    };
    let long = each(MANY, &|number| format!("let a{number} = a{} * 1.5 + 1.0;\n", number - 1));
    let chain = each(3_000, &|number| format!("fn f{number}(v) = f{}(v);\n", number - 1));
    let calls = "y[i] = silu(silu(silu(silu(x[i])))); ".repeat(2_500);
    vec![
        excess("60 functions that each call the one before twice", doubling("")),
        excess("the same of numbers", doubling(": f32")),
        excess(
            "a function of 10000 lines",
            format!(
                "fn f(a0) {{\n{long}a{MANY} }}\nkernel k(x: f32[64], y: mut f32[64]) {{ for i in grid(64) {{ y[i] = f(x[i]); }} }}\n"
            ),
        ),
        excess("a chain of 3000 functions", format!("fn f0(v) = v;\n{chain}const a = f3000(1);\n")),
        excess(
            "10000 calls of a function",
            format!(
                "fn silu(v) = v / (1.0 + exp(-v));\nkernel k(x: f32[64], y: mut f32[64]) {{ for i in grid(64) {{ {calls} }} }}\n"
            ),
        ),
    ]
}
