//! The accesses of the lanes of one warp in one instruction.

use super::warps::Warps;
use maps::hardware::WARP_LANES;
use maps::{MapError, evaluate};

/// The addresses that the lanes of a warp access together, in elements; `None` for an inactive lane.
pub(super) type Request = [Option<i64>; WARP_LANES as usize];

/// One lane of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaneAccess {
    /// Its number in the warp, `0..32`.
    pub lane: usize,
    /// The upper coordinate of the map for its access.
    pub upper: Vec<i64>,
    /// The address, in elements.
    pub address: i64,
}

/// The active lanes of the request at the given coordinates of a map that was split into warps and has no symbols;
/// the last coordinate, the lane, is replaced.
pub(super) fn lanes_at(warps: &Warps, coordinates: &[i64]) -> Result<Vec<LaneAccess>, MapError> {
    let mut coordinates = coordinates.to_vec();
    let mut lanes = Vec::with_capacity(WARP_LANES as usize);
    for lane in 0..WARP_LANES {
        *coordinates.get_mut(warps.lane_axis()).ok_or(MapError::Malformed)? = lane;
        let point = evaluate(&warps.map, &coordinates, &|_| None)?;
        if let (true, Some(address)) = (point.valid, point.lower.first()) {
            let upper = warps.upper(&coordinates).ok_or(MapError::Malformed)?;
            lanes.push(LaneAccess { lane: lane as usize, upper, address: *address });
        }
    }
    Ok(lanes)
}

/// The addresses of lanes.
pub(super) fn request(lanes: &[LaneAccess]) -> Request {
    let mut request = [None; WARP_LANES as usize];
    for lane in lanes {
        if let Some(place) = request.get_mut(lane.lane) {
            *place = Some(lane.address);
        }
    }
    request
}
