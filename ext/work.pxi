"""The memory of one call: scratch, the lanes, and how the decision nodes of a layer are valued.

A graph is never written to, so any number of calls may run on one graph at once; what a call writes
to is here. Nothing but setting up needs the interpreter.
"""

cdef enum:
    LOOK = 16          # sets between two looks at the clock
    CANCELLED = 1
    FAILED = 2

cdef double PATIENCE = 0.02
"""Seconds after which a call of the main thread lets signals be handled."""


cdef int32_t* EVERY_FACE = [0, 1, 2, 3, 4, 5]
cdef double NOTHING = -INFINITY


cdef class Room:
    """Memory that grows, in whole lines of 64 bytes."""

    cdef object array
    cdef char* start
    cdef Py_ssize_t size

    cdef void* take(self, Py_ssize_t size) except NULL:
        """Return room for so many bytes; what was there is lost if it has to grow."""
        if self.array is None or size > self.size:
            self.array = None
            self.array = np.empty(size + 64, dtype=np.uint8)
            self.start = <char*>((<size_t>self.array.ctypes.data + 63) & ~<size_t>63)
            self.size = size
        return self.start


cdef class Flag:
    """One byte of somebody else's; a call ends soon after it is no longer 0."""

    cdef Py_buffer view
    cdef bint held

    def __cinit__(self, cancel):
        if cancel is None:
            return
        try:
            PyObject_GetBuffer(cancel, &self.view, PyBUF_WRITABLE)
        except (TypeError, BufferError):
            raise ValueError(f"cancel is a {type(cancel).__name__}, not a byte that can be set, "
                             "such as bytearray(1)") from None
        self.held = True
        if self.view.len != 1:
            raise ValueError(f"cancel has {self.view.len} bytes; it must have one")

    def __dealloc__(self):
        if self.held:
            PyBuffer_Release(&self.view)

    cdef const unsigned char* byte(self) noexcept:
        return <const unsigned char*>self.view.buf if self.held else NULL


