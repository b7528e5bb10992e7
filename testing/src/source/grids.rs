//! Kernels with direct accesses of tensors, by a loop over the grid or a single thread.

use super::{Place, Ranged, Size, Writer};

impl Writer {
    /// `for (i, j) in grid(M, N)`, where each iteration has its own elements.
    pub(super) fn grid_loop(&mut self) -> (String, String) {
        let rank = 1 + self.draw.below(3) as usize;
        let extents: Vec<Size> = (0..rank)
            .map(|_| {
                let value = self.draw.between(1, 7);
                self.size(value, 50)
            })
            .collect();
        let depth = self.draw.pick(&[1, 2, 3, 4]);
        self.add_inputs(&extents);
        let iterators: Vec<String> = extents.iter().map(|_| self.fresh("b")).collect();
        for (text, extent) in iterators.iter().zip(&extents) {
            self.ranged.push(Ranged { text: text.clone(), extent: extent.clone() });
        }
        let mut inner = String::new();
        for _ in 0..1 + self.draw.below(2) {
            inner += &match self.draw.below(4) {
                0 => self.elements_in_order(&iterators, &extents, depth),
                1 => self.tail(&iterators, &extents, depth),
                _ => self.indexed(&iterators, &extents, depth),
            };
        }
        let names = if rank == 1 { iterators[0].clone() } else { format!("({})", iterators.join(", ")) };
        let sizes: Vec<String> = extents
            .iter()
            .map(|extent| if self.slip() { format!("{} + 1", extent.text) } else { extent.text.clone() })
            .collect();
        (String::new(), format!("for {names} in grid({}) {{\n{inner}}}\n", sizes.join(", ")))
    }

    /// `y[j, M - 1 - i, k]` with the iterators in any order, and a loop for another dimension.
    fn indexed(&mut self, iterators: &[String], extents: &[Size], depth: i64) -> String {
        let element = self.element();
        let mut order: Vec<usize> = (0..extents.len()).collect();
        self.draw.shuffle(&mut order);
        let shape: Vec<Size> = order.iter().map(|&axis| extents[axis].clone()).collect();
        if self.slip() {
            order.swap(0, extents.len() - 1);
        }
        let mut indices: Vec<String> = order.iter().map(|&axis| iterators[axis].clone()).collect();
        for (index, extent) in indices.iter_mut().zip(&shape) {
            if self.draw.chance(25) {
                *index = format!("{} - 1 - {index}", extent.text);
            }
            if self.slip() {
                *index = self.draw.pick(&[format!("{index} / 2"), "0".to_owned(), format!("{index} + 1")]);
            }
        }
        let before = if self.draw.chance(40) { self.statements(1) } else { String::new() };
        if depth == 1 || shape.len() == 3 {
            let name = self.tensor("y", element, &shape, true);
            return before + &self.store_at(&Place { name, element, extents: shape }, &indices);
        }
        let last = Size::constant(depth);
        let shape: Vec<Size> = shape.into_iter().chain([last.clone()]).collect();
        let name = self.tensor("y", element, &shape, true);
        let place = Place { name, element, extents: shape };
        let looped = self.for_loop("i", &last, |writer| {
            let inner = writer.ranged.last().map(|index| index.text.clone());
            indices.extend(inner);
            writer.store_at(&place, &indices)
        });
        before + &looped
    }

    /// `y[(i * N + j) * 4 + k]`: the row-major index written out.
    fn elements_in_order(&mut self, iterators: &[String], extents: &[Size], depth: i64) -> String {
        let element = self.element();
        let mut index = iterators[0].clone();
        for (iterator, extent) in iterators.iter().zip(extents).skip(1) {
            let stride = if self.slip() { self.plus(extent, -1) } else { extent.clone() };
            index = format!("({index}) * {} + {iterator}", stride.text);
        }
        let last = Size::constant(depth);
        let mut factors = extents.to_vec();
        factors.push(last.clone());
        let length = self.product(&factors);
        let name = self.tensor("y", element, std::slice::from_ref(&length), true);
        let place = Place { name, element, extents: vec![length] };
        let stride = if self.slip() { (depth - 1).max(1) } else { depth };
        self.for_loop("i", &last, |writer| {
            let inner = writer.ranged.last().map_or_else(String::new, |index| index.text.clone());
            writer.store_at(&place, &[format!("({index}) * {stride} + {inner}")])
        })
    }

    /// `if i * 4 + k < L { y[i * 4 + k] = … }`: more iterations than elements.
    fn tail(&mut self, iterators: &[String], extents: &[Size], depth: i64) -> String {
        let element = self.element();
        let (iterator, extent) = (iterators[0].clone(), extents[0].clone());
        let others: Vec<Size> = extents[1..].to_vec();
        let value = self.draw.between(1, extent.value * depth + 2);
        let length = self.size(value, 60);
        let shape: Vec<Size> = std::iter::once(length.clone()).chain(others).collect();
        let name = self.tensor("y", element, &shape, true);
        let place = Place { name, element, extents: shape };
        let missing = self.slip();
        let comparison = if self.slip() { "<=" } else { "<" };
        let stride = if self.slip() { (depth - 1).max(1) } else { depth };
        let last = Size::constant(depth);
        self.for_loop("i", &last, |writer| {
            let inner = writer.ranged.last().map_or_else(String::new, |index| index.text.clone());
            let row = format!("{iterator} * {stride} + {inner}");
            let mut indices = vec![row.clone()];
            indices.extend(iterators[1..].iter().cloned());
            let store = writer.store_at(&place, &indices);
            if missing { store } else { format!("if {row} {comparison} {} {{\n{store}}}\n", length.text) }
        })
    }

    /// One thread, which may access everything in any order.
    pub(super) fn one_thread(&mut self) -> (String, String) {
        let extents: Vec<Size> = (0..1 + self.draw.below(2))
            .map(|_| {
                let value = self.draw.between(1, 6);
                self.size(value, 40)
            })
            .collect();
        self.add_inputs(&extents);
        for _ in 0..1 + self.draw.below(2) {
            let element = self.element();
            let name = self.tensor("y", element, &extents, true);
            let place = Place { name, element, extents: extents.clone() };
            self.places.push(place.clone());
            self.owned.push(place);
        }
        let mut body = self.statements(3);
        for place in self.owned.clone() {
            body += &self.over_all(&place, 0);
        }
        (" grid(1) block(1)".to_owned(), body)
    }
}
