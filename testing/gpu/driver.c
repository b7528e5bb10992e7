// A strict stand-in for the CUDA driver, for machines without a GPU. Device memory is the host's, between pages that
// nobody may touch; machine code is a shared library of the host, as nvrtc.c makes it; a kernel that faults leaves an
// error that stays, as on a device. What the driver would refuse is refused with its status; what it would leave
// undefined ends the process with a sentence. Copies that are asynchronous happen as late as they may.

#define _GNU_SOURCE
#include "settings.h"

#include <dlfcn.h>
#include <elf.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>

typedef int Status;
typedef unsigned long long Address;
enum {
    OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NOT_INITIALIZED = 3, NO_DEVICE = 100, INVALID_DEVICE = 101,
    INVALID_IMAGE = 200, INVALID_CONTEXT = 201, NO_BINARY = 209, UNSUPPORTED_PTX = 222, INVALID_SOURCE = 300,
    INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600, ILLEGAL_ADDRESS = 700, UNKNOWN = 999
};
enum { FIRST_DEVICE = 70, MOST_DEVICES = 8, ALIGNMENT = 256, GUARDED = 32 << 20, STATIC_SHARED = 48 << 10,
       MOST_SHARED = 232448, WITHOUT_TIME = 2, CANARY = 0xc7, GARBAGE = 0xa5 };

