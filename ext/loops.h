/* The inner loops of the kernel over rows of eight lanes, each row one line of memory.

   Compilers leave the maximum of a short row scalar, so x86 gets it by name. Both ways give the
   same bits: the larger value, and the second one of two equal ones. */
#ifndef ADVISOR_LOOPS_H
#define ADVISOR_LOOPS_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define LANES 8
#define FACES 6

#if defined(__SSE2__)
#include <emmintrin.h>
typedef struct { __m128d part[4]; } lanes_t;
static inline lanes_t lanes_load(const double *from) {
    lanes_t x;
    for (int i = 0; i < 4; i++) x.part[i] = _mm_loadu_pd(from + 2 * i);
    return x;
}
static inline void lanes_store(double *to, lanes_t x) {
    for (int i = 0; i < 4; i++) _mm_storeu_pd(to + 2 * i, x.part[i]);
}
static inline lanes_t lanes_sum(lanes_t x, lanes_t y) {
    for (int i = 0; i < 4; i++) x.part[i] = _mm_add_pd(x.part[i], y.part[i]);
    return x;
}
static inline lanes_t lanes_larger(lanes_t x, lanes_t y) {
    for (int i = 0; i < 4; i++) x.part[i] = _mm_max_pd(x.part[i], y.part[i]);
    return x;
}
#else
typedef struct { double part[8]; } lanes_t;
static inline lanes_t lanes_load(const double *from) {
    lanes_t x;
    for (int i = 0; i < 8; i++) x.part[i] = from[i];
    return x;
}
static inline void lanes_store(double *to, lanes_t x) {
    for (int i = 0; i < 8; i++) to[i] = x.part[i];
}
static inline lanes_t lanes_sum(lanes_t x, lanes_t y) {
    for (int i = 0; i < 8; i++) x.part[i] = x.part[i] + y.part[i];
    return x;
}
static inline lanes_t lanes_larger(lanes_t x, lanes_t y) {
    for (int i = 0; i < 8; i++) x.part[i] = x.part[i] > y.part[i] ? x.part[i] : y.part[i];
    return x;
}
#endif

/* out[i] = max(out[i], source[item] for every item of row i) */
static inline void best_of(double *out, const double *source, const int32_t *offsets,
                           const int32_t *items, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) {
        lanes_t best = lanes_load(out + i * LANES);
        for (int32_t j = offsets[i]; j < offsets[i + 1]; j++)
            best = lanes_larger(lanes_load(source + (ptrdiff_t)items[j] * LANES), best);
        lanes_store(out + i * LANES, best);
    }
}

/* The same, each item with the penalty (0 or minus infinity) of the face it needs. */
static inline void best_allowed(double *out, const double *source, const int32_t *offsets,
                                const int32_t *items, const int32_t *needs,
                                const double *penalty, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) {
        lanes_t best = lanes_load(out + i * LANES);
        for (int32_t j = offsets[i]; j < offsets[i + 1]; j++)
            best = lanes_larger(lanes_sum(lanes_load(source + (ptrdiff_t)items[j] * LANES),
                                          lanes_load(penalty + needs[j] * LANES)), best);
        lanes_store(out + i * LANES, best);
    }
}

/* out[i] = mean of source[i with one more die], over the six faces of that die */
static inline void mean_of_six(double *out, const double *source, const int32_t *successors,
                               ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++) {
        double total[LANES] = {0};
        for (int face = 0; face < FACES; face++) {
            const double *row = source + (ptrdiff_t)successors[i * FACES + face] * LANES;
            for (int l = 0; l < LANES; l++) total[l] += row[l];
        }
        for (int l = 0; l < LANES; l++) out[i * LANES + l] = total[l] / 6.0;
    }
}

/* out = sum of weights[i] * source[i]; the weights are whole numbers, exact in a double. */
static inline void weighted_sum(double *out, const double *source, const double *weights,
                                ptrdiff_t count) {
    double total[LANES] = {0};
    for (ptrdiff_t i = 0; i < count; i++)
        for (int l = 0; l < LANES; l++) total[l] += weights[i] * source[i * LANES + l];
    for (int l = 0; l < LANES; l++) out[l] = total[l];
}

/* out[i] = source of each lane at the place that `shifted` gives for it */
static inline void gather(double *out, const double *const *source, const int32_t *shifted,
                          ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count * LANES; i += LANES)
        for (int l = 0; l < LANES; l++) out[i + l] = source[l][shifted[i + l]];
}

/* Whether somebody has set a flag that another thread reads. */
static inline int flag_is_set(const unsigned char *flag) {
    return *(const volatile unsigned char *)flag != 0;
}

/* Seconds on the clock of the wall, for measuring how long ago something was. */
static inline double seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
