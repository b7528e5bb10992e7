//! What to compile for, where NVRTC may not know the device's architecture yet.

/// What NVRTC is asked to compile for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// `sm_90` for machine code, `compute_90` for PTX.
    pub arch: String,
    /// A sentence for the user if it is not the device's own architecture.
    pub note: Option<String>,
}

/// How well an NVRTC serves a device, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Support {
    /// It makes PTX, which the driver translates.
    Ptx,
    /// It makes machine code for an older device, which this one runs.
    Older,
    /// It makes machine code for the device.
    Own,
}

impl Support {
    /// What an NVRTC that knows these architectures makes for a device; `None` if nothing that it runs.
    pub(super) fn among(known: &[u32], capability: (u32, u32)) -> Option<Self> {
        let below = below(known, capability)?;
        Some(if below == number(capability) {
            Self::Own
        } else if below / 10 == capability.0 {
            Self::Older
        } else {
            Self::Ptx
        })
    }
}

/// The newest of some architectures that a device of this capability runs.
fn below(known: &[u32], capability: (u32, u32)) -> Option<u32> {
    known.iter().copied().filter(|known| *known <= number(capability)).max()
}

impl Target {
    /// Machine code for the device's own architecture.
    pub fn own(capability: (u32, u32)) -> Target {
        Target { arch: format!("sm_{}", number(capability)), note: None }
    }

    /// The best of the architectures that NVRTC knows (90 for `sm_90`) for a device of this capability, major and
    /// minor. Machine code runs on later devices of the same major version; for a later major version the driver has
    /// to translate PTX. If NVRTC knows nothing that the device runs, it is asked for the device's own architecture
    /// and says what it knows.
    pub fn best(known: &[u32], capability: (u32, u32)) -> Target {
        let device = number(capability);
        match below(known, capability).zip(Support::among(known, capability)) {
            None | Some((_, Support::Own)) => Self::own(capability),
            Some((known, Support::Older)) => Target {
                arch: format!("sm_{known}"),
                note: Some(format!(
                    "this NVRTC does not know sm_{device} yet: the kernel was compiled for sm_{known}, which the device \
                     runs too; a newer NVRTC may make faster code"
                )),
            },
            Some((known, Support::Ptx)) => Target {
                arch: format!("compute_{known}"),
                note: Some(format!(
                    "this NVRTC does not know sm_{device} yet: the kernel was compiled to PTX for compute_{known}, which \
                     the driver translates; a newer NVRTC may make faster code"
                )),
            },
        }
    }
}

fn number((major, minor): (u32, u32)) -> u32 {
    major.saturating_mul(10).saturating_add(minor)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [u32; 8] = [80, 86, 89, 90, 100, 103, 120, 50];

    fn arch(capability: (u32, u32)) -> String {
        Target::best(&KNOWN, capability).arch
    }

    #[test]
    fn the_devices_own_architecture_is_best_and_needs_no_note() {
        for (capability, own) in [((5, 0), "sm_50"), ((9, 0), "sm_90"), ((10, 3), "sm_103"), ((12, 0), "sm_120")] {
            assert_eq!(Target::best(&KNOWN, capability), Target { arch: own.to_string(), note: None });
        }
    }

    #[test]
    fn machine_code_runs_on_later_devices_of_the_same_major_version() {
        let found = [(8, 7), (8, 8), (10, 1), (12, 1), (5, 3)].map(arch);
        assert_eq!(found, ["sm_86", "sm_86", "sm_100", "sm_120", "sm_50"]);
        assert_eq!(
            Target::best(&KNOWN, (12, 1)).note.unwrap(),
            "this NVRTC does not know sm_121 yet: the kernel was compiled for sm_120, which the device runs too; a newer \
             NVRTC may make faster code"
        );
    }

    #[test]
    fn the_driver_translates_for_a_later_major_version() {
        assert_eq!([(6, 1), (11, 0), (13, 0)].map(arch), ["compute_50", "compute_103", "compute_120"]);
        let note = Target::best(&KNOWN, (13, 0)).note.unwrap();
        assert!(note.contains("sm_130") && note.contains("PTX for compute_120"), "{note}");
    }

    #[test]
    fn a_device_older_than_everything_known_gets_its_own_name() {
        assert_eq!(Target::best(&KNOWN, (3, 5)), Target::own((3, 5)));
        assert_eq!(Target::best(&[], (9, 0)), Target::own((9, 0)));
        assert_eq!(Target::best(&[75], (u32::MAX, 9)).arch, "compute_75");
    }
}