static const struct { int status; const char *name, *text; } ERRORS[] = {
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {34, "CUDA_ERROR_STUB_LIBRARY", "CUDA driver is a stub library"},
    {46, "CUDA_ERROR_DEVICE_UNAVAILABLE", "CUDA-capable device(s) is/are busy or unavailable"},
    {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {NO_BINARY, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {UNSUPPORTED_PTX, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."},
    {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

struct context {
    int retained;
    size_t used;
};

// Memory, of the device or pinned memory of the host.
struct allocation {
    struct allocation *next;
    struct context *context;
    unsigned char *pages, *start;
    size_t mapped, bytes;
    int is_host;
};

struct module {
    struct module *next;
    struct context *context;
    void *library;
    int file;
};

struct function {
    struct function *next;
    struct module *module;
    void (*run)(void **, unsigned, unsigned, unsigned);
    // The most threads of a block, 0 if the source does not say, and the blocks of a cluster.
    const unsigned *limits;
    unsigned dynamic_shared;
    int large_clusters;
};

struct event {
    struct event *next;
    struct context *context;
    double at;
    int is_recorded, is_timed;
};

// An asynchronous copy that has not happened yet.
struct copy {
    struct copy *next;
    void *to;
    const void *from;
    size_t bytes;
};

static struct context contexts[MOST_DEVICES];
static _Thread_local struct context *current;
static struct allocation *allocations;
static struct module *modules;
static struct function *functions;
static struct event *events;
static struct copy *copies, **copies_end = &copies;
static int is_initialized, is_lost, sticky, launches;
static double now;

// The bytes that a copy within the device moves in a millisecond.
static const double COPIED_PER_MILLISECOND = 1e9;
static unsigned last_launch[10];

// For tests in the same process: what is allocated or created, with the contexts; what is loaded; launches; and the last
// launch: grid, block, cluster, bytes of dynamic shared memory.
int stand_in_launches(void) { return launches; }
const unsigned *stand_in_last_launch(void) { return last_launch; }
int stand_in_modules(void) {
    int count = 0;
    for (struct module *module = modules; module; module = module->next) count++;
    return count;
}
int stand_in_live(void) {
    int count = 0;
    for (struct allocation *place = allocations; place; place = place->next) count++;
    for (struct event *event = events; event; event = event->next) count++;
    for (int i = 0; i < MOST_DEVICES; i++) count += contexts[i].retained;
    return count;
}

static Status enter(struct call *call, int needs_context) {
    struct outcome outcome = begin_call(call);
    is_lost |= outcome.is_lost;
    if (outcome.status) {
        // These leave the context unusable.
        int stays = outcome.status == ILLEGAL_ADDRESS || outcome.status == 719;
        if (stays && needs_context) sticky = outcome.status;
        return outcome.status;
    }
    if (is_lost) return UNKNOWN;
    if (!is_initialized) return NOT_INITIALIZED;
    if (!needs_context) return OK;
    if (sticky) return sticky;
    if (current && !current->retained) misuse("%s with a context that was released", call->name);
    return current ? OK : INVALID_CONTEXT;
}

// Begins a call that needs the driver, or also a context of this thread; returns from it with an error.
#define BEGIN_AT(needs_context) \
    static struct call call; \
    call.name = __func__; \
    Status entered = enter(&call, needs_context); \
    if (entered) return entered
#define BEGIN BEGIN_AT(0)
#define BEGIN_IN_CONTEXT BEGIN_AT(1)

static void flush_copies(void) {
    while (copies) {
        struct copy *copy = copies;
        memcpy(copy->to, copy->from, copy->bytes);
        copies = copy->next;
        free(copy);
    }
    copies_end = &copies;
}

Status cuInit(unsigned flags) {
    is_initialized = 1;
    BEGIN;
    if (flags) return INVALID_VALUE;
    return number_setting("devices", 1) ? OK : NO_DEVICE;
}

Status cuDriverGetVersion(int *version) {
    static struct call call = {"cuDriverGetVersion", 0};
    struct outcome outcome = begin_call(&call);
    int pair[2];
    pair_setting("version", "12.8", pair);
    *version = pair[0] * 1000 + pair[1] * 10;
    return outcome.status;
}

static Status error_text(int status, const char **text, int is_name) {
    *text = NULL;
    for (size_t i = 0; i < sizeof ERRORS / sizeof *ERRORS; i++) {
        if (ERRORS[i].status == status) *text = is_name ? ERRORS[i].name : ERRORS[i].text;
    }
    return *text ? OK : INVALID_VALUE;
}
Status cuGetErrorName(int status, const char **text) { return error_text(status, text, 1); }
Status cuGetErrorString(int status, const char **text) { return error_text(status, text, 0); }

static int device_count(void) { return (int)number_setting("devices", 1); }
static int is_device(int device) { return device >= FIRST_DEVICE && device < FIRST_DEVICE + device_count(); }

Status cuDeviceGetCount(int *count) {
    BEGIN;
    return *count = device_count(), OK;
}

Status cuDeviceGet(int *device, int ordinal) {
    BEGIN;
    return *device = FIRST_DEVICE + ordinal, ordinal >= 0 && is_device(*device) ? OK : INVALID_DEVICE;
}

Status cuDeviceGetName(char *name, int size, int device) {
    BEGIN;
    char instance[32];
    setting("mig", "", instance, sizeof instance);
    snprintf(name, (size_t)size, "NVIDIA Stand-in%s%s", *instance ? " MIG " : "", instance);
    return is_device(device) ? OK : INVALID_DEVICE;
}

Status cuDeviceGetUuid_v2(unsigned char uuid[16], int device) {
    BEGIN;
    for (int i = 0; i < 16; i++) uuid[i] = (unsigned char)(i * 16 + device - FIRST_DEVICE);
    return is_device(device) ? OK : INVALID_DEVICE;
}

static size_t total_memory(void) { return number_setting("memory", 1ull << 30); }

Status cuDeviceTotalMem_v2(size_t *bytes, int device) {
    BEGIN;
    *bytes = total_memory();
    return is_device(device) ? OK : INVALID_DEVICE;
}

static unsigned most_shared(void) { return (unsigned)number_setting("shared", MOST_SHARED); }

static unsigned most_threads(void) { return (unsigned)number_setting("threads", 1024); }

Status cuDeviceGetAttribute(int *value, int attribute, int device) {
    BEGIN;
    int capability[2];
    pair_setting("capability", "9.0", capability);
    switch (attribute) {
    case 1: *value = (int)most_threads(); break;                  // threads of a block
    case 10: *value = 32; break;                                  // threads of a warp
    case 13: *value = 1980000; break;                             // clock, kHz
    case 16: *value = 132; break;                                 // multiprocessors
    case 36: *value = 2619000; break;                             // memory clock, kHz
    case 37: *value = 5120; break;                                // bus width, bits
    case 38: *value = (int)number_setting("l2", 4096); break;     // second-level cache, bytes
    case 75: *value = capability[0]; break;
    case 76: *value = capability[1]; break;
    case 97: *value = (int)most_shared(); break;                  // shared memory of a block that asks for it
    default: return INVALID_VALUE;
    }
    return is_device(device) ? OK : INVALID_DEVICE;
}

Status cuDevicePrimaryCtxRetain(void **result, int device) {
    BEGIN;
    if (!is_device(device)) return INVALID_DEVICE;
    struct context *context = &contexts[device - FIRST_DEVICE];
    context->retained++;
    return *result = context, OK;
}

Status cuDevicePrimaryCtxRelease_v2(int device) {
    BEGIN;
    if (!is_device(device)) return INVALID_DEVICE;
    struct context *context = &contexts[device - FIRST_DEVICE];
    if (!context->retained) misuse("a context is released that nobody retains");
    if (--context->retained) return OK;
    for (int i = 0; i < MOST_DEVICES; i++) {
        if (contexts[i].retained) return OK;
    }
    int left = stand_in_live() + stand_in_modules();
    // After an error that stays, nothing can be given back before.
    if (left && !sticky) misuse("the context is released with %d things left", left);
    return OK;
}

Status cuCtxSetCurrent(void *context) {
    BEGIN;
    if (sticky) return sticky;
    return current = context, OK;
}

Status cuCtxSynchronize(void) {
    BEGIN_IN_CONTEXT;
    return flush_copies(), OK;
}

Status cuMemGetInfo_v2(size_t *free_bytes, size_t *total) {
    BEGIN_IN_CONTEXT;
    *total = total_memory();
    *free_bytes = *total - current->used;
    return OK;
}

static size_t round_up(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

// New memory that ends where a page begins that nobody may touch, filled with nothing to rely on.
static struct allocation *allocate(size_t bytes, int is_host) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), held = round_up(bytes, ALIGNMENT);
    size_t mapped = round_up(held, page) + 2 * page;
    unsigned char *pages = mmap(NULL, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + page, mapped - 2 * page, PROT_READ | PROT_WRITE)) return NULL;
    struct allocation *made = calloc(1, sizeof *made);
    *made = (struct allocation){allocations, current, pages, pages + mapped - page - held, mapped, bytes, is_host};
    // Of very large memory only the ends, so that it need not be there.
    size_t filled = bytes < GUARDED ? bytes : page;
    memset(made->start, GARBAGE, filled);
    memset(made->start + bytes - filled, GARBAGE, filled);
    memset(made->start + bytes, CANARY, held - bytes);
    return allocations = made;
}

static void release(struct allocation **place) {
    struct allocation *freed = *place;
    for (size_t at = freed->bytes; at < round_up(freed->bytes, ALIGNMENT); at++) {
        if (freed->start[at] != CANARY) misuse("something was written %zu bytes behind %zu", at - freed->bytes, freed->bytes);
    }
    *place = freed->next;
    munmap(freed->pages, freed->mapped);
    free(freed);
}

static struct allocation **allocated_at(const void *start, int is_host) {
    struct allocation **place = &allocations;
    while (*place && ((*place)->start != start || (*place)->is_host != is_host)) place = &(*place)->next;
    if (!*place) misuse("%p is not allocated", start);
    return place;
}

Status cuMemAlloc_v2(Address *address, size_t bytes) {
    BEGIN_IN_CONTEXT;
    if (!bytes) return INVALID_VALUE;
    if (bytes > total_memory() - current->used) return OUT_OF_MEMORY;
    struct allocation *made = allocate(bytes, 0);
    if (!made) return OUT_OF_MEMORY;
    current->used += bytes;
    return *address = (Address)(uintptr_t)made->start, OK;
}

Status cuMemFree_v2(Address address) {
    BEGIN_IN_CONTEXT;
    flush_copies();
    struct allocation **place = allocated_at((void *)(uintptr_t)address, 0);
    (*place)->context->used -= (*place)->bytes;
    return release(place), OK;
}

Status cuMemAllocHost_v2(void **start, size_t bytes) {
    BEGIN_IN_CONTEXT;
    if (!bytes) return INVALID_VALUE;
    struct allocation *made = allocate(bytes, 1);
    return made ? (*start = made->start, OK) : OUT_OF_MEMORY;
}

Status cuMemFreeHost(void *start) {
    BEGIN_IN_CONTEXT;
    for (struct copy *copy = copies; copy; copy = copy->next) {
        if (copy->from == start || copy->to == start) misuse("host memory is freed while it is copied");
    }
    return release(allocated_at(start, 1)), OK;
}

// Whether these bytes are part of memory on the device.
static int is_on_device(Address address, size_t bytes) {
    for (struct allocation *place = allocations; place; place = place->next) {
        Address start = (Address)(uintptr_t)place->start;
        if (!place->is_host && address >= start && address - start <= place->bytes) {
            return bytes <= place->bytes - (address - start);
        }
    }
    return 0;
}

static void copy_later(void *to, const void *from, size_t bytes) {
    struct copy *copy = malloc(sizeof *copy);
    *copy = (struct copy){NULL, to, from, bytes};
    *copies_end = copy;
    copies_end = &copy->next;
}

Status cuMemcpyHtoD_v2(Address to, const void *from, size_t bytes) {
    BEGIN_IN_CONTEXT;
    if (!is_on_device(to, bytes)) return INVALID_VALUE;
    flush_copies();
    return memcpy((void *)(uintptr_t)to, from, bytes), OK;
}

Status cuMemcpyDtoH_v2(void *to, Address from, size_t bytes) {
    BEGIN_IN_CONTEXT;
    if (!is_on_device(from, bytes)) return INVALID_VALUE;
    flush_copies();
    return memcpy(to, (void *)(uintptr_t)from, bytes), OK;
}

Status cuMemcpyDtoD_v2(Address to, Address from, size_t bytes) {
    BEGIN_IN_CONTEXT;
    if (!is_on_device(to, bytes) || !is_on_device(from, bytes)) return INVALID_VALUE;
    flush_copies();
    now += (double)bytes / COPIED_PER_MILLISECOND;
    return memmove((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes), OK;
}

Status cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes, void *stream) {
    BEGIN_IN_CONTEXT;
    if (stream || !is_on_device(to, bytes)) return INVALID_VALUE;
    return copy_later((void *)(uintptr_t)to, from, bytes), OK;
}

Status cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes, void *stream) {
    BEGIN_IN_CONTEXT;
    if (stream || !is_on_device(from, bytes)) return INVALID_VALUE;
    return copy_later(to, (void *)(uintptr_t)from, bytes), OK;
}

Status cuMemsetD8Async(Address to, unsigned char byte, size_t bytes, void *stream) {
    BEGIN_IN_CONTEXT;
    if (stream || !is_on_device(to, bytes)) return INVALID_VALUE;
    flush_copies();
    return memset((void *)(uintptr_t)to, byte, bytes), OK;
}

static const char HEX_MARK[] = "\n// stand-in: ";

// The bytes of the library in PTX, which has them as text.
static unsigned char *unpacked(const char *text, size_t *size) {
    const char *digits = strstr(text, HEX_MARK);
    if (!digits) return NULL;
    digits += sizeof HEX_MARK - 1;
    *size = strspn(digits, "0123456789abcdef") / 2;
    unsigned char *bytes = malloc(*size);
    for (size_t i = 0; i < *size; i++) {
        unsigned byte;
        sscanf(digits + 2 * i, "%2x", &byte);
        bytes[i] = (unsigned char)byte;
    }
    return bytes;
}

// Machine code of one architecture runs on it and on later ones of the same major version, and needs a driver of the
// compiler's major version; PTX runs on every later one, and needs a driver of the compiler's version, minor one included.
static Status refusal(int arch, int major, int minor, int is_ptx) {
    int capability[2], version[2];
    pair_setting("capability", "9.0", capability);
    pair_setting("version", "12.8", version);
    int own = capability[0] * 10 + capability[1];
    int is_newer = major > version[0] || (major == version[0] && minor > version[1]);
    if (is_ptx) return is_newer ? UNSUPPORTED_PTX : arch > own ? NO_BINARY : OK;
    return arch / 10 != own / 10 || arch > own ? NO_BINARY : major > version[0] ? INVALID_IMAGE : OK;
}

static Status load(void **result, const void *image) {
    int is_ptx = memcmp(image, ELFMAG, SELFMAG) != 0;
    size_t size = 0;
    const unsigned char *bytes = image;
    if (is_ptx) {
        if (!strstr(image, ".version")) return INVALID_IMAGE;
        bytes = unpacked(image, &size);
        if (!bytes) return UNSUPPORTED_PTX;
    } else {
        const Elf64_Ehdr *header = image;
        size = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
    }
    int file = memfd_create("code", 0);
    if (write(file, bytes, size) != (ssize_t)size) misuse("the code cannot be written");
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) misuse("the code cannot be opened: %s", dlerror());
    const int *made_for = dlsym(library, "stand_in_made_for");
    if (!made_for) misuse("the code is not of the stand-in for NVRTC");
    Status refused = refusal(made_for[0], made_for[1], made_for[2], is_ptx);
    // A library that stays open would be found again by the number of its file, which the next one may have.
    if (refused) return dlclose(library), close(file), refused;
    struct module *module = calloc(1, sizeof *module);
    *module = (struct module){modules, current, library, file};
    modules = module;
    return *result = module, OK;
}

Status cuModuleLoadData(void **result, const void *image) {
    BEGIN_IN_CONTEXT;
    return load(result, image);
}

#ifndef WITHOUT_LOG
Status cuModuleLoadDataEx(void **result, const void *image, unsigned count, const int *options, void **values) {
    static const char said[] = "ptxas fatal : the stand-in does not load it\n";
    static struct call call = {"cuModuleLoadDataEx", 0};
    Status status = enter(&call, 1);
    if (count != 2 || options[0] != 5 || options[1] != 6) misuse("%s without a log", call.name); // and its size
    if (!status) status = load(result, image);
    size_t room = (size_t)values[1];
    if (status) snprintf(values[0], room, "%s", said), values[1] = (void *)(strlen(said) < room ? strlen(said) : room);
    return status;
}
#endif

static int is_loaded(struct module *module) {
    struct module *place = modules;
    while (place && place != module) place = place->next;
    return place != NULL;
}

Status cuModuleUnload(void *unloaded) {
    BEGIN_IN_CONTEXT;
    if (!is_loaded(unloaded)) misuse("a module is unloaded that is not loaded");
    for (struct function **place = &functions; *place;) {
        struct function *function = *place;
        if (function->module == unloaded) *place = function->next, free(function);
        else place = &function->next;
    }
    struct module **place = &modules, *module = unloaded;
    while (*place != module) place = &(*place)->next;
    *place = module->next;
    dlclose(module->library);
    close(module->file);
    return free(module), OK;
}

Status cuModuleGetFunction(void **result, void *module, const char *name) {
    BEGIN_IN_CONTEXT;
    if (!is_loaded(module)) misuse("a function of a module that is not loaded");
    char symbol[512];
    snprintf(symbol, sizeof symbol, "run_%s", name);
    void *run = dlsym(((struct module *)module)->library, symbol);
    if (!run) return NOT_FOUND;
    struct function *function = functions;
    while (function && (void *)function->run != run) function = function->next;
    if (!function) {
        snprintf(symbol, sizeof symbol, "limits_%s", name);
        function = calloc(1, sizeof *function);
        function->next = functions;
        function->module = module;
        function->run = (void (*)(void **, unsigned, unsigned, unsigned))run;
        function->limits = dlsym(((struct module *)module)->library, symbol);
        function->dynamic_shared = STATIC_SHARED;
        functions = function;
    }
    return *result = function, OK;
}

static struct function *known(void *kernel) {
    struct function *function = functions;
    while (function && function != kernel) function = function->next;
    if (!function) misuse("a kernel of a module that is not loaded");
    return function;
}

static unsigned threads_of(const struct function *function) {
    return function->limits && function->limits[0] ? function->limits[0] : most_threads();
}

Status cuFuncGetAttribute(int *value, int attribute, void *kernel) {
    BEGIN_IN_CONTEXT;
    switch (attribute) {
    case 0: *value = (int)threads_of(known(kernel)); break;
    case 4: *value = 24; break; // registers
    default: return INVALID_VALUE;
    }
    return OK;
}

Status cuFuncSetAttribute(void *kernel, int attribute, int value) {
    BEGIN_IN_CONTEXT;
    struct function *function = known(kernel);
    switch (attribute) {
    case 8: // dynamic shared memory
        if (value < 0 || value > (int)most_shared()) return INVALID_VALUE;
        function->dynamic_shared = (unsigned)value;
        return OK;
    case 14: // clusters of more than eight blocks
        function->large_clusters = value;
        return OK;
    default: return INVALID_VALUE;
    }
}

// Calls a kernel so that a fault comes back as the device would report it.
static sigjmp_buf after_fault;
static void on_fault(int signal) {
    (void)signal;
    siglongjmp(after_fault, 1);
}
static Status call_kernel(struct function *function, void **parameters, unsigned blocks, unsigned threads, unsigned shared) {
    static char stack[64 << 10];
    stack_t own = {.ss_sp = stack, .ss_size = sizeof stack}, before;
    struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK | SA_NODEFER}, segv, bus;
    sigaltstack(&own, &before);
    sigaction(SIGSEGV, &action, &segv);
    sigaction(SIGBUS, &action, &bus);
    Status status = OK;
    if (sigsetjmp(after_fault, 1)) status = ILLEGAL_ADDRESS;
    else function->run(parameters, blocks, threads, shared);
    sigaction(SIGSEGV, &segv, NULL);
    sigaction(SIGBUS, &bus, NULL);
    sigaltstack(&before, NULL);
    return status;
}

