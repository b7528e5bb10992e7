// What emitted CUDA needs to run on the CPU: the words of the language, the ids, the functions that CUDA declares by
// itself, and a launch that calls the kernel for every thread of every block, one after the other. Where the threads of
// a block wait for each other, each is a fiber (fibers.h).

#pragma once

#include <cmath>
#include <cstring>
#include <sys/mman.h>
#include <type_traits>
#include <utility>

#define __global__
#define __device__
#define __forceinline__ inline
#define __restrict__ __restrict
#define __launch_bounds__(threads)
#define __cluster_dims__(x, y, z)

// Blocks run one after the other, so their shared arrays can be the same memory; it has a section of its own, so that
// it can be filled with garbage when a block begins.
#define SHIM_SHARED __attribute__((section("shim_shared")))
#define __shared__ static SHIM_SHARED

// Where the section lies; the linker defines these, unless no kernel has shared arrays.
extern "C" {
extern unsigned char __start_shim_shared[] __attribute__((weak, visibility("hidden")));
extern unsigned char __stop_shim_shared[] __attribute__((weak, visibility("hidden")));
}

struct shim_index {
    unsigned int x, y, z;
};

struct alignas(16) uint4 {
    unsigned int x, y, z, w;
};

struct alignas(8) uint2 {
    unsigned int x, y;
};

struct uint1 {
    unsigned int x;
};

struct ushort1 {
    unsigned short x;
};

static thread_local shim_index gridDim = {1, 1, 1}, blockDim = {1, 1, 1}, blockIdx = {0, 0, 0}, threadIdx = {0, 0, 0};

template <typename To, typename From>
static inline To shim_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    To to;
    std::memcpy(&to, &from, sizeof(to));
    return to;
}

static inline unsigned int __float_as_uint(float value) { return shim_bits<unsigned int>(value); }
static inline float __uint_as_float(unsigned int value) { return shim_bits<float>(value); }
static inline double __longlong_as_double(long long value) { return shim_bits<double>(value); }
static inline long long __double_as_longlong(double value) { return shim_bits<long long>(value); }

// The type itself; no argument decides it.
template <typename Element>
struct shim_identity {
    using type = Element;
};
template <typename Element>
using shim_type = typename shim_identity<Element>::type;

// There is one thread at a time, so nothing comes between the reading and the writing of an atomic function.
#define SHIM_ATOMIC(name, scope, types, changed)                                                                                  \
    template <typename Element, typename = std::enable_if_t<types>>                                                               \
    static inline Element name##scope(Element *element, shim_type<Element> value)                                      \
    {                                                                                                                             \
        const Element before = *element;                                                                                          \
        *element = changed;                                                                                                       \
        return before;                                                                                                            \
    }
template <typename Element, typename... Types>
constexpr bool shim_is_one_of = (std::is_same_v<Element, Types> || ...);
// The types for which CUDA has each of them.
#define SHIM_WORDS shim_is_one_of<Element, int, unsigned int, unsigned long long>
#define SHIM_ORDERED shim_is_one_of<Element, int, unsigned int, long long, unsigned long long>
#define SHIM_SUMS shim_is_one_of<Element, int, unsigned int, unsigned long long, float, double>
#define SHIM_MOVED shim_is_one_of<Element, int, unsigned int, unsigned long long, float>
#define SHIM_ATOMICS(scope)                                                                                                       \
    SHIM_ATOMIC(atomicAdd, scope, SHIM_SUMS, shim_sum(before, value))                                                             \
    SHIM_ATOMIC(atomicMin, scope, SHIM_ORDERED, before < value ? before : value)                                                  \
    SHIM_ATOMIC(atomicMax, scope, SHIM_ORDERED, before > value ? before : value)                                                  \
    SHIM_ATOMIC(atomicAnd, scope, SHIM_WORDS, before &value)                                                                      \
    SHIM_ATOMIC(atomicOr, scope, SHIM_WORDS, before | value)                                                                      \
    SHIM_ATOMIC(atomicXor, scope, SHIM_WORDS, before ^ value)                                                                     \
    SHIM_ATOMIC(atomicExch, scope, SHIM_MOVED, value)                                                                             \
    template <typename Element, typename = std::enable_if_t<SHIM_WORDS>>                                                          \
    static inline Element atomicCAS##scope(Element *element, shim_type<Element> expected, shim_type<Element> value) \
    {                                                                                                                             \
        const Element before = *element;                                                                                          \
        if (before == expected) {                                                                                                 \
            *element = value;                                                                                                     \
        }                                                                                                                         \
        return before;                                                                                                            \
    }

