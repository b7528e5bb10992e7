// A stand-in for the driver's library, for machines without a GPU: "device" memory is the host's, and the one kernel it
// has multiplies floats. It checks that calls come in the right order with the right arguments.

#include <stdlib.h>
#include <string.h>

#ifndef INIT_STATUS
#define INIT_STATUS 0
#endif
#ifndef DEVICES
#define DEVICES 1
#endif
#ifndef VERSION
#define VERSION 12080
#endif
#ifndef CAPABILITY_MAJOR
#define CAPABILITY_MAJOR 9
#endif
#ifndef CAPABILITY_MINOR
#define CAPABILITY_MINOR 0
#endif
// The name of the one kernel.
#ifndef ENTRY
#define ENTRY "scale"
#endif
// The status of making a context.
#ifndef RETAIN_STATUS
#define RETAIN_STATUS 0
#endif
// The status of loading what is not "fake code".
#ifndef LOAD_STATUS
#define LOAD_STATUS WRONG_IMAGE
#endif

typedef int Status;
typedef unsigned long long Address;
enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, WRONG_IMAGE = 209, INVALID_CONTEXT = 201, NOT_FOUND = 500 };

static int context, module, function, current, live, events;
static unsigned shared_limit = 48 * 1024;
// What the last launch was, for the test to read back: grid, block, cluster, shared bytes.
unsigned fake_launch[10];
// What is still allocated or loaded.
int fake_live(void) { return live; }

