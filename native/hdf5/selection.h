// Selections: dataspaces of the file and of memory. The one in memory has the selection's rank and shape; a flat one sends
// chunked transfers down a path that is several times slower.
#pragma once
#include <algorithm>

#include "handles.h"

/** `count` indices from `start` on, `step` apart. */
struct Run {
  hsize_t start, step, count;
};

/** Per axis, what is selected, in increasing order. */
struct Selection {
  bool all = true;
  std::vector<std::vector<Run>> axes;

  std::vector<hsize_t> shape() const {
    std::vector<hsize_t> dims;
    for (const auto& runs : axes) {
      hsize_t n = 0;
      for (const Run& run : runs) n += run.count;
      dims.push_back(n);
    }
    return dims;
  }
};

/** From numbers: per axis how many runs there are, then start, step and count of each. Nothing: everything. */
inline Selection selectionOf(Call& call, napi_value v) {
  Selection selection;
  if (!call.has(v)) return selection;
  void* data = nullptr;
  size_t length = 0;
  napi_typedarray_type kind;
  if (napi_get_typedarray_info(call.env, v, &kind, &length, &data, nullptr, nullptr) != napi_ok || kind != napi_float64_array)
    fail("a selection must be a Float64Array");
  const double* p = static_cast<const double*>(data);
  const double* end = p + length;
  selection.all = false;
  while (p < end) {
    std::vector<Run> runs(static_cast<size_t>(*p++));
    for (Run& run : runs) {
      run = {static_cast<hsize_t>(p[0]), static_cast<hsize_t>(p[1]), static_cast<hsize_t>(p[2])};
      p += 3;
    }
    selection.axes.push_back(std::move(runs));
  }
  return selection;
}

inline hsize_t product(const std::vector<hsize_t>& dims) {
  hsize_t n = 1;
  for (hsize_t d : dims) n *= d;
  return n;
}

/** Adds each combination of the axes' runs to what is selected. */
inline void selectIn(hid_t space, const Selection& selection) {
  size_t rank = selection.axes.size();
  if (product(selection.shape()) == 0) {
    H5(H5Sselect_none(space));
    return;
  }
  std::vector<size_t> at(rank, 0);
  std::vector<hsize_t> start(rank), step(rank), count(rank);
  H5S_seloper_t how = H5S_SELECT_SET;
  for (;;) {
    for (size_t i = 0; i < rank; i++) {
      const Run& run = selection.axes[i][at[i]];
      start[i] = run.start;
      step[i] = run.step;
      count[i] = run.count;
    }
    H5(H5Sselect_hyperslab(space, how, start.data(), step.data(), count.data(), nullptr));
    how = H5S_SELECT_OR;
    size_t axis = rank;
    while (axis > 0 && ++at[axis - 1] == selection.axes[axis - 1].size()) at[--axis] = 0;
    if (axis == 0) return;
  }
}

inline Id memorySpace(const std::vector<hsize_t>& dims) {
  if (dims.empty()) return Id(H5(H5Screate(H5S_SCALAR)));
  return Id(H5(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr)));
}

/** An extent as JavaScript gives it: null, `[]`, or lengths; `-1` in `most` is no limit. */
inline Id makeSpace(Call& call, napi_value shape, napi_value most) {
  if (!call.has(shape)) return Id(H5(H5Screate(H5S_NULL)));
  std::vector<hsize_t> dims, limits;
  for (double d : call.numbers(shape)) dims.push_back(static_cast<hsize_t>(d));
  if (dims.empty()) return Id(H5(H5Screate(H5S_SCALAR)));
  for (double d : call.numbers(most)) limits.push_back(d < 0 ? H5S_UNLIMITED : static_cast<hsize_t>(d));
  return Id(H5(H5Screate_simple(static_cast<int>(dims.size()), dims.data(), limits.empty() ? nullptr : limits.data())));
}
