// Datasets: how they are made, and what is known of them.
#pragma once
#include "objects.h"
#include "transfer.h"

inline void setFillValue(Call& call, hid_t creation, napi_value options) {
  napi_value value = call.get(options, "fillValue");
  if (call.type(value) == napi_undefined) return;
  hid_t type = idOf(call, call.get(options, "memoryType"));
  Plan plan = planOf(call, type);
  auto data = allocate(1, plan.size);
  Arena arena;
  fromJs(call, plan, value, data.get(), arena, "fillValue");
  H5(H5Pset_fill_value(creation, type, data.get()));
}

inline void setVirtual(Call& call, hid_t creation, hid_t space, napi_value sources) {
  for (uint32_t i = 0; i < call.length(sources); i++) {
    napi_value source = call.at(sources, i);
    std::vector<hsize_t> shape;
    for (double d : call.numbers(call.get(source, "shape"))) shape.push_back(static_cast<hsize_t>(d));
    Id from = memorySpace(shape), to(H5(H5Scopy(space)));
    Selection selection = selectionOf(call, call.get(source, "selection")), at = selectionOf(call, call.get(source, "at"));
    if (!selection.all) selectIn(from, selection);
    if (!at.all) selectIn(to, at);
    H5(H5Pset_virtual(creation, to, call.text(call.get(source, "file")).c_str(),
                      call.text(call.get(source, "dataset")).c_str(), from));
  }
}

/** (location, path, type, shape, most, options) */
inline napi_value datasetCreate(Call& call) {
  napi_value options = call[5];
  Id space = makeSpace(call, call[3], call[4]), creation(H5(H5Pcreate(H5P_DATASET_CREATE))), links = linkCreation();
  // Without times equal data make equal files.
  H5(H5Pset_obj_track_times(creation, false));
  std::vector<hsize_t> chunks;
  for (double d : call.numbers(call.get(options, "chunks"))) chunks.push_back(static_cast<hsize_t>(d));
  if (!chunks.empty()) H5(H5Pset_chunk(creation, static_cast<int>(chunks.size()), chunks.data()));
  // In this order: bytes are sorted before they are compressed; the checksum is of what is stored.
  if (call.flag(call.get(options, "shuffle"))) H5(H5Pset_shuffle(creation));
  napi_value level = call.get(options, "gzip");
  if (call.has(level)) H5(H5Pset_deflate(creation, static_cast<unsigned>(call.integer(level))));
  if (call.flag(call.get(options, "fletcher32"))) H5(H5Pset_fletcher32(creation));
  if (call.flag(call.get(options, "trackOrder")))
    H5(H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  setFillValue(call, creation, options);
  napi_value sources = call.get(options, "virtual");
  if (call.has(sources)) setVirtual(call, creation, space, sources);
  hid_t id = H5(H5Dcreate2(idOf(call, call[0]), call.text(call[1]).c_str(), idOf(call, call[2]), space, links, creation,
                           H5P_DEFAULT));
  return call.number(addIn(call, call[0], id));
}

inline napi_value shapeOf(Call& call, hid_t space, bool most) {
  if (H5Sget_simple_extent_type(space) == H5S_NULL) return call.null();
  hsize_t dims[H5S_MAX_RANK], limits[H5S_MAX_RANK];
  int rank = H5(H5Sget_simple_extent_dims(space, dims, limits));
  napi_value out = call.array(static_cast<size_t>(rank));
  for (int i = 0; i < rank; i++) {
    hsize_t n = most ? limits[i] : dims[i];
    call.set(out, static_cast<uint32_t>(i), n == H5S_UNLIMITED ? call.null() : call.number(static_cast<double>(n)));
  }
  return out;
}

/** Of a dataset or attribute; null when it has no dataspace. */
inline napi_value shape(Call& call) {
  hid_t id = idOf(call, call[0]);
  return shapeOf(call, Id(H5(H5Iget_type(id) == H5I_ATTR ? H5Aget_space(id) : H5Dget_space(id))), false);
}

inline void describeFilters(Call& call, napi_value out, hid_t creation) {
  int filters = H5(H5Pget_nfilters(creation));
  std::vector<std::string> others;
  for (int i = 0; i < filters; i++) {
    unsigned flags, values[32] = {0}, config;
    size_t n = 32;
    char name[64] = "";
    H5Z_filter_t filter = H5(H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &n, values, sizeof name, name, &config));
    if (filter == H5Z_FILTER_DEFLATE) call.set(out, "gzip", call.number(values[0]));
    if (filter == H5Z_FILTER_SHUFFLE) call.set(out, "shuffle", call.boolean(true));
    if (filter == H5Z_FILTER_FLETCHER32) call.set(out, "fletcher32", call.boolean(true));
    if (H5Zfilter_avail(filter) <= 0) others.push_back(std::string(name) + " (" + std::to_string(filter) + ")");
  }
  call.set(out, "missingFilters", call.list(others));
}