Status cuInit(unsigned flags) { return flags ? INVALID_VALUE : INIT_STATUS; }
Status cuDriverGetVersion(int *version) { *version = VERSION; return OK; }
Status cuGetErrorName(int code, const char **text) {
    *text = code == INVALID_VALUE ? "CUDA_ERROR_INVALID_VALUE" : code == WRONG_IMAGE ? "CUDA_ERROR_NO_BINARY_FOR_GPU" :
            code == 34 ? "CUDA_ERROR_STUB_LIBRARY" : NULL;
    return *text ? OK : INVALID_VALUE;
}
Status cuGetErrorString(int code, const char **text) {
    *text = code == INVALID_VALUE ? "invalid argument" : code == WRONG_IMAGE ? "no kernel image is available" :
            code == 34 ? "CUDA driver is a stub library" : NULL;
    return *text ? OK : INVALID_VALUE;
}
Status cuDeviceGetCount(int *count) { *count = DEVICES; return OK; }
Status cuDeviceGet(int *device, int ordinal) { *device = ordinal + 70; return ordinal < DEVICES ? OK : 101; }
Status cuDeviceGetName(char *name, int size, int device) { strncpy(name, "NVIDIA Fake", size); return device == 70 ? OK : 101; }
Status cuDeviceTotalMem_v2(size_t *bytes, int device) { *bytes = 1 << 30; return device == 70 ? OK : 101; }
Status cuDeviceGetAttribute(int *value, int attribute, int device) {
    switch (attribute) {
    case 1: *value = 1024; break;         // threads of a block
    case 10: *value = 32; break;          // threads of a warp
    case 16: *value = 132; break;         // multiprocessors
    case 36: *value = 2619000; break;     // memory clock, kHz
    case 37: *value = 5120; break;        // bus width, bits
    case 38: *value = 4096; break;        // second-level cache, bytes
    case 75: *value = CAPABILITY_MAJOR; break;
    case 76: *value = CAPABILITY_MINOR; break;
    case 97: *value = 232448; break;      // shared memory of a block
    default: return INVALID_VALUE;
    }
    return device == 70 ? OK : 101;
}
Status cuDevicePrimaryCtxRetain(void **result, int device) {
    if (RETAIN_STATUS) return RETAIN_STATUS;
    *result = &context;
    live++;
    return device == 70 ? OK : 101;
}
Status cuDevicePrimaryCtxRelease_v2(int device) { live--; return device == 70 ? OK : 101; }
Status cuCtxSetCurrent(void *ctx) { current = ctx == &context; return current ? OK : INVALID_CONTEXT; }
Status cuCtxSynchronize(void) { return current ? OK : INVALID_CONTEXT; }
Status cuMemGetInfo_v2(size_t *free, size_t *total) { *free = 1000; *total = 1 << 30; return OK; }
Status cuMemAlloc_v2(Address *address, size_t bytes) {
    if (bytes > 1 << 30) return OUT_OF_MEMORY;
    *address = (Address)malloc(bytes);
    live++;
    return current ? OK : INVALID_CONTEXT;
}
Status cuMemFree_v2(Address address) { free((void *)address); live--; return OK; }
Status cuMemcpyHtoD_v2(Address to, const void *from, size_t bytes) { memcpy((void *)to, from, bytes); return OK; }
Status cuMemcpyDtoH_v2(void *to, Address from, size_t bytes) { memcpy(to, (void *)from, bytes); return OK; }
Status cuMemsetD8Async(Address to, unsigned char byte, size_t bytes, void *stream) {
    memset((void *)to, byte, bytes);
    return stream ? INVALID_VALUE : OK;
}
Status cuModuleLoadData(void **result, const void *image) {
    if (strcmp(image, "fake code")) return LOAD_STATUS;
    *result = &module;
    live++;
    return OK;
}
#ifndef WITHOUT_LOG
Status cuModuleLoadDataEx(void **result, const void *image, unsigned count, const int *options, void **values) {
    if (count != 2 || options[0] != 5 || options[1] != 6) return INVALID_VALUE;  // the log of errors and its size
    Status status = cuModuleLoadData(result, image);
    if (status) strncpy(values[0], "ptxas fatal : fake is not supported\n", (size_t)values[1]);
    return status;
}
#endif
Status cuModuleUnload(void *loaded) { live--; return loaded == &module ? OK : INVALID_VALUE; }
Status cuModuleGetFunction(void **result, void *loaded, const char *name) {
    *result = &function;
    return loaded != &module ? INVALID_VALUE : strcmp(name, ENTRY) ? NOT_FOUND : OK;
}
Status cuFuncGetAttribute(int *value, int attribute, void *kernel) {
    *value = attribute == 4 ? 24 : attribute == 0 ? 512 : -1;
    return kernel == &function ? OK : INVALID_VALUE;
}
Status cuFuncSetAttribute(void *kernel, int attribute, int value) {
    shared_limit = value;
    return kernel == &function && attribute == 8 ? OK : INVALID_VALUE;
}
// scale(float *x, float a, unsigned n, signed char b): x[i] = a * x[i] + b
static Status run(void *kernel, unsigned shared, void *stream, void **parameters) {
    if (kernel != &function || stream || shared > shared_limit || !current) return INVALID_VALUE;
    float *x = *(float **)parameters[0];
    float a = *(float *)parameters[1];
    unsigned n = *(unsigned *)parameters[2];
    signed char b = *(signed char *)parameters[3];
    if (n == 777) return 12345;
    for (unsigned i = 0; i < n; i++) x[i] = a * x[i] + b;
    return OK;
}
Status cuLaunchKernel(void *kernel, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                      unsigned shared, void *stream, void **parameters, void **extra) {
    unsigned launch[10] = {gx, gy, gz, bx, by, bz, 0, 0, 0, shared};
    memcpy(fake_launch, launch, sizeof launch);
    return extra ? INVALID_VALUE : run(kernel, shared, stream, parameters);
}
#ifndef WITHOUT_CLUSTERS
struct Attribute { unsigned id; char pad[4]; union { char pad[64]; unsigned dims[3]; } value; };
struct Config { unsigned dims[6]; unsigned shared; void *stream; struct Attribute *attributes; unsigned count; };
Status cuLaunchKernelEx(const struct Config *config, void *kernel, void **parameters, void **extra) {
    if (extra || config->count != 1 || config->attributes->id != 4) return INVALID_VALUE;
    memcpy(fake_launch, config->dims, sizeof config->dims);
    memcpy(fake_launch + 6, config->attributes->value.dims, sizeof config->attributes->value.dims);
    fake_launch[9] = config->shared;
    return run(kernel, config->shared, config->stream, parameters);
}
#endif
Status cuEventCreate(void **event, unsigned flags) { *event = malloc(sizeof(int)); live++; return flags ? INVALID_VALUE : OK; }
Status cuEventRecord(void *event, void *stream) { *(int *)event = events++; return stream ? INVALID_VALUE : OK; }
Status cuEventSynchronize(void *event) { return event ? OK : INVALID_VALUE; }
Status cuEventElapsedTime(float *milliseconds, void *start, void *end) {
    *milliseconds = 0.25f * (*(int *)end - *(int *)start);
    return OK;
}
#ifndef OLD
Status cuEventDestroy_v2(void *event) { free(event); live--; return OK; }
#endif
