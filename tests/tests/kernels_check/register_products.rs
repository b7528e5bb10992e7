//! Products whose sums each thread holds in registers, from slices in shared memory: a processor makes one product of all of them, and
//! of all steps. What looks like such a product and is none must not become one.

use std::collections::BTreeMap;

use kernel::at_launch;
use shapewright_runtime::execute::Argument;
use shapewright_runtime::tensors::Tensor;
use testing::compare::interpreter_and_cpu;

use crate::support::check;

/// A product of `M × K` and `K × N` in blocks of 64 threads, in which each has 2 × 4 sums of 16 × 32. What differs between kernels:
#[derive(Clone, Copy)]
struct Form {
    element: &'static str,
    /// The rows and columns of thread `t`, as places in the slices and in the result.
    row: &'static str,
    column: &'static str,
    /// The shapes of the slices.
    slices: [&'static str; 2],
    /// What fills the slices.
    fill: &'static str,
    /// The steps, and what is added.
    steps: &'static str,
    inner: &'static str,
    add: &'static str,
    /// What is done behind the steps of a thread.
    behind: &'static str,
}

const PLAIN: Form = Form {
    element: "f32",
    row: "t / 8 * 2 + i",
    column: "t % 8 + 8 * j",
    slices: ["8, 20", "8, 32"],
    fill: "for i in 0..2 { of_a[t % 4 * 2 + i, t / 4] = a[row * 16 + t / 4, step * 8 + t % 4 * 2 + i]; }
        for i in 0..4 { of_b[t / 8, t % 8 * 4 + i] = b[step * 8 + t / 8, column * 32 + t % 8 * 4 + i]; }",
    steps: "0..K / 8",
    inner: "0..8",
    add: "sums[i, j] += left[i] * right[j];",
    behind: "",
};

impl Form {
    fn text(self) -> String {
        let Form { element, row, column, slices: [left, right], fill, steps, inner, add, behind } = self;
        format!(
            "dim M, N, K where M % 16 == 0, N % 32 == 0, K % 8 == 0, K >= 16;
            kernel k(a: {element}[M, K], b: {element}[K, N], c: mut {element}[M, N]) block(64) {{
                shared of_a: {element}[{left}];
                shared of_b: {element}[{right}];
                for (row, column) in grid(M / 16, N / 32) {{
                    let mut sums: {element}[2, 4] = 1;
                    for step in {steps} {{
                        for t in threads(64, cuda_thread) {{ {fill} }}
                        for t in threads(64, cuda_thread) {{
                            for k in {inner} {{
                                let mut left: {element}[2] = 0;
                                let mut right: {element}[4] = 0;
                                for i in 0..2 {{ left[i] = of_a[k, {row}]; }}
                                for j in 0..4 {{ right[j] = of_b[k, {column}]; }}
                                for i in 0..2 {{ for j in 0..4 {{ {add} }} }}
                            }}
                        }}
                    }}
                    for t in threads(64, cuda_thread) {{
                        {behind}
                        for i in 0..2 {{ for j in 0..4 {{
                            c[row * 16 + {row}, column * 32 + {column}] = sums[i, j];
                        }} }}
                    }}
                }}
            }}\n"
        )
    }
}

/// The kernel is accepted, and computes the same wherever it runs.
#[track_caller]
fn alike(form: Form) {
    let text = form.text();
    let checked = check(&text);
    assert!(checked.errors().is_empty(), "{text}\n{}", checked.report());
    let kernel = checked.kernel().expect("a kernel without errors");
    // Rows of 1024 numbers are a page apart.
    for (m, n, k) in [(32, 64, 48), (16, 32, 16), (16, 32, 1024)] {
        let size = |name: &str| match name {
            "M" => m,
            "N" => n,
            _ => k,
        };
        let sizes: BTreeMap<_, _> = kernel.symbols.iter().map(|symbol| (symbol.clone(), size(symbol.name()))).collect();
        let bounds = at_launch(&kernel, &sizes).unwrap_or_else(|problem| panic!("{problem:?}\n{text}"));
        let tensor = |rows: i64, columns: i64| {
            let shape = [rows as u64, columns as u64];
            let number = |place: i64| place * 7919 % 1009 - 500;
            let numbers = (0..rows * columns).map(number);
            Argument::Tensor(
                match form.element {
                    "f64" => {
                        Tensor::from_slice(&shape, &numbers.map(|number| number as f64 / 300.0).collect::<Vec<_>>())
                    }
                    "i32" => {
                        Tensor::from_slice(&shape, &numbers.map(|number| number as i32 * 77_777).collect::<Vec<_>>())
                    }
                    _ => Tensor::from_slice(&shape, &numbers.map(|number| number as f32 / 300.0).collect::<Vec<_>>()),
                }
                .unwrap(),
            )
        };
        let mut arguments = vec![tensor(m, k), tensor(k, n), tensor(m, n)];
        interpreter_and_cpu(&kernel, &sizes, &mut arguments, bounds)
            .unwrap_or_else(|problem| panic!("{m} × {n} × {k}: {problem}\n{text}"));
    }
}

#[test]
fn rows_and_columns_in_any_order_of_threads_and_parts() {
    for row in ["t / 8 * 2 + i", "t / 8 + 8 * i"] {
        for column in ["t % 8 + 8 * j", "t % 8 * 4 + j", "t % 8 * 2 + j % 2 + 16 * (j / 2)"] {
            for slices in [["8, 20", "8, 32"], ["8, 16", "8, 36"], ["9, 16", "11, 32"]] {
                alike(Form { row, column, slices, ..PLAIN });
            }
        }
    }
}

#[test]
fn other_types_and_additions() {
    for element in ["f32", "f64", "i32"] {
        alike(Form { element, ..PLAIN });
    }
    alike(Form { add: "sums[i, j] = fma(left[i], right[j], sums[i, j]);", ..PLAIN });
    // Not all parts multiply each other, or not each by its own.
    alike(Form { add: "if i < 1 || j < 2 { sums[i, j] += left[i] * right[j]; }", ..PLAIN });
    alike(Form { add: "sums[i, j] += left[1 - i] * right[3 - j];", ..PLAIN });
    alike(Form { add: "sums[i, j] += left[i] * right[(j * 3) % 4];", ..PLAIN });
    alike(Form { add: "sums[i, j] += left[0] * right[j];", ..PLAIN });
    alike(Form { add: "sums[i, j] += left[i] + right[j];", ..PLAIN });
}

#[test]
fn steps_that_do_not_go_on_where_the_one_before_ended() {
    for steps in ["0..K / 8", "1..K / 8", "0..K / 16", "0..0", "K / 8..0", "row..K / 8"] {
        for inner in ["0..8", "0..7", "1..8", "0..4", "0..0"] {
            alike(Form { steps, inner, ..PLAIN });
        }
    }
    let with_step = |of_a: &'static str| Form { fill: of_a, ..PLAIN };
    for form in [
        // The same factors again and again, backwards, or every other time.
        "for i in 0..2 { of_a[t % 4 * 2 + i, t / 4] = a[row * 16 + t / 4, t % 4 * 2 + i]; }
         for i in 0..4 { of_b[t / 8, t % 8 * 4 + i] = b[step * 8 + t / 8, column * 32 + t % 8 * 4 + i]; }",
        "for i in 0..2 { of_a[t % 4 * 2 + i, t / 4] = a[row * 16 + t / 4, step * 8 + 7 - (t % 4 * 2 + i)]; }
         for i in 0..4 { of_b[t / 8, t % 8 * 4 + i] = b[K - 8 - step * 8 + t / 8, column * 32 + t % 8 * 4 + i]; }",
        "for i in 0..2 { of_a[t % 4 * 2 + i, t / 4] = a[row * 16 + t / 4, step / 2 * 8 + t % 4 * 2 + i]; }
         for i in 0..4 { of_b[t / 8, t % 8 * 4 + i] = b[step * 8 + t / 8, column * 32 + t % 8 * 4 + i]; }",
        // Something is done with the elements, or some are left out.
        "for i in 0..2 { of_a[t % 4 * 2 + i, t / 4] = 2 * a[row * 16 + t / 4, step * 8 + t % 4 * 2 + i]; }
         for i in 0..4 { of_b[t / 8, t % 8 * 4 + i] = b[step * 8 + t / 8, column * 32 + t % 8 * 4 + i]; }",
        "for i in 0..2 { of_a[t % 4 * 2 + i, t / 4] = a[row * 16 + t / 4, step * 8 + t % 4 * 2 + i]; }
         for i in 0..3 { of_b[t / 8, t % 8 * 4 + i] = b[step * 8 + t / 8, column * 32 + t % 8 * 4 + i]; }",
        "if step % 2 == 0 { for i in 0..2 { of_a[t % 4 * 2 + i, t / 4] = a[row * 16 + t / 4, step * 8 + t % 4 * 2 + i]; } }
         for i in 0..4 { of_b[t / 8, t % 8 * 4 + i] = b[step * 8 + t / 8, column * 32 + t % 8 * 4 + i]; }",
        "if t < 32 { for i in 0..2 { of_a[t % 4 * 2 + i, t / 4] = a[row * 16 + t / 4, step * 8 + t % 4 * 2 + i]; } }
         for i in 0..4 { of_b[t / 8, t % 8 * 4 + i] = b[step * 8 + t / 8, column * 32 + t % 8 * 4 + i]; }",
        // The columns of the tensor are rows of the slice, and what was copied first is copied over.
        "for i in 0..2 { of_a[t % 8, t / 8 * 2 + i] = a[row * 16 + t / 8 * 2 + i, step * 8 + t % 8]; }
         for i in 0..4 { of_b[t % 8, t / 8 * 4 + i] = b[step * 8 + t % 8, column * 32 + t / 8 * 4 + i]; }",
        "for i in 0..2 { of_a[t % 4 * 2 + i, t / 4] = a[row * 16 + t / 4, step * 8 + t % 4 * 2 + i]; }
         for i in 0..4 { of_b[t / 8, t % 8 * 4 + i] = b[step * 8 + t / 8, t % 8 * 4 + i];
                         of_b[t / 8, t % 8 * 4 + i] = b[step * 8 + t / 8, column * 32 + t % 8 * 4 + i]; }",
    ] {
        alike(with_step(form));
    }
}

#[test]
fn slices_that_are_read_elsewhere() {
    for behind in [
        "sums[1, 2] += of_a[3, t % 16];",
        "for k in 0..8 { for j in 0..4 { sums[1, j] += of_a[k, t / 8] * of_b[k, t % 8 + 8 * j]; } }",
        "for k in 0..8 { for i in 0..2 { for j in 0..4 { sums[i, j] += of_a[k, t / 8 * 2 + i] * of_b[k, t % 8 + 8 * j]; } } }",
        "if t == 0 { of_a[0, 0] = 1; }",
    ] {
        alike(Form { behind, ..PLAIN });
    }
}
