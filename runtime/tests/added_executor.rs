//! An executor that is added here works like all others: it takes a line in a table, and no other code knows it.

use std::collections::BTreeMap;

use shapewright_runtime::cpu::Cpu;
use shapewright_runtime::execute::{
    Argument, BoundsChecks, Control, Device, DeviceInfo, ExecuteError, Executor, Fault, SizedKernel,
};
use shapewright_runtime::executors::Executors;
use shapewright_runtime::interpreter::Interpreter;
use testing::adversary::{Adversary, Order};
use testing::collectives::samples;
use testing::compare::{copy, first_difference, interpreted};

/// Runs the last thread of a block first. It has two devices, which differ in nothing.
struct Backwards;

impl Executor for Backwards {
    fn name(&self) -> &'static str {
        "backwards"
    }

    fn about(&self) -> &'static str {
        "Blocks in the opposite order."
    }

    fn is_numbered(&self) -> bool {
        true
    }

    fn rank(&self) -> u32 {
        3
    }

    fn devices(&self) -> Vec<DeviceInfo> {
        let device = |number| DeviceInfo {
            name: format!("backwards:{number}"),
            available: true,
            description: "the last thread first".to_owned(),
            ..DeviceInfo::default()
        };
        (0..2).map(device).collect()
    }

    fn open(&self, number: u32) -> Result<Box<dyn Device>, ExecuteError> {
        if number < 2 {
            return Ok(Box::new(Adversary { order: Order::LastFirst }));
        }
        let (device, missing) = (format!("backwards:{number}"), "there are two".into());
        Err(ExecuteError::Unavailable { device, missing })
    }
}

#[test]
fn an_added_executor_is_named_and_listed() {
    let executors = Executors::new(&[&Cpu::DEFAULT, &Backwards]);
    assert_eq!(executors.names(), "auto, backwards:N or cpu");
    let listed: Vec<String> = executors.devices().into_iter().map(|device| device.name).collect();
    assert_eq!(listed, ["cpu", "backwards:0", "backwards:1"]);
    for (asked, opened) in
        [("auto", "backwards:0"), ("backwards", "backwards:0"), ("backwards:1", "backwards:1"), ("cpu", "cpu")]
    {
        assert_eq!(executors.open(asked).unwrap().name, opened);
    }
    let refusal = |name: &str| {
        let error = executors.open(name).err().unwrap();
        (error.fault(), error.to_string())
    };
    assert_eq!(
        refusal("backwards:2"),
        (Fault::Machine, "backwards:2 is not available, but --device cpu always is: there are two".to_owned())
    );
    assert_eq!(
        refusal("interp"),
        (Fault::Request, "there is no device `interp`, expected auto, backwards:N or cpu".to_owned())
    );
}

/// Kernels whose threads wait for each other: prepared once, run twice, measured, as on every device.
#[test]
fn an_added_executor_runs_kernels_as_the_others_do() {
    let sizes = BTreeMap::new();
    for name in ["backwards:1", "cpu", "interp"] {
        let opened = Executors::new(&[&Cpu::DEFAULT, &Interpreter, &Backwards]).open(name).unwrap();
        for sample in samples() {
            let kernel = &sample.kernel;
            let expected = interpreted(kernel, &sizes, &sample.arguments).unwrap();
            let sized = SizedKernel::new(kernel, &sizes, BoundsChecks::Proven).unwrap();
            let mut prepared = sized.prepare(&*opened.device).unwrap();
            let mut arguments = Vec::new();
            for _ in 0..2 {
                arguments = copy(&sample.arguments).unwrap();
                prepared.run(&mut arguments, &Control::default()).unwrap();
                for (expected, found) in expected.iter().zip(&arguments) {
                    if let (Argument::Tensor(expected), Argument::Tensor(found)) = (expected, found) {
                        assert_eq!(first_difference(expected, found), None, "{} on {name}", kernel.name);
                    }
                }
            }
            let cancelled = Control { cancel: Some(&true.into()), ..Control::default() };
            assert!(matches!(prepared.measure(&mut arguments, &cancelled), Err(ExecuteError::Cancelled { .. })));
            arguments.pop();
            let refused = prepared.run(&mut arguments, &Control::default());
            assert!(matches!(refused, Err(ExecuteError::ArgumentCount { .. })), "{refused:?}");
        }
    }
}

/// The error of an executor whose device exists but is broken.
struct Broken(&'static str);

impl Executor for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    fn about(&self) -> &'static str {
        "Nowhere."
    }

    fn rank(&self) -> u32 {
        9
    }

    fn devices(&self) -> Vec<DeviceInfo> {
        vec![DeviceInfo { name: "broken".to_owned(), missing: Some(self.0.to_owned()), ..DeviceInfo::default() }]
    }

    fn open(&self, _number: u32) -> Result<Box<dyn Device>, ExecuteError> {
        Err(match self.0 {
            "missing" => ExecuteError::Absent { device: "broken".to_owned(), missing: self.0.into() },
            words if words.starts_with("unusable") => {
                ExecuteError::Unavailable { device: "broken (a GPU)".to_owned(), missing: words.into() }
            }
            words => ExecuteError::Device(words.into()),
        })
    }
}

/// A machine that has no such device runs on the next one; one whose device fails says so.
#[test]
fn auto_passes_over_what_is_missing_and_not_over_what_fails() {
    let without = Executors::new(&[&Cpu::DEFAULT, &Broken("missing")]).open("auto").unwrap();
    assert_eq!((without.name.as_str(), without.notes.is_empty()), ("cpu", true));
    for (words, note) in [
        ("unusable; mend it", "broken (a GPU) was not used: unusable; mend it"),
        ("unusable:\nin detail\n", "broken (a GPU) was not used: unusable; `shapewright devices` tells more"),
    ] {
        let opened = Executors::new(&[&Cpu::DEFAULT, &Broken(words)]).open("auto").unwrap();
        assert_eq!((opened.name.as_str(), opened.notes), ("cpu", vec![note.to_owned()]));
        assert!(Executors::new(&[&Cpu::DEFAULT, &Broken(words)]).open("cpu").unwrap().notes.is_empty());
    }
    let error = Executors::new(&[&Cpu::DEFAULT, &Broken("it is on fire")]).open("auto").err().unwrap();
    assert_eq!((error.fault(), error.to_string()), (Fault::Machine, "it is on fire".to_owned()));
    let error = Executors::new(&[&Broken("missing")]).open("auto").err().unwrap();
    assert_eq!(error.fault(), Fault::Machine);
}
