// Reads and writes, of datasets and of attributes.
#pragma once
#include "selection.h"
#include "values.h"

/** Property list of a transfer; they are made once. */
inline hid_t transferList(bool collective) {
#ifdef GIRONA_HDF5_MPI
  static hid_t list = -1;
  if (!collective) return H5P_DEFAULT;
  if (list < 0) {
    list = H5(H5Pcreate(H5P_DATASET_XFER));
    H5(H5Pset_dxpl_mpio(list, H5FD_MPIO_COLLECTIVE));
  }
  return list;
#else
  (void)collective;
  return H5P_DEFAULT;
#endif
}

struct Transfer {
  hid_t target;
  hid_t memoryType;
  bool isAttribute;
  bool write;
  bool collective;

  void move(hid_t memory, hid_t file, void* data) const {
    hid_t list = transferList(collective);
    if (write)
      H5(H5Dwrite(target, memoryType, memory, file, list, data));
    else
      H5(H5Dread(target, memoryType, memory, file, list, data));
  }

  Id space() const { return Id(H5(isAttribute ? H5Aget_space(target) : H5Dget_space(target))); }
};

// HDF5 before 2.0 copies the whole selection for each run that is added to it. In parts the cost stays linear; but all ranks
// must make the same number of collective calls, so there it is one.
constexpr size_t mostRuns = 256;

inline void moveSelected(const Transfer& transfer, hid_t space, const Selection& selection, char* data) {
  std::vector<hsize_t> shape = selection.shape();
  Id memory = memorySpace(shape);
  size_t longest = 0;
  for (size_t i = 1; i < selection.axes.size(); i++)
    if (selection.axes[i].size() > selection.axes[longest].size()) longest = i;
  bool empty = product(shape) == 0;
  if (empty) H5(H5Sselect_none(memory));
  if (transfer.collective || empty || selection.axes[longest].size() <= mostRuns) {
    selectIn(space, selection);
    // An empty selection still takes part in a collective transfer, and needs no memory of its own.
    char nothing = 0;
    return transfer.move(memory, space, empty ? &nothing : data);
  }
  const std::vector<Run> runs = selection.axes[longest];
  std::vector<hsize_t> at(shape.size(), 0), count = shape;
  for (size_t first = 0; first < runs.size(); first += mostRuns) {
    Selection part = selection;
    size_t last = std::min(first + mostRuns, runs.size());
    part.axes[longest].assign(runs.begin() + static_cast<long>(first), runs.begin() + static_cast<long>(last));
    count[longest] = part.shape()[longest];
    selectIn(space, part);
    H5(H5Sselect_hyperslab(memory, H5S_SELECT_SET, at.data(), nullptr, count.data(), nullptr));
    transfer.move(memory, space, data);
    at[longest] += count[longest];
  }
}

/** `size`: bytes at `data`, which must be what the selection takes. */
inline void moveAll(const Transfer& transfer, const Selection& selection, char* data, hsize_t size) {
  Id space = transfer.space();
  hsize_t points = selection.all ? static_cast<hsize_t>(H5(H5Sget_simple_extent_npoints(space))) : product(selection.shape());
  if (points * H5Tget_size(transfer.memoryType) != size) fail("the shape has changed since the call began");
  if (transfer.isAttribute) {
    if (points == 0) return;
    if (transfer.write)
      H5(H5Awrite(transfer.target, transfer.memoryType, data));
    else
      H5(H5Aread(transfer.target, transfer.memoryType, data));
    return;
  }
  if (!selection.all) return moveSelected(transfer, space, selection, data);
  char nothing = 0;
  // A dataset without a dataspace has no elements to move.
  if (H5Sget_simple_extent_type(space) == H5S_NULL) return;
  transfer.move(H5S_ALL, H5S_ALL, points == 0 ? &nothing : data);
}

inline hsize_t pointsOf(const Transfer& transfer, const Selection& selection) {
  if (!selection.all) return product(selection.shape());
  Id space = transfer.space();
  return static_cast<hsize_t>(H5(H5Sget_simple_extent_npoints(space)));
}

inline Transfer transferOf(Call& call, bool write) {
  hid_t target = idOf(call, call[0]);
  return {target, idOf(call, call[1]), H5Iget_type(target) == H5I_ATTR, write, call.flag(call[4])};
}

/** (target, memory type, selection, typed array, collective) */
template <bool write>
napi_value moveNumbers(Call& call) {
  Transfer transfer = transferOf(call, write);
  napi_typedarray_type kind;
  size_t length = 0;
  void* data = nullptr;
  if (napi_get_typedarray_info(call.env, call[3], &kind, &length, &data, nullptr, nullptr) != napi_ok)
    failUsage("values: a typed array is needed");
  static const size_t sizes[] = {1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8};
  if (kind > napi_biguint64_array) failUsage("values: a typed array of an unknown kind");
  moveAll(transfer, selectionOf(call, call[2]), static_cast<char*>(data), length * sizes[kind]);
  return call.undefined();
}

/** Bytes for so many elements, zeroed: HDF5 leaves holes in a record as they are. */
inline std::unique_ptr<char, void (*)(void*)> allocate(hsize_t points, size_t size) {
  if (size && points > (hsize_t(1) << 46) / size) throw std::bad_alloc();
  auto* p = static_cast<char*>(calloc(points ? points : 1, size ? size : 1));
  if (!p) throw std::bad_alloc();
  return {p, free};
}

/** (target, memory type, selection, –, collective): an array of values. */
inline napi_value readValues(Call& call) {
  Transfer transfer = transferOf(call, false);
  Selection selection = selectionOf(call, call[2]);
  Plan plan = planOf(call, transfer.memoryType);
  hsize_t points = pointsOf(transfer, selection);
  auto data = allocate(points, plan.size);
  moveAll(transfer, selection, data.get(), points * plan.size);
  struct Reclaim {
    hid_t type;
    hsize_t points;
    void* data;
    ~Reclaim() {
      if (points == 0) return;
      hid_t space = H5Screate_simple(1, &points, nullptr);
      H5Dvlen_reclaim(type, space, H5P_DEFAULT, data);
      H5Sclose(space);
    }
  } reclaim{transfer.memoryType, plan.allocates() ? points : 0, data.get()};
  return toMany(call, plan, data.get(), points);
}

/** (target, memory type, selection, array of values, collective) */
inline napi_value writeValues(Call& call) {
  Transfer transfer = transferOf(call, true);
  Selection selection = selectionOf(call, call[2]);
  Plan plan = planOf(call, transfer.memoryType);
  hsize_t points = pointsOf(transfer, selection);
  if (countOf(call, call[3]) != static_cast<int64_t>(points)) fail("the shape has changed since the call began");
  auto data = allocate(points, plan.size);
  Arena arena;
  fromMany(call, plan, call[3], data.get(), points, arena, "");
  moveAll(transfer, selection, data.get(), points * plan.size);
  return call.undefined();
}
