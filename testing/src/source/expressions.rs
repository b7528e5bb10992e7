//! Random expressions of a given element type.

use elements::ElementType;
use kernel::functions::{FUNCTIONS, Function, Operands};

use super::{Place, Size, Writer};

/// Whether a function accepts operands of a type.
fn takes(function: &Function, element: ElementType) -> bool {
    match function.takes {
        _ if !element.computes() => false,
        Operands::Floats => element.is_float(),
        Operands::Numbers | Operands::ManyNumbers => element != ElementType::Bool,
        Operands::Integers => element.is_integer(),
        Operands::Sizes => false,
    }
}

impl Writer {
    pub(super) fn expr(&mut self, element: ElementType, depth: u32) -> String {
        if element == ElementType::Bool {
            return self.condition(depth);
        }
        if depth == 0 {
            return self.leaf(element);
        }
        let drawn = self.draw.below(10);
        match drawn {
            // What is stored only is converted where another type is computed.
            0..=3 | 6..=8 if !element.computes() => {
                let from = self.element();
                format!("{element}({})", self.expr(from, depth - 1))
            }
            0..=3 => {
                let operator = self.draw.pick(&["+", "+", "-", "*", "*", "/", "%"]);
                let left = self.expr(element, depth - 1);
                format!("({left} {operator} {})", self.right(element, depth - 1))
            }
            4 => self.choice(element, depth),
            5 => {
                let from = self.element();
                format!("{element}({})", self.expr(from, depth - 1))
            }
            6 | 7 => self.call(element, false, depth).unwrap_or_else(|| self.leaf(element)),
            8 if element.is_signed() => format!("-{}", self.expr(element, depth - 1)),
            _ => self.leaf(element),
        }
    }

    /// A right operand: sometimes a literal, which takes the type of the left operand.
    fn right(&mut self, element: ElementType, depth: u32) -> String {
        if self.draw.chance(70) {
            return self.expr(element, depth);
        }
        let whole = self.draw.below(9);
        if element.is_float() && self.draw.chance(60) { format!("{whole}.25") } else { whole.to_string() }
    }

    fn choice(&mut self, element: ElementType, depth: u32) -> String {
        // A condition that keeps an index in range.
        let same: Vec<Place> =
            self.places.iter().filter(|place| place.element == element && place.extents.len() == 1).cloned().collect();
        if !same.is_empty() && self.draw.chance(40) {
            let (place, index) = (self.draw.pick(&same), self.stable_integer());
            let comparison = if self.slip() { "<=" } else { "<" };
            let low = if self.slip() { "-1" } else { "0" };
            let (extent, name) = (&place.extents[0].text, &place.name);
            let otherwise = self.expr(element, depth - 1);
            return format!(
                "(if {index} >= {low} && {index} {comparison} {extent} {{ {name}[{index}] }} else {{ {otherwise} }})"
            );
        }
        let condition = self.condition(depth - 1);
        format!("(if {condition} {{ {} }} else {{ {} }})", self.expr(element, depth - 1), self.expr(element, depth - 1))
    }

    /// A small integer that keeps its value between statements.
    fn stable_integer(&mut self) -> String {
        let mut names: Vec<String> = self.ranged.iter().map(|index| index.text.clone()).collect();
        let fixed = self.variables.iter().filter(|variable| !variable.mutable && variable.element.is_integer());
        names.extend(fixed.map(|variable| match variable.element {
            ElementType::I64 => variable.name.clone(),
            _ => format!("i64({})", variable.name),
        }));
        if names.is_empty() {
            return self.draw.between(0, 2).to_string();
        }
        let name = self.draw.pick(&names);
        match self.draw.below(5) {
            0 => format!("{name} + 1"),
            1 => format!("{name} - 1"),
            2 => format!("{name} * 2 - 1"),
            _ => name,
        }
    }