static Status launch(struct function *function, const unsigned grid[3], const unsigned block[3], const unsigned cluster[3],
                     unsigned shared, void *stream, void **parameters) {
    unsigned long long threads = (unsigned long long)block[0] * block[1] * block[2];
    unsigned blocks_of_cluster = cluster[0] ? cluster[0] * cluster[1] * cluster[2] : function->limits ? function->limits[1] : 1;
    unsigned side = cluster[0] ? cluster[0] : blocks_of_cluster;
    if (stream || !grid[0] || !grid[1] || !grid[2] || !threads || grid[0] > 2147483647u || grid[1] > 65535u ||
        grid[2] > 65535u || threads > threads_of(function) || shared > function->dynamic_shared || grid[0] % side) {
        return INVALID_VALUE;
    }
    if (blocks_of_cluster > 16 || (blocks_of_cluster > 8 && !function->large_clusters)) return 912; // cluster size
    unsigned made[10] = {grid[0], grid[1], grid[2], block[0], block[1], block[2], cluster[0], cluster[1], cluster[2], shared};
    memcpy(last_launch, made, sizeof made);
    flush_copies();
    launches++;
    char each[32];
    setting("time", "0.5", each, sizeof each);
    now += strtod(each, NULL);
    // The kernels that the compiler makes have one dimension; what faults shows at the next call.
    sticky = call_kernel(function, parameters, grid[0] * grid[1] * grid[2], (unsigned)threads, shared);
    return OK;
}

