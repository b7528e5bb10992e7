//! Tests of what can be tested without a GPU.

use super::*;

#[test]
fn a_missing_driver_is_said() {
    let error = Driver::open(&[Path::new("libcuda-that-is-not-there.so.1")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "libcuda-that-is-not-there.so.1 not found; install the NVIDIA driver, or run with --device cpu"
    );
}

#[test]
fn the_shared_driver_is_an_answer_and_not_a_panic() {
    match Driver::shared() {
        Ok(driver) => {
            assert!(driver.device_count() > 0 && driver.context(driver.device_count()).is_err())
        }
        Err(error) => assert!(
            error.to_string().contains("--device cpu") || error.to_string().contains("failed"),
            "{error}"
        ),
    }
}

#[test]
fn medians() {
    assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
    assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), Some(2.0));
    assert_eq!(median(&[]), None);
}
