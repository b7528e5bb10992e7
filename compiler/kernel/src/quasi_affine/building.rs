//! Forms as parts of index maps.

use rustc_hash::FxHashMap;

use super::{Known, Number, Terms};
use maps::{Affine, MapBuilder, MapError, Term, TermId};

/// Builds forms in a map under construction, each term once.
pub(crate) struct Building<'a, 'f, V, P> {
    terms: &'a Terms<V>,
    /// The map.
    pub builder: &'a mut MapBuilder<'f>,
    /// Gives each value as a form over the map's coordinates.
    place: P,
    built: FxHashMap<TermId, Affine>,
}

impl<'a, 'f, V, P> Building<'a, 'f, V, P>
where
    V: Number,
    P: FnMut(V, &mut MapBuilder<'f>) -> Result<Affine, MapError>,
{
    /// Starts without any terms; `place` gives each value over the map's coordinates.
    pub fn new(terms: &'a Terms<V>, builder: &'a mut MapBuilder<'f>, place: P) -> Self {
        Self { terms, builder, place, built: FxHashMap::default() }
    }

    /// Builds a form.
    pub fn form(&mut self, form: &Affine) -> Result<Affine, MapError> {
        let mut sum = Affine::constant(form.constant.clone());
        for (term, factor) in &form.terms {
            sum = sum.checked_add(&self.term(*term)?.checked_scale(factor)?)?;
        }
        Ok(sum)
    }

    fn term(&mut self, id: TermId) -> Result<Affine, MapError> {
        if let Some(built) = self.built.get(&id) {
            return Ok(built.clone());
        }
        let Known { term, values, .. } = self.terms.all.get(id).ok_or(MapError::Malformed)?;
        let built = match term {
            Term::Coordinate(_) => (self.place)(*values.first().ok_or(MapError::Malformed)?, self.builder)?,
            Term::Digit { of, divisor, modulus } => {
                let of = self.form(of)?;
                self.builder.digit(&of, divisor, modulus.as_ref())?
            }
            Term::Xor(left, right) => {
                let (left, right) = (self.form(left)?, self.form(right)?);
                self.builder.xor(&left, &right)?
            }
        };
        self.built.insert(id, built.clone());
        Ok(built)
    }
}
