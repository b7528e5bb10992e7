//! Methods of tiles in other languages, and their counterparts here.

/// Advice for a method that a tile does not have.
pub(super) fn advice(name: &str) -> Option<&'static str> {
    Some(match name {
        "to" | "astype" | "cast" | "type" | "half" | "float" | "double" | "bfloat16" | "int" | "long" => {
            "convert by the name of the type: `f16(t)`"
        }
        "view" | "bitcast" => "`t.reshape([64])` is the tile in another shape; `bitcast(u32, t)` takes its bits",
        "flatten" | "ravel" | "squeeze" => "`t.reshape([64])` is the tile in another shape",
        "unsqueeze" | "expand_dims" => "`t.insert(0)` is the tile with a dimension of extent 1 more",
        "broadcast_to" | "expand" | "expand_as" | "repeat" => {
            "an extent of 1 extends to that of the other operand by itself; `t.insert(0)` adds one"
        }
        "dot" | "matmul" | "mm" | "bmm" => {
            "`matmul(t, b)` multiplies two tiles, and `mma(t, b, acc)` adds their product to a third one"
        }
        "shape" | "size" | "numel" | "ndim" => {
            "a tile has the extents that it is made with; those of a partition's tiles are `px.tile`"
        }
        "item" => "a tile of rank 0 is a number; `t.sum()` makes one of any tile",
        "softmax" | "logsumexp" | "log_softmax" | "layer_norm" | "var" | "std" => {
            "`use \"std/reductions.shape\";` takes in `softmax(t, 1)`, `logsumexp(t, 1)`, `variance(t, 1)` and `layer_norm`"
        }
        "clip" | "clamp" | "clamp_min" | "clamp_max" | "saturate" => {
            "`clamp(t, 0.0, 1.0)` is a function of each element"
        }
        "exp" | "log" | "sqrt" | "rsqrt" | "tanh" | "abs" | "sigmoid" | "relu" | "pow" => {
            "what is computed of each element is a function of the tile: `exp(t)`"
        }
        "T" | "mT" | "t" | "transpose" => "`t.permute(1, 0)` exchanges the dimensions of a tile",
        "where" => "`select(c, t, other)` chooses for each element",
        _ => return None,
    })
}
