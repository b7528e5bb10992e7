//! Random statements.

use elements::ElementType;

use super::{Place, Ranged, Size, Variable, Writer};

impl Writer {
    /// Several statements in a new scope.
    pub(super) fn statements(&mut self, depth: u32) -> String {
        let (variables, ranged) = (self.variables.len(), self.ranged.len());
        let (places, owned) = (self.places.len(), self.owned.len());
        let mut text = String::new();
        for _ in 0..1 + self.draw.below(3) {
            if self.budget == 0 {
                break;
            }
            self.budget -= 1;
            text += &self.statement(depth);
        }
        // Names are in scope until their closing brace, which the caller may write.
        self.variables.truncate(variables);
        self.ranged.truncate(ranged);
        self.places.truncate(places);
        self.owned.truncate(owned);
        text
    }

    fn statement(&mut self, depth: u32) -> String {
        match self.draw.below(12) {
            0 | 1 => self.let_statement(),
            2 => self.assignment(),
            3 if depth > 0 => self.branch(depth),
            4 | 5 if depth > 0 => {
                let extent = self.some_extent();
                self.for_loop("i", &extent, |writer| writer.statements(depth - 1))
            }
            6 if depth > 0 => self.gather(depth),
            7 if depth > 0 => self.uneven_loop(depth),
            8 => self.array(),
            9 if depth > 0 => self.while_loop(depth),
            10 if self.loops > 0 => self.leave(),
            _ => self.store(),
        }
    }

    /// `for i in 0..extent { … }`; a slip makes one iteration too many.
    pub(super) fn for_loop(&mut self, prefix: &str, extent: &Size, body: impl FnOnce(&mut Self) -> String) -> String {
        let name = self.fresh(prefix);
        let end = if self.slip() { format!("{} + 1", extent.text) } else { extent.text.clone() };
        let (variables, ranged) = (self.variables.len(), self.ranged.len());
        self.ranged.push(Ranged { text: name.clone(), extent: extent.clone() });
        self.loops += 1;
        let body = body(self);
        self.loops -= 1;
        self.variables.truncate(variables);
        self.ranged.truncate(ranged);
        format!("for {name} in 0..{end} {{\n{body}}}\n")
    }

    /// A loop whose bounds are expressions; its iterator is not used as an index.
    fn uneven_loop(&mut self, depth: u32) -> String {
        let name = self.fresh("i");
        let low = match self.ranged.last() {
            Some(index) if self.draw.chance(50) => index.text.clone(),
            _ => self.draw.between(-2, 2).to_string(),
        };
        let high = match self.draw.below(3) {
            0 => format!("{low} + {}", self.draw.between(0, 5)),
            1 => self.draw.between(0, 6).to_string(),
            _ => self.some_extent().text,
        };
        self.variables.push(Variable { name: name.clone(), element: ElementType::I64, mutable: false });
        let body = self.body_of_loop(depth);
        self.variables.pop();
        format!("for {name} in {low}..{high} {{\n{body}}}\n")
    }

    fn body_of_loop(&mut self, depth: u32) -> String {
        self.loops += 1;
        let body = self.statements(depth - 1);
        self.loops -= 1;
        body
    }

    fn while_loop(&mut self, depth: u32) -> String {
        let (condition, most) = (self.condition(1), self.draw.between(0, 4));
        format!("while {condition} max {most} {{\n{}}}\n", self.body_of_loop(depth))
    }

    /// Leaves the innermost loop, or its iteration.
    fn leave(&mut self) -> String {
        let word = self.draw.pick(&["break", "continue"]);
        match self.draw.below(4) {
            0 => format!("{word};\n"),
            1 => {
                let (condition, variables) = (self.condition(1), self.variables.len());
                let before = self.let_statement();
                self.variables.truncate(variables);
                format!("if {condition} {{\n{before}{word};\n}}\n")
            }
            _ => format!("if {} {{ {word}; }}\n", self.condition(1)),
        }
    }

    /// An array of the thread's own, which it may read and write anywhere.
    fn array(&mut self) -> String {
        let (name, element) = (self.fresh("r"), self.element());
        let rank = self.draw.between(1, 2);
        let extents: Vec<Size> = (0..rank).map(|_| Size::constant(self.draw.between(1, 4))).collect();
        let texts: Vec<&str> = extents.iter().map(|extent| extent.text.as_str()).collect();
        let shape = texts.join(", ");
        let mutable = self.draw.chance(70);
        let value = match extents.as_slice() {
            [one] if self.draw.chance(40) => {
                let parts: Vec<String> = (0..one.value).map(|_| self.expr(element, 1)).collect();
                format!("[{}]", parts.join(", "))
            }
            _ => self.expr(element, 2),
        };
        let place = Place { name: name.clone(), element, extents };
        self.places.push(place.clone());
        self.owned.extend(mutable.then_some(place));
        format!("let {}{name}: {element}[{shape}] = {value};\n", if mutable { "mut " } else { "" })
    }

