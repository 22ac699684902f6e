/* The inner loops of the kernel over rows of eight lanes, each row one line of memory.

   Compilers leave the maximum of a short row scalar, so x86 gets it by name. Both ways give the
   same bits: the larger value, and the second one of two equal ones. */
#ifndef ADVISOR_LOOPS_H
#define ADVISOR_LOOPS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define LANES 8
#define FACES 6

#if defined(__SSE2__)
#include <emmintrin.h>
typedef struct { __m128d part[4]; } lanes_t;
#define EACH_PART for (int i = 0; i < 4; i++)
static inline lanes_t lanes_load(const double *from) {
    lanes_t x;
    EACH_PART x.part[i] = _mm_loadu_pd(from + 2 * i);
    return x;
}
static inline lanes_t lanes_all(double value) {
    lanes_t x;
    EACH_PART x.part[i] = _mm_set1_pd(value);
    return x;
}
static inline lanes_t lanes_gather(const double *const *from, const int32_t *place) {
    lanes_t x;
    EACH_PART x.part[i] = _mm_set_pd(from[2 * i + 1][place[2 * i + 1]], from[2 * i][place[2 * i]]);
    return x;
}
static inline void lanes_store(double *to, lanes_t x) {
    EACH_PART _mm_storeu_pd(to + 2 * i, x.part[i]);
}
static inline lanes_t lanes_sum(lanes_t x, lanes_t y) {
    EACH_PART x.part[i] = _mm_add_pd(x.part[i], y.part[i]);
    return x;
}
static inline lanes_t lanes_product(lanes_t x, lanes_t y) {
    EACH_PART x.part[i] = _mm_mul_pd(x.part[i], y.part[i]);
    return x;
}
static inline lanes_t lanes_quotient(lanes_t x, lanes_t y) {
    EACH_PART x.part[i] = _mm_div_pd(x.part[i], y.part[i]);
    return x;
}
static inline lanes_t lanes_larger(lanes_t x, lanes_t y) {
    EACH_PART x.part[i] = _mm_max_pd(x.part[i], y.part[i]);
    return x;
}
#else
typedef struct { double part[8]; } lanes_t;
#define EACH_PART for (int i = 0; i < 8; i++)
static inline lanes_t lanes_load(const double *from) {
    lanes_t x;
    EACH_PART x.part[i] = from[i];
    return x;
}
static inline lanes_t lanes_all(double value) {
    lanes_t x;
    EACH_PART x.part[i] = value;
    return x;
}
static inline lanes_t lanes_gather(const double *const *from, const int32_t *place) {
    lanes_t x;
    EACH_PART x.part[i] = from[i][place[i]];
    return x;
}
static inline void lanes_store(double *to, lanes_t x) {
    EACH_PART to[i] = x.part[i];
}
static inline lanes_t lanes_sum(lanes_t x, lanes_t y) {
    EACH_PART x.part[i] = x.part[i] + y.part[i];
    return x;
}
static inline lanes_t lanes_product(lanes_t x, lanes_t y) {
    EACH_PART x.part[i] = x.part[i] * y.part[i];
    return x;
}
static inline lanes_t lanes_quotient(lanes_t x, lanes_t y) {
    EACH_PART x.part[i] = x.part[i] / y.part[i];
    return x;
}
static inline lanes_t lanes_larger(lanes_t x, lanes_t y) {
    EACH_PART x.part[i] = x.part[i] > y.part[i] ? x.part[i] : y.part[i];
    return x;
}
#endif

#define ROW(base, number) ((base) + (ptrdiff_t)(number) * LANES)

/* A packed list of lists: for each length that occurs, ascending, the length, the number of lists,
   the row that each belongs to, and their items; behind the last one a 0. Lists of one length
   together leave the processor no branch to guess. */

/* The largest of source[item] for the items of a list, and of `best`. */
static inline lanes_t best_item(lanes_t best, const double *source, const int32_t *items,
                                int32_t length) {
    for (int32_t j = 0; j < length; j++)
        best = lanes_larger(lanes_load(ROW(source, items[j])), best);
    return best;
}

/* out[row] = max(out[row], source[item] for every item of the row) */
static inline void best_of(double *out, const double *source, const int32_t *packed) {
    for (int32_t length; (length = *packed) != 0;) {
        int32_t number = packed[1];
        const int32_t *rows = packed + 2, *items = rows + number;
        for (int32_t i = 0; i < number; i++, items += length) {
            double *row = ROW(out, rows[i]);
            lanes_store(row, best_item(lanes_load(row), source, items, length));
        }
        packed = items;
    }
}

