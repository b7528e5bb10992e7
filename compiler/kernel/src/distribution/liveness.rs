//! Where loops over points stand, and from which of them to which the elements of an array matter.

use std::ops::Range;

use super::accesses::Usages;
use crate::typed::{Each, Expr, ExprKind, Kernel, Memory, SharedId, Statement, StatementKind};

/// How many times a loop is taken to run its body, to weigh accesses.
const ITERATIONS: u64 = 8;

/// A loop over points.
pub(super) struct Site<'k> {
    pub each: &'k Each,
    pub usages: Usages,
    /// The loops around it, the outermost first.
    loops: Vec<usize>,
    /// Whether every iteration of the innermost loop runs it.
    is_in_every_iteration: bool,
}

/// The loops over the points of a kernel, in the order of the text.
pub(super) struct Sites<'k> {
    pub all: Vec<Site<'k>>,
    /// For each sequential loop, the sites in it.
    loops: Vec<Range<usize>>,
    /// What other statements access.
    pub others: Usages,
}

impl<'k> Sites<'k> {
    /// The sites of a kernel whose blocks have so many threads.
    pub fn new(kernel: &'k Kernel, threads: i64, poll: &dyn Fn()) -> Self {
        let mut sites = Self { all: Vec::new(), loops: Vec::new(), others: Usages::default() };
        sites.list(&kernel.body, &mut Vec::new(), true, kernel, threads, poll);
        sites
    }

    fn list(
        &mut self,
        statements: &'k [Statement],
        loops: &mut Vec<usize>,
        is_in_every_iteration: bool,
        kernel: &'k Kernel,
        threads: i64,
        poll: &dyn Fn(),
    ) {
        for statement in statements {
            poll();
            if let StatementKind::Each(each) = &statement.kind {
                let usages = Usages::of_each(each, &kernel.locals, threads);
                self.all.push(Site { each, usages, loops: loops.clone(), is_in_every_iteration });
                continue;
            }
            self.others.extend(&Usages::of_statement(statement));
            if let StatementKind::For { body, .. } = &statement.kind {
                let number = self.loops.len();
                self.loops.push(self.all.len()..self.all.len());
                loops.push(number);
                self.list(body, loops, true, kernel, threads, poll);
                loops.pop();
                self.loops[number].end = self.all.len();
                continue;
            }
            for block in statement.blocks() {
                self.list(block, loops, false, kernel, threads, poll);
            }
        }
    }

    /// The sites that access an array.
    pub fn of_array(&self, array: SharedId) -> impl Iterator<Item = (usize, &Site<'k>)> {
        let accesses = move |site: &Site<'_>| site.usages.get(Memory::Shared(array)).accesses > 0;
        self.all.iter().enumerate().filter(move |(_, site)| accesses(site))
    }

    /// From the first site where an array has to keep its elements to the last one. A loop that finds elements from its
    /// iteration before, or from before it, keeps them throughout.
    pub fn live(&self, array: SharedId) -> Option<Range<usize>> {
        let (first, site) = self.of_array(array).next()?;
        let (last, _) = self.of_array(array).last()?;
        let used = first..last + 1;
        let is_made_anew = site.is_in_every_iteration && site.is_written_first(array);
        let mut live = used.clone();
        for (_, user) in self.of_array(array) {
            for number in user.loops.iter().rev() {
                let Some(around) = self.loops.get(*number) else { continue };
                let is_inside = around.start <= used.start && used.end <= around.end;
                if is_inside && is_made_anew && site.loops.last() == Some(number) {
                    // Nothing of it is left for the next iteration, nor outside.
                    break;
                }
                live = live.start.min(around.start)..live.end.max(around.end);
            }
        }
        Some(live)
    }
}

impl Site<'_> {
    /// How often an array is accessed at a point, roughly.
    pub fn weight(&self, array: SharedId) -> u64 {
        let depth = u32::try_from(self.loops.len()).unwrap_or(u32::MAX);
        let accesses = self.usages.get(Memory::Shared(array)).accesses;
        u64::from(accesses).saturating_mul(ITERATIONS.saturating_pow(depth))
    }

    /// Whether each point writes its element of an array before it reads it.
    pub fn is_written_first(&self, array: SharedId) -> bool {
        let reads =
            |expr: &Expr| matches!(&expr.kind, ExprKind::Load(access) if access.memory == Memory::Shared(array));
        for statement in &self.each.body {
            let mut is_read = false;
            Statement::walk_expressions(std::slice::from_ref(statement), &mut |expr| is_read |= reads(expr));
            if is_read {
                return false;
            }
            match &statement.kind {
                StatementKind::Store { access, .. } if access.memory == Memory::Shared(array) => return true,
                _ => {}
            }
        }
        false
    }

    /// How many stores to an array it has.
    pub fn stores(&self, array: SharedId) -> usize {
        let mut stores = 0;
        Statement::walk(&self.each.body, &mut |statement| {
            let is_store = |access: &crate::typed::Access| access.memory == Memory::Shared(array);
            stores += usize::from(matches!(&statement.kind, StatementKind::Store { access, .. } if is_store(access)));
        });
        stores
    }
}
