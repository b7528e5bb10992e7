// Threads of a block that wait for each other: each is a fiber with a stack of its own, and runs until it has to wait.
// Barriers count those who arrive, as the hardware does. Turns go forwards and backwards through the block in turn, so
// that no order of the threads is relied upon.

#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <ucontext.h>
#include <vector>

// Behind all others: it gives names of the C library another meaning.
#include "shim.h"

enum shim_state { SHIM_READY, SHIM_AT_BARRIER, SHIM_AT_WARP, SHIM_DONE };

struct shim_shuffles {
    // What a lane gave in the last two: another lane may come to the next one before this one has taken its value.
    unsigned long long given[2] = {0, 0};
    unsigned int count = 0;
};

struct shim_fiber {
    ucontext_t context;
    std::unique_ptr<char[]> stack;
    shim_state state = SHIM_READY;
    // The barrier's number, or the lanes that wait together.
    unsigned int waits_for = 0;
    // Its shuffles with each set of lanes.
    std::map<unsigned int, shim_shuffles> shuffles;
    // Its asynchronous copies on their way: groups that were committed, and those since.
    std::vector<std::vector<std::function<void()>>> groups;
    std::vector<std::function<void()>> copies;
};

static const std::size_t SHIM_STACK = 256 << 10;
static const unsigned int SHIM_WARP = 32, SHIM_BARRIERS = 16;

static std::vector<shim_fiber> shim_fibers;
static unsigned int shim_arrived[SHIM_BARRIERS];
static ucontext_t shim_scheduler;
static std::function<void()> shim_kernel;

static void shim_fail(const char *what)
{
    std::fprintf(stderr, "thread %u of block %u: %s\n", threadIdx.x, blockIdx.x, what);
    std::abort();
}

static void shim_release(shim_state state, unsigned int waits_for, unsigned int first, unsigned int end)
{
    for (unsigned int thread = first; thread < end; ++thread) {
        shim_fiber &fiber = shim_fibers[thread];
        if (fiber.state == state && fiber.waits_for == waits_for) {
            fiber.state = SHIM_READY;
        }
    }
}

static void shim_wait(shim_state state, unsigned int waits_for)
{
    shim_fiber &fiber = shim_fibers[threadIdx.x];
    const unsigned int thread = threadIdx.x;
    fiber.state = state;
    fiber.waits_for = waits_for;
    swapcontext(&fiber.context, &shim_scheduler);
    threadIdx.x = thread;
}

static void sync_warps(int barrier, int threads)
{
    if (barrier < 0 || barrier >= (int)SHIM_BARRIERS) {
        shim_fail("there is no such barrier");
    }
    if (++shim_arrived[barrier] < (unsigned int)threads) {
        shim_wait(SHIM_AT_BARRIER, barrier);
        return;
    }
    shim_arrived[barrier] = 0;
    shim_release(SHIM_AT_BARRIER, barrier, 0, blockDim.x);
}

static void __syncthreads() { sync_warps(0, blockDim.x); }

static void __syncwarp(unsigned int mask = 0xffffffffu)
{
    const unsigned int warp = threadIdx.x / SHIM_WARP * SHIM_WARP;
    const unsigned int end = warp + SHIM_WARP < blockDim.x ? warp + SHIM_WARP : blockDim.x;
    if ((mask >> (threadIdx.x - warp) & 1u) == 0) {
        shim_fail("waits for lanes of which it is none");
    }
    for (unsigned int thread = warp; thread < end; ++thread) {
        const shim_fiber &fiber = shim_fibers[thread];
        const bool is_there = fiber.state == SHIM_AT_WARP && fiber.waits_for == mask;
        if (thread != threadIdx.x && (mask >> (thread - warp) & 1u) != 0 && !is_there) {
            shim_wait(SHIM_AT_WARP, mask);
            return;
        }
    }
    shim_release(SHIM_AT_WARP, mask, warp, end);
}

// Gives a value to the other lanes of the mask, and waits for theirs; gives which of the last two it was.
template <typename Element>
static unsigned int shim_give(unsigned int mask, Element value)
{
    shim_shuffles &own = shim_fibers[threadIdx.x].shuffles[mask];
    const unsigned int slot = own.count++ % 2;
    std::memcpy(&own.given[slot], &value, sizeof(value));
    __syncwarp(mask);
    return slot;
}

// What a lane of the own warp gave.
template <typename Element>
static Element shim_given(unsigned int mask, unsigned int slot, unsigned int source)
{
    const unsigned int thread = threadIdx.x / SHIM_WARP * SHIM_WARP + source;
    if (thread >= blockDim.x || (mask >> source & 1u) == 0) {
        shim_fail("takes the value of a lane that does not come");
    }
    Element value;
    std::memcpy(&value, &shim_fibers[thread].shuffles[mask].given[slot], sizeof(value));
    return value;
}

// Gives a value to the other lanes and takes that of one of them.
template <typename Element>
static Element shim_shuffle(unsigned int mask, Element value, unsigned int source)
{
    const unsigned int slot = shim_give(mask, value);
    return shim_given<Element>(mask, slot, source);
}

