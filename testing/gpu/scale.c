// Machine code for the stand-in with one kernel: scale(float *x, float a, unsigned n, signed char b) computes
// x[i] = a * x[i] + b. One for 777 elements reads where nothing is.

const int stand_in_made_for[] = {90, 12, 0};

void run_scale(void **parameters, unsigned blocks, unsigned threads, unsigned dynamic) {
    float *x = *(float **)parameters[0];
    const float a = *(float *)parameters[1];
    const unsigned n = *(unsigned *)parameters[2];
    const signed char b = *(signed char *)parameters[3];
    (void)blocks, (void)threads, (void)dynamic;
    if (n == 777) x = (float *)8;
    for (unsigned i = 0; i < n; i++) x[i] = a * x[i] + b;
}