/* out[row] = max(the value of each lane at its own place, more[row] if there is any,
                  lattice[item] for every item of the row) */
static inline void best_aside(double *out, const double *const *value, const int32_t *place,
                              const double *more, const double *lattice, const int32_t *packed) {
    for (int32_t length; (length = *packed) != 0;) {
        int32_t number = packed[1];
        const int32_t *rows = packed + 2, *items = rows + number;
        for (int32_t i = 0; i < number; i++, items += length) {
            lanes_t best = lanes_gather(value, ROW(place, rows[i]));
            if (more) best = lanes_larger(lanes_load(ROW(more, rows[i])), best);
            lanes_store(ROW(out, rows[i]), best_item(best, lattice, items, length));
        }
        packed = items;
    }
}

/* out[i] = max(out[i], source[i]) */
static inline void larger_of(double *out, const double *source, ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++)
        lanes_store(ROW(out, i), lanes_larger(lanes_load(ROW(source, i)),
                                              lanes_load(ROW(out, i))));
}

/* out[i] = the best of source[i with one more die], over some faces of that die, each with a
   penalty of 0 or minus infinity by lane if there are any; the best with out[i] if `onto`. */
static inline void best_of_faces(double *out, const double *source, const int32_t *successors,
                                 ptrdiff_t count, const int32_t *faces, int32_t number,
                                 const double *penalty, int32_t onto) {
    for (ptrdiff_t i = 0; i < count; i++, successors += FACES) {
        lanes_t best = onto ? lanes_load(ROW(out, i)) : lanes_all(-INFINITY);
        for (int32_t j = 0; j < number; j++) {
            lanes_t value = lanes_load(ROW(source, successors[faces[j]]));
            if (penalty) value = lanes_sum(value, lanes_load(ROW(penalty, faces[j])));
            best = lanes_larger(value, best);
        }
        lanes_store(ROW(out, i), best);
    }
}

/* out[i with one more die of the face] = the best with what each lane holds for that row */
static inline void best_pulled(double *out, const double *const *pulled, const int32_t *stride,
                               const int32_t *successors, ptrdiff_t count, int32_t face,
                               int32_t first) {
    for (ptrdiff_t i = 0; i < count; i++) {
        int32_t row = successors[i * FACES + face] - first, place[LANES];
        for (int l = 0; l < LANES; l++) place[l] = row * stride[l];
        lanes_store(ROW(out, row), lanes_larger(lanes_gather(pulled, place),
                                                lanes_load(ROW(out, row))));
    }
}

/* values[i] = the best of raising any number of dice from `face` by `pips`; `successors` are
   those of one die less, and what has been raised comes behind what has not. */
static inline void best_raised(double *values, const int32_t *successors, ptrdiff_t count,
                               int32_t face, int32_t pips, int32_t first) {
    for (ptrdiff_t i = count - 1; i >= 0; i--) {
        double *row = ROW(values, successors[i * FACES + face] - first);
        const double *raised = ROW(values, successors[i * FACES + face + pips] - first);
        lanes_store(row, lanes_larger(lanes_load(raised), lanes_load(row)));
    }
}

/* out[i] = mean of source[i with one more die], over the six faces of that die */
static inline void mean_of_six(double *out, const double *source, const int32_t *successors,
                               ptrdiff_t count) {
    for (ptrdiff_t i = 0; i < count; i++, successors += FACES) {
        lanes_t total = lanes_all(0.0);
        for (int face = 0; face < FACES; face++)
            total = lanes_sum(total, lanes_load(ROW(source, successors[face])));
        lanes_store(ROW(out, i), lanes_quotient(total, lanes_all(6.0)));
    }
}

/* out = sum of weights[i] * source[i]; the weights are whole numbers, exact in a double. */
static inline void weighted_sum(double *out, const double *source, const double *weights,
                                ptrdiff_t count) {
    lanes_t total = lanes_all(0.0);
    for (ptrdiff_t i = 0; i < count; i++)
        total = lanes_sum(total, lanes_product(lanes_all(weights[i]), lanes_load(ROW(source, i))));
    lanes_store(out, total);
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