static inline unsigned int __ballot_sync(unsigned int mask, int vote)
{
    const unsigned int slot = shim_give(mask, vote != 0);
    unsigned int votes = 0;
    for (unsigned int lane = 0; lane < SHIM_WARP; ++lane) {
        if ((mask >> lane & 1u) != 0 && shim_given<bool>(mask, slot, lane)) {
            votes |= 1u << lane;
        }
    }
    return votes;
}

// The lanes behind, before and beside the own one; of the number the hardware takes five bits.
static unsigned int shim_lane() { return threadIdx.x % SHIM_WARP; }
static unsigned int shim_at(unsigned int number) { return number % SHIM_WARP; }
static unsigned int shim_xor(unsigned int number) { return shim_lane() ^ number % SHIM_WARP; }
static unsigned int shim_up(unsigned int number)
{
    return number % SHIM_WARP > shim_lane() ? shim_lane() : shim_lane() - number % SHIM_WARP;
}
static unsigned int shim_down(unsigned int number)
{
    return shim_lane() + number % SHIM_WARP < SHIM_WARP ? shim_lane() + number % SHIM_WARP : shim_lane();
}

// The types for which CUDA has them; smaller integers become an int.
#define SHIM_SHUFFLES(Element)                                                                                                    \
    static inline Element __shfl_sync(unsigned int mask, Element value, int number)                                               \
    {                                                                                                                             \
        return shim_shuffle(mask, value, shim_at(number));                                                                        \
    }                                                                                                                             \
    static inline Element __shfl_up_sync(unsigned int mask, Element value, unsigned int number)                                   \
    {                                                                                                                             \
        return shim_shuffle(mask, value, shim_up(number));                                                                        \
    }                                                                                                                             \
    static inline Element __shfl_down_sync(unsigned int mask, Element value, unsigned int number)                                 \
    {                                                                                                                             \
        return shim_shuffle(mask, value, shim_down(number));                                                                      \
    }                                                                                                                             \
    static inline Element __shfl_xor_sync(unsigned int mask, Element value, int number)                                           \
    {                                                                                                                             \
        return shim_shuffle(mask, value, shim_xor(number));                                                                       \
    }
SHIM_SHUFFLES(int)
SHIM_SHUFFLES(unsigned int)
SHIM_SHUFFLES(long long)
SHIM_SHUFFLES(unsigned long long)
SHIM_SHUFFLES(float)
SHIM_SHUFFLES(double)

// Asynchronous copies happen as late as they may: when their thread waits for them.
template <typename Element>
static void copy_async(Element *to, const Element *from, bool is_there = true)
{
    const Element element = is_there ? *from : Element();
    shim_fibers[threadIdx.x].copies.push_back([=] { *to = element; });
}

static inline void commit_copies()
{
    shim_fiber &fiber = shim_fibers[threadIdx.x];
    fiber.groups.push_back(std::move(fiber.copies));
    fiber.copies.clear();
}

template <int pending>
static void wait_for_copies_but()
{
    std::vector<std::vector<std::function<void()>>> &groups = shim_fibers[threadIdx.x].groups;
    while (groups.size() > pending) {
        for (const std::function<void()> &copy : groups.front()) {
            copy();
        }
        groups.erase(groups.begin());
    }
}

static inline void wait_for_copies()
{
    commit_copies();
    wait_for_copies_but<0>();
}

static void shim_run()
{
    shim_kernel();
    shim_fibers[threadIdx.x].state = SHIM_DONE;
    // The fiber's context goes on with the scheduler.
}

static void shim_begin(shim_fiber &fiber)
{
    if (!fiber.stack) {
        fiber.stack.reset(new char[SHIM_STACK]);
    }
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = SHIM_STACK;
    fiber.context.uc_link = &shim_scheduler;
    fiber.state = SHIM_READY;
    fiber.groups.clear();
    fiber.copies.clear();
    makecontext(&fiber.context, shim_run, 0);
}

// Gives every thread its turn until all are done.
static void shim_run_block(unsigned int threads)
{
    for (shim_fiber &fiber : shim_fibers) {
        shim_begin(fiber);
    }
    bool is_backwards = blockIdx.x % 2 != 0;
    for (bool has_run = true; has_run; is_backwards = !is_backwards) {
        has_run = false;
        for (unsigned int turn = 0; turn < threads; ++turn) {
            threadIdx.x = is_backwards ? threads - 1 - turn : turn;
            shim_fiber &fiber = shim_fibers[threadIdx.x];
            if (fiber.state == SHIM_READY) {
                has_run = true;
                swapcontext(&shim_scheduler, &fiber.context);
            }
        }
    }
    for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) {
        if (shim_fibers[threadIdx.x].state != SHIM_DONE) {
            shim_fail("waits for threads that never come");
        }
    }
}

// A launch of a kernel whose threads wait for each other.
template <typename... Parameters>
static void shim_launch_waiting(void (*kernel)(Parameters...), void **arguments, unsigned int blocks,
                                unsigned int threads, unsigned int dynamic)
{
    shim_dynamic memory(dynamic);
    shim_dynamic_now = &memory;
    gridDim.x = blocks;
    blockDim.x = threads;
    shim_kernel = [=] { shim_call(kernel, arguments, std::index_sequence_for<Parameters...>()); };
    shim_fibers = std::vector<shim_fiber>(threads);
    for (unsigned int block = 0; block < blocks; ++block) {
        shim_enter_block(block);
        shim_run_block(threads);
    }
    shim_fibers.clear();
}
