// A stand-in for NVRTC. Its "machine code" is a shared library, which the host's C++ compiler makes of the source with
// shim.h, and its PTX is a text with that library in it; the stand-in for the driver (driver.c) loads both.

#define _GNU_SOURCE
#include "settings.h"

#include <ctype.h>

enum { OK = 0, OUT_OF_MEMORY = 1, INVALID_INPUT = 3, INVALID_PROGRAM = 4, INVALID_OPTION = 5, COMPILATION = 6 };

struct text {
    char *at;
    size_t size;
};

struct program {
    char *source;
    int is_compiled, is_ptx;
    struct text log, code;
};

#define BEGIN \
    static struct call call; \
    call.name = __func__; \
    struct outcome outcome = begin_call(&call); \
    if (outcome.status) return outcome.status

int nvrtcVersion(int *major, int *minor) {
    BEGIN;
    int pair[2];
    pair_setting("nvrtc", "12.9", pair);
    return *major = pair[0], *minor = pair[1], OK;
}

const char *nvrtcGetErrorString(int status) {
    static const char *const NAMES[] = {"NVRTC_SUCCESS", "NVRTC_ERROR_OUT_OF_MEMORY", "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                        "NVRTC_ERROR_INVALID_INPUT", "NVRTC_ERROR_INVALID_PROGRAM",
                                        "NVRTC_ERROR_INVALID_OPTION", "NVRTC_ERROR_COMPILATION"};
    return status >= 0 && status < 7 ? NAMES[status] : "NVRTC_ERROR unknown";
}

// The architectures, up to 32; returns how many.
static int architectures(int *to) {
    char list[256], *rest = NULL;
    setting("archs", "80,90,100,120", list, sizeof list);
    int count = 0;
    for (char *word = strtok_r(list, ",", &rest); word && count < 32; word = strtok_r(NULL, ",", &rest)) {
        to[count++] = atoi(word);
    }
    return count;
}

int nvrtcGetNumSupportedArchs(int *count) {
    BEGIN;
    int archs[32];
    return *count = architectures(archs), OK;
}

int nvrtcGetSupportedArchs(int *to) {
    BEGIN;
    return architectures(to), OK;
}

int nvrtcCreateProgram(struct program **program, const char *source, const char *name, int headers,
                       const char *const *texts, const char *const *names) {
    BEGIN;
    if (!source || !name || headers || texts || names) return INVALID_INPUT;
    *program = calloc(1, sizeof **program);
    (*program)->source = strdup(source);
    return OK;
}

int nvrtcDestroyProgram(struct program **program) {
    BEGIN;
    if (!*program) return INVALID_PROGRAM;
    free((*program)->source), free((*program)->log.at), free((*program)->code.at), free(*program);
    return *program = NULL, OK;
}

static void add(struct text *text, const char *words) {
    size_t size = strlen(words);
    text->at = realloc(text->at, text->size + size + 1);
    memcpy(text->at + text->size, words, size + 1);
    text->size += size;
}

// Everything in a file.
static struct text contents(const char *path) {
    struct text text = {calloc(1, 1), 0};
    FILE *file = fopen(path, "rb");
    if (!file) return text;
    char part[4096];
    for (size_t size; (size = fread(part, 1, sizeof part, file)) > 0;) {
        text.at = realloc(text.at, text.size + size + 1);
        memcpy(text.at + text.size, part, size);
        text.size += size;
        text.at[text.size] = 0;
    }
    return fclose(file), text;
}

// What is declared as `WORD(NUMBER` between two places, or the other number.
static unsigned declared(const char *from, const char *to, const char *word, unsigned otherwise) {
    const char *found = strstr(from, word);
    return found && found < to ? (unsigned)strtoul(found + strlen(word) + 1, NULL, 10) : otherwise;
}