    /// A call of a function that accepts operands of a type, with a result of that type or of type `bool`.
    fn call(&mut self, element: ElementType, gives_bool: bool, depth: u32) -> Option<String> {
        let fits = |function: &&Function| takes(function, element) && function.gives_bool() == gives_bool;
        let functions: Vec<&Function> = FUNCTIONS.iter().copied().filter(fits).collect();
        let function = (!functions.is_empty()).then(|| self.draw.pick(&functions))?;
        let more = if function.takes == Operands::ManyNumbers { self.draw.below(2) as usize } else { 0 };
        let mut arguments = vec![self.expr(element, depth - 1)];
        while arguments.len() < function.parameters.len() + more {
            arguments.push(self.right(element, depth - 1));
        }
        Some(format!("{}({})", function.name, arguments.join(", ")))
    }

    pub(super) fn condition(&mut self, depth: u32) -> String {
        let element = self.element();
        match self.draw.below(6) {
            0 if depth > 0 => format!("({} && {})", self.condition(depth - 1), self.condition(depth - 1)),
            1 if depth > 0 => format!("({} || {})", self.condition(depth - 1), self.condition(depth - 1)),
            2 if depth > 0 => format!("!({})", self.condition(depth - 1)),
            3 => self.bool_leaf(),
            4 if depth > 0 => self.call(element, true, depth).unwrap_or_else(|| self.bool_leaf()),
            _ => {
                let is_compared = element != ElementType::Bool && element.computes();
                let element = if is_compared { element } else { ElementType::I64 };
                let operator = self.draw.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let left = self.expr(element, depth.min(1));
                format!("({left} {operator} {})", self.right(element, depth.min(1)))
            }
        }
    }

    fn bool_leaf(&mut self) -> String {
        match self.named(ElementType::Bool) {
            Some(name) if self.draw.chance(80) => name,
            _ => self.draw.pick(&["true", "false"]).to_owned(),
        }
    }

    /// A variable, or an element of a place, of a type.
    fn named(&mut self, element: ElementType) -> Option<String> {
        let same: Vec<Place> =
            self.places.iter().chain(&self.owned).filter(|place| place.element == element).cloned().collect();
        if !same.is_empty() && self.draw.chance(65) {
            let place = self.draw.pick(&same);
            return Some(self.element_of(&place));
        }
        let mut names: Vec<String> =
            self.variables.iter().filter(|variable| variable.element == element).map(|v| v.name.clone()).collect();
        if element == ElementType::I64 {
            names.extend(self.ranged.iter().map(|index| index.text.clone()));
        }
        (!names.is_empty()).then(|| self.draw.pick(&names))
    }

    fn leaf(&mut self, element: ElementType) -> String {
        if self.draw.chance(75)
            && let Some(name) = self.named(element)
        {
            return name;
        }
        if self.draw.chance(40) && !self.places.is_empty() {
            let place = self.draw.pick(&self.places.clone());
            return format!("{element}({})", self.element_of(&place));
        }
        let whole = self.draw.below(100);
        if element.is_float() { format!("{element}({whole}.5)") } else { format!("{element}({whole})") }
    }

    /// An element of a place, with indices in range.
    pub(super) fn element_of(&mut self, place: &Place) -> String {
        let indices: Vec<String> = place.extents.iter().map(|extent| self.index(extent)).collect();
        format!("{}[{}]", place.name, indices.join(", "))
    }

    /// An index in `0..extent`; a slip exceeds it by one.
    pub(super) fn index(&mut self, extent: &Size) -> String {
        let fitting: Vec<String> =
            self.ranged.iter().filter(|index| index.extent == *extent).map(|index| index.text.clone()).collect();
        let index = if !fitting.is_empty() && self.draw.chance(75) {
            let name = self.draw.pick(&fitting);
            match self.draw.below(8) {
                0 => format!("{} - 1 - {name}", extent.text),
                1 => format!("{name} / 2"),
                2 => format!("({name} + 1) % {}", extent.text),
                _ => name,
            }
        } else {
            match self.draw.below(4) {
                0 if !self.ranged.is_empty() => {
                    let name = self.draw.pick(&self.ranged.clone()).text;
                    format!("min({name}, {} - 1)", extent.text)
                }
                1 => {
                    let value = self.stable_integer();
                    format!("max(min({value}, {} - 1), 0)", extent.text)
                }
                _ if extent.constant => self.draw.below(extent.value as u64).to_string(),
                _ => self.draw.pick(&["0".to_owned(), format!("{} - 1", extent.text)]),
            }
        };
        if self.slip() { format!("{index} + 1") } else { index }
    }
}
