//! The peak bandwidth of a device's memory.

/// Peak memory bandwidth in GB/s (10^9 bytes per second) from the memory clock in kHz and the bus width in bits: two
/// transfers per clock. `None` if the driver does not report them, as newer ones for some memories.
pub(super) fn from_clock(clock_khz: u32, bus_bits: u32) -> Option<f64> {
    let peak = 2.0 * f64::from(clock_khz) * 1e3 * f64::from(bus_bits) / 8.0 / 1e9;
    (peak > 0.0).then_some(peak)
}

/// The bandwidth from the data sheet of the board with this name, in GB/s.
pub(super) fn from_name(name: &str) -> Option<f64> {
    // Longer names first where one contains the other.
    const BOARDS: [(&str, f64); 31] = [
        ("GB300", 8000.0),
        ("GB200", 8000.0),
        ("B300", 8000.0),
        ("B200", 8000.0),
        ("GH200", 4000.0),
        ("H200", 4800.0),
        ("H100 PCIe", 2039.0),
        ("H100 NVL", 3938.0),
        ("H100", 3352.0),
        ("H800", 3352.0),
        ("H20", 4000.0),
        ("A100-SXM4-80GB", 2039.0),
        ("A100 80GB", 1935.0),
        ("A100", 1555.0),
        ("A800", 1935.0),
        ("L40S", 864.0),
        ("L40", 864.0),
        ("L4", 300.0),
        ("A40", 696.0),
        ("A30", 933.0),
        ("A10G", 600.0),
        ("A10", 600.0),
        ("V100", 900.0),
        ("T4", 320.0),
        ("RTX 5090", 1792.0),
        ("RTX 4090", 1008.0),
        ("RTX 4080", 716.8),
        ("RTX 3090", 936.2),
        ("RTX 3080", 760.3),
        ("RTX 6000 Ada", 960.0),
        ("RTX A6000", 768.0),
    ];
    // A whole word: "L4" is not in "L40".
    let has_word = |board: &str| {
        name.match_indices(board).any(|(at, _)| {
            let before = name[..at].chars().next_back();
            let after = name[at + board.len()..].chars().next();
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        })
    };
    BOARDS.into_iter().find(|(board, _)| has_word(board)).map(|(_, peak)| peak)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_are_those_of_the_data_sheets() {
        // The H200's memory runs at 3201 MHz on 6144 bits.
        assert!((from_clock(3_201_000, 6144).unwrap() - 4916.7).abs() < 0.1);
        assert_eq!(from_clock(0, 6144), None);
        assert_eq!(from_name("NVIDIA H200"), Some(4800.0));
        assert_eq!(from_name("NVIDIA H100 80GB HBM3"), Some(3352.0));
        assert_eq!(from_name("NVIDIA H100 PCIe"), Some(2039.0));
        assert_eq!(from_name("NVIDIA L40S"), Some(864.0));
        assert_eq!(from_name("NVIDIA A100-SXM4-40GB"), Some(1555.0));
        assert_eq!(from_name("Tesla T4"), Some(320.0));
        assert_eq!(from_name("NVIDIA GeForce GTX 1080"), None);
    }
}
