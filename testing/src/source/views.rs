//! Kernels whose threads access tensors through views.

use super::{Place, Size, Writer};

/// The dimensions of a view that is distributed over threads, common to all tensors of a kernel.
struct Share {
    /// The local dimensions: the number of elements of each thread.
    local: Vec<Size>,
    /// The thread dimensions: the digits of the thread id.
    threads: Vec<Size>,
}

impl Writer {
    /// Every thread of the launch has elements of every tensor, in an order of its own for each tensor.
    pub(super) fn thread_views(&mut self) -> (String, String) {
        let share = self.share();
        let written = self.draw.chance(30);
        let mut body = String::new();
        let inputs = 1 + self.draw.below(2);
        for position in 0..inputs + 1 + self.draw.below(2) {
            let is_output = position >= inputs;
            let (view, place) = self.view(&share, is_output, written);
            body += &view;
            if is_output {
                self.owned.push(place);
            } else {
                self.places.push(place);
            }
        }
        self.add_inputs(&share.local);
        body += &self.own_elements();
        let clauses = if written { self.launch_of(&share) } else { String::new() };
        (clauses, body)
    }

    /// Statements, and a loop over all elements of each output.
    fn own_elements(&mut self) -> String {
        let mut body = if self.draw.chance(50) { self.statements(2) } else { String::new() };
        for place in self.owned.clone() {
            body += &self.over_all(&place, 0);
        }
        body
    }

    /// Loops over the extents of a place from a dimension on, with a store in the innermost one.
    pub(super) fn over_all(&mut self, place: &Place, dimension: usize) -> String {
        let Some(extent) = place.extents.get(dimension).cloned() else {
            let before = if self.draw.chance(40) { self.statements(1) } else { String::new() };
            let indices: Vec<String> =
                self.ranged[self.ranged.len() - place.extents.len()..].iter().map(|index| index.text.clone()).collect();
            let scope = self.variables.len();
            let text = before + &self.store_at(place, &indices);
            self.variables.truncate(scope);
            return text;
        };
        self.for_loop("i", &extent, |writer| writer.over_all(place, dimension + 1))
    }

    fn share(&mut self) -> Share {
        let (locals, digits) = (1 + self.draw.below(2), 1 + self.draw.below(2));
        let local = (0..locals).map(|_| Size::constant(self.draw.pick(&[1, 2, 3, 4, 4, 5, 8]))).collect();
        let threads = (0..digits)
            .map(|_| {
                let value = self.draw.between(1, 12);
                self.size(value, 35)
            })
            .collect();
        Share { local, threads }
    }

    /// A view of a new tensor by a `reshape_map`, or by a shorter map if the launch is written.
    fn view(&mut self, share: &Share, written: bool, launch_is_written: bool) -> (String, Place) {
        let element = self.element();
        if launch_is_written && share.local.len() == 1 && self.draw.chance(40) {
            return self.short_map(share, written);
        }
        // The sizes in the tensor differ from those of the map if it leaves gaps or cuts off.
        let in_tensor: Vec<Size> = share
            .local
            .iter()
            .chain(&share.threads)
            .map(|size| {
                let differs = self.draw.chance(15);
                let change = self.draw.pick(&[-1, 1, 2]);
                if differs && (change > 0 || size.constant && size.value > 1) {
                    self.plus(size, change)
                } else {
                    size.clone()
                }
            })
            .collect();
        let sizes: Vec<String> = share
            .local
            .iter()
            .chain(&share.threads)
            .zip(&in_tensor)
            .map(|(ids, size)| if ids == size { ids.text.clone() } else { format!("({}, {})", ids.text, size.text) })
            .collect();
        let (local, threads) = sizes.split_at(share.local.len());
        let locals = (0..local.len()).map(|position| format!("i{position}"));
        let mut layout: Vec<String> = locals.chain((0..threads.len()).map(|position| format!("t{position}"))).collect();
        self.draw.shuffle(&mut layout);
        for entry in &mut layout {
            if self.draw.chance(25) {
                entry.insert(0, '-');
            }
        }
        let offset = if self.draw.chance(15) { self.draw.between(1, 5) } else { 0 };
        let product = self.product(&in_tensor);
        let length = self.plus(&product, offset);
        let masked = self.draw.chance(30);
        let length = if masked && self.draw.chance(60) {
            let value = self.draw.between(1, length.value + 4);
            self.size(value, 50)
        } else {
            length
        };
        let offset = if self.slip() { offset + 1 } else { offset };
        let offset = if offset > 0 { format!(", offset: {offset}") } else { String::new() };
        let map = format!(
            "reshape_map([{}] | [{}] => layout: [{}]{offset})",
            local.join(", "),
            threads.join(", "),
            layout.join(", ")
        );
        let shape = self.folded(length);
        let tensor = self.tensor(if written { "y" } else { "x" }, element, &shape, written);
        let masked = if masked && !self.slip() { " masked" } else { "" };
        let name = format!("{tensor}s");
        let view = format!("view {name} = {tensor} via {map}{masked};\n");
        (view, Place { name, element, extents: share.local.clone() })
    }

