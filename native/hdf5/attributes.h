// Attributes of groups, datasets and named types.
#pragma once
#include "datasets.h"

/** (object, name, type, shape): its handle. */
inline napi_value attributeCreate(Call& call) {
  Id space = makeSpace(call, call[3], call.undefined()), list(H5(H5Pcreate(H5P_ATTRIBUTE_CREATE)));
  H5(H5Pset_char_encoding(list, H5T_CSET_UTF8));
  hid_t id = H5(H5Acreate2(idOf(call, call[0]), call.text(call[1]).c_str(), idOf(call, call[2]), space, list, H5P_DEFAULT));
  return call.number(addIn(call, call[0], id));
}

inline napi_value attributeOpen(Call& call) {
  return call.number(addIn(call, call[0], H5(H5Aopen(idOf(call, call[0]), call.text(call[1]).c_str(), H5P_DEFAULT))));
}

inline napi_value attributeExists(Call& call) {
  return call.boolean(H5(H5Aexists(idOf(call, call[0]), call.text(call[1]).c_str())) > 0);
}

inline napi_value attributeDelete(Call& call) {
  H5(H5Adelete(idOf(call, call[0]), call.text(call[1]).c_str()));
  return call.undefined();
}

inline napi_value attributeRename(Call& call) {
  H5(H5Arename(idOf(call, call[0]), call.text(call[1]).c_str(), call.text(call[2]).c_str()));
  return call.undefined();
}

inline H5_index_t attributeIndex(hid_t object) {
  H5I_type_t type = H5Iget_type(object);
  if (type != H5I_GROUP && type != H5I_DATASET) return H5_INDEX_NAME;
  Id list(H5(type == H5I_GROUP ? H5Gget_create_plist(object) : H5Dget_create_plist(object)));
  unsigned flags = 0;
  H5(H5Pget_attr_creation_order(list, &flags));
  return flags & H5P_CRT_ORDER_TRACKED ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
}

inline napi_value attributeNames(Call& call) {
  hid_t object = idOf(call, call[0]);
  std::vector<std::string> names;
  auto each = [](hid_t, const char* name, const H5A_info_t*, void* into) -> herr_t {
    static_cast<std::vector<std::string>*>(into)->emplace_back(name);
    return 0;
  };
  hsize_t at = 0;
  H5(H5Aiterate2(object, attributeIndex(object), H5_ITER_INC, &at, each, &names));
  return call.list(names);
}
