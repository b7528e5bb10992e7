//! The settings of the section `shapewright`.

use kernel::Target;
use serde_json::Value;
use shapewright_runtime::executors::Executors;

/// Which runs are started when a document is saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RunOnSave {
    /// None.
    #[default]
    Off,
    /// Those whose meaning changed since their last run.
    Changed,
    /// All.
    All,
}

/// The settings.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Settings {
    pub(super) run_on_save: RunOnSave,
    /// `auto`, `cpu`, `cuda:0` or `interp`.
    pub(super) run_device: String,
    /// Seconds.
    pub(super) run_time_limit: f64,
    pub(super) inlay_hints: bool,
    pub(super) lenses: bool,
    pub(super) target: Option<Target>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            run_on_save: RunOnSave::default(),
            run_device: "auto".to_owned(),
            run_time_limit: 60.0,
            inlay_hints: true,
            lenses: true,
            target: None,
        }
    }
}

impl Settings {
    /// Reads the section. An invalid value keeps its default, and is reported in a sentence.
    pub(super) fn read(section: &Value) -> (Self, Vec<String>) {
        let mut settings = Self::default();
        let mut problems = Vec::new();
        if !section.is_object() {
            if !section.is_null() {
                problems.push(format!(
                    "the settings of `shapewright` must be an object, not {section}; the defaults are used"
                ));
            }
            return (settings, problems);
        }
        for group in ["run", "inlayHints", "lens", "check"] {
            if let Some(value) = section.get(group).filter(|value| !value.is_object() && !value.is_null()) {
                problems.push(format!(
                    "the settings `shapewright.{group}` must be an object, not {value}; the defaults are used"
                ));
            }
        }
        let mut read = |name: &str, expected: &str, take: &mut dyn FnMut(&Value) -> bool| {
            let value = name.split('.').try_fold(section, |value, part| value.get(part)).or(section.get(name));
            if let Some(value) = value.filter(|value| !value.is_null())
                && !take(value)
            {
                problems.push(format!(
                    "the setting `shapewright.{name}` must be {expected}, not {value}; the default is used"
                ));
            }
        };
        read("run.onSave", "\"off\", \"changed\" or \"all\"", &mut |value| {
            let known = [("off", RunOnSave::Off), ("changed", RunOnSave::Changed), ("all", RunOnSave::All)];
            let found = known.iter().find(|(name, _)| value == name);
            found.map(|(_, choice)| settings.run_on_save = *choice).is_some()
        });
        read("run.device", &Executors::default().names(), &mut |value| {
            let name = value.as_str().filter(|name| Executors::default().full_name(name).is_ok());
            name.map(|name| name.clone_into(&mut settings.run_device)).is_some()
        });
        read("run.timeLimit", "a number of seconds above 0", &mut |value| {
            let seconds = value.as_f64().filter(|seconds| *seconds > 0.0 && *seconds <= 1e9);
            seconds.map(|seconds| settings.run_time_limit = seconds).is_some()
        });
        read("inlayHints.enabled", "true or false", &mut |value| {
            value.as_bool().map(|enabled| settings.inlay_hints = enabled).is_some()
        });
        read("lens.enabled", "true or false", &mut |value| {
            value.as_bool().map(|enabled| settings.lenses = enabled).is_some()
        });
        let targets = Target::all().map(|target| format!("\"{target}\"")).collect::<Vec<_>>().join(", ");
        read("check.target", &format!("null or one of {targets}"), &mut |value| {
            let target = value.as_str().and_then(|name| name.parse().ok());
            target.map(|target| settings.target = Some(target)).is_some()
        });
        (settings, problems)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_are_read_nested_or_flat() {
        for section in [
            json!({ "run": { "onSave": "changed", "timeLimit": 5 }, "lens": { "enabled": false } }),
            json!({ "run.onSave": "changed", "run.timeLimit": 5, "lens.enabled": false }),
        ] {
            let (settings, problems) = Settings::read(&section);
            assert_eq!(problems, [""; 0]);
            assert_eq!(
                (settings.run_on_save, settings.run_time_limit, settings.lenses),
                (RunOnSave::Changed, 5.0, false)
            );
        }
        assert_eq!(Settings::read(&Value::Null), (Settings::default(), vec![]));
    }

    #[test]
    fn a_value_of_the_wrong_type_is_named_and_the_default_used() {
        let section = json!({ "run": { "onSave": 3, "device": "gpu" }, "check": { "target": "sm_1" }, "inlayHints": { "enabled": "yes" } });
        let (settings, problems) = Settings::read(&section);
        assert_eq!(settings, Settings::default());
        assert_eq!(problems.len(), 4);
        assert_eq!(
            problems[0],
            "the setting `shapewright.run.onSave` must be \"off\", \"changed\" or \"all\", not 3; the default is used"
        );
        assert_eq!(Settings::read(&json!("x")).1.len(), 1);
    }
}
