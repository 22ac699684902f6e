# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True
# cython: initializedcheck=False, embedsignature=False
"""Retrograde analysis of one turn of dice: arrays in, arrays out, no rule in it.

A *set* u is a bit mask of unused cards. The number n(u) of dice in play follows from it, so the
value before a roll is one array per set over the multisets s of dice set aside, by id. For one s
the values of all decision nodes (active dice, set) together are scratch: `rows`, one row per
multiset of active dice. Eight (goal, s) pairs of a layer |s| = k are worked on side by side, so a
row is eight doubles and every loop over them is a short run of vector instructions; the lanes
never meet, so results do not depend on how they are grouped or on the width of the registers.

A card copies, if it does, a face that lies aside. Setting one die aside and copying it in the same
roll leads to nodes of the next layer at which a bare roll is allowed; `copied` holds their values.
docs/solver.md has the recursion and the reasons.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t

from math import comb

import numpy as np

from advisor.errors import ForeignValues

cdef enum:
    LANES = 8
    MAX_CARDS = 16
    MAX_DICE = 12
    FACES = 6

cpdef enum:
    MOVE = 0     # active dice -> active dice (one more if the card brings a die in)
    COPY = 1     # one die takes the value of a die set aside
    REROLL = 2   # up to a limit of active dice fall again

REVISION = 1
"""Raised whenever values could change in a single bit."""

TIE = 1e-12
"""Values this close are equally good: the policy takes the first of them."""

cdef double TIE_ = TIE

include "checks.pxi"


cdef struct Rows:
    const int32_t* offsets
    const int32_t* items


# ------------------------------------------------------------------ rows of eight lanes

cdef extern from *:
    """
    /* Compilers leave the maximum of a short row scalar, so x86 gets it by name. Both ways give
       the same bits: the larger value, and the second one of two equal ones. */
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
    """
    ctypedef struct lanes_t:
        pass
    lanes_t lanes_load(const double* source) noexcept nogil
    void lanes_store(double* out, lanes_t row) noexcept nogil
    lanes_t lanes_sum(lanes_t row, lanes_t other) noexcept nogil
    lanes_t lanes_larger(lanes_t row, lanes_t other) noexcept nogil


cdef inline void best_of(double* out, const double* source, const int32_t* offsets,
                         const int32_t* items, Py_ssize_t count) noexcept nogil:
    """out[i] = max(out[i], source[item] for every item of row i)."""
    cdef Py_ssize_t i
    cdef int32_t j
    cdef lanes_t best
    for i in range(count):
        best = lanes_load(out + i * LANES)
        for j in range(offsets[i], offsets[i + 1]):
            best = lanes_larger(lanes_load(source + <Py_ssize_t>items[j] * LANES), best)
        lanes_store(out + i * LANES, best)


cdef inline void best_allowed(double* out, const double* source, const int32_t* offsets,
                              const int32_t* items, const int32_t* needs, const double* penalty,
                              Py_ssize_t count) noexcept nogil:
    """The same, each item with the penalty (0 or minus infinity) of the face it needs."""
    cdef Py_ssize_t i
    cdef int32_t j
    cdef lanes_t best, value
    for i in range(count):
        best = lanes_load(out + i * LANES)
        for j in range(offsets[i], offsets[i + 1]):
            value = lanes_sum(lanes_load(source + <Py_ssize_t>items[j] * LANES),
                              lanes_load(penalty + needs[j] * LANES))
            best = lanes_larger(value, best)
        lanes_store(out + i * LANES, best)


cdef inline void mean_of_six(double* out, const double* source, const int32_t* successors,
                             Py_ssize_t count) noexcept nogil:
    """out[i] = mean of source[i with one more die], over the six faces of that die."""
    cdef Py_ssize_t i, l, face
    cdef const double* row
    cdef double total[LANES]
    for i in range(count):
        for l in range(LANES):
            total[l] = 0.0
        for face in range(FACES):
            row = source + <Py_ssize_t>successors[i * FACES + face] * LANES
            for l in range(LANES):
                total[l] += row[l]
        for l in range(LANES):
            out[i * LANES + l] = total[l] / 6.0


cdef inline void weighted_sum(double* out, const double* source, const double* weights,
                              Py_ssize_t count) noexcept nogil:
    """out = sum of weights[i] * source[i]; the weights are whole numbers, exact in a double."""
    cdef Py_ssize_t i, l
    cdef double total[LANES]
    for l in range(LANES):
        total[l] = 0.0
    for i in range(count):
        for l in range(LANES):
            total[l] += weights[i] * source[i * LANES + l]
    for l in range(LANES):
        out[l] = total[l]


cdef class TurnGraph:
    """The state graph of a turn from a root position on; dice set aside before it do not count.

    `root_dice` dice are active at the root, at most `most_dice` can be in play, `brings` is the
    mask of cards that bring a die in, `aside_faces` the mask of faces that lie aside at the root.
    `cards`: per card a tuple (kind, limit, moves, needs, pulled), the last three lists by number
    of active dice, as advisor.court.layout builds them. `space`: the arrays of
    advisor.multisets.space(most_dice).

    Everything that is handed in is checked: ValueError or TypeError says what is wrong with it.
    """

    cdef readonly int root_dice, most_dice, sets
    cdef readonly object offsets
    """Where the values of each set begin; -1: the set cannot occur. The last entry: the end."""
    cdef readonly object dice_of
    """The number of dice in play for each set; -1: the set cannot occur."""

    cdef int cards, aside_faces, copying
    cdef int barred                        # cards that are out of play in the pass under way
    cdef int kind[MAX_CARDS]
    cdef int limit[MAX_CARDS]
    cdef int laid_out[MAX_CARDS]           # up to so many active dice
    cdef int most_active[MAX_CARDS]        # so many dice can be in play when the card is used
    cdef Rows moves[MAX_CARDS][MAX_DICE + 1]
    cdef const int32_t* needs[MAX_CARDS][MAX_DICE + 1]
    cdef Rows pulled[MAX_CARDS][MAX_DICE + 1]
    cdef Rows down
    cdef const int32_t* up
    cdef const double* weight
    cdef const int8_t* counts
    cdef int32_t first[MAX_DICE + 2]       # id of the first multiset of a size
    cdef double ways[MAX_DICE + 1]         # 6^n
    cdef const int64_t* begin
    cdef const int32_t* dice
    cdef object keep, up_rows, in_play     # the arrays behind the pointers

    # one batch of lanes
    cdef int lanes
    cdef int32_t aside[LANES]              # the multiset set aside
    cdef const double* value[LANES]        # the values of the lane's goal
    cdef double penalty[FACES * LANES]     # 0 where the face lies aside, else minus infinity
    cdef const double* pull[FACES * LANES] # `copied` values with one die of the face set aside
    cdef int32_t* shifted                  # id of aside + part, by part and lane
    cdef double* lattice                   # by part and lane
    cdef double* planes                    # by face, multiset and lane
    cdef double* rows                      # by set, multiset and lane
    cdef const double* copied              # by slot and row
    cdef const int64_t* slots              # the slot of each goal and multiset, or -1
    cdef int64_t copied_rows
    cdef const int64_t* row_begin          # first row of each set in this layer
    cdef const int64_t* copied_begin       # the same for `copied`, which is of the next layer
    cdef object scratch, row_layout, copied_layout, copied_values, copied_slots, copied_buffer

    # the pass that follows the policy
    cdef Rows set_asides[MAX_DICE + 1]
    cdef Rows rerolls[MAX_CARDS][MAX_DICE + 1]
    cdef double* mass                      # by set and multiset, like the values
    cdef double* flow                      # probability of nodes, like `rows`
    cdef double* carried                   # like `copied`
    cdef uint8_t* touched                  # by multiset
    cdef double* expected[MAX_CARDS]       # per re-rolling card, like `lattice`
    cdef bint ready[MAX_CARDS]
    cdef int32_t* fallen
    cdef double lost

    def __cinit__(self, root_dice, most_dice, brings, aside_faces, cards, space):
        cdef int c, n
        listed = list_of("cards", cards, 0)
        if len(listed) > MAX_CARDS or as_index(most_dice) > MAX_DICE:
            raise ValueError(f"{len(listed)} cards and {most_dice} dice are more than "
                             f"{MAX_CARDS} and {MAX_DICE}")
        self.cards, self.sets = len(listed), 1 << len(listed)
        self.most_dice = whole("most_dice", most_dice, 0, MAX_DICE)
        self.root_dice = whole("root_dice", root_dice, 0, self.most_dice)
        self.aside_faces = whole("aside_faces", aside_faces, 0, (1 << FACES) - 1)
        brings = whole("brings", brings, 0, self.sets - 1)
        first, up, down, weight, counts = space_of(space, self.most_dice)
        self.keep, self.up_rows = [down, weight, counts], up
        for n in range(MAX_DICE + 2):
            self.first[n] = first[n]
        for n in range(MAX_DICE + 1):
            self.ways[n] = 6.0 ** n
        self.up = ints(up.reshape(-1))
        self.down = as_rows(down)
        self.weight = doubles(weight)
        self.counts = bytes_of(counts.reshape(-1))
        self.copying = 0
        for c, card in enumerate(listed):
            self._lay_card(c, card, brings >> c & 1)
        self._lay_out(brings)

    @cython.boundscheck(True)
    def _lay_card(self, int c, card, bint bring):
        """Take the lists of a card over."""
        cdef int n, number
        name = f"card {c}"
        try:
            kind, limit, moves, needs, pulled = card
        except (TypeError, ValueError):
            raise ValueError(f"{name} must be (kind, limit, moves, needs, pulled)") from None
        self.kind[c] = whole(f"{name}: kind", kind, MOVE, REROLL)
        rolls = self.kind[c] == REROLL
        self.limit[c] = whole(f"{name}: limit", limit, rolls and self.most_dice > 0, MAX_DICE)
        moves, needs = list_of(f"{name}: moves", moves, 0), list_of(f"{name}: needs", needs, 0)
        pulled = list_of(f"{name}: pulled", pulled, 0)
        if bring and self.kind[c] != MOVE:
            raise ValueError(f"{name} brings a die in, so its kind must be MOVE")
        if rolls and len(moves):
            raise ValueError(f"{name} re-rolls and has no moves")
        if {len(needs), len(pulled)} != {len(moves) if self.kind[c] == COPY else 0}:
            raise ValueError(f"{name} has {len(moves)} moves, {len(needs)} needs and "
                             f"{len(pulled)} pulled: as many if it copies, else only moves")
        if len(moves) > self.most_dice + 1:
            raise ValueError(f"{name} is laid out for more than {self.most_dice} dice")
        self.laid_out[c] = MAX_DICE if rolls else max(len(moves) - 1, 0)
        for n in range(1, len(moves)):
            count = self._lay_moves(c, n, moves[n], bring)
            if self.kind[c] == COPY:
                self._lay_copies(c, n, count, needs[n], pulled[n])
        if self.kind[c] == COPY:
            if self.copying:
                raise ValueError("two cards that copy dice set aside")
            self.copying = 1 << c

    def _lay_moves(self, int c, int n, moves, bint bring):
        """Take the lists of one number of active dice over; return how many items there are."""
        if bring and n == MAX_DICE:
            raise ValueError(f"card {c} brings a die in beside {n}, which is one too many")
        pair = rows_of(f"card {c}: moves of {n} dice", moves, self._count(n),
                       0, self._count(n + bring))
        self.keep.append(pair)
        self.moves[c][n] = as_rows(pair)
        return len(pair[1])

    def _lay_copies(self, int c, int n, Py_ssize_t count, needs, pulled):
        name = f"card {c}: needs of {n} dice"
        needs = kept(array_of(name, needs, np.int32, (count,)))
        check_within(name, needs, 0, FACES)
        pair = rows_of(f"card {c}: pulled of {n} dice", pulled, self._count(n),
                       0, FACES * self._count(n - 1))
        self.keep += [needs, pair]
        self.needs[c][n], self.pulled[c][n] = ints(needs), as_rows(pair)

    def _lay_out(self, int brings):
        cdef int c, n
        all_sets = np.arange(self.sets)
        used = ~all_sets & brings
        dice = np.full(self.sets, self.root_dice)
        for c in range(self.cards):
            dice += used >> c & 1
        dice_of = np.where(dice <= self.most_dice, dice, -1).astype(np.int32)
        starts = np.array([self.first[n] for n in range(MAX_DICE + 2)], dtype=np.int64)
        size = np.where(dice_of >= 0, starts[dice_of + 1], 0)
        offsets = np.concatenate([[0], np.cumsum(size)]).astype(np.int64)
        offsets[np.flatnonzero(dice_of < 0)] = -1
        for c in range(self.cards):
            usable = (all_sets >> c & 1 == 1) & (dice_of[all_sets & ~(1 << c)] >= 0)
            self.most_active[c] = dice_of[usable].max(initial=0)
        # What is handed out is a copy: nobody may change what is worked with.
        self.keep += [offsets, dice_of]
        self.offsets, self.dice_of = kept(offsets), kept(dice_of)
        self.begin, self.dice, self.in_play = longs(offsets), ints(dice_of), dice_of

    # -------------------------------------------------------------- what the methods are given

    cdef Py_ssize_t _count(self, int n) noexcept:
        """Return the number of multisets of n dice."""
        return self.first[n + 1] - self.first[n]

    cdef int _check_laid_out(self, int k) except -1:
        """Raise ValueError unless all lists of uses from layer k on are there."""
        cdef int c
        for c in range(self.cards):
            if self.laid_out[c] < self.most_active[c] - k:
                raise ValueError(f"card {c} is laid out for {self.laid_out[c]} active dice; "
                                 f"there can be {self.most_active[c] - k}")
        return 0

    cdef int _check_set(self, int u, int k) except -1:
        """Raise ValueError unless set u can occur with k dice set aside."""
        if self.dice[u] < k:
            raise ValueError(f"{k} dice cannot be set aside with the unused cards {u:b}: "
                             f"{max(self.dice[u], 0)} are in play")
        return 0

    cdef object _goals(self, name, utilities):
        """Return utilities by goal and multiset."""
        found = array_of(name, utilities, np.float64, (None, self.first[self.most_dice + 1]))
        if not np.isfinite(found).all():
            raise ValueError(f"{name} must be finite")
        return found

    @cython.boundscheck(True)
    def _check_order(self, set_asides, rerolls, int k):
        """Return the lists that order the options of the policy from layer k on."""
        cdef int c, n, most = self.most_dice - k
        set_asides = list_of("set_asides", set_asides, most + 1)
        rerolls = list_of("rerolls", rerolls, self.cards)
        kept = [[] for _ in range(self.cards)]
        parts = [rows_of(f"set_asides of {n} dice", set_asides[n], self._count(n),
                         1, self.first[n + 1]) for n in range(1, most + 1)]
        for c in range(self.cards):
            if self.kind[c] == REROLL:
                given = list_of(f"rerolls of card {c}", rerolls[c], most + 1)
                kept[c] = [rows_of(f"rerolls of card {c}, {n} dice", given[n], self._count(n),
                                   self.first[max(n - self.limit[c], 0)], self.first[n])
                           for n in range(1, most + 1)]
        return parts, kept

    # -------------------------------------------------------------- sizes and scratch

    @property
    def size(self):
        """The number of values of one goal."""
        return self.begin[self.sets]

    def memory(self, goals=1):
        """Return the bytes that `solve` takes for so many goals and `follow` after it, roughly."""
        goals = whole("goals", goals, 0, 1 << 40)
        self.barred = 0
        rows, copied = self._layout(0, 0)[1] * LANES, self._most_copied()
        solving = self.size * goals + rows + copied * goals
        following = self.size * (goals + 1) + 2 * rows + 3 * copied
        return int(8 * max(solving, following))

    def _most_copied(self):
        """Return the largest number of values of one goal that `copied` takes for a layer."""
        if not self.copying:
            return 0
        return max([int(self._newly_aside_of(k).sum()) * self._layout(k, self.copying)[1]
                    for k in range(1, self.most_dice)], default=0)

    def _newly_aside_of(self, int k):
        """Return for each multiset of layer k whether copying a new die can lead to it."""
        cdef int32_t part
        return np.array([self._newly_aside(part)
                         for part in range(self.first[k], self.first[k + 1])], dtype=bool)

    def _layout(self, int k, int without):
        """Return the first row of each set in layer k and the number of rows."""
        active = np.maximum(self.in_play - k, 0)
        active[(np.arange(self.sets) & (without | self.barred)) != 0] = 0
        count = np.array([0] + [self.first[n + 1] - self.first[n] for n in range(1, MAX_DICE + 1)],
                         dtype=np.int64)[active]
        return np.cumsum(count) - count, int(count.sum())

    def _prepare(self, int k):
        """Lay the rows of layer k out, with enough scratch for them."""
        self.row_layout = self._layout(k, 0)
        self.row_begin = longs(self.row_layout[0])
        parts, rows = self.first[self.most_dice + 1], self.row_layout[1]
        if self.scratch is None or len(self.scratch[3]) < rows * LANES:
            self.scratch = None
            self.scratch = [
                np.empty(parts * LANES, dtype=np.int32),
                np.empty(parts * LANES),
                np.empty((FACES * parts if self.copying else 0) * LANES),
                np.empty(rows * LANES),
            ]
            self.shifted = <int32_t*>address(self.scratch[0])
            self.lattice = <double*>address(self.scratch[1])
            self.planes = <double*>address(self.scratch[2])
            self.rows = <double*>address(self.scratch[3])

    # -------------------------------------------------------------- values

    def solve(self, utilities, first_layer=0):
        """Return the values before each roll under best play, one goal a row.

        `utilities`: by goal and multiset, read where all dice are aside. The value of set u and
        multiset s is at `offsets[u] + s`; with all dice aside it is the utility. Layers below
        `first_layer` dice set aside are not solved and stay NaN.
        """
        cdef int lowest = whole("first_layer", first_layer, 0, max(self.most_dice, 1))
        self._check_laid_out(lowest)
        return self._solve(self._goals("utilities", utilities), lowest)

    def _solve(self, const double[:, ::1] utilities, int first_layer):
        cdef Py_ssize_t goals = utilities.shape[0], goal, pair, pairs, l
        cdef int k, u, n
        cdef double total[LANES]
        cdef double[:, ::1] values = np.full((goals, self.size), np.nan)
        cdef Py_ssize_t low, high, i
        cdef int64_t[::1] chosen
        for u in range(self.sets):
            n = self.dice[u]
            if n >= 0:
                for goal in range(goals):
                    for i in range(self.first[n], self.first[n + 1]):
                        values[goal, self.begin[u] + i] = utilities[goal, i]
        self.barred = 0
        # The largest buffers first: fresh pages cost time.
        self._prepare(first_layer)
        self._copied_space(goals, self._most_copied())
        hope = self.hope(np.asarray(utilities))
        for k in range(self.most_dice - 1, first_layer - 1, -1):
            self._copy_layer(values, k + 1, None, hope)
            self._prepare(k)
            low, high = self.first[k], self.first[k + 1]
            for u in range(self.sets):
                if self.dice[u] > k:
                    np.asarray(values)[:, self.begin[u] + low:self.begin[u] + high] = 0.0
            chosen = np.flatnonzero(hope[:, low:high])
            pairs = len(chosen)
            for pair in range(0, pairs, LANES):
                PyErr_CheckSignals()
                with nogil:
                    self._take(values, k, chosen, pair, pairs)
                    self._fill(k, False, 0)
                    for u in range(self.sets):
                        n = self.dice[u] - k
                        if n > 0:
                            weighted_sum(total, self.rows + self.row_begin[u] * LANES,
                                         self.weight + self.first[n],
                                         self.first[n + 1] - self.first[n])
                            for l in range(self.lanes):
                                (<double*>self.value[l])[self.begin[u] + self.aside[l]] = (
                                    total[l] / self.ways[n])
        return np.asarray(values)

    def hope(self, utilities):
        """Return by goal and multiset set aside whether anything but worth 0 can come of it.

        What cannot is worth exactly 0 and need not be solved; with utilities below 0 all is true.
        """
        cdef int k
        utilities = self._goals("utilities", utilities)
        hope = np.zeros((utilities.shape[0], self.first[self.most_dice + 1]), dtype=bool)
        if (utilities < 0).any():
            hope[:] = True
            return hope
        up = self.up_rows
        for k in range(self.most_dice, -1, -1):
            low, high = self.first[k], self.first[k + 1]
            if (self.in_play == k).any():
                hope[:, low:high] = utilities[:, low:high] > 0
            if k < self.most_dice:
                hope[:, low:high] |= hope[:, up[low:high]].any(axis=2)
        return hope

    def nodes(self, values, aside, may_roll, u):
        """Return the values of all decision nodes with the multiset `aside` set aside.

        `values` as `solve` returns them; only set `u` and its subsets are valued. The result is a
        pair: the first row of each set, and an array by goal and row; the row of active dice is the
        first one plus their rank.
        """
        cdef int32_t lies = <int32_t>whole("aside", aside, 0, self.first[self.most_dice + 1] - 1)
        cdef int chosen = whole("u", u, 0, self.sets - 1)
        self._check_set(chosen, self._size_of(lies))
        self._check_laid_out(self._size_of(lies))
        values = array_of("values", values, np.float64, (None, self.size))
        return self._nodes(values, lies, may_roll, chosen)

    def _nodes(self, const double[:, ::1] values, int aside, bint may_roll, int u):
        cdef Py_ssize_t goals = values.shape[0], goal, l, i
        cdef int k = self._size_of(aside)
        cdef double[:, ::1] found
        self.barred = ~u
        self._copy_layer(values, k + 1, [aside])
        self._prepare(k)
        found = np.empty((goals, self.row_layout[1]))
        for goal in range(0, goals, LANES):
            self.lanes = min(LANES, goals - goal)
            for l in range(self.lanes):
                self._lane(l, values, goal + l, aside, k)
            self._load(k)
            self._fill(k, may_roll, 0)
            for l in range(self.lanes):
                for i in range(found.shape[1]):
                    found[goal + l, i] = self.rows[i * LANES + l]
        return self.row_layout[0], np.asarray(found)

    def _copy_layer(self, const double[:, ::1] values, int k, below, hope=None):
        """Value the nodes of layer k to which copying a die of the same roll leads from layer k - 1.

        There a bare roll is allowed and the copying card is used; the multiset set aside holds
        exactly one die of the face copied. `below`: only what follows these multisets. `hope`:
        only where that is true, by goal and multiset.
        """
        cdef const int64_t[::1] begin
        cdef double[:, ::1] copied
        cdef int u
        cdef Py_ssize_t slot, count, l, i, low
        cdef Py_ssize_t layer = self.first[k + 1] - self.first[k]
        self.copied_rows = 0
        if not self.copying or k >= self.most_dice:
            return
        wanted = self._newly_aside_of(k)
        if below is not None:
            near = np.zeros(layer, dtype=bool)
            near[self.up_rows[below].ravel() - self.first[k]] = True
            wanted &= near
        goals = values.shape[0]
        chosen = np.broadcast_to(wanted, (goals, layer))
        if hope is not None:
            chosen = chosen & hope[:, self.first[k]:self.first[k + 1]]
        count = int(chosen.sum())
        self.copied_slots = np.full((goals, layer), np.int64(0) - 1, dtype=np.int64)
        self.copied_slots[chosen] = np.arange(count)
        self.copied_layout = self._layout(k, self.copying)
        self.copied_values = self._copied_space(count, self.copied_layout[1])
        self.copied_begin = longs(self.copied_layout[0])
        self.copied = <double*>address(self.copied_values)
        self.slots, self.copied_rows = longs(self.copied_slots.reshape(-1)), self.copied_layout[1]
        if self.copied_values.size == 0:
            return
        self._prepare(k)
        begin, copied = self.copied_layout[0], self.copied_values
        goal_of, part_of = np.nonzero(self.copied_slots >= 0)
        for slot in range(0, count, LANES):
            PyErr_CheckSignals()
            self.lanes = min(LANES, count - slot)
            for l in range(self.lanes):
                self.aside[l] = self.first[k] + part_of[slot + l]
                self.value[l] = &values[goal_of[slot + l], 0]
            with nogil:
                self._load(k)
                self._fill(k, True, self.copying)
                for u in range(self.sets):
                    if self.dice[u] > k and not u & (self.copying | self.barred):
                        low = self.row_begin[u]
                        for i in range(self.first[self.dice[u] - k + 1]
                                       - self.first[self.dice[u] - k]):
                            for l in range(self.lanes):
                                copied[slot + l, begin[u] + i] = self.rows[(low + i) * LANES + l]

    def _copied_space(self, Py_ssize_t count, Py_ssize_t rows):
        """Return room for `copied`; one buffer serves all layers."""
        if self.copied_buffer is None or len(self.copied_buffer) < count * rows:
            self.copied_buffer = None
            self.copied_buffer = np.empty(count * rows)
        return self.copied_buffer[:count * rows].reshape(count, rows)

    cdef bint _newly_aside(self, int32_t multiset) noexcept nogil:
        """Whether the last die set aside may have been the first of its face."""
        cdef int face
        for face in range(FACES):
            if self.counts[multiset * FACES + face] == 1 and not self.aside_faces >> face & 1:
                return True
        return False

    cdef int _size_of(self, int32_t multiset) noexcept nogil:
        cdef int size = 0
        while self.first[size + 1] <= multiset:
            size += 1
        return size

    # -------------------------------------------------------------- one batch of lanes

    cdef void _take(self, const double[:, ::1] values, int k, const int64_t[::1] chosen,
                    Py_ssize_t pair, Py_ssize_t pairs) noexcept nogil:
        """Give the next of the chosen (goal, multiset) pairs of layer k to the lanes."""
        cdef Py_ssize_t l, layer = self.first[k + 1] - self.first[k]
        self.lanes = <int>(pairs - pair) if pairs - pair < LANES else LANES
        for l in range(self.lanes):
            self._lane(l, values, chosen[pair + l] // layer,
                       self.first[k] + <int32_t>(chosen[pair + l] % layer), k)
        self._load(k)

    cdef void _lane(self, Py_ssize_t l, const double[:, ::1] values, Py_ssize_t goal,
                    int32_t aside, int k) noexcept nogil:
        self.aside[l] = aside
        self.value[l] = &values[goal, 0]
        cdef int face
        cdef int64_t slot = -1
        for face in range(FACES):
            self.pull[face * LANES + l] = NULL
            if self.copying and self.copied_rows and not (
                    self.aside_faces >> face & 1 or self.counts[aside * FACES + face]):
                slot = self.slots[goal * (self.first[k + 2] - self.first[k + 1])
                                  + self.up[aside * FACES + face] - self.first[k + 1]]
                if slot >= 0:
                    self.pull[face * LANES + l] = self.copied + slot * self.copied_rows

    cdef void _load(self, int k) noexcept nogil:
        """Prepare the lanes: ids of aside + part, and which faces lie aside."""
        cdef Py_ssize_t l, face, parts = self.first[self.most_dice - k + 1]
        for l in range(LANES):
            if l >= self.lanes:            # spare lanes repeat the last one
                self.aside[l] = self.aside[self.lanes - 1]
                self.value[l] = self.value[self.lanes - 1]
                for face in range(FACES):
                    self.pull[face * LANES + l] = self.pull[face * LANES + self.lanes - 1]
            self._shift(self.aside[l], parts, self.shifted + l, LANES)
            for face in range(FACES):
                self.penalty[face * LANES + l] = (
                    0.0 if self.aside_faces >> face & 1
                    or self.counts[self.aside[l] * FACES + face] else -INFINITY)

    cdef void _shift(self, int32_t start, Py_ssize_t parts, int32_t* out,
                     Py_ssize_t stride) noexcept nogil:
        """out[part] = id of start + part, for the first `parts` multisets."""
        cdef Py_ssize_t part
        cdef int face
        out[0] = start
        for part in range(1, parts):
            face = 0
            while self.counts[part * FACES + face] == 0:
                face += 1
            # The first predecessor lacks one die of the lowest face.
            out[part * stride] = self.up[
                out[self.down.items[self.down.offsets[part]] * stride] * FACES + face]

    cdef void _fill(self, int k, bint may_roll, int without) noexcept nogil:
        """Value every decision node of the lanes; sets that meet `without` are left out."""
        cdef int u, c, active
        for u in range(self.sets):
            active = self.dice[u] - k
            if active < 1 or u & (without | self.barred):
                continue
            self._set_aside(u, active, may_roll)
            for c in range(self.cards):
                if u >> c & 1 and self.dice[u & ~(1 << c)] >= 0:
                    self._use(u, c, active)

    cdef void _set_aside(self, int u, int active, bint may_roll) noexcept nogil:
        """Best way to set dice aside and roll: a running maximum over the lattice of parts."""
        cdef Py_ssize_t part, l, low, high
        cdef int size
        cdef double* row
        cdef const double* source[LANES]
        for l in range(LANES):
            source[l] = self.value[l] + self.begin[u]
            self.lattice[l] = source[l][self.aside[l]] if may_roll else -INFINITY
        for size in range(1, active + 1):
            low, high = self.first[size], self.first[size + 1]
            row = self.lattice + low * LANES
            if size == active:
                row = self.rows + self.row_begin[u] * LANES
            for part in range(low, high):
                for l in range(LANES):
                    row[(part - low) * LANES + l] = source[l][self.shifted[part * LANES + l]]
            best_of(row, self.lattice, self.down.offsets + low, self.down.items, high - low)

    cdef void _use(self, int u, int c, int active) noexcept nogil:
        """Take the uses of card c into the rows of set u."""
        cdef int after = u & ~(1 << c)
        cdef double* out = self.rows + self.row_begin[u] * LANES
        cdef const double* source = self.rows + self.row_begin[after] * LANES
        cdef Py_ssize_t low = self.first[active], count = self.first[active + 1] - low
        cdef Rows* moves = &self.moves[c][active]
        if self.kind[c] == MOVE:
            best_of(out, source, moves.offsets, moves.items, count)
        elif self.kind[c] == REROLL:
            self._re_roll(after, active, self.limit[c], self.lattice)
            self._best_kept(active, self.limit[c])
            best_of(out, self.lattice, self.down.offsets + low, self.down.items, count)
        else:
            best_allowed(out, source, moves.offsets, moves.items, self.needs[c][active],
                         self.penalty, count)
            if active > 1:
                moves = &self.pulled[c][active]
                self._gather_pulled(after, active - 1)
                best_of(out, self.planes, moves.offsets, moves.items, count)

    cdef void _re_roll(self, int u, int active, int limit, double* out) noexcept nogil:
        """out[kept] = expectation of re-rolling all but `kept`, at most `limit` active dice."""
        cdef int size, least = active - limit if active > limit else 0
        cdef Py_ssize_t low, high
        cdef const double* source = self.rows + (self.row_begin[u] - self.first[active]) * LANES
        for size in range(active - 1, least - 1, -1):
            low, high = self.first[size], self.first[size + 1]
            mean_of_six(out + low * LANES, source, self.up + low * FACES, high - low)
            source = out

    cdef void _best_kept(self, int active, int limit) noexcept nogil:
        """lattice[kept] = best over the parts of `kept`: a running maximum upwards."""
        cdef int size, least = active - limit if active > limit else 0
        cdef Py_ssize_t low, high
        for size in range(least + 1, active):
            low, high = self.first[size], self.first[size + 1]
            best_of(self.lattice + low * LANES, self.lattice, self.down.offsets + low,
                    self.down.items, high - low)

    cdef void _gather_pulled(self, int u, int active) noexcept nogil:
        """planes[face][row] = value with one die of the face just set aside, -inf if not new."""
        cdef Py_ssize_t face, l, i, count = self.first[active + 1] - self.first[active]
        cdef double* plane
        cdef const double* source
        for face in range(FACES):
            plane = self.planes + face * count * LANES
            for l in range(LANES):
                source = self.pull[face * LANES + l]
                if source == NULL:
                    for i in range(count):
                        plane[i * LANES + l] = -INFINITY
                else:
                    source += self.copied_begin[u]
                    for i in range(count):
                        plane[i * LANES + l] = source[i]

    # -------------------------------------------------------------- following the policy

    def follow(self, values, set_asides, rerolls, u, aside, nodes, shares, may_roll=False,
               hope=None):
        """Return the probability of each final multiset under the best play for `values`.

        From the roll with set `u` and the multiset `aside`, or, if there are any, from decision
        nodes instead: active dice by rank, with their shares. Of options within TIE of the best
        the first is taken; `set_asides` by number of active dice and `rerolls` by card and number
        of active dice hold their order. `hope`: by multiset set aside, whether to go on from there
        at all; what is not followed is missing in the result.

        Raises ForeignValues where no option is worth what `values` say.
        """
        cdef int chosen = whole("u", u, 0, self.sets - 1), k
        cdef int32_t lies = <int32_t>whole("aside", aside, 0, self.first[self.most_dice + 1] - 1)
        k = self._size_of(lies)
        self._check_set(chosen, k)
        self._check_laid_out(k)
        values = array_of("values", values, np.float64, (self.size,))
        order = self._check_order(set_asides, rerolls, k)
        nodes = array_of("nodes", nodes, np.int64, (None,))
        shares = array_of("shares", shares, np.float64, (len(nodes),))
        if len(nodes) and not 0 <= nodes.min() <= nodes.max() < (
                self._count(self.dice[chosen] - k) if self.dice[chosen] > k else 0):
            raise ValueError(f"nodes must be ranks of {self.dice[chosen] - k} active dice")
        if not (np.isfinite(shares) & (shares >= 0)).all():
            raise ValueError("shares must be finite and not negative")
        if hope is not None:
            hope = array_of("hope", hope, np.bool_, (self.first[self.most_dice + 1],))
        return self._follow(values, order, chosen, lies, nodes, shares, may_roll, hope)

    def _follow(self, const double[::1] values, order, int u, int aside,
                const int64_t[::1] nodes, const double[::1] shares, bint may_roll, hope):
        cdef int k = self._size_of(aside), c, n
        cdef double[::1] mass = np.zeros(self.size)
        cdef uint8_t[::1] touched = np.zeros(self.first[self.most_dice + 1], dtype=np.uint8)
        cdef const double[:, ::1] goal = np.asarray(values)[None, :]
        set_asides, rerolls = order
        for n, rows in enumerate(set_asides):
            self.set_asides[n + 1] = as_rows(rows)
        for c in range(self.cards):
            for n, rows in enumerate(rerolls[c]):
                self.rerolls[c][n + 1] = as_rows(rows)
        self.barred = ~u
        self._prepare(k)
        parts = self.first[self.most_dice + 1]
        keep = [np.empty(parts, dtype=np.int32), np.zeros(self.row_layout[1] * LANES)]
        self.fallen, self.flow = <int32_t*>address(keep[0]), <double*>address(keep[1])
        for c in range(self.cards):
            if self.kind[c] == REROLL:
                expected = np.empty(parts * LANES)
                keep.append(expected)
                self.expected[c] = <double*>address(expected)
        self.mass, self.touched, self.lost = &mass[0], &touched[0], 0.0
        touched[aside] = 1
        if not nodes.shape[0]:
            mass[self.begin[u] + aside] = 1.0
        carried = seeds = None
        if nodes.shape[0]:
            seeds = u, np.asarray(nodes), np.asarray(shares), may_roll
        for k in range(k, self.most_dice):
            carried, seeds = self._follow_layer(goal, k, carried, seeds, hope), None
        if self.lost:
            raise ForeignValues(f"no option has the value of its node (probability {self.lost}): "
                                "the values are damaged, or those of another turn")
        result = np.zeros(parts)
        for u in range(self.sets):
            n = self.dice[u]
            if n >= 0:
                low, high = self.first[n], self.first[n + 1]
                result[low:high] += np.asarray(mass)[self.begin[u] + low:self.begin[u] + high]
        return result

    def _carry(self):
        """Return zeros shaped like `copied`, with its layout: probability of nodes one layer up."""
        if not self.copied_rows:
            return None
        carried = np.zeros_like(self.copied_values)
        self.carried = <double*>address(carried)
        return carried, self.copied_slots[0], self.copied_layout[0]

    def _follow_layer(self, const double[:, ::1] goal, int k, carried, seeds, hope):
        """Move all probability of layer k upwards; return what early copies carry to the next one.

        `carried`: what they carried to this layer; `seeds`: the nodes at which all begins.
        """
        cdef const uint8_t[::1] touched = <uint8_t[:self.first[self.most_dice + 1]]>self.touched
        cdef Py_ssize_t l, lane
        cdef int32_t[::1] batch
        layer = np.flatnonzero(np.asarray(touched)[self.first[k]:self.first[k + 1]])
        reached = (layer + self.first[k]).astype(np.int32)
        if hope is not None:
            reached = reached[hope[reached]]
        self._copy_layer(goal, k + 1, reached)
        self._prepare(k)
        carry = self._carry()
        for lane in range(0, len(reached), LANES):
            PyErr_CheckSignals()
            batch = reached[lane:lane + LANES]
            self.lanes = <int>batch.shape[0]
            for l in range(self.lanes):
                self._lane(l, goal, 0, batch[l], k)
            self._load(k)
            if seeds is not None:
                self._sow(k, *seeds)
            if carried is not None and self._land(k, *carried):
                self._fill(k, True, self.copying)
                self._spread(k, True, self.copying)
            with nogil:
                self._fill(k, False, 0)
                self._spread(k, False, 0)
        return carry

    def _sow(self, int k, int u, const int64_t[::1] nodes, const double[::1] shares,
             bint may_roll):
        """Move the probability of the first nodes, all of lane 0."""
        cdef Py_ssize_t i
        self._fill(k, may_roll, 0)
        for i in range(nodes.shape[0]):
            self.flow[(self.row_begin[u] + nodes[i]) * LANES] += shares[i]
        self._spread(k, may_roll, 0)

    def _land(self, int k, const double[:, ::1] carried, const int64_t[::1] slots,
              const int64_t[::1] begin):
        """Give the carried probability to the nodes of the lanes; return whether there is any."""
        cdef bint found = False
        cdef Py_ssize_t l, i, count
        cdef int u
        cdef int64_t slot
        for l in range(self.lanes):
            slot = slots[self.aside[l] - self.first[k]]
            if slot < 0:
                continue
            for u in range(self.sets):
                if self.dice[u] > k and not u & (self.copying | self.barred):
                    count = self.first[self.dice[u] - k + 1] - self.first[self.dice[u] - k]
                    for i in range(count):
                        if carried[slot, begin[u] + i] > 0.0:
                            found = True
                            self.flow[(self.row_begin[u] + i) * LANES + l] = (
                                carried[slot, begin[u] + i])
        return found

    cdef void _spread(self, int k, bint may_roll, int without) noexcept nogil:
        """Move the probability of every node of the lanes to where its best option leads."""
        cdef int u, c, active
        cdef Py_ssize_t l, i, count
        cdef double share
        cdef double* flow
        for u in range(self.sets - 1, -1, -1):
            active = self.dice[u] - k
            if active < 1 or u & (without | self.barred):
                continue
            for c in range(self.cards):
                self.ready[c] = False
            flow = self.flow + self.row_begin[u] * LANES
            count = self.first[active + 1] - self.first[active]
            for l in range(self.lanes):
                if not may_roll:
                    share = self.mass[self.begin[u] + self.aside[l]] / self.ways[active]
                    if share > 0.0:
                        for i in range(count):
                            flow[i * LANES + l] += share * self.weight[self.first[active] + i]
                for i in range(count):
                    if flow[i * LANES + l] > 0.0:
                        share = flow[i * LANES + l]
                        flow[i * LANES + l] = 0.0
                        if not (self._sets_aside(u, active, i, l, share)
                                or self._uses(u, active, i, l, share)
                                or self._pulls(u, active, i, l, share)):
                            if may_roll:
                                self._arrive(u, self.aside[l], share)
                            else:
                                self.lost += share

    cdef double _threshold(self, int u, Py_ssize_t i, Py_ssize_t l) noexcept nogil:
        return self.rows[(self.row_begin[u] + i) * LANES + l] - TIE_

    cdef void _arrive(self, int u, int32_t aside, double share) noexcept nogil:
        self.mass[self.begin[u] + aside] += share
        self.touched[aside] = 1

    cdef bint _sets_aside(self, int u, int active, Py_ssize_t i, Py_ssize_t l,
                          double share) noexcept nogil:
        cdef const Rows* parts = &self.set_asides[active]
        cdef const double* value = self.value[l] + self.begin[u]
        cdef double threshold = self._threshold(u, i, l)
        cdef int32_t j, aside
        for j in range(parts.offsets[i], parts.offsets[i + 1]):
            aside = self.shifted[parts.items[j] * LANES + l]
            if value[aside] >= threshold:
                self._arrive(u, aside, share)
                return True
        return False

    cdef bint _uses(self, int u, int active, Py_ssize_t i, Py_ssize_t l,
                    double share) noexcept nogil:
        cdef double threshold = self._threshold(u, i, l)
        cdef int c, after
        cdef int32_t j
        cdef int64_t begin
        cdef const Rows* moves
        for c in range(self.cards):
            after = u & ~(1 << c)
            if not u >> c & 1 or self.dice[after] < 0:
                continue
            if self.kind[c] == REROLL:
                if self._rerolls(u, c, active, i, l, share):
                    return True
                continue
            moves, begin = &self.moves[c][active], self.row_begin[after]
            for j in range(moves.offsets[i], moves.offsets[i + 1]):
                if self.kind[c] == COPY and self.penalty[self.needs[c][active][j] * LANES + l] < 0:
                    continue
                if self.rows[(begin + moves.items[j]) * LANES + l] >= threshold:
                    self.flow[(begin + moves.items[j]) * LANES + l] += share
                    return True
        return False

    cdef bint _rerolls(self, int u, int c, int active, Py_ssize_t i, Py_ssize_t l,
                       double share) noexcept nogil:
        cdef double threshold = self._threshold(u, i, l)
        cdef int after = u & ~(1 << c), fall
        cdef const Rows* kept = &self.rerolls[c][active]
        cdef int32_t j
        cdef Py_ssize_t part, row
        if not self.ready[c]:
            self._re_roll(after, active, self.limit[c], self.expected[c])
            self.ready[c] = True
        for j in range(kept.offsets[i], kept.offsets[i + 1]):
            if self.expected[c][kept.items[j] * LANES + l] >= threshold:
                fall = active - self._size_of(kept.items[j])
                self._shift(kept.items[j], self.first[fall + 1], self.fallen, 1)
                for part in range(self.first[fall], self.first[fall + 1]):
                    row = self.row_begin[after] + self.fallen[part] - self.first[active]
                    self.flow[row * LANES + l] += share * self.weight[part] / self.ways[fall]
                return True
        return False

    cdef bint _pulls(self, int u, int active, Py_ssize_t i, Py_ssize_t l,
                     double share) noexcept nogil:
        """Set one die aside, turn another into its face: a node of the next layer."""
        cdef double threshold = self._threshold(u, i, l)
        cdef int c, after
        cdef int32_t j, face, plane
        cdef Py_ssize_t place
        cdef const double* base
        for c in range(self.cards):
            after = u & ~(1 << c)
            if active < 2 or self.kind[c] != COPY or not u >> c & 1:
                continue
            plane = self.first[active] - self.first[active - 1]
            for j in range(self.pulled[c][active].offsets[i], self.pulled[c][active].offsets[i + 1]):
                face = self.pulled[c][active].items[j] // plane
                base = self.pull[face * LANES + l]
                if base == NULL:
                    continue
                place = self.copied_begin[after] + self.pulled[c][active].items[j] % plane
                if base[place] >= threshold:
                    self.carried[base - self.copied + place] += share
                    self.touched[self.up[self.aside[l] * FACES + face]] = 1
                    return True
        return False


# ------------------------------------------------------------------ arrays to pointers

cdef void* address(array):
    return <void*><size_t>array.ctypes.data


cdef const int32_t* ints(const int32_t[::1] array) noexcept:
    return &array[0] if array.shape[0] else NULL


cdef const int64_t* longs(const int64_t[::1] array) noexcept:
    return &array[0] if array.shape[0] else NULL


cdef const double* doubles(const double[::1] array) noexcept:
    return &array[0] if array.shape[0] else NULL


cdef const int8_t* bytes_of(const int8_t[::1] array) noexcept:
    return &array[0] if array.shape[0] else NULL


cdef Rows as_rows(pair):
    cdef Rows result
    result.offsets, result.items = ints(pair[0]), ints(pair[1])
    return result