    /// A tensor of this number of elements, sometimes with two dimensions.
    fn folded(&mut self, length: Size) -> Vec<Size> {
        let factor = [2, 3, 4].into_iter().find(|factor| length.constant && length.value % factor == 0);
        match factor {
            Some(factor) if self.draw.chance(25) => vec![Size::constant(factor), Size::constant(length.value / factor)],
            _ => vec![length],
        }
    }

    /// `linear` or `continuous_linear` over all threads.
    fn short_map(&mut self, share: &Share, written: bool) -> (String, Place) {
        let element = self.element();
        let width = share.local[0].value;
        let all = self.product(&share.threads);
        let length = self.product(&[share.local[0].clone(), all]);
        let (map, length) = match self.draw.below(3) {
            0 => (format!("continuous_linear({width})"), length),
            1 => (format!("linear({width})"), length),
            _ => ("linear(1)".to_owned(), length),
        };
        let tensor = self.tensor(if written { "y" } else { "x" }, element, &[length], written);
        let name = format!("{tensor}s");
        let masked = if self.draw.chance(30) { " masked" } else { "" };
        (format!("view {name} = {tensor} via {map}{masked};\n"), Place { name, element, extents: share.local.clone() })
    }

    /// The full launch: the threads of the view, distributed over blocks.
    fn launch_of(&mut self, share: &Share) -> String {
        let (mut blocks, mut threads) = (Size::constant(1), self.product(&share.threads));
        if let [first, second] = share.threads.as_slice() {
            (blocks, threads) = (second.clone(), first.clone());
        }
        if self.slip() {
            blocks = self.plus(&blocks, 1);
        }
        format!(" grid({}) block({})", blocks.text, threads.text)
    }

    /// Views per block, warp and thread.
    pub(super) fn nested_views(&mut self) -> (String, String) {
        let warps = self.draw.chance(40);
        let blocks = self.draw.between(1, 3);
        let blocks = self.size(blocks, 30);
        let threads = if warps { self.draw.pick(&[32, 64]) } else { self.draw.between(1, 8) };
        let per_thread = self.draw.pick(&[1, 2, 3, 4]);
        let mut body = String::new();
        for position in 0..2 + self.draw.below(2) {
            let written = position > 0;
            let (element, chunk) = (self.element(), per_thread * threads);
            let length = self.product(&[Size::constant(chunk), blocks.clone()]);
            let tensor = self.tensor(if written { "y" } else { "x" }, element, &[length], written);
            let (outer, name) = (self.chunk(chunk, &blocks.text), format!("{tensor}s"));
            body += &format!("view {tensor}b = {tensor} via {outer} per block;\n");
            let mut source = format!("{tensor}b");
            let mut inner = threads;
            if warps {
                let map = self.chunk(per_thread * 32, &(threads / 32).to_string());
                body += &format!("view {tensor}w = {source} via {map} per warp;\n");
                (source, inner) = (format!("{tensor}w"), 32);
            }
            let inner = if self.slip() { inner - 1 } else { inner };
            let map = self.chunk(per_thread, &inner.max(1).to_string());
            body += &format!("view {name} = {source} via {map};\n");
            let place = Place { name, element, extents: vec![Size::constant(per_thread)] };
            if written {
                self.owned.push(place);
            } else {
                self.places.push(place);
            }
        }
        self.add_inputs(&[Size::constant(per_thread)]);
        body += &self.own_elements();
        (format!(" grid({}) block({threads})", blocks.text), body)
    }

    /// A map that distributes `units` chunks of a size.
    fn chunk(&mut self, size: i64, units: &str) -> String {
        let size = if self.slip() { size + 1 } else { size };
        match self.draw.below(5) {
            0 => format!("continuous_linear({size})"),
            1 => format!("reshape_map([{size}] | [{units}] => layout: [t0, i0])"),
            2 => format!("reshape_map([{size}] | [{units}] => layout: [-i0, t0])"),
            3 => format!("reshape_map([{size}] | [{units}] => layout: [i0, -t0])"),
            _ => format!("reshape_map([{size}] | [{units}] => layout: [i0, t0])"),
        }
    }
}
