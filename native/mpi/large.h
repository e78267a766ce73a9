// Counts above 2^31: the large-count calls of MPI 4 where the library has them, else one element of a derived datatype.
#pragma once
#include <algorithm>
#include <limits>

#include "buffers.h"

namespace girona {

// The largest count given to a call as an int. Tests lower it, so that small messages take the way of large ones.
inline int64_t largestCount = std::numeric_limits<int>::max();

// `count` elements as one.
struct Big {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  Big(int64_t count, MPI_Datatype element) {
    const int64_t chunk = largestCount < (1 << 30) ? (largestCount > 1 ? largestCount : 1) : (1 << 30);
    MPI_Aint bound, extent;
    MPI_Type_get_extent(element, &bound, &extent);
    MPI_Datatype chunkType, parts[2];
    int counts[2] = {(int)(count / chunk), (int)(count % chunk)};
    MPI_Aint starts[2] = {0, (MPI_Aint)(count / chunk) * chunk * extent};
    MPI_Type_contiguous((int)chunk, element, &chunkType);
    parts[0] = chunkType;
    parts[1] = element;
    MPI_Type_create_struct(2, counts, starts, parts, &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&chunkType);
  }
  ~Big() { MPI_Type_free(&type); }
  Big(const Big&) = delete;
};

// A count and its datatype, made to fit into an int.
struct Fitted {
  int count;
  MPI_Datatype type;
  Big* big = nullptr;
  Fitted(int64_t n, MPI_Datatype t) : count((int)n), type(t) {
    if (n <= largestCount) return;
    big = new Big(n, t);
    count = 1;
    type = big->type;
  }
  ~Fitted() { delete big; }
  Fitted(const Fitted&) = delete;
};

// MPI_##call(data, count, type, ...) with any count.
#if MPI_VERSION >= 4
#define COUNTED(call, data_, n, type_, ...)                                \
  ((n) <= largestCount ? MPI_##call(data_, (int)(n), type_, __VA_ARGS__) \
                       : MPI_##call##_c(data_, (MPI_Count)(n), type_, __VA_ARGS__))
#define COUNTED_TWICE(call, data_, n, type_, data2_, n2, type2_, ...)                    \
  ((n) <= largestCount && (n2) <= largestCount                                           \
       ? MPI_##call(data_, (int)(n), type_, data2_, (int)(n2), type2_, __VA_ARGS__)      \
       : MPI_##call##_c(data_, (MPI_Count)(n), type_, data2_, (MPI_Count)(n2), type2_, __VA_ARGS__))
#else
#define COUNTED(call, data_, n, type_, ...)                                      \
  ((n) <= largestCount ? MPI_##call(data_, (int)(n), type_, __VA_ARGS__) : [&] { \
    Fitted all_(n, type_);                                                       \
    return MPI_##call(data_, all_.count, all_.type, __VA_ARGS__);           \
  }())
#define COUNTED_TWICE(call, data_, n, type_, data2_, n2, type2_, ...)                           \
  ((n) <= largestCount && (n2) <= largestCount                                                  \
       ? MPI_##call(data_, (int)(n), type_, data2_, (int)(n2), type2_, __VA_ARGS__)             \
       : [&] {                                                                                  \
           Fitted one_(n, type_), two_(n2, type2_);                                             \
           return MPI_##call(data_, one_.count, one_.type, data2_, two_.count, two_.type, __VA_ARGS__); \
         }())
#endif

// Counts and places of each rank's part, as ints: in units that all of them are multiples of, where they are larger.
struct Parts {
  std::vector<int> counts, starts;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  bool own = false;

  ~Parts() {
    if (own) MPI_Type_free(&type);
  }
  Parts() = default;
  Parts(const Parts&) = delete;

  // From the Float64Arrays in args[at] (counts) and args[at + 1] (places, or nothing).
  bool read(const Call& call, int at, int ranks, const Buffer& whole, const char* name) {
    size_t length = 0, startLength = 0;
    const double* given = call.numbers(at, &length);
    if (!given || (int)length != ranks) return call.misused(name, "must have one number for each rank");
    const double* places = call.given(at + 1) ? call.numbers(at + 1, &startLength) : nullptr;
    if (places && (int)startLength != ranks) return call.misused("displacements", "must have one number for each rank");
    std::vector<int64_t> n(ranks), from(ranks);
    int64_t next = 0, largest = 0, unit = 0;
    for (int rank = 0; rank < ranks; rank++) {
      n[rank] = (int64_t)given[rank];
      from[rank] = places ? (int64_t)places[rank] : next;
      next = from[rank] + n[rank];
      if (!whole.nothing() && n[rank] > 0 && next > whole.count)
        return call.misused(name, "reaches beyond the end of the buffer: its parts are longer than the whole");
      largest = std::max({largest, n[rank], from[rank]});
      unit = std::gcd(unit, std::gcd(n[rank], from[rank]));
    }
    type = whole.type;
    int64_t divisor = 1;
    if (largest > largestCount) {
      if (largest / unit > std::numeric_limits<int>::max() || unit > std::numeric_limits<int>::max())
        return call.refuse(MPI_ERR_COUNT, "parts of more than 2^31 elements need a common divisor in this call: give each a multiple of a row");
      divisor = unit;
      MPI_Type_contiguous((int)unit, whole.type, &type);
      MPI_Type_commit(&type);
      own = true;
    }
    counts.resize(ranks);
    starts.resize(ranks);
    for (int rank = 0; rank < ranks; rank++) {
      counts[rank] = (int)(n[rank] / divisor);
      starts[rank] = (int)(from[rank] / divisor);
    }
    return true;
  }
};

}  // namespace girona
