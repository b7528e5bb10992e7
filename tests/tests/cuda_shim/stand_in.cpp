// A stand-in for the CUDA driver whose "machine code" is the path of a library made with the shim: a kernel is the
// function `run_NAME` in it. Device memory is the host's. Only what a launch needs is here.

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

typedef int Status;
typedef unsigned long long Address;
typedef void (*Run)(void **arguments, unsigned int blocks, unsigned int threads);

#ifndef CAPABILITY
#define CAPABILITY 9
#endif

enum { OK = 0, INVALID_VALUE = 1, WRONG_IMAGE = 200, NOT_FOUND = 500 };

// What is allocated, the code that is loaded, how often something was launched, and the dynamic shared memory of the last launch.
static int live = 0, modules = 0, launches = 0, dynamic_shared = 0;

extern "C" {

int stand_in_live() { return live; }
int stand_in_modules() { return modules; }
int stand_in_launches() { return launches; }
int stand_in_dynamic_shared() { return dynamic_shared; }

Status cuInit(unsigned int) { return OK; }
Status cuDriverGetVersion(int *version) { return *version = 12080, OK; }
Status cuGetErrorName(int, const char **text) { return *text = "CUDA_ERROR_STAND_IN", OK; }
Status cuGetErrorString(int, const char **text) { return *text = "the stand-in refused", OK; }
Status cuDeviceGetCount(int *count) { return *count = 1, OK; }
Status cuDeviceGet(int *device, int) { return *device = 0, OK; }
Status cuDeviceGetName(char *name, int size, int) { return std::strncpy(name, "stand-in", size), OK; }
Status cuDeviceTotalMem_v2(std::size_t *bytes, int) { return *bytes = std::size_t(1) << 30, OK; }

Status cuDeviceGetAttribute(int *value, int attribute, int)
{
    switch (attribute) {
    case 1: return *value = 512, OK;      // threads of a block
    case 75: return *value = CAPABILITY, OK; // capability, major
    case 76: return *value = 0, OK;       // capability, minor
    case 97: return *value = 227 << 10, OK; // shared memory of a block that asks for it
    case 38: return *value = 1 << 16, OK; // second-level cache
    default: return *value = 1 << 10, OK;
    }
}

Status cuDevicePrimaryCtxRetain(void **context, int) { return *context = &live, ++live, OK; }
Status cuDevicePrimaryCtxRelease_v2(int) { return --live, OK; }
Status cuCtxSetCurrent(void *) { return OK; }
Status cuCtxSynchronize() { return OK; }
Status cuMemGetInfo_v2(std::size_t *free, std::size_t *total) { return *free = *total = std::size_t(1) << 30, OK; }

Status cuMemAlloc_v2(Address *address, std::size_t bytes)
{
    *address = reinterpret_cast<Address>(std::malloc(bytes));
    return ++live, OK;
}

Status cuMemFree_v2(Address address) { return std::free(reinterpret_cast<void *>(address)), --live, OK; }

Status cuMemcpyHtoD_v2(Address to, const void *from, std::size_t bytes)
{
    return std::memcpy(reinterpret_cast<void *>(to), from, bytes), OK;
}

Status cuMemcpyDtoH_v2(void *to, Address from, std::size_t bytes)
{
    return std::memcpy(to, reinterpret_cast<void *>(from), bytes), OK;
}

Status cuMemsetD8Async(Address to, unsigned char byte, std::size_t bytes, void *)
{
    return std::memset(reinterpret_cast<void *>(to), byte, bytes), OK;
}

Status cuModuleLoadData(void **module, const void *image)
{
    *module = dlopen(static_cast<const char *>(image), RTLD_NOW | RTLD_LOCAL);
    return *module ? (++modules, OK) : WRONG_IMAGE;
}

Status cuModuleUnload(void *module) { return dlclose(module), --modules, OK; }

Status cuModuleGetFunction(void **function, void *module, const char *name)
{
    char symbol[512] = "run_";
    std::strncat(symbol, name, sizeof(symbol) - 5);
    *function = dlsym(module, symbol);
    return *function ? OK : NOT_FOUND;
}

Status cuFuncGetAttribute(int *value, int, void *) { return *value = 16, OK; }
Status cuFuncSetAttribute(void *, int, int) { return OK; }

Status cuLaunchKernel(void *function, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx,
                      unsigned int by, unsigned int bz, unsigned int shared, void *, void **arguments, void **)
{
    if (gy != 1 || gz != 1 || by != 1 || bz != 1) {
        return INVALID_VALUE;
    }
    dynamic_shared = shared;
    reinterpret_cast<Run>(function)(arguments, gx, bx);
    return ++launches, OK;
}

Status cuEventCreate(void **event, unsigned int) { return *event = &live, ++live, OK; }
Status cuEventRecord(void *, void *) { return OK; }
Status cuEventSynchronize(void *) { return OK; }
Status cuEventElapsedTime(float *milliseconds, void *, void *) { return *milliseconds = 0.5f, OK; }
Status cuEventDestroy_v2(void *) { return --live, OK; }
}