// The source for the host: dynamic shared memory from the shim, and a function `run_KERNEL` for each kernel.
static void write_for_host(FILE *file, const char *source, int arch, const int version[2], struct text *log) {
    int waits = strstr(source, "__syncthreads(") || strstr(source, "__syncwarp(") || strstr(source, "sync_warps(")
                || strstr(source, "__shfl_") || strstr(source, "__ballot_sync(");
    fprintf(file, "#include \"%s\"\nnamespace kernels {\n#line 1\n", waits ? "fibers.h" : "shim.h");
    static const char dynamic[] = "extern __shared__ uint4 ";
    const char *rest = source, *found;
    for (; (found = strstr(rest, dynamic)); rest = strchr(found, ';')) {
        const char *name = found + sizeof dynamic - 1;
        fprintf(file, "%.*suint4 *const %.*s = shim_dynamic_shared()", (int)(found - rest), rest,
                (int)strcspn(name, "["), name);
    }
    fprintf(file, "%s\n}\nextern \"C\" {\nextern const int stand_in_made_for[] = {%d, %d, %d};\n", rest, arch,
            version[0], version[1]);
    for (const char *kernel = source; (kernel = strstr(kernel, "__global__ void "));) {
        kernel += strlen("__global__ void ");
        const char *name = kernel, *end;
        while (!strncmp(name, "__", 2)) name = strstr(name, ") ") + 2;
        for (end = name; isalnum(*end) || *end == '_';) end++;
        int size = (int)(end - name);
        fprintf(file, "extern const unsigned limits_%.*s[] = {%u, %u};\n", size, name,
                declared(kernel, name, "__launch_bounds__", 0), declared(kernel, name, "__cluster_dims__", 1));
        fprintf(file, "void run_%.*s(void **arguments, unsigned blocks, unsigned threads, unsigned dynamic)\n{\n", size, name);
        fprintf(file, "    %s(kernels::%.*s, arguments, blocks, threads, dynamic);\n}\n",
                waits ? "shim_launch_waiting" : "shim_launch", size, name);
        char report[1024];
        snprintf(report, sizeof report,
                 "ptxas info    : Compiling entry function '%.*s' for 'sm_%d'\n"
                 "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                 "ptxas info    : Used 24 registers\n", size, name, arch);
        add(log, report);
    }
    fputs("}\n", file);
}

static int compile_on_host(struct program *program, int arch, const int version[2]) {
    char folder[] = "/tmp/stand-in-XXXXXX", path[64], library[64], log[64], command[4096];
    if (!mkdtemp(folder)) misuse("no temporary folder can be made");
    snprintf(path, sizeof path, "%s/kernel.cpp", folder);
    snprintf(library, sizeof library, "%s/kernel.so", folder);
    snprintf(log, sizeof log, "%s/log", folder);
    FILE *file = fopen(path, "w");
    write_for_host(file, program->source, arch, version, &program->log);
    fclose(file);
    const char *compiler = getenv("CXX") && *getenv("CXX") ? getenv("CXX") : "c++";
    snprintf(command, sizeof command,
             "%s -std=c++17 -shared -fPIC -w -O1 -ffp-contract=off -fno-builtin -fno-strict-aliasing -I '%s' '%s' -o '%s' "
             "2> '%s'", compiler, STAND_IN_FOLDER, path, library, log);
    int failed = system(command);
    if (failed) program->log = contents(log);
    else program->code = contents(library);
    remove(path), remove(library), remove(log), rmdir(folder);
    return failed ? COMPILATION : OK;
}

// The library as PTX: digits in a comment.
static void pack(struct program *program, int arch, int major, int minor) {
    static const char *digits = "0123456789abcdef";
    struct text text = {NULL, 0};
    char header[256];
    snprintf(header, sizeof header, ".version %d.%d\n.target sm_%d\n.address_size 64\n// stand-in: ", major - 4, minor, arch);
    add(&text, header);
    text.at = realloc(text.at, text.size + 2 * program->code.size + 1);
    for (size_t i = 0; i < program->code.size; i++) {
        unsigned char byte = (unsigned char)program->code.at[i];
        text.at[text.size++] = digits[byte >> 4];
        text.at[text.size++] = digits[byte & 15];
    }
    text.at[text.size++] = 0;
    free(program->code.at);
    program->code = text;
}

int nvrtcCompileProgram(struct program *program, int count, const char *const *options) {
    BEGIN;
    static const char prefix[] = "--gpu-architecture=";
    int arch = 0, pair[2], archs[32];
    pair_setting("nvrtc", "12.9", pair);
    for (int i = 0; i < count; i++) {
        if (strncmp(options[i], "--", 2)) misuse("the option `%s` has no dashes", options[i]);
        if (strncmp(options[i], prefix, sizeof prefix - 1)) continue;
        const char *name = options[i] + sizeof prefix - 1;
        program->is_ptx = !strncmp(name, "compute_", 8);
        arch = atoi(strchr(name, '_') + 1);
    }
    int is_known = 0;
    for (int i = architectures(archs); i--;) is_known |= archs[i] == arch;
    if (!is_known) {
        add(&program->log, "nvrtc: error: invalid value for --gpu-architecture (-arch)\n");
        return INVALID_OPTION;
    }
    int status = compile_on_host(program, arch, pair);
    program->is_compiled = status == OK;
    if (program->is_compiled && program->is_ptx) pack(program, arch, pair[0], pair[1]);
    return status;
}

int nvrtcGetProgramLogSize(struct program *program, size_t *size) {
    BEGIN;
    return *size = program->log.size + 1, OK;
}

int nvrtcGetProgramLog(struct program *program, char *to) {
    BEGIN;
    memcpy(to, program->log.at ? program->log.at : "", program->log.size + 1);
    return OK;
}

// As the library does, machine code is there only for an architecture, and PTX here only for a virtual one.
static int size_of_code(const struct program *program, int is_ptx, size_t *size) {
    if (!program->is_compiled || program->is_ptx != is_ptx) misuse("code is asked for that was not made");
    return *size = program->code.size, OK;
}

int nvrtcGetCUBINSize(struct program *program, size_t *size) {
    BEGIN;
    return size_of_code(program, 0, size);
}

int nvrtcGetCUBIN(struct program *program, char *to) {
    BEGIN;
    return memcpy(to, program->code.at, program->code.size), OK;
}

int nvrtcGetPTXSize(struct program *program, size_t *size) {
    BEGIN;
    return size_of_code(program, 1, size);
}

#ifndef INCOMPLETE
int nvrtcGetPTX(struct program *program, char *to) {
    BEGIN;
    return memcpy(to, program->code.at, program->code.size), OK;
}
#endif