cdef class Work:
    cdef TurnGraph owner
    cdef const Graph* graph
    cdef int barred                        # cards that are out of play in this call

    # what ends the call early
    cdef Flag flag
    cdef const unsigned char* cancel
    cdef bint in_main_thread
    cdef int looks, stopped
    cdef double looked
    cdef object failure

    # one batch of lanes
    cdef int lanes
    cdef int32_t aside[LANES]              # the multiset set aside
    cdef const double* value[LANES]        # the values of the lane's goal
    cdef double penalty[FACES * LANES]     # 0 where the face lies aside, else minus infinity
    cdef const double* pull[FACES * LANES] # `copied` values with one die of the face set aside

    # scratch
    cdef int32_t* shifted                  # id of aside + part, by part and lane
    cdef double* lattice                   # by part and lane
    cdef double* kept                      # the same, the best of what cards leave
    cdef double* kept_too
    cdef const double* more[MAX_DICE + 1]  # rows of `kept` by number of dice, or NULL
    cdef double* raised                    # by multiset and lane
    cdef int32_t faces[FACES]              # that lie aside for any lane
    cdef int32_t faces_aside
    cdef bint same_faces                   # for all lanes
    cdef double* rows                      # by set, multiset and lane
    cdef int64_t* row_begin                # first row of each set in the layer under way
    cdef double* copied                    # by slot and row
    cdef int64_t* copied_begin             # as `row_begin`, for `copied`
    cdef int64_t copied_rows, copied_slots
    cdef int64_t* slots                    # the slot of each goal and multiset, or -1
    cdef uint8_t* wanted                   # by goal and multiset, where `copied` is needed
    cdef uint8_t* hope                     # by goal and multiset
    cdef Room shifted_room, lattice_room, kept_room, kept_too_room, raised_room
    cdef Room rows_room, begin_room, copied_room, copied_begin_room, slots_room, wanted_room, hope_room

    def __cinit__(self, TurnGraph graph, *_):
        self.owner, self.graph = graph, &graph.data
        self.shifted_room, self.lattice_room, self.raised_room = Room(), Room(), Room()
        self.kept_room, self.kept_too_room = Room(), Room()
        self.rows_room, self.begin_room, self.copied_room = Room(), Room(), Room()
        self.copied_begin_room, self.slots_room, self.wanted_room = Room(), Room(), Room()
        self.hope_room = Room()

    # -------------------------------------------------------------- beginning and ending

    cdef int begin(self, cancel, int barred, int lowest, Py_ssize_t goals) except -1:
        """Make room for the layers from `lowest` on, the largest pieces first."""
        cdef const Graph* graph = self.graph
        cdef Py_ssize_t parts = graph.first[graph.most_dice + 1]
        self.flag = Flag(cancel)
        self.cancel = self.flag.byte()
        self.in_main_thread = get_ident() == main_thread().ident
        self.looks, self.stopped, self.looked, self.failure = 0, 0, seconds(), None
        self.barred = barred
        self.row_begin = <int64_t*>self.begin_room.take(graph.sets * sizeof(int64_t))
        self.rows = <double*>self.rows_room.take(
            max(rows_in(graph, lowest, barred), 1) * LANES * sizeof(double))
        self.shifted = <int32_t*>self.shifted_room.take(parts * LANES * sizeof(int32_t))
        lattice = parts * LANES * sizeof(double)
        self.lattice = <double*>self.lattice_room.take(lattice)
        self.kept = <double*>self.kept_room.take(lattice)
        self.kept_too = <double*>self.kept_too_room.take(lattice if graph.rerolls > 1 else 1)
        self.raised = <double*>self.raised_room.take(lattice)
        self.copied_rows = 0
        if graph.copying:
            # Scratch for layers up to the last but one, for which no more than this is wanted.
            layer = count(graph, max(graph.most_dice - 1, 0))
            self.copied_begin = <int64_t*>self.copied_begin_room.take(
                graph.sets * sizeof(int64_t))
            self.copied = <double*>self.copied_room.take(
                max(most_copied(graph, lowest, barred) * goals, 1) * sizeof(double))
            self.slots = <int64_t*>self.slots_room.take(layer * goals * sizeof(int64_t))
            self.wanted = <uint8_t*>self.wanted_room.take(layer * goals)
        return 0

    cdef int end(self) except -1:
        """Raise what ended the call early, if anything did."""
        self.flag, self.cancel = None, NULL
        if self.stopped == FAILED:
            failure, self.failure = self.failure, None
            raise failure
        if self.stopped:
            raise Cancelled("the calculation was stopped before its end")
        return 0

    cdef bint halted(self) noexcept nogil:
        """Whether the call is to end; asked once a set."""
        if self.cancel != NULL and flag_is_set(self.cancel):
            self.stopped = CANCELLED
        if self.in_main_thread:
            self.looks += 1
            if self.looks % LOOK == 0 and seconds() - self.looked > PATIENCE:
                self.let_signals()
        return self.stopped != 0

    cdef void let_signals(self) noexcept with gil:
        try:
            PyErr_CheckSignals()
        except BaseException as failure:
            self.failure, self.stopped = failure, FAILED
        self.looked = seconds()

    cdef int64_t lay_rows(self, int k, int without, int64_t* begin) noexcept nogil:
        """Set the first row of each set in layer k; return the number of rows."""
        cdef int u
        cdef int64_t total = 0
        for u in range(self.graph.sets):
            begin[u] = total
            total += rows_of_set(self.graph, u, k, without | self.barred)
        return total

    # -------------------------------------------------------------- all values

    cdef int solve(self, const double[:, ::1] utilities, double[:, ::1] values,
                   int lowest, cancel) except -1:
        """Write the values before each roll; see `TurnGraph.solve`."""
        cdef Py_ssize_t goals = utilities.shape[0]
        if not goals:
            return 0
        self.begin(cancel, 0, lowest, goals)
        self.hope = <uint8_t*>self.hope_room.take(goals * utilities.shape[1])
        with nogil:
            find_hope(self.graph, &utilities[0, 0], goals, self.hope)
            self.first_values(&utilities[0, 0], &values[0, 0], goals, lowest)
            self.solve_layers(&values[0, 0], goals, lowest)
        return self.end()

    cdef void first_values(self, const double* utilities, double* values, Py_ssize_t goals,
                           int lowest) noexcept nogil:
        """Set utilities where all dice are aside, 0 below, NaN in layers that are not solved."""
        cdef const Graph* graph = self.graph
        cdef Py_ssize_t goal, i, parts = graph.first[graph.most_dice + 1]
        cdef int u, n
        cdef double* out
        for goal in range(goals):
            for u in range(graph.sets):
                n = graph.dice[u]
                if n < 0:
                    continue
                out = values + goal * graph.values + graph.begin[u]
                for i in range(graph.first[n]):
                    out[i] = 0.0 if i >= graph.first[lowest] else NAN
                for i in range(graph.first[n], graph.first[n + 1]):
                    out[i] = utilities[goal * parts + i]

    cdef void solve_layers(self, double* values, Py_ssize_t goals, int lowest) noexcept nogil:
        cdef const Graph* graph = self.graph
        cdef Py_ssize_t parts = graph.first[graph.most_dice + 1], goal
        cdef int k
        cdef int32_t aside
        for k in range(graph.most_dice - 1, lowest - 1, -1):
            self.want_hopeful(goals, k + 1)
            self.copy_layer(values, goals, k + 1)
            self.lay_rows(k, 0, self.row_begin)
            self.lanes = 0
            for goal in range(goals):
                for aside in range(graph.first[k], graph.first[k + 1]):
                    if self.hope[goal * parts + aside]:
                        self.add_lane(values, goal, aside, k)
                        if self.lanes == LANES:
                            self.solve_batch(k)
                    if self.stopped:
                        return
            if self.lanes:
                self.solve_batch(k)

    cdef void want_hopeful(self, Py_ssize_t goals, int k) noexcept nogil:
        """Want `copied` values of layer k wherever there is hope."""
        cdef const Graph* graph = self.graph
        cdef Py_ssize_t parts = graph.first[graph.most_dice + 1], goal, i, place = 0
        if not graph.copying or k >= graph.most_dice:
            return
        for goal in range(goals):
            for i in range(graph.first[k], graph.first[k + 1]):
                self.wanted[place] = graph.newly[i] and self.hope[goal * parts + i]
                place += 1

    cdef void solve_batch(self, int k) noexcept nogil:
        """Value what the lanes hold and write the expectations of their rolls."""
        cdef const Graph* graph = self.graph
        cdef double total[LANES]
        cdef int u, n
        cdef Py_ssize_t l
        self.load(k)
        if not self.fill(k, False, 0):
            return
        for u in range(graph.sets):
            n = graph.dice[u] - k
            if n > 0:
                weighted_sum(total, self.rows + self.row_begin[u] * LANES,
                             graph.weight + graph.first[n], count(graph, n))
                for l in range(self.lanes):
                    (<double*>self.value[l])[graph.begin[u] + self.aside[l]] = (
                        total[l] / graph.ways[n])
        self.lanes = 0

    # -------------------------------------------------------------- the nodes of one layer

    cdef object nodes(self, const double[:, ::1] values, int32_t aside, bint may_roll, int u,
                      cancel):
        """Return the values of all decision nodes; see `TurnGraph.nodes`."""
        cdef Py_ssize_t goals = values.shape[0], goal, l, i, rows
        cdef int k = size_of(self.graph, aside)
        cdef double[:, ::1] found
        cdef int64_t[::1] begin = np.empty(self.graph.sets, dtype=np.int64)
        rows = self.lay_rows_for(~u, k, &begin[0])
        found = np.empty((goals, rows))
        if goals and rows:
            self.begin(cancel, ~u, k, goals)
            with nogil:
                self.want_near(goals, k + 1, aside)
                self.copy_layer(&values[0, 0], goals, k + 1)
                self.lay_rows(k, 0, self.row_begin)
                for goal in range(goals):
                    if goal % LANES == 0:
                        self.lanes = 0
                    self.add_lane(&values[0, 0], goal, aside, k)
                    if goal % LANES < LANES - 1 and goal < goals - 1:
                        continue
                    self.load(k)
                    if not self.fill(k, may_roll, 0):
                        break
                    for l in range(self.lanes):
                        for i in range(rows):
                            found[goal + 1 - self.lanes + l, i] = self.rows[i * LANES + l]
            self.end()
        return np.asarray(begin), np.asarray(found)

    cdef int64_t lay_rows_for(self, int barred, int k, int64_t* begin) noexcept nogil:
        self.barred = barred
        return self.lay_rows(k, 0, begin)

    cdef void want_near(self, Py_ssize_t goals, int k, int32_t aside) noexcept nogil:
        """Want `copied` values of layer k next to one multiset of the layer below."""
        cdef const Graph* graph = self.graph
        cdef Py_ssize_t goal, layer
        cdef int face
        cdef int32_t more
        if not graph.copying or k >= graph.most_dice:
            return
        layer = count(graph, k)
        memset(self.wanted, 0, goals * layer)
        for face in range(FACES):
            more = graph.up[aside * FACES + face]
            for goal in range(goals):
                self.wanted[goal * layer + more - graph.first[k]] = graph.newly[more]

    # -------------------------------------------------------------- dice copied in the same roll

    cdef void copy_layer(self, const double* values, Py_ssize_t goals, int k) noexcept nogil:
        """Value the nodes of layer k to which copying a die of the same roll leads from layer k - 1.

        There a bare roll is allowed and the copying card is used; the multiset set aside holds
        exactly one die of the face copied. Only what is wanted is valued.
        """
        cdef const Graph* graph = self.graph
        cdef Py_ssize_t i, goal, slot = 0, layer
        self.copied_rows, self.copied_slots = 0, 0
        if not graph.copying or k >= graph.most_dice:
            return
        layer = count(graph, k)
        self.copied_rows = self.lay_rows(k, graph.copying, self.copied_begin)
        self.lay_rows(k, 0, self.row_begin)
        self.lanes = 0
        for goal in range(goals):
            for i in range(layer):
                self.slots[goal * layer + i] = -1
                if self.wanted[goal * layer + i] and self.copied_rows:
                    self.slots[goal * layer + i] = slot
                    self.aside[self.lanes] = graph.first[k] + <int32_t>i
                    self.value[self.lanes] = values + goal * graph.values
                    self.lanes += 1
                    slot += 1
                    if self.lanes == LANES:
                        self.copy_batch(k, slot - LANES)
                if self.stopped:
                    return
        if self.lanes:
            self.copy_batch(k, slot - self.lanes)
        self.copied_slots = slot

    cdef void copy_batch(self, int k, Py_ssize_t slot) noexcept nogil:
        cdef const Graph* graph = self.graph
        cdef int u
        cdef Py_ssize_t i, l
        cdef double* out
        cdef const double* source
        self.load(k)
        if not self.fill(k, True, graph.copying):
            return
        for u in range(graph.sets):
            if graph.dice[u] > k and not u & (graph.copying | self.barred):
                source = self.rows + self.row_begin[u] * LANES
                for l in range(self.lanes):
                    out = self.copied + (slot + l) * self.copied_rows + self.copied_begin[u]
                    for i in range(count(graph, graph.dice[u] - k)):
                        out[i] = source[i * LANES + l]
        self.lanes = 0

    # -------------------------------------------------------------- one batch of lanes

    cdef void add_lane(self, const double* values, Py_ssize_t goal, int32_t aside,
                       int k) noexcept nogil:
        """Give a multiset of layer k to the next lane."""
        cdef const Graph* graph = self.graph
        cdef int face, l = self.lanes
        cdef int64_t slot
        self.lanes += 1
        self.aside[l] = aside
        self.value[l] = values + goal * graph.values
        for face in range(FACES):
            self.pull[face * LANES + l] = NULL
            if self.copied_rows and not (graph.aside_faces >> face & 1
                                         or graph.counts[aside * FACES + face]):
                slot = self.slots[goal * count(graph, k + 1)
                                  + graph.up[aside * FACES + face] - graph.first[k + 1]]
                if slot >= 0:
                    self.pull[face * LANES + l] = self.copied + slot * self.copied_rows

    cdef void load(self, int k) noexcept nogil:
        """Prepare the lanes: ids of aside + part, and which faces lie aside."""
        cdef const Graph* graph = self.graph
        cdef Py_ssize_t l, face, parts = graph.first[graph.most_dice - k + 1]
        for l in range(LANES):
            if l >= self.lanes:            # spare lanes repeat the last one
                self.aside[l] = self.aside[self.lanes - 1]
                self.value[l] = self.value[self.lanes - 1]
                for face in range(FACES):
                    self.pull[face * LANES + l] = self.pull[face * LANES + self.lanes - 1]
            self.shift(self.aside[l], parts, self.shifted + l, LANES)
            for face in range(FACES):
                self.penalty[face * LANES + l] = (
                    0.0 if graph.aside_faces >> face & 1
                    or graph.counts[self.aside[l] * FACES + face] else -INFINITY)
        self.find_faces()

    cdef void shift(self, int32_t start, Py_ssize_t parts, int32_t* out,
                    Py_ssize_t stride) noexcept nogil:
        """out[part] = id of start + part, for the first `parts` multisets."""
        cdef const Graph* graph = self.graph
        cdef Py_ssize_t part
        cdef int face
        out[0] = start
        for part in range(1, parts):
            face = 0
            while graph.counts[part * FACES + face] == 0:
                face += 1
            # The first predecessor lacks one die of the lowest face.
            out[part * stride] = graph.up[
                out[graph.down.items[graph.down.offsets[part]] * stride] * FACES + face]

    cdef void find_faces(self) noexcept nogil:
        """List the faces that lie aside for any lane."""
        cdef int face, l, lies
        self.faces_aside, self.same_faces = 0, True
        for face in range(FACES):
            lies = 0
            for l in range(LANES):
                lies += self.penalty[face * LANES + l] == 0.0
            if lies:
                self.faces[self.faces_aside] = face
                self.faces_aside += 1
                self.same_faces &= lies == LANES

    # -------------------------------------------------------------- the nodes of one set

    cdef bint fill(self, int k, bint may_roll, int without) noexcept nogil:
        """Value every decision node of the lanes; sets that meet `without` are left out.

        Return whether that came to its end.
        """
        cdef const Graph* graph = self.graph
        cdef int u, active
        for u in range(graph.sets):
            active = graph.dice[u] - k
            if active < 1 or u & (without | self.barred):
                continue
            if self.halted():
                return False
            self.value_kept(u, active)
            self.value_aside(u, active, may_roll)
            self.value_changed(u, active)
        return True

    cdef double* row(self, int u) noexcept nogil:
        return self.rows + self.row_begin[u] * LANES

    cdef void value_kept(self, int u, int active) noexcept nogil:
        """Value what cards leave of the dice, by what is kept, where less or the rest is best too.

        Keeping less than was there before a card is worth no more than before it, so what is kept
        can be looked for in any part of the dice: the lattice of parts takes the best of all cards.
        """
        cdef const Graph* graph = self.graph
        cdef int c, i, size, least
        cdef double* target = self.kept
        cdef double* top = self.kept + graph.first[active - 1] * LANES
        for size in range(active):
            self.more[size] = NULL
        for i in range(graph.rerolls):
            c = graph.reroll[i]
            if not u >> c & 1:
                continue
            least = active - graph.limit[c] if active > graph.limit[c] else 0
            self.re_roll(u & ~(1 << c), active, least, target)
            for size in range(least, active):
                if self.more[size] == NULL:
                    self.more[size] = target + graph.first[size] * LANES
                else:
                    larger_of(self.kept + graph.first[size] * LANES,
                              target + graph.first[size] * LANES, count(graph, size))
            target = self.kept_too
        for c in range(graph.cards):
            if u >> c & 1 and (graph.kind[c] == SET or graph.kind[c] == COPY):
                if graph.kind[c] == SET:
                    self.turn_one(u & ~(1 << c), active, top, EVERY_FACE, FACES, NULL)
                else:
                    self.copy_one(u & ~(1 << c), active, top)
                self.more[active - 1] = top

    cdef void re_roll(self, int u, int active, int least, double* out) noexcept nogil:
        """out[kept] = expectation of re-rolling all but `kept`, at least `least` dice."""
        cdef const Graph* graph = self.graph
        cdef int size
        cdef Py_ssize_t low
        cdef const double* source = self.row(u) - graph.first[active] * LANES
        for size in range(active - 1, least - 1, -1):
            low = graph.first[size]
            mean_of_six(out + low * LANES, source, graph.up + low * FACES, count(graph, size))
            source = out

    cdef void turn_one(self, int u, int active, double* out, const int32_t* faces, int number,
                       const double* penalty) noexcept nogil:
        """out[kept] = the best that the one other die can be turned into, of some faces."""
        cdef const Graph* graph = self.graph
        best_of_faces(out, self.row(u) - graph.first[active] * LANES,
                      graph.up + graph.first[active - 1] * FACES, count(graph, active - 1),
                      faces, number, penalty, self.more[active - 1] != NULL)

    cdef void copy_one(self, int u, int active, double* out) noexcept nogil:
        """out[kept] = the best that the one other die can be copied from.

        That is a die that lay aside, or one of the kept that is set aside in this roll.
        """
        cdef const Graph* graph = self.graph
        cdef const double* pulled[LANES]
        cdef int32_t stride[LANES]
        cdef int face, l
        cdef bint any_lane
        self.turn_one(u, active, out, self.faces, self.faces_aside,
                      NULL if self.same_faces else self.penalty)
        if active < 2:
            return
        for face in range(FACES):
            any_lane = False
            for l in range(LANES):
                pulled[l], stride[l] = &NOTHING, 0
                if self.pull[face * LANES + l] != NULL:
                    pulled[l] = self.pull[face * LANES + l] + self.copied_begin[u]
                    stride[l], any_lane = 1, True
            if any_lane:
                best_pulled(out, pulled, stride, graph.up + graph.first[active - 2] * FACES,
                            count(graph, active - 2), face, graph.first[active - 1])

    cdef void value_aside(self, int u, int active, bint may_roll) noexcept nogil:
        """Value setting dice aside, or what cards keep: a running maximum over the parts."""
        cdef const Graph* graph = self.graph
        cdef Py_ssize_t l, low
        cdef int size
        cdef const double* source[LANES]
        for l in range(LANES):
            source[l] = self.value[l] + graph.begin[u]
            self.lattice[l] = source[l][self.aside[l]] if may_roll else -INFINITY
            if self.more[0] != NULL and not self.lattice[l] > self.more[0][l]:
                self.lattice[l] = self.more[0][l]
        for size in range(1, active + 1):
            low = graph.first[size]
            best_aside(self.row(u) if size == active else self.lattice + low * LANES, source,
                       self.shifted + low * LANES, self.more[size] if size < active else NULL,
                       self.lattice, graph.below[size])

    cdef void value_changed(self, int u, int active) noexcept nogil:
        """Take the cards that change several dice, or bring one in, into the rows of set u."""
        cdef const Graph* graph = self.graph
        cdef int c, after, face
        for c in range(graph.cards):
            after = u & ~(1 << c)
            if not u >> c & 1 or graph.dice[after] < 0:
                continue
            if graph.kind[c] == MOVE:
                best_of(self.row(u), self.row(after), graph.packed[c][active])
            elif graph.kind[c] == RAISE:
                memcpy(self.raised, self.row(after),
                       count(graph, active) * LANES * sizeof(double))
                for face in range(FACES - graph.limit[c]):
                    best_raised(self.raised, graph.up + graph.first[active - 1] * FACES,
                                count(graph, active - 1), face, graph.limit[c],
                                graph.first[active])
                larger_of(self.row(u), self.raised, count(graph, active))