inline void describeVirtual(Call& call, napi_value out, hid_t creation) {
  size_t n = 0;
  H5(H5Pget_virtual_count(creation, &n));
  napi_value sources = call.array(n);
  for (size_t i = 0; i < n; i++) {
    auto text = [&](ssize_t (*get)(hid_t, size_t, char*, size_t)) {
      std::string name(static_cast<size_t>(check(get(creation, i, nullptr, 0), "H5Pget_virtual")), '\0');
      get(creation, i, &name[0], name.size() + 1);
      return call.string(name);
    };
    napi_value source = call.object();
    call.set(source, "file", text(H5Pget_virtual_filename));
    call.set(source, "dataset", text(H5Pget_virtual_dsetname));
    call.set(sources, static_cast<uint32_t>(i), source);
  }
  call.set(out, "virtual", sources);
}

inline napi_value datasetInfo(Call& call) {
  hid_t id = idOf(call, call[0]);
  Id creation(H5(H5Dget_create_plist(id))), space(H5(H5Dget_space(id)));
  napi_value out = call.object();
  call.set(out, "maxShape", shapeOf(call, space, true));
  call.set(out, "storageBytes", call.number(static_cast<double>(H5Dget_storage_size(id))));
  H5D_layout_t layout = H5Pget_layout(creation);
  if (layout == H5D_CHUNKED) {
    hsize_t dims[H5S_MAX_RANK];
    int rank = H5(H5Pget_chunk(creation, H5S_MAX_RANK, dims));
    call.set(out, "chunks", call.list(std::vector<hsize_t>(dims, dims + rank)));
  }
  if (layout == H5D_VIRTUAL) describeVirtual(call, out, creation);
  describeFilters(call, out, creation);
  return out;
}

/** (dataset, memory type) */
inline napi_value fillValue(Call& call) {
  Id creation(H5(H5Dget_create_plist(idOf(call, call[0]))));
  hid_t type = idOf(call, call[1]);
  Plan plan = planOf(call, type);
  auto data = allocate(1, plan.size);
  H5D_fill_value_t defined;
  H5(H5Pfill_value_defined(creation, &defined));
  // A default fill value is all zeros, which is what the memory has.
  if (defined == H5D_FILL_VALUE_USER_DEFINED) H5(H5Pget_fill_value(creation, type, data.get()));
  return toJs(call, plan, data.get());
}

inline napi_value resize(Call& call) {
  std::vector<hsize_t> dims;
  for (double d : call.numbers(call[1])) dims.push_back(static_cast<hsize_t>(d));
  H5(H5Dset_extent(idOf(call, call[0]), dims.data()));
  return call.undefined();
}

inline napi_value datasetFlush(Call& call) {
  H5(H5Dflush(idOf(call, call[0])));
  return call.undefined();
}

inline napi_value refresh(Call& call) {
  H5(H5Drefresh(idOf(call, call[0])));
  return call.undefined();
}
