//! Reserved words that names in generated code must avoid.

/// Lists of words.
pub(crate) type WordList = &'static [&'static [&'static str]];

/// The reserved words of C++, CUDA and C.
pub(super) const C_FAMILY: WordList = &[KEYWORDS, MACROS, CUDA, EMITTED];

/// The keywords of C++, including nearly all keywords of C.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
    "char16_t", "char32_t", "char8_t", "class", "co_await", "co_return", "co_yield", "compl", "concept", "const",
    "const_cast", "consteval", "constexpr", "constinit", "continue", "decltype", "default", "delete", "do", "double",
    "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "final", "float", "for", "friend",
    "goto", "if", "import", "inline", "int", "long", "module", "mutable", "namespace", "new", "noexcept", "not",
    "not_eq", "nullptr", "operator", "or", "or_eq", "override", "private", "protected", "public", "register",
    "reinterpret_cast", "requires", "restrict", "return", "short", "signed", "sizeof", "static", "static_assert",
    "static_cast", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef",
    "typeid", "typename", "typeof", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while",
    "xor", "xor_eq",
];

/// Macros of the standard headers, which would replace a name everywhere. Generated code includes no header, but users
/// paste it into files that do, and CUDA's own headers include most of these.
#[rustfmt::skip]
const MACROS: &[&str] = &[
    // stddef.h, stdio.h, stdlib.h, errno.h, assert.h, stdarg.h, setjmp.h, signal.h, time.h, locale.h
    "NULL", "offsetof", "EOF", "BUFSIZ", "FILENAME_MAX", "FOPEN_MAX", "L_tmpnam", "TMP_MAX", "SEEK_SET", "SEEK_CUR",
    "SEEK_END", "stdin", "stdout", "stderr", "getc", "putc", "EXIT_SUCCESS", "EXIT_FAILURE", "RAND_MAX", "MB_CUR_MAX",
    "errno", "EDOM", "ERANGE", "EILSEQ", "EINVAL", "ENOMEM", "EAGAIN", "EINTR", "EIO", "EPERM", "ENOENT", "EACCES",
    "EBUSY", "EEXIST", "assert", "NDEBUG", "static_assert", "va_arg", "va_copy", "va_end", "va_start", "setjmp",
    "SIG_DFL", "SIG_ERR", "SIG_IGN", "SIGABRT", "SIGFPE", "SIGILL", "SIGINT", "SIGSEGV", "SIGTERM", "CLOCKS_PER_SEC",
    "TIME_UTC", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MONETARY", "LC_NUMERIC", "LC_TIME",
    // limits.h, stdint.h, float.h
    "CHAR_BIT", "CHAR_MAX", "CHAR_MIN", "SCHAR_MAX", "SCHAR_MIN", "UCHAR_MAX", "SHRT_MAX", "SHRT_MIN", "USHRT_MAX",
    "INT_MAX", "INT_MIN", "UINT_MAX", "LONG_MAX", "LONG_MIN", "ULONG_MAX", "LLONG_MAX", "LLONG_MIN", "ULLONG_MAX",
    "MB_LEN_MAX", "PATH_MAX", "NAME_MAX", "SSIZE_MAX", "SIZE_MAX", "PTRDIFF_MAX", "PTRDIFF_MIN", "SIG_ATOMIC_MAX",
    "SIG_ATOMIC_MIN", "WCHAR_MAX", "WCHAR_MIN", "WINT_MAX", "WINT_MIN", "INTPTR_MAX", "INTPTR_MIN", "UINTPTR_MAX",
    "INTMAX_MAX", "INTMAX_MIN", "UINTMAX_MAX", "INTMAX_C", "UINTMAX_C", "INT8_MAX", "INT8_MIN", "UINT8_MAX", "INT8_C",
    "UINT8_C", "INT_LEAST8_MAX", "INT_LEAST8_MIN", "UINT_LEAST8_MAX", "INT_FAST8_MAX", "INT_FAST8_MIN",
    "UINT_FAST8_MAX", "PRId8", "PRIi8", "PRIu8", "PRIx8", "PRIX8", "PRIo8", "INT16_MAX", "INT16_MIN", "UINT16_MAX",
    "INT16_C", "UINT16_C", "INT_LEAST16_MAX", "INT_LEAST16_MIN", "UINT_LEAST16_MAX", "INT_FAST16_MAX",
    "INT_FAST16_MIN", "UINT_FAST16_MAX", "PRId16", "PRIi16", "PRIu16", "PRIx16", "PRIX16", "PRIo16", "INT32_MAX",
    "INT32_MIN", "UINT32_MAX", "INT32_C", "UINT32_C", "INT_LEAST32_MAX", "INT_LEAST32_MIN", "UINT_LEAST32_MAX",
    "INT_FAST32_MAX", "INT_FAST32_MIN", "UINT_FAST32_MAX", "PRId32", "PRIi32", "PRIu32", "PRIx32", "PRIX32", "PRIo32",
    "INT64_MAX", "INT64_MIN", "UINT64_MAX", "INT64_C", "UINT64_C", "INT_LEAST64_MAX", "INT_LEAST64_MIN",
    "UINT_LEAST64_MAX", "INT_FAST64_MAX", "INT_FAST64_MIN", "UINT_FAST64_MAX", "PRId64", "PRIi64", "PRIu64", "PRIx64",
    "PRIX64", "PRIo64", "FLT_RADIX", "FLT_ROUNDS", "FLT_EVAL_METHOD", "DECIMAL_DIG", "FLT_DIG", "FLT_EPSILON",
    "FLT_MANT_DIG", "FLT_MAX", "FLT_MAX_10_EXP", "FLT_MAX_EXP", "FLT_MIN", "FLT_MIN_10_EXP", "FLT_MIN_EXP",
    "FLT_TRUE_MIN", "FLT_HAS_SUBNORM", "FLT_DECIMAL_DIG", "DBL_DIG", "DBL_EPSILON", "DBL_MANT_DIG", "DBL_MAX",
    "DBL_MAX_10_EXP", "DBL_MAX_EXP", "DBL_MIN", "DBL_MIN_10_EXP", "DBL_MIN_EXP", "DBL_TRUE_MIN", "DBL_HAS_SUBNORM",
    "DBL_DECIMAL_DIG", "LDBL_DIG", "LDBL_EPSILON", "LDBL_MANT_DIG", "LDBL_MAX", "LDBL_MAX_10_EXP", "LDBL_MAX_EXP",
    "LDBL_MIN", "LDBL_MIN_10_EXP", "LDBL_MIN_EXP", "LDBL_TRUE_MIN", "LDBL_HAS_SUBNORM", "LDBL_DECIMAL_DIG",
    // math.h
    "INFINITY", "NAN", "HUGE_VAL", "HUGE_VALF", "HUGE_VALL", "HUGE", "FP_INFINITE", "FP_NAN", "FP_NORMAL",
    "FP_SUBNORMAL", "FP_ZERO", "FP_FAST_FMA", "FP_FAST_FMAF", "FP_FAST_FMAL", "FP_ILOGB0", "FP_ILOGBNAN",
    "MATH_ERRNO", "MATH_ERREXCEPT", "math_errhandling", "DOMAIN", "SING", "OVERFLOW", "UNDERFLOW", "PLOSS", "TLOSS",
    "MAXFLOAT", "fpclassify", "isfinite", "isgreater", "isgreaterequal", "isinf", "isless", "islessequal",
    "islessgreater", "isnan", "isnormal", "isunordered", "signbit", "signgam", "M_E", "M_LOG2E", "M_LOG10E", "M_LN2",
    "M_LN10", "M_PI", "M_PI_2", "M_PI_4", "M_1_PI", "M_2_PI", "M_2_SQRTPI", "M_SQRT2", "M_SQRT1_2",
];

