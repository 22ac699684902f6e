"""The state graph as plain numbers and pointers, for functions that need no interpreter."""

cdef struct Rows:
    const int32_t* offsets
    const int32_t* items


cdef struct Graph:
    int root_dice, most_dice, sets, cards, aside_faces, copying
    int64_t values                         # so many values has a goal
    int kind[MAX_CARDS]
    int limit[MAX_CARDS]
    int laid_out[MAX_CARDS]                # lists are there for up to so many active dice
    int most_active[MAX_CARDS]             # so many dice can be in play when the card is used
    int rerolls                            # cards that roll dice again, the largest limit first
    int reroll[MAX_CARDS]
    Rows moves[MAX_CARDS][MAX_DICE + 1]    # in order
    const int32_t* packed[MAX_CARDS][MAX_DICE + 1]   # the same lists, packed
    Rows down
    const int32_t* below[MAX_DICE + 1]     # `down` by size, packed
    const int32_t* up
    const double* weight
    const int8_t* counts
    const uint8_t* newly                   # whether the last die aside may be the first of its face
    int32_t first[MAX_DICE + 2]            # id of the first multiset of a size
    double ways[MAX_DICE + 1]              # 6^n
    const int64_t* begin                   # where the values of a set begin
    const int32_t* dice                    # the dice in play for a set, or -1


cdef inline Py_ssize_t count(const Graph* graph, int n) noexcept nogil:
    """Return the number of multisets of n dice."""
    return graph.first[n + 1] - graph.first[n]


cdef inline int size_of(const Graph* graph, int32_t multiset) noexcept nogil:
    cdef int size = 0
    while graph.first[size + 1] <= multiset:
        size += 1
    return size


cdef inline Py_ssize_t rows_of_set(const Graph* graph, int u, int k, int without) noexcept nogil:
    """Return the number of decision nodes of set u in layer k, 0 if it meets `without`."""
    cdef int active = graph.dice[u] - k
    return count(graph, active) if active > 0 and not u & without else 0


cdef int64_t rows_in(const Graph* graph, int k, int without) noexcept nogil:
    """Return the number of decision nodes of layer k for one multiset."""
    cdef int u
    cdef int64_t total = 0
    for u in range(graph.sets):
        total += rows_of_set(graph, u, k, without)
    return total


cdef int64_t most_copied(const Graph* graph, int lowest, int without) noexcept nogil:
    """Return the largest number of nodes to which early copies lead, over layers above `lowest`."""
    cdef int k
    cdef int32_t part
    cdef int64_t most = 0, size
    if not graph.copying:
        return 0
    for k in range(lowest + 1, graph.most_dice):
        size = 0
        for part in range(graph.first[k], graph.first[k + 1]):
            size += graph.newly[part]
        size *= rows_in(graph, k, without | graph.copying)
        most = size if size > most else most
    return most


cdef bint ends_with(const Graph* graph, int k) noexcept nogil:
    """Whether the turn can end with k dice."""
    cdef int u
    for u in range(graph.sets):
        if graph.dice[u] == k:
            return True
    return False


cdef void find_hope(const Graph* graph, const double* utilities, Py_ssize_t goals,
                    uint8_t* hope) noexcept nogil:
    """Set by goal and multiset set aside whether anything but worth 0 can come of it."""
    cdef Py_ssize_t parts = graph.first[graph.most_dice + 1], goal, i
    cdef int k, face
    cdef bint final, negative = False
    for i in range(goals * parts):
        negative |= utilities[i] < 0
    for k in range(graph.most_dice, -1, -1):
        final = ends_with(graph, k)
        for goal in range(goals):
            for i in range(graph.first[k], graph.first[k + 1]):
                hope[goal * parts + i] = negative or (final and utilities[goal * parts + i] > 0)
                if k < graph.most_dice:
                    for face in range(FACES):
                        hope[goal * parts + i] |= hope[
                            goal * parts + graph.up[i * FACES + face]]


# ------------------------------------------------------------------ arrays to pointers

cdef const int32_t* ints(const int32_t[::1] array) noexcept:
    return &array[0] if array.shape[0] else NULL


cdef Rows as_rows(pair):
    cdef Rows result
    result.offsets, result.items = ints(pair[0]), ints(pair[1])
    return result


cdef object packed(const int32_t[::1] offsets, const int32_t[::1] items):
    """Return lists as loops.h reads them: those of one length together."""
    cdef Py_ssize_t rows = offsets.shape[0] - 1, i, j, place, longest = 0
    cdef int32_t[::1] number, out
    cdef int64_t[::1] row_at, item_at
    for i in range(rows):
        longest = max(longest, offsets[i + 1] - offsets[i])
    number = np.zeros(longest + 1, dtype=np.int32)
    row_at, item_at = np.zeros(longest + 1, dtype=np.int64), np.zeros(longest + 1, dtype=np.int64)
    for i in range(rows):
        number[offsets[i + 1] - offsets[i]] += 1
    place = 0
    for i in range(1, longest + 1):
        row_at[i] = place + 2
        item_at[i] = row_at[i] + number[i]
        if number[i]:
            place = item_at[i] + number[i] * i
    out = np.zeros(place + 1, dtype=np.int32)
    for i in range(1, longest + 1):
        if number[i]:
            out[row_at[i] - 2], out[row_at[i] - 1] = <int32_t>i, number[i]
    for i in range(rows):
        place = offsets[i + 1] - offsets[i]
        if place:
            out[row_at[place]] = <int32_t>i
            row_at[place] += 1
            for j in range(place):
                out[item_at[place] + j] = items[offsets[i] + j]
            item_at[place] += place
    return np.asarray(out)
