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
from cpython.buffer cimport PyBUF_WRITABLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.exc cimport PyErr_CheckSignals
from libc.math cimport INFINITY, NAN
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t
from libc.string cimport memcpy, memset

from math import comb
from threading import get_ident, main_thread

import numpy as np

from advisor.errors import Cancelled, ForeignValues

cdef enum:
    LANES = 8        # as in loops.h
    FACES = 6
    MAX_CARDS = 16
    MAX_DICE = 12

cpdef enum:
    MOVE = 0     # active dice -> active dice (one more if the card brings a die in), by list
    COPY = 1     # one die takes the value of a die set aside
    REROLL = 2   # up to a limit of active dice fall again
    SET = 3      # one die takes any value
    RAISE = 4    # each of any number of dice gains the same number of pips

REVISION = 1
"""Raised whenever values could change in a single bit."""

TIE = 1e-12
"""Values this close are equally good: the policy takes the first of them."""

cdef double TIE_ = TIE

include "checks.pxi"


cdef extern from "loops.h":
    void best_of(double* out, const double* source, const int32_t* packed) noexcept nogil
    void best_aside(double* out, const double* const* value, const int32_t* place,
                    const double* more, const double* lattice,
                    const int32_t* packed) noexcept nogil
    void larger_of(double* out, const double* source, Py_ssize_t count) noexcept nogil
    void best_of_faces(double* out, const double* source, const int32_t* successors,
                       Py_ssize_t count, const int32_t* faces, int32_t number,
                       const double* penalty, bint onto) noexcept nogil
    void best_pulled(double* out, const double* const* pulled, const int32_t* stride,
                     const int32_t* successors, Py_ssize_t count, int32_t face,
                     int32_t first) noexcept nogil
    void best_raised(double* values, const int32_t* successors, Py_ssize_t count, int32_t face,
                     int32_t pips, int32_t first) noexcept nogil
    void mean_of_six(double* out, const double* source, const int32_t* successors,
                     Py_ssize_t count) noexcept nogil
    void weighted_sum(double* out, const double* source, const double* weights,
                      Py_ssize_t count) noexcept nogil
    bint flag_is_set(const unsigned char* flag) noexcept nogil
    double seconds() noexcept nogil

include "graph.pxi"
include "work.pxi"
include "policy.pxi"


