"""The pass that follows the best play for one goal upwards and adds up where it ends."""


cdef class Policy(Work):
    cdef Rows set_asides[MAX_DICE + 1]
    cdef Rows uses_of[MAX_CARDS][MAX_DICE + 1]
    cdef const int32_t* needs[MAX_DICE + 1]   # of the card that copies
    cdef Rows pulled[MAX_DICE + 1]
    cdef const double* goal                # the values that play is best for
    cdef const uint8_t* followed           # by multiset, whether to go on from there; or all
    cdef double* mass                      # by set and multiset, like the values
    cdef uint8_t* touched                  # by multiset
    cdef double* flow                      # probability of nodes, like `rows`
    cdef double* expected[MAX_CARDS]       # per re-rolling card, like `lattice`
    cdef bint ready[MAX_CARDS]
    cdef int32_t* fallen
    cdef double lost                       # probability of nodes without an option of their value
    # What early copies carry to the layer under way and on to the next one, like `copied`.
    cdef double* landing
    cdef int64_t* landing_slots
    cdef int64_t* landing_begin
    cdef int64_t landing_rows
    cdef double* carried
    cdef object own                        # the memory behind the pointers

    cdef object follow(self, const double[::1] values, order, int u, int32_t aside,
                       const int64_t[::1] nodes, const double[::1] shares, bint may_roll,
                       const uint8_t[::1] hope, cancel):
        """Return the probability of each final multiset; see `TurnGraph.follow`."""
        cdef int k = size_of(self.graph, aside), n
        cdef double[::1] result
        cdef const int64_t* first_nodes = &nodes[0] if nodes.shape[0] else NULL
        cdef const double* first_shares = &shares[0] if nodes.shape[0] else NULL
        self.begin(cancel, ~u, k, 1)
        self.begin_following(order, k)
        self.goal, self.followed = &values[0], &hope[0] if hope is not None else NULL
        with nogil:
            self.touched[aside] = 1
            if first_nodes == NULL:
                self.mass[self.graph.begin[u] + aside] = 1.0
            else:
                self.copy_reached(k)
                self.sow(k, u, aside, first_nodes, first_shares, nodes.shape[0], may_roll)
            for n in range(k, self.graph.most_dice):
                if n > k or first_nodes == NULL:
                    self.copy_reached(n)
                if not self.stopped:
                    self.follow_layer(n)
        self.end()
        if self.lost:
            raise ForeignValues(f"no option has the value of its node (probability {self.lost}): "
                                "the values are damaged, or those of another turn")
        result = np.zeros(self.graph.first[self.graph.most_dice + 1])
        self.add_up(&result[0])
        return np.asarray(result)

    cdef int begin_following(self, order, int k) except -1:
        """Take over the order of options; make room for probabilities, all 0."""
        cdef int c, n
        cdef const Graph* graph = self.graph
        cdef Py_ssize_t parts = graph.first[graph.most_dice + 1]
        cdef Py_ssize_t layer = count(graph, max(graph.most_dice - 1, 0)) if graph.copying else 0
        self.own = [order]
        set_asides, uses = order
        for n, rows in enumerate(set_asides):
            self.set_asides[n + 1] = as_rows(rows)
        for c in range(graph.cards):
            for n, rows in enumerate(uses[c]):
                if graph.kind[c] == COPY:
                    rows, needs, pulled = rows
                    self.needs[n + 1], self.pulled[n + 1] = ints(needs), as_rows(pulled)
                self.uses_of[c][n + 1] = as_rows(rows)
            if graph.kind[c] == MOVE:
                self.uses_of[c] = graph.moves[c]
            if graph.kind[c] == REROLL:
                self.expected[c] = <double*>self.room(parts * LANES * sizeof(double))
        self.mass = <double*>self.room(graph.values * sizeof(double))
        self.flow = <double*>self.room(
            rows_in(graph, k, self.barred) * LANES * sizeof(double))
        self.touched = <uint8_t*>self.room(parts)
        self.fallen = <int32_t*>self.room(parts * sizeof(int32_t))
        carried = max(most_copied(graph, k, self.barred), 1) * sizeof(double)
        self.carried, self.landing = <double*>self.room(carried), <double*>self.room(carried)
        self.landing_slots = <int64_t*>self.room(layer * sizeof(int64_t))
        self.landing_begin = <int64_t*>self.room(graph.sets * sizeof(int64_t))
        self.landing_rows, self.lost = 0, 0.0
        return 0

    cdef void* room(self, Py_ssize_t size) except NULL:
        """Return memory of this pass, all zeros."""
        array = np.zeros(max(size, 1) + 64, dtype=np.uint8)
        self.own.append(array)
        return <void*>((<size_t>array.ctypes.data + 63) & ~<size_t>63)

    cdef void add_up(self, double* result) noexcept nogil:
        """Add the probabilities of each final multiset over all sets."""
        cdef const Graph* graph = self.graph
        cdef int u, n
        cdef Py_ssize_t i
        for u in range(graph.sets):
            n = graph.dice[u]
            if n >= 0:
                for i in range(graph.first[n], graph.first[n + 1]):
                    result[i] += self.mass[graph.begin[u] + i]

    # -------------------------------------------------------------- layer by layer

    cdef bint is_reached(self, int32_t aside) noexcept nogil:
        return self.touched[aside] and (self.followed == NULL or self.followed[aside])

    cdef void copy_reached(self, int k) noexcept nogil:
        """Value what early copies lead to from the reached multisets of layer k.

        What was carried to layer k so far becomes what lands there.
        """
        cdef const Graph* graph = self.graph
        cdef Py_ssize_t layer
        cdef int face
        cdef int32_t aside, more
        if not graph.copying:
            return
        self.landing, self.carried = self.carried, self.landing
        self.landing_slots, self.slots = self.slots, self.landing_slots
        self.landing_begin, self.copied_begin = self.copied_begin, self.landing_begin
        self.landing_rows, self.copied_rows = self.copied_rows, 0
        if k + 1 >= graph.most_dice:
            return
        layer = count(graph, k + 1)
        memset(self.wanted, 0, layer)
        for aside in range(graph.first[k], graph.first[k + 1]):
            if self.is_reached(aside):
                for face in range(FACES):
                    more = graph.up[aside * FACES + face]
                    self.wanted[more - graph.first[k + 1]] = graph.newly[more]
        self.copy_layer(self.goal, 1, k + 1)
        memset(self.carried, 0, self.copied_slots * self.copied_rows * sizeof(double))

    cdef void sow(self, int k, int u, int32_t aside, const int64_t* nodes, const double* shares,
                  Py_ssize_t number, bint may_roll) noexcept nogil:
        """Move the probability of the first nodes."""
        cdef Py_ssize_t i
        if self.stopped or self.followed != NULL and not self.followed[aside]:
            return
        self.lay_rows(k, 0, self.row_begin)
        self.lanes = 0
        self.add_lane(self.goal, 0, aside, k)
        self.load(k)
        if self.fill(k, may_roll, 0):
            for i in range(number):
                self.flow[(self.row_begin[u] + nodes[i]) * LANES] += shares[i]
            self.spread(k, may_roll, 0)

    cdef void follow_layer(self, int k) noexcept nogil:
        """Move all probability of layer k upwards."""
        cdef int32_t aside
        self.lay_rows(k, 0, self.row_begin)
        self.lanes = 0
        for aside in range(self.graph.first[k], self.graph.first[k + 1]):
            if self.is_reached(aside):
                self.add_lane(self.goal, 0, aside, k)
                if self.lanes == LANES:
                    self.follow_batch(k)
            if self.stopped:
                return
        if self.lanes:
            self.follow_batch(k)

    cdef void follow_batch(self, int k) noexcept nogil:
        cdef int copying = self.graph.copying
        self.load(k)
        if self.land(k):
            if not (self.fill(k, True, copying) and self.spread(k, True, copying)):
                return
        if self.is_rolled(k) and not (self.fill(k, False, 0) and self.spread(k, False, 0)):
            return
        self.lanes = 0

    cdef bint is_rolled(self, int k) noexcept nogil:
        """Whether a roll of the lanes has any probability."""
        cdef const Graph* graph = self.graph
        cdef int u
        cdef Py_ssize_t l
        for u in range(graph.sets):
            if rows_of_set(graph, u, k, self.barred):
                for l in range(self.lanes):
                    if self.mass[graph.begin[u] + self.aside[l]] > 0.0:
                        return True
        return False

    cdef bint land(self, int k) noexcept nogil:
        """Give the carried probability to the nodes of the lanes; return whether there is any."""
        cdef const Graph* graph = self.graph
        cdef bint found = False
        cdef Py_ssize_t l, i
        cdef int u
        cdef int64_t slot
        cdef const double* landing
        if not self.landing_rows:
            return False
        for l in range(self.lanes):
            slot = self.landing_slots[self.aside[l] - graph.first[k]]
            if slot < 0:
                continue
            for u in range(graph.sets):
                landing = self.landing + slot * self.landing_rows + self.landing_begin[u]
                for i in range(rows_of_set(graph, u, k, graph.copying | self.barred)):
                    if landing[i] > 0.0:
                        found = True
                        self.flow[(self.row_begin[u] + i) * LANES + l] = landing[i]
        return found

    # -------------------------------------------------------------- node by node

    cdef bint spread(self, int k, bint may_roll, int without) noexcept nogil:
        """Move the probability of every node of the lanes to where its best option leads.

        Return whether that came to its end.
        """
        cdef const Graph* graph = self.graph
        cdef int u, c, active
        cdef Py_ssize_t l, i, number
        cdef double share
        cdef double* flow
        for u in range(graph.sets - 1, -1, -1):
            number, active = rows_of_set(graph, u, k, without | self.barred), graph.dice[u] - k
            if number == 0:
                continue
            if self.halted():
                return False
            for c in range(graph.cards):
                self.ready[c] = False
            flow = self.flow + self.row_begin[u] * LANES
            for l in range(self.lanes):
                if not may_roll:
                    share = self.mass[graph.begin[u] + self.aside[l]] / graph.ways[active]
                    if share > 0.0:
                        for i in range(number):
                            flow[i * LANES + l] += share * graph.weight[graph.first[active] + i]
                for i in range(number):
                    if flow[i * LANES + l] > 0.0:
                        share = flow[i * LANES + l]
                        flow[i * LANES + l] = 0.0
                        if not (self.sets_aside(u, active, i, l, share)
                                or self.uses(u, active, i, l, share)
                                or self.pulls(u, active, i, l, share)):
                            if may_roll:
                                self.arrive(u, self.aside[l], share)
                            else:
                                self.lost += share
        return True

    cdef double threshold(self, int u, Py_ssize_t i, Py_ssize_t l) noexcept nogil:
        return self.rows[(self.row_begin[u] + i) * LANES + l] - TIE_

    cdef void arrive(self, int u, int32_t aside, double share) noexcept nogil:
        self.mass[self.graph.begin[u] + aside] += share
        self.touched[aside] = 1

    cdef bint sets_aside(self, int u, int active, Py_ssize_t i, Py_ssize_t l,
                         double share) noexcept nogil:
        cdef const Rows* parts = &self.set_asides[active]
        cdef const double* value = self.value[l] + self.graph.begin[u]
        cdef double threshold = self.threshold(u, i, l)
        cdef int32_t j, aside
        for j in range(parts.offsets[i], parts.offsets[i + 1]):
            aside = self.shifted[parts.items[j] * LANES + l]
            if value[aside] >= threshold:
                self.arrive(u, aside, share)
                return True
        return False

    cdef bint uses(self, int u, int active, Py_ssize_t i, Py_ssize_t l,
                   double share) noexcept nogil:
        cdef const Graph* graph = self.graph
        cdef double threshold = self.threshold(u, i, l)
        cdef int c, after
        cdef int32_t j
        cdef int64_t begin
        cdef const Rows* moves
        for c in range(graph.cards):
            after = u & ~(1 << c)
            if not u >> c & 1 or graph.dice[after] < 0:
                continue
            if graph.kind[c] == REROLL:
                if self.re_rolls(u, c, active, i, l, share):
                    return True
                continue
            moves = &self.uses_of[c][active]
            begin = self.row_begin[after]
            for j in range(moves.offsets[i], moves.offsets[i + 1]):
                if graph.kind[c] == COPY and (
                        self.penalty[self.needs[active][j] * LANES + l] < 0):
                    continue
                if self.rows[(begin + moves.items[j]) * LANES + l] >= threshold:
                    self.flow[(begin + moves.items[j]) * LANES + l] += share
                    return True
        return False

    cdef bint re_rolls(self, int u, int c, int active, Py_ssize_t i, Py_ssize_t l,
                       double share) noexcept nogil:
        cdef const Graph* graph = self.graph
        cdef double threshold = self.threshold(u, i, l)
        cdef int after = u & ~(1 << c), fall
        cdef const Rows* kept = &self.uses_of[c][active]
        cdef int32_t j
        cdef Py_ssize_t part, row
        if not self.ready[c]:
            self.re_roll(after, active, max(active - graph.limit[c], 0), self.expected[c])
            self.ready[c] = True
        for j in range(kept.offsets[i], kept.offsets[i + 1]):
            if self.expected[c][kept.items[j] * LANES + l] >= threshold:
                fall = active - size_of(graph, kept.items[j])
                self.shift(kept.items[j], graph.first[fall + 1], self.fallen, 1)
                for part in range(graph.first[fall], graph.first[fall + 1]):
                    row = self.row_begin[after] + self.fallen[part] - graph.first[active]
                    self.flow[row * LANES + l] += share * graph.weight[part] / graph.ways[fall]
                return True
        return False

    cdef bint pulls(self, int u, int active, Py_ssize_t i, Py_ssize_t l,
                    double share) noexcept nogil:
        """Set one die aside, turn another into its face: a node of the next layer."""
        cdef const Graph* graph = self.graph
        cdef double threshold = self.threshold(u, i, l)
        cdef int c, after
        cdef int32_t j, face, plane
        cdef Py_ssize_t place
        cdef const Rows* pulled
        cdef const double* base
        for c in range(graph.cards):
            after = u & ~(1 << c)
            pulled = &self.pulled[active]
            if active < 2 or graph.kind[c] != COPY or not u >> c & 1:
                continue
            plane = graph.first[active] - graph.first[active - 1]
            for j in range(pulled.offsets[i], pulled.offsets[i + 1]):
                face = pulled.items[j] // plane
                base = self.pull[face * LANES + l]
                if base == NULL:
                    continue
                place = self.copied_begin[after] + pulled.items[j] % plane
                if base[place] >= threshold:
                    self.carried[base - self.copied + place] += share
                    self.touched[graph.up[self.aside[l] * FACES + face]] = 1
                    return True
        return False
