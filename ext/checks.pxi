"""What comes from outside is checked here, before the kernel follows a single index in it."""

from operator import index as as_index


cdef Py_ssize_t whole(name, value, Py_ssize_t low, Py_ssize_t high) except? -1:
    """Return a whole number from `low` to `high`."""
    try:
        number = as_index(value)
    except TypeError:
        raise TypeError(f"{name} is a {type(value).__name__}, not a whole number") from None
    if not low <= number <= high:
        shown = number if -10**18 < number < 10**18 else "of more than 18 digits"
        raise ValueError(f"{name} {shown} is out of range; it can be {low} to {high}")
    return number


cdef object array_of(name, value, dtype, shape):
    """Return a C-contiguous array of this type and shape; a length of None is free."""
    if not isinstance(value, np.ndarray):
        raise ValueError(f"{name} is a {type(value).__name__}, not an array")
    array = np.asarray(value)
    if array.dtype != dtype:
        raise ValueError(f"{name} has type {array.dtype}; it must be {np.dtype(dtype)}")
    wrong = array.ndim != len(shape) or any(
        [want is not None and have != want for have, want in zip(array.shape, shape)])
    if wrong:
        wanted = tuple(["any" if want is None else int(want) for want in shape])
        raise ValueError(f"{name} has shape {array.shape}; it must be {wanted}")
    if not (array.flags.c_contiguous and array.flags.aligned):
        raise ValueError(f"{name} must lie in one aligned piece of memory, in C order")
    return array


cdef object kept(array):
    """Return an array that nobody can change: itself if it is read-only, else a copy."""
    if array.flags.writeable:
        array = array.copy()
        array.flags.writeable = False
    return array


cdef object rows_of(name, pair, Py_ssize_t count, Py_ssize_t low, Py_ssize_t high):
    """Return (offsets, items) of `count` lists whose items are at least `low` and below `high`."""
    if pair is None:
        raise ValueError(f"{name} is missing")
    try:
        offsets, items = pair
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be a pair (offsets, items)") from None
    offsets = kept(array_of(f"{name}, offsets", offsets, np.int32, (count + 1,)))
    items = kept(array_of(f"{name}, items", items, np.int32, (None,)))
    if not ascending(offsets, len(items)):
        raise ValueError(f"{name}, offsets must rise from 0 to the number of items, {len(items)}")
    check_within(f"{name}, items", items, low, high)
    return offsets, items


cdef object copies_of(name, given, Py_ssize_t count, Py_ssize_t fewer):
    """Return (direct, needs, pulled) of `count` multisets; one die less has `fewer`."""
    try:
        direct, needs, pulled = given
    except (TypeError, ValueError):
        raise ValueError(f"{name} must be (direct, needs, pulled)") from None
    direct = rows_of(f"{name}: direct", direct, count, 0, count)
    needs = kept(array_of(f"{name}: needs", needs, np.int32, (len(direct[1]),)))
    check_within(f"{name}: needs", needs, 0, FACES)
    return direct, needs, rows_of(f"{name}: pulled", pulled, count, 0, FACES * fewer)


cdef check_within(name, const int32_t[::1] items, Py_ssize_t low, Py_ssize_t high):
    """Raise ValueError unless all items are at least `low` and below `high`."""
    cdef Py_ssize_t i
    cdef int32_t smallest = <int32_t>low, largest = <int32_t>(high - 1)
    for i in range(items.shape[0]):
        smallest = items[i] if items[i] < smallest else smallest
        largest = items[i] if items[i] > largest else largest
    if smallest < low or largest >= high:
        raise ValueError(f"{name} must lie in {low} to {high - 1}; "
                         f"found {smallest if smallest < low else largest}")


cdef bint ascending(const int32_t[::1] offsets, Py_ssize_t end) noexcept:
    """Whether offsets rise from 0 to `end`."""
    cdef Py_ssize_t i
    cdef bint rising = offsets[0] == 0 and offsets[offsets.shape[0] - 1] == end
    for i in range(offsets.shape[0] - 1):
        rising &= offsets[i] <= offsets[i + 1]
    return rising


cdef object list_of(name, value, Py_ssize_t least):
    """Return a tuple of at least `least` entries."""
    try:
        found = tuple(value)
    except TypeError:
        raise ValueError(f"{name} is a {type(value).__name__}, not a list") from None
    if len(found) < least:
        raise ValueError(f"{name} has {len(found)} entries; it needs at least {least}")
    return found


cdef object space_of(space, int dice):
    """Return the arrays of advisor.multisets.space(dice), each as large as the kernel reads it."""
    try:
        first, up, down, weight, counts = space
    except (TypeError, ValueError):
        raise ValueError("space must hold five arrays, as advisor.multisets.space makes them"
                         ) from None
    sizes = [comb(n + 5, 6) for n in range(MAX_DICE + 2)]
    first = array_of("space: first", first, np.int32, (MAX_DICE + 2,))
    if first.tolist() != sizes:
        raise ValueError("space: first must be the numbers of smaller multisets")
    parts = sizes[dice + 1]
    up = kept(array_of("space: successors", up, np.int32, (sizes[dice], FACES)))
    weight = kept(array_of("space: weights", weight, np.float64, (parts,)))
    counts = kept(array_of("space: counts", counts, np.int8, (parts, FACES)))
    offsets, items = rows_of("space: predecessors", down, parts, 0, parts)
    for n in range(dice + 1):
        low, high = sizes[n], sizes[n + 1]
        if (counts[low:high] < 0).any() or (counts[low:high].sum(axis=1) != n).any():
            raise ValueError(f"space: counts of the multisets of {n} dice must add up to {n}")
        if weight[low:high].sum() != 6.0 ** n:
            raise ValueError(f"space: weights of the multisets of {n} dice must add up to 6^{n}")
        if n < dice:
            check_within("space: successors", up[low:high].reshape(-1), high, sizes[n + 2])
        if n:
            if (np.diff(offsets[low:high + 1]) < 1).any():
                raise ValueError("space: predecessors of a multiset are missing")
            check_within("space: predecessors", items[offsets[low]:offsets[high]],
                         sizes[n - 1], low)
    return first, up, (offsets, items), weight, counts