Status cuLaunchKernel(void *kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                      unsigned shared, void *stream, void **parameters, void **extra) {
    BEGIN_IN_CONTEXT;
    const unsigned grid[3] = {gx, gy, gz}, block[3] = {bx, by, bz}, none[3] = {0, 0, 0};
    return extra ? INVALID_VALUE : launch(known(kernel), grid, block, none, shared, stream, parameters);
}

#ifndef WITHOUT_CLUSTERS
struct attribute { unsigned id; char pad[4]; union { char pad[64]; unsigned sides[3]; } value; };
struct config { unsigned grid[3], block[3], shared; void *stream; struct attribute *attributes; unsigned count; };
Status cuLaunchKernelEx(const struct config *config, void *kernel, void **parameters, void **extra) {
    BEGIN_IN_CONTEXT;
    if (extra || config->count != 1 || config->attributes->id != 4) return INVALID_VALUE;
    const unsigned *cluster = config->attributes->value.sides;
    return launch(known(kernel), config->grid, config->block, cluster, config->shared, config->stream, parameters);
}
#endif

Status cuEventCreate(void **result, unsigned flags) {
    BEGIN_IN_CONTEXT;
    if (flags & ~(unsigned)WITHOUT_TIME) return INVALID_VALUE;
    struct event *event = calloc(1, sizeof *event);
    event->next = events;
    event->context = current;
    event->is_timed = !flags;
    return *result = events = event, OK;
}

static struct event *created(void *event) {
    struct event *place = events;
    while (place && place != event) place = place->next;
    if (!place) misuse("an event that does not exist");
    return place;
}

Status cuEventRecord(void *event, void *stream) {
    BEGIN_IN_CONTEXT;
    if (stream) return INVALID_HANDLE;
    created(event)->at = now;
    return created(event)->is_recorded = 1, OK;
}

Status cuEventSynchronize(void *event) {
    BEGIN_IN_CONTEXT;
    created(event);
    return flush_copies(), OK;
}

Status cuEventElapsedTime(float *milliseconds, void *start, void *end) {
    BEGIN_IN_CONTEXT;
    if (!created(start)->is_recorded || !created(end)->is_recorded) return INVALID_HANDLE;
    if (!created(start)->is_timed || !created(end)->is_timed) return INVALID_HANDLE;
    return *milliseconds = (float)(created(end)->at - created(start)->at), OK;
}

#ifndef OLD
Status cuEventDestroy_v2(void *event) {
    BEGIN_IN_CONTEXT;
    struct event **place = &events, *destroyed = created(event);
    while (*place != destroyed) place = &(*place)->next;
    *place = destroyed->next;
    return free(destroyed), OK;
}
#endif