cdef class TurnGraph:
    """The state graph of a turn from a root position on; dice set aside before it do not count.

    `root_dice` dice are active at the root, at most `most_dice` can be in play, `brings` is the
    mask of cards that bring a die in, `aside_faces` the mask of faces that lie aside at the root.
    `cards`: per card a tuple (kind, limit, moves). The limit is the number of dice that a REROLL
    rolls again, of the pips of a RAISE, else 0. A MOVE has lists by number of active dice, as
    advisor.court.turn.layout.moves builds them; other kinds need none. `space`: the arrays of
    advisor.multisets.space(most_dice).

    Everything that is handed in is checked: ValueError or TypeError says what is wrong with it.
    """

    cdef readonly int root_dice, most_dice, sets
    cdef readonly object offsets
    """Where the values of each set begin; -1: the set cannot occur. The last entry: the end."""
    cdef readonly object dice_of
    """The number of dice in play for each set; -1: the set cannot occur."""
    cdef Graph data
    cdef object keep                       # the arrays behind the pointers
    cdef list idle                         # memory of an earlier call, for the next one

    def __cinit__(self, root_dice, most_dice, brings, aside_faces, cards, space):
        cdef Graph* data = &self.data
        cdef int c
        listed = list_of("cards", cards, 0)
        if len(listed) > MAX_CARDS or as_index(most_dice) > MAX_DICE:
            raise ValueError(f"{len(listed)} cards and {most_dice} dice are more than "
                             f"{MAX_CARDS} and {MAX_DICE}")
        self.keep, self.idle, self.sets = [], [], 1 << len(listed)
        self.most_dice = whole("most_dice", most_dice, 0, MAX_DICE)
        self.root_dice = whole("root_dice", root_dice, 0, self.most_dice)
        brings = whole("brings", brings, 0, self.sets - 1)
        data.cards, data.sets = len(listed), self.sets
        data.root_dice, data.most_dice = self.root_dice, self.most_dice
        data.aside_faces = whole("aside_faces", aside_faces, 0, (1 << FACES) - 1)
        self._lay_space(space)
        for c, card in enumerate(listed):
            self._lay_card(c, card, brings >> c & 1)
        self._lay_sets(brings)

    def _lay_space(self, space):
        """Take over what is known of multisets."""
        cdef Graph* data = &self.data
        cdef const int32_t[:, ::1] up
        cdef const double[::1] weight
        cdef const int8_t[:, ::1] counts
        cdef const uint8_t[::1] newly
        cdef int n
        first, up, down, weight, counts = space_of(space, self.most_dice)
        single = (np.asarray(counts) == 1) & ~(data.aside_faces >> np.arange(FACES) & 1).astype(bool)
        newly = single.any(axis=1).view(np.uint8)
        for n in range(MAX_DICE + 2):
            data.first[n] = first[n]
        for n in range(MAX_DICE + 1):
            data.ways[n] = 6.0 ** n
        data.up, data.down = &up[0, 0] if up.shape[0] else NULL, as_rows(down)
        data.weight, data.counts, data.newly = &weight[0], &counts[0, 0], &newly[0]
        self.keep += [up, down, weight, counts, newly]
        for n in range(1, self.most_dice + 1):
            lists = packed(down[0][data.first[n]:data.first[n + 1] + 1], down[1])
            data.below[n] = ints(lists)
            self.keep.append(lists)

    @cython.boundscheck(True)
    def _lay_card(self, int c, card, bint bring):
        """Take the lists of a card over."""
        cdef Graph* data = &self.data
        cdef int n
        name = f"card {c}"
        try:
            kind, limit, moves = card
        except (TypeError, ValueError):
            raise ValueError(f"{name} must be (kind, limit, moves)") from None
        data.kind[c] = whole(f"{name}: kind", kind, MOVE, RAISE)
        least, most = {REROLL: (self.most_dice > 0, MAX_DICE), RAISE: (1, FACES - 1)}.get(
            data.kind[c], (0, 0))
        data.limit[c] = whole(f"{name}: limit", limit, least, most)
        moves = list_of(f"{name}: moves", moves, 0)
        if data.kind[c] != MOVE and (bring or moves):
            raise ValueError(f"{name} brings a die in or has moves, so its kind must be MOVE")
        if len(moves) > self.most_dice + 1:
            raise ValueError(f"{name} is laid out for more than {self.most_dice} dice")
        data.laid_out[c] = max(len(moves) - 1, 0) if data.kind[c] == MOVE else MAX_DICE
        for n in range(1, len(moves)):
            self._lay_moves(c, n, moves[n], bring)
        if data.kind[c] == COPY:
            if data.copying:
                raise ValueError("two cards that copy dice set aside")
            data.copying = 1 << c
        if data.kind[c] == REROLL:
            self._lay_reroll(c)

    cdef void _lay_reroll(self, int c) noexcept:
        """List the card among those that roll dice again, the largest limit first."""
        cdef Graph* data = &self.data
        cdef int place = data.rerolls
        while place and data.limit[data.reroll[place - 1]] < data.limit[c]:
            data.reroll[place] = data.reroll[place - 1]
            place -= 1
        data.reroll[place] = c
        data.rerolls += 1

    def _lay_moves(self, int c, int n, moves, bint bring):
        """Take the lists of one number of active dice over."""
        if bring and n == MAX_DICE:
            raise ValueError(f"card {c} brings a die in beside {n}, which is one too many")
        pair = rows_of(f"card {c}: moves of {n} dice", moves, count(&self.data, n),
                       0, count(&self.data, n + bring))
        lists = packed(pair[0], pair[1])
        self.keep += [pair, lists]
        self.data.moves[c][n] = as_rows(pair)
        self.data.packed[c][n] = ints(lists)

    def _lay_sets(self, int brings):
        """Find the dice in play for each set, and where its values begin."""
        cdef Graph* data = &self.data
        cdef const int64_t[::1] begin
        cdef const int32_t[::1] dice
        cdef int c
        all_sets = np.arange(self.sets)
        used = ~all_sets & brings
        total = np.full(self.sets, self.root_dice)
        for c in range(data.cards):
            total += used >> c & 1
        dice_of = np.where(total <= self.most_dice, total, -1).astype(np.int32)
        starts = np.array([data.first[n] for n in range(MAX_DICE + 2)], dtype=np.int64)
        size = np.where(dice_of >= 0, starts[dice_of + 1], 0)
        offsets = np.concatenate([[0], np.cumsum(size)]).astype(np.int64)
        offsets[np.flatnonzero(dice_of < 0)] = -1
        for c in range(data.cards):
            usable = (all_sets >> c & 1 == 1) & (dice_of[all_sets & ~(1 << c)] >= 0)
            data.most_active[c] = dice_of[usable].max(initial=0)
        begin, dice = offsets, dice_of
        data.begin, data.dice, data.values = &begin[0], &dice[0], begin[self.sets]
        # What is handed out is a copy: nobody may change what is worked with.
        self.keep += [offsets, dice_of]
        self.offsets, self.dice_of = kept(offsets), kept(dice_of)

    # -------------------------------------------------------------- what the methods are given

    cdef int _check_laid_out(self, int k) except -1:
        """Raise ValueError unless all lists of uses from layer k on are there."""
        cdef const Graph* data = &self.data
        cdef int c
        for c in range(data.cards):
            if data.laid_out[c] < data.most_active[c] - k:
                raise ValueError(f"card {c} is laid out for {data.laid_out[c]} active dice; "
                                 f"there can be {data.most_active[c] - k}")
        return 0

    cdef int _check_set(self, int u, int k) except -1:
        """Raise ValueError unless set u can occur with k dice set aside."""
        cdef const Graph* data = &self.data
        if data.dice[u] < k:
            raise ValueError(f"{k} dice cannot be set aside with the unused cards {u:b}: "
                             f"{max(data.dice[u], 0)} are in play")
        return 0

    cdef object _goals(self, name, utilities):
        """Return utilities by goal and multiset."""
        found = array_of(name, utilities, np.float64, (None, self.data.first[self.most_dice + 1]))
        if not np.isfinite(found).all():
            raise ValueError(f"{name} must be finite")
        return found

    @cython.boundscheck(True)
    def _check_order(self, set_asides, uses, int k):
        """Return the lists that order the options of the policy from layer k on.

        A pair: Rows by number of active dice, and by card what `_check_uses` returns.
        """
        cdef int c, n, most = self.most_dice - k
        set_asides = list_of("set_asides", set_asides, most + 1)
        uses = list_of("uses", uses, self.data.cards)
        parts = [rows_of(f"set_asides of {n} dice", set_asides[n], count(&self.data, n),
                         1, self.data.first[n + 1]) for n in range(1, most + 1)]
        return parts, [self._check_uses(c, uses[c], most) for c in range(self.data.cards)]

    @cython.boundscheck(True)
    def _check_uses(self, int c, given, int most):
        """Return the lists of a card up to `most` active dice: Rows, or (Rows, needs, Rows)."""
        cdef const Graph* data = &self.data
        cdef int n
        if data.kind[c] == MOVE:
            return []
        given = list_of(f"uses of card {c}", given, most + 1)
        found = []
        for n in range(1, most + 1):
            name = f"uses of card {c}, {n} dice"
            if data.kind[c] == REROLL:
                found.append(rows_of(name, given[n], count(data, n),
                                     data.first[max(n - data.limit[c], 0)], data.first[n]))
            elif data.kind[c] == COPY:
                found.append(copies_of(name, given[n], count(data, n), count(data, n - 1)))
            else:
                found.append(rows_of(name, given[n], count(data, n), 0, count(data, n)))
        return found

    # -------------------------------------------------------------- sizes

    @property
    def size(self):
        """The number of values of one goal."""
        return self.data.values

    def memory(self, goals=1):
        """Return the bytes that `solve` takes for so many goals and `follow` after it, roughly."""
        goals = whole("goals", goals, 0, 1 << 40)
        rows = rows_in(&self.data, 0, 0) * LANES
        copied = most_copied(&self.data, 0, 0)
        solving = self.size * goals + rows + copied * goals
        following = self.size * (goals + 1) + 2 * rows + 3 * copied
        return 8 * max(solving, following)

    cdef Work _work(self):
        """Return memory for a call: that of an earlier one if no other call has it."""
        try:
            return self.idle.pop()
        except IndexError:
            return Work(self)

    cdef void _give_back(self, Work work):
        if not self.idle:
            self.idle.append(work)

    # -------------------------------------------------------------- values

    def solve(self, utilities, first_layer=0, out=None, cancel=None):
        """Return the values before each roll under best play, one goal a row.

        `utilities`: by goal and multiset, read where all dice are aside. The value of set u and
        multiset s is at `offsets[u] + s`; with all dice aside it is the utility. Layers below
        `first_layer` dice set aside are not solved and stay NaN. `out`: an array of the result's
        shape to write to, which saves fresh memory; it is what is returned.

        Raises Cancelled soon after the byte `cancel` is no longer 0.
        """
        cdef int lowest = whole("first_layer", first_layer, 0, max(self.most_dice, 1))
        cdef Work work
        self._check_laid_out(lowest)
        utilities = self._goals("utilities", utilities)
        shape = len(utilities), self.size
        out = np.empty(shape) if out is None else array_of("out", out, np.float64, shape)
        if not out.flags.writeable:
            raise ValueError("out is read-only")
        work = self._work()
        work.solve(utilities, out, lowest, cancel)
        self._give_back(work)
        return out

    def hope(self, utilities):
        """Return by goal and multiset set aside whether anything but worth 0 can come of it.

        What cannot is worth exactly 0 and need not be solved; with utilities below 0 all is true.
        """
        cdef const double[:, ::1] given = self._goals("utilities", utilities)
        cdef uint8_t[:, ::1] found = np.zeros((given.shape[0], given.shape[1]), dtype=np.uint8)
        if given.shape[0]:
            find_hope(&self.data, &given[0, 0], given.shape[0], &found[0, 0])
        return np.asarray(found).view(np.bool_)

    def nodes(self, values, aside, may_roll, u, cancel=None):
        """Return the values of all decision nodes with the multiset `aside` set aside.

        `values` as `solve` returns them; only set `u` and its subsets are valued. The result is a
        pair: the first row of each set, and an array by goal and row; the row of active dice is the
        first one plus their rank. `cancel` as for `solve`.
        """
        cdef int32_t lies = <int32_t>whole("aside", aside, 0, self.data.first[self.most_dice + 1] - 1)
        cdef int chosen = whole("u", u, 0, self.sets - 1)
        cdef Work work
        self._check_set(chosen, size_of(&self.data, lies))
        self._check_laid_out(size_of(&self.data, lies))
        values = array_of("values", values, np.float64, (None, self.size))
        work = self._work()
        found = work.nodes(values, lies, may_roll, chosen, cancel)
        self._give_back(work)
        return found

    def follow(self, values, set_asides, uses, u, aside, nodes, shares, may_roll=False,
               hope=None, cancel=None):
        """Return the probability of each final multiset under the best play for `values`.

        From the roll with set `u` and the multiset `aside`, or, if there are any, from decision
        nodes instead: active dice by rank, with their shares. Of options within TIE of the best
        the first is taken. Their order is that of `set_asides`, by number of active dice, and of
        `uses`, by card and number of active dice: nothing for a MOVE, the ids of what is kept for a
        REROLL, the ranks of the dice afterwards for SET and RAISE, and for COPY what
        advisor.court.turn.layout.copies returns. `hope`: by multiset set aside, whether to go on from
        there at all; what is not followed is missing in the result. `cancel` as for `solve`.

        Raises ForeignValues where no option is worth what `values` say.
        """
        cdef int chosen = whole("u", u, 0, self.sets - 1), k
        cdef int32_t lies = <int32_t>whole("aside", aside, 0, self.data.first[self.most_dice + 1] - 1)
        k = size_of(&self.data, lies)
        self._check_set(chosen, k)
        self._check_laid_out(k)
        values = array_of("values", values, np.float64, (self.size,))
        order = self._check_order(set_asides, uses, k)
        nodes = array_of("nodes", nodes, np.int64, (None,))
        shares = array_of("shares", shares, np.float64, (len(nodes),))
        if len(nodes) and not 0 <= nodes.min() <= nodes.max() < (
                rows_of_set(&self.data, chosen, k, 0)):
            raise ValueError(f"nodes must be ranks of {self.data.dice[chosen] - k} active dice")
        if not (np.isfinite(shares) & (shares >= 0)).all():
            raise ValueError("shares must be finite and not negative")
        if hope is not None:
            hope = array_of("hope", hope, np.bool_, (self.data.first[self.most_dice + 1],))
            hope = hope.view(np.uint8)
        return Policy(self).follow(values, order, chosen, lies, nodes, shares, may_roll, hope,
                                   cancel)