    fn some_extent(&mut self) -> Size {
        let extents: Vec<Size> =
            self.places.iter().chain(&self.owned).flat_map(|place| place.extents.iter().cloned()).collect();
        if extents.is_empty() || self.draw.chance(20) {
            return Size::constant(self.draw.between(1, 5));
        }
        self.draw.pick(&extents)
    }

    fn let_statement(&mut self) -> String {
        let (name, element, mutable) = (self.fresh("v"), self.element(), self.draw.chance(40));
        let value = self.expr(element, 2);
        let typed = if self.draw.chance(40) { format!(": {element}") } else { String::new() };
        self.variables.push(Variable { name: name.clone(), element, mutable });
        format!("let {}{name}{typed} = {value};\n", if mutable { "mut " } else { "" })
    }

    fn assignment(&mut self) -> String {
        let mutable: Vec<Variable> = self.variables.iter().filter(|variable| variable.mutable).cloned().collect();
        if mutable.is_empty() {
            return self.let_statement();
        }
        let target = self.draw.pick(&mutable);
        let value = self.expr(target.element, 2);
        format!("{} {} {value};\n", target.name, self.assign_operator(target.element))
    }

    fn assign_operator(&mut self, element: ElementType) -> &'static str {
        if element == ElementType::Bool || !element.computes() || self.draw.chance(60) {
            return "=";
        }
        self.draw.pick(&["+=", "-=", "*=", "/=", "%="])
    }

    fn branch(&mut self, depth: u32) -> String {
        let mut text = format!("if {} {{\n{}}}", self.condition(1), self.statements(depth - 1));
        if self.draw.chance(20) {
            text += &format!(" else if {} {{\n{}}}", self.condition(1), self.statements(depth - 1));
        }
        if self.draw.chance(40) {
            text += &format!(" else {{\n{}}}", self.statements(depth - 1));
        }
        text + "\n"
    }

    /// An index from data, used under conditions that keep it in range.
    fn gather(&mut self, depth: u32) -> String {
        let name = self.fresh("k");
        let integers: Vec<Place> = self.places.iter().filter(|place| place.element.is_integer()).cloned().collect();
        let value = if integers.is_empty() || self.draw.chance(20) {
            self.expr(ElementType::I64, 1)
        } else {
            let place = self.draw.pick(&integers);
            format!("i64({})", self.element_of(&place))
        };
        let extent = self.some_extent();
        let (low, high) = (self.slip(), self.slip());
        let mut conditions = vec![format!("{name} < {}", extent.text)];
        if self.draw.chance(30) {
            // A condition on a sum implies one on its operand only if the sum cannot wrap.
            conditions[0] = format!("{name} + 1 <= {}", extent.text);
            if !self.slip() {
                conditions.push(format!("{name} < 1000"));
            }
        } else if high {
            conditions[0] = format!("{name} <= {}", extent.text);
        }
        if !low {
            conditions.push(format!("{name} >= 0"));
        }
        self.draw.shuffle(&mut conditions);
        // A sum that may wrap is checked under the conditions before it.
        conditions.sort_by_key(|condition| condition.contains('+'));
        self.ranged.push(Ranged { text: name.clone(), extent });
        self.variables.push(Variable { name: name.clone(), element: ElementType::I64, mutable: false });
        let body = self.statements(depth - 1);
        self.ranged.pop();
        self.variables.pop();
        let name_is_taken = format!("let {name} = {value};\n");
        format!("{name_is_taken}if {} {{\n{body}}}\n", conditions.join(" && "))
    }

    /// A store to an element that belongs to the thread.
    fn store(&mut self) -> String {
        if self.owned.is_empty() {
            return self.let_statement();
        }
        let place = self.draw.pick(&self.owned.clone());
        let indices: Vec<String> = place.extents.iter().map(|extent| self.index(extent)).collect();
        self.store_at(&place, &indices)
    }

    pub(super) fn store_at(&mut self, place: &Place, indices: &[String]) -> String {
        let target = format!("{}[{}]", place.name, indices.join(", "));
        let value = self.expr(place.element, 3);
        format!("{target} {} {value};\n", self.assign_operator(place.element))
    }
}
