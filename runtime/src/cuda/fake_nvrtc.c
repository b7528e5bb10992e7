// A stand-in for NVRTC, for tests of the search: it has a version and a list of architectures, and its "machine code"
// is what the stand-in for the driver loads.

#include <stdlib.h>
#include <string.h>

#ifndef MAJOR
#define MAJOR 12
#endif
#ifndef MINOR
#define MINOR 9
#endif
#ifndef ARCHS
#define ARCHS 80, 90, 100, 120
#endif

static const int archs[] = {ARCHS};
static const char *code = "fake code";

int nvrtcVersion(int *major, int *minor) { *major = MAJOR; *minor = MINOR; return 0; }
const char *nvrtcGetErrorString(int status) { return status ? "NVRTC_ERROR_FAKE" : "NVRTC_SUCCESS"; }
int nvrtcGetNumSupportedArchs(int *count) { *count = sizeof archs / sizeof *archs; return 0; }
int nvrtcGetSupportedArchs(int *to) { memcpy(to, archs, sizeof archs); return 0; }
int nvrtcCreateProgram(void **program, const char *source, const char *name, int headers, const char *const *texts,
                       const char *const *names) {
    (void)name, (void)headers, (void)texts, (void)names;
    *program = strdup(source);
    return 0;
}
int nvrtcDestroyProgram(void **program) { free(*program); *program = NULL; return 0; }
int nvrtcCompileProgram(void *program, int count, const char *const *options) {
    (void)program, (void)count, (void)options;
    return 0;
}
int nvrtcGetProgramLogSize(void *program, size_t *size) { (void)program; *size = 1; return 0; }
int nvrtcGetProgramLog(void *program, char *log) { (void)program; *log = 0; return 0; }
int nvrtcGetCUBINSize(void *program, size_t *size) { (void)program; *size = strlen(code); return 0; }
int nvrtcGetCUBIN(void *program, char *to) { (void)program; memcpy(to, code, strlen(code)); return 0; }
int nvrtcGetPTXSize(void *program, size_t *size) { (void)program; *size = strlen(code) + 1; return 0; }
#ifndef INCOMPLETE
int nvrtcGetPTX(void *program, char *to) { (void)program; memcpy(to, code, strlen(code) + 1); return 0; }
#endif
