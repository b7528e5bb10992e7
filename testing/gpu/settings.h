// How the stand-ins for NVIDIA's libraries behave: words in SHAPEWRIGHT_STAND_IN, then those they were compiled with.
// A word that neither of them knows ends the process, so that a typing error cannot make a test pass. Where the variable
// is @FILE, it means the words in that file, which is read at every call: so a machine changes while a process lives.
//
//   fail=CALL:STATUS[@N]  the call gives this status, at every call or at the N-th only
//   lose=CALL[@N]         from that call on, the device is gone
//   slow=CALL:MS          the call takes this long
//   hang=CALL             the call never returns
//   exit=hang             the library never lets the process end by itself
//   log=FILE              a line for each call
//   devices=N  version=12.8  capability=9.0  memory=BYTES  threads=N  shared=BYTES  l2=BYTES  time=MS   of the driver and its devices
//   mig=1g.10gb           the devices are such instances of a GPU
//   nvrtc=12.9  archs=80,90,100,120                                                       of NVRTC

#pragma once

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef SETTINGS
#define SETTINGS ""
#endif

// A use that no caller may rely on: the real library would be free to do anything.
__attribute__((noreturn, format(printf, 1, 2))) static void misuse(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("misuse of the stand-in: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("\n", stderr);
    abort();
}

static const char *const SETTING_NAMES[] = {"fail", "lose", "slow", "hang", "exit", "log", "devices", "version",
                                            "capability", "mig", "memory", "threads", "shared", "l2", "time", "nvrtc", "archs"};

// Calls `visit` for each word NAME=VALUE, until it returns true.
static int each_setting(int (*visit)(const char *name, const char *value, void *data), void *data) {
    const char *environment = getenv("SHAPEWRIGHT_STAND_IN");
    char file[4096] = "";
    if (environment && *environment == '@') {
        FILE *words = fopen(environment + 1, "r");
        if (!words) misuse("there is no file %s of settings", environment + 1);
        file[fread(file, 1, sizeof file - 1, words)] = 0;
        fclose(words);
        environment = file;
    }
    const char *texts[2] = {environment ? environment : "", SETTINGS};
    for (int i = 0; i < 2; i++) {
        char *text = strdup(texts[i]), *rest = NULL;
        for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
            char *equals = strchr(word, '=');
            if (!equals) misuse("`%s` is no setting: NAME=VALUE is", word);
            *equals = 0;
            int known = 0;
            for (size_t k = 0; k < sizeof SETTING_NAMES / sizeof *SETTING_NAMES; k++) {
                known |= !strcmp(word, SETTING_NAMES[k]);
            }
            if (!known) misuse("there is no setting `%s`", word);
            if (visit(word, equals + 1, data)) return free(text), 1;
        }
        free(text);
    }
    return 0;
}

struct wanted {
    const char *name;
    char *value;
    size_t size;
};

static int take_wanted(const char *name, const char *value, void *data) {
    struct wanted *wanted = data;
    if (strcmp(name, wanted->name)) return 0;
    snprintf(wanted->value, wanted->size, "%s", value);
    return 1;
}

// The first value of a setting, or the other one.
static void setting(const char *name, const char *otherwise, char *value, size_t size) {
    struct wanted wanted = {name, value, size};
    if (!each_setting(take_wanted, &wanted)) snprintf(value, size, "%s", otherwise);
}

static unsigned long long number_setting(const char *name, unsigned long long otherwise) {
    char value[64];
    setting(name, "", value, sizeof value);
    return *value ? strtoull(value, NULL, 10) : otherwise;
}

// A version or capability such as 12.8, as two numbers.
static void pair_setting(const char *name, const char *otherwise, int pair[2]) {
    char value[64];
    setting(name, otherwise, value, sizeof value);
    if (sscanf(value, "%d.%d", &pair[0], &pair[1]) != 2) misuse("%s=%s is not like %s", name, value, otherwise);
}

// A function of the library, and how often it was called.
struct call {
    const char *name;
    int times;
};

struct outcome {
    const struct call *call;
    int status, is_lost;
};

// Whether a setting CALL[:NUMBER][@N] is about this call; also reads the number.
static int is_about(const char *value, const struct call *call, long *number) {
    size_t length = strlen(call->name);
    if (strncmp(value, call->name, length) || !strchr(":@", value[length])) return 0;
    char *end = (char *)value + length;
    if (*end == ':') *number = strtol(end + 1, &end, 10);
    return *end != '@' || strtol(end + 1, NULL, 10) == call->times;
}

static int apply_to_call(const char *name, const char *value, void *data) {
    struct outcome *outcome = data;
    long number = 0;
    if (!strcmp(name, "log")) {
        FILE *log = fopen(value, "a");
        if (log) fprintf(log, "%d %s\n", (int)getpid(), outcome->call->name), fclose(log);
    } else if (!strchr("flsh", *name) || !is_about(value, outcome->call, &number)) {
        return 0;
    } else if (!strcmp(name, "hang")) {
        for (;;) pause();
    } else if (!strcmp(name, "slow")) {
        usleep((useconds_t)number * 1000);
    } else if (!strcmp(name, "lose")) {
        outcome->is_lost = 1;
    } else if (!strcmp(name, "fail")) {
        outcome->status = (int)number;
    }
    return 0;
}

// What the settings say of a call that begins.
static struct outcome begin_call(struct call *call) {
    call->times++;
    struct outcome outcome = {call, 0, 0};
    each_setting(apply_to_call, &outcome);
    return outcome;
}

__attribute__((destructor)) static void leave(void) {
    char value[16];
    setting("exit", "", value, sizeof value);
    if (!strcmp(value, "hang")) for (;;) pause();
}