/// Declarations of CUDA and of its host compiler.
#[rustfmt::skip]
const CUDA: &[&str] = &[
    "blockDim", "blockIdx", "clusterDim", "clusterIdx", "gridDim", "threadIdx", "warpSize", "dim3", "cudaError_t",
    "atomicAdd", "atomicAnd", "atomicCAS", "atomicDec", "atomicExch", "atomicInc", "atomicMax", "atomicMin", "atomicOr", "atomicSub",
    "atomicXor", "atomicAdd_block", "atomicAnd_block", "atomicCAS_block", "atomicExch_block", "atomicMax_block", "atomicMin_block",
    "atomicOr_block", "atomicXor_block", "atomicAdd_system", "atomicAnd_system", "atomicCAS_system", "atomicExch_system",
    "atomicMax_system", "atomicMin_system", "atomicOr_system", "atomicXor_system",
    "cudaStream_t", "half", "half2", "nv_bfloat16", "CUDART_INF_F", "CUDART_NAN_F", "CUDART_INF", "CUDART_NAN",
    "CUDART_VERSION", "CUDA_VERSION", "CUDARTAPI", "CUDART_CB", "linux", "unix", "i386", "host",
];

/// Names that generated code itself calls or defines.
#[rustfmt::skip]
const EMITTED: &[&str] = &[
    "atomic_add", "atomic_and", "atomic_compare_exchange", "atomic_exchange", "atomic_load", "atomic_max", "atomic_min", "atomic_or",
    "atomic_store", "atomic_xor", "atomic_add_block", "atomic_and_block", "atomic_compare_exchange_block", "atomic_exchange_block",
    "atomic_load_block", "atomic_max_block", "atomic_min_block", "atomic_or_block", "atomic_store_block", "atomic_xor_block",
    "atomic_add_system", "atomic_and_system", "atomic_compare_exchange_system", "atomic_exchange_system", "atomic_load_system",
    "atomic_max_system", "atomic_min_system", "atomic_or_system", "atomic_store_system", "atomic_xor_system",
    "faults", "Faults", "same_bits", "memcpy", "inside", "block", "copy_vector", "Vector", "thread", "divide", "floor_divide",
    "floor_remainder", "truncating_remainder", "round_to_odd", "shift_left", "shuffle", "shuffle_down", "shuffle_up", "shuffle_xor", "sync_warps", "wrapping_abs",
    "wrapping_add", "wrapping_multiply", "wrapping_negate", "wrapping_subtract", "uint1", "uint2", "uint4", "ushort1",
    "to_i16", "to_i32", "to_i64", "to_i8", "to_u16", "to_u32", "to_u64", "to_u8", "fmod", "fmodf", "max", "min",
];