// Integers wrap.
template <typename Element>
static inline Element shim_sum(Element a, Element b)
{
    if constexpr (std::is_integral_v<Element>) {
        return (Element)((std::make_unsigned_t<Element>)a + (std::make_unsigned_t<Element>)b);
    } else {
        return a + b;
    }
}

SHIM_ATOMICS()
SHIM_ATOMICS(_block)
SHIM_ATOMICS(_system)

static inline void __threadfence_block() {}
static inline void __threadfence() {}
static inline void __threadfence_system() {}

static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
static inline unsigned int min(unsigned int a, unsigned int b) { return a < b ? a : b; }
static inline unsigned int max(unsigned int a, unsigned int b) { return a > b ? a : b; }
static inline long long min(long long a, long long b) { return a < b ? a : b; }
static inline long long max(long long a, long long b) { return a > b ? a : b; }
static inline unsigned long long min(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
static inline unsigned long long max(unsigned long long a, unsigned long long b) { return a > b ? a : b; }

// The C library leaves the order of the two zeros open; CUDA's hardware takes -0 for the smaller one.
template <typename Float>
static inline Float shim_minimum(Float a, Float b)
{
    if (a != a || b != b) {
        return a != a ? b : a;
    }
    return a < b || (a == b && std::signbit(a)) ? a : b;
}

template <typename Float>
static inline Float shim_maximum(Float a, Float b)
{
    if (a != a || b != b) {
        return a != a ? b : a;
    }
    return a > b || (a == b && !std::signbit(a)) ? a : b;
}

#define fminf shim_minimum<float>
#define fmaxf shim_maximum<float>
#define fmin shim_minimum<double>
#define fmax shim_maximum<double>

static inline float shim_c_rsqrtf(float value) { return 1.0f / sqrtf(value); }
static inline double shim_c_rsqrt(double value) { return 1.0 / sqrt(value); }

// The bits of integers. The compiler leaves open how many zeros 0 has.
static inline int __popc(unsigned int value) { return __builtin_popcount(value); }
static inline int __popcll(unsigned long long value) { return __builtin_popcountll(value); }
static inline int __clz(int value) { return value == 0 ? 32 : __builtin_clz(value); }
static inline int __clzll(long long value) { return value == 0 ? 64 : __builtin_clzll(value); }
static inline int __ffs(int value) { return __builtin_ffs(value); }
static inline int __ffsll(long long value) { return __builtin_ffsll(value); }
static inline int __mulhi(int left, int right) { return (int)((long long)left * right >> 32); }
static inline unsigned int __umulhi(unsigned int left, unsigned int right)
{
    return (unsigned int)((unsigned long long)left * right >> 32);
}
static inline long long __mul64hi(long long left, long long right) { return (long long)((__int128)left * right >> 64); }
static inline unsigned long long __umul64hi(unsigned long long left, unsigned long long right)
{
    return (unsigned long long)((unsigned __int128)left * right >> 64);
}

static inline unsigned long long __brevll(unsigned long long value)
{
    unsigned long long reversed = 0;
    for (int bit = 0; bit < 64; ++bit) {
        reversed = reversed << 1 | (value >> bit & 1);
    }
    return reversed;
}
static inline unsigned int __brev(unsigned int value) { return (unsigned int)(__brevll(value) >> 32); }

// What approximates: functions that whoever opens the library may put here in the place of the C library's, whose last
// digits are others than the interpreter's.
#define SHIM_MATH(name, from_c) \
    extern "C" { \
    float (*shim_##name##f)(float) = from_c##f; \
    double (*shim_##name)(double) = from_c; \
    }

SHIM_MATH(rsqrt, shim_c_rsqrt)
SHIM_MATH(exp, exp)
SHIM_MATH(exp2, exp2)
SHIM_MATH(log, log)
SHIM_MATH(log2, log2)
SHIM_MATH(log10, log10)
SHIM_MATH(sin, sin)
SHIM_MATH(cos, cos)
SHIM_MATH(tan, tan)
SHIM_MATH(atan, atan)
SHIM_MATH(tanh, tanh)
SHIM_MATH(erf, erf)
SHIM_MATH(cbrt, cbrt)

#define SHIM_MATH_OF_TWO(name) \
    extern "C" { \
    float (*shim_##name##f)(float, float) = name##f; \
    double (*shim_##name)(double, double) = name; \
    }

SHIM_MATH_OF_TWO(pow)
SHIM_MATH_OF_TWO(atan2)
SHIM_MATH_OF_TWO(hypot)

#define rsqrtf shim_rsqrtf
#define rsqrt shim_rsqrt
#define expf shim_expf
#define exp shim_exp
#define exp2f shim_exp2f
#define exp2 shim_exp2
#define logf shim_logf
#define log shim_log
#define log2f shim_log2f
#define log2 shim_log2
#define sinf shim_sinf
#define sin shim_sin
#define cosf shim_cosf
#define cos shim_cos
#define tanhf shim_tanhf
#define tanh shim_tanh
#define erff shim_erff
#define erf shim_erf
#define powf shim_powf
#define pow shim_pow
#define log10f shim_log10f
#define log10 shim_log10
#define tanf shim_tanf
#define tan shim_tan
#define atanf shim_atanf
#define atan shim_atan
#define cbrtf shim_cbrtf
#define cbrt shim_cbrt
#define atan2f shim_atan2f
#define atan2 shim_atan2
#define hypotf shim_hypotf
#define hypot shim_hypot

// On the device these two conversions are one instruction each.
struct f16 {
    unsigned short bits;
    f16() = default;

    explicit f16(float value)
    {
        const unsigned int all = __float_as_uint(value);
        const unsigned int sign = (all >> 16) & 0x8000u;
        const unsigned int magnitude = all & 0x7fffffffu;
        unsigned int half;
        if (magnitude > 0x7f800000u) {
            half = 0x7fffu;
        } else if (magnitude >= 0x477ff000u) {
            // 65520 and above round to infinity.
            half = 0x7c00u;
        } else if (magnitude >= 0x38800000u) {
            // A normal number: the exponent's bias is smaller by 112, and 13 bits are rounded off, ties to even.
            half = (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
        } else {
            // A subnormal one is a multiple of 2^-24; adding 0.5 rounds to such a multiple.
            half = __float_as_uint(__uint_as_float(magnitude) + 0.5f) - __float_as_uint(0.5f);
        }
        bits = (unsigned short)(sign | half);
    }

    explicit operator float() const
    {
        const unsigned int sign = (bits & 0x8000u) << 16;
        const unsigned int magnitude = bits & 0x7fffu;
        if (magnitude >= 0x7c00u) {
            return __uint_as_float(sign | 0x7f800000u | ((magnitude & 0x3ffu) << 13));
        }
        // The exponent's bias is larger by 112, for subnormal numbers as well.
        return __uint_as_float(__float_as_uint(__uint_as_float(magnitude << 13) * 0x1p112f) | sign);
    }
};

template <typename... Parameters, std::size_t... Index>
static void shim_call(void (*kernel)(Parameters...), void **arguments, std::index_sequence<Index...>)
{
    (void)arguments;
    kernel(*static_cast<std::remove_cv_t<Parameters> *>(arguments[Index])...);
}

// The shared memory whose size the launch says. It ends where a page begins that nobody may touch.
class shim_dynamic {
    static const std::size_t PAGE = 65536;
    unsigned char *pages;
    std::size_t mapped;

public:
    unsigned char *start;
    std::size_t bytes;

    explicit shim_dynamic(unsigned int bytes) : bytes(bytes)
    {
        const std::size_t held = (bytes + 15u) / 16u * 16u;
        mapped = (held + PAGE - 1) / PAGE * PAGE + PAGE;
        pages = static_cast<unsigned char *>(mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        mprotect(pages + mapped - PAGE, PAGE, PROT_NONE);
        start = pages + mapped - PAGE - held;
    }

    ~shim_dynamic() { munmap(pages, mapped); }
};

static shim_dynamic *shim_dynamic_now;

static inline uint4 *shim_dynamic_shared() { return reinterpret_cast<uint4 *>(shim_dynamic_now->start); }

// What a block finds in its shared memory: nothing to rely on.
static inline void shim_enter_block(unsigned int block)
{
    blockIdx.x = block;
    std::memset(shim_dynamic_now->start, 0xa5, shim_dynamic_now->bytes);
    if (__start_shim_shared != __stop_shim_shared) {
        std::memset(__start_shim_shared, 0xa5, __stop_shim_shared - __start_shim_shared);
    }
}

// The arguments are those of cuLaunchKernel: an address of a value for each parameter.
template <typename... Parameters>
static void shim_launch(void (*kernel)(Parameters...), void **arguments, unsigned int blocks, unsigned int threads,
                        unsigned int dynamic)
{
    shim_dynamic memory(dynamic);
    shim_dynamic_now = &memory;
    gridDim.x = blocks;
    blockDim.x = threads;
    for (unsigned int block = 0; block < blocks; ++block) {
        shim_enter_block(block);
        for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) {
            shim_call(kernel, arguments, std::index_sequence_for<Parameters...>());
        }
    }
}
