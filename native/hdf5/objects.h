// Groups, links, and what is the same for every object: opening, names, references.
#pragma once
#include "types.h"

inline Id linkCreation() {
  Id list(H5(H5Pcreate(H5P_LINK_CREATE)));
  H5(H5Pset_create_intermediate_group(list, true));
  H5(H5Pset_char_encoding(list, H5T_CSET_UTF8));
  return list;
}

inline int addIn(Call& call, napi_value location, hid_t id) { return handles().add(id, handles().fileOf(call.integer(location))); }

/** (location, path, track order) */
inline napi_value groupCreate(Call& call) {
  Id links = linkCreation(), creation(H5(H5Pcreate(H5P_GROUP_CREATE)));
  if (call.flag(call[2])) {
    H5(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    H5(H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  }
  hid_t id = H5(H5Gcreate2(idOf(call, call[0]), call.text(call[1]).c_str(), links, creation, H5P_DEFAULT));
  return call.number(addIn(call, call[0], id));
}

inline const char* kindOf(hid_t id) {
  switch (H5Iget_type(id)) {
    case H5I_GROUP:
      return "group";
    case H5I_DATASET:
      return "dataset";
    default:
      return "type";
  }
}

/** (location, path or address of a reference): its handle and kind. */
inline napi_value objectOpen(Call& call) {
  hid_t id;
  if (call.type(call[1]) == napi_bigint) {
    hobj_ref_t address = 0;
    bool lossless;
    uint64_t value = 0;
    napi_get_value_bigint_uint64(call.env, call[1], &value, &lossless);
    address = value;
    id = H5(H5Rdereference2(idOf(call, call[0]), H5P_DEFAULT, H5R_OBJECT, &address));
  } else {
    id = H5(H5Oopen(idOf(call, call[0]), call.text(call[1]).c_str(), H5P_DEFAULT));
  }
  napi_value pair = call.array(2);
  call.set(pair, 0u, call.number(addIn(call, call[0], id)));
  call.set(pair, 1u, call.string(kindOf(id)));
  return pair;
}

inline napi_value close(Call& call) {
  int handle = call.integer(call[0]);
  hid_t id = handles().id(handle);
  handles().remove(handle);
  H5(H5Idec_ref(id));
  return call.undefined();
}

inline napi_value objectName(Call& call) {
  hid_t id = idOf(call, call[0]);
  ssize_t length = H5(H5Iget_name(id, nullptr, 0));
  std::string name(static_cast<size_t>(length), '\0');
  if (length) H5Iget_name(id, &name[0], static_cast<size_t>(length) + 1);
  return call.string(name);
}

/** Where it is in the file, which is what an object reference holds. */
inline napi_value address(Call& call) {
  hobj_ref_t reference = 0;
  H5(H5Rcreate(&reference, idOf(call, call[0]), ".", H5R_OBJECT, -1));
  napi_value v;
  napi_create_bigint_uint64(call.env, reference, &v);
  return v;
}

inline napi_value sameObject(Call& call) {
#if H5_VERSION_GE(1, 12, 0)
  H5O_info2_t a, b;
  H5(H5Oget_info3(idOf(call, call[0]), &a, H5O_INFO_BASIC));
  H5(H5Oget_info3(idOf(call, call[1]), &b, H5O_INFO_BASIC));
  return call.boolean(a.fileno == b.fileno && memcmp(&a.token, &b.token, sizeof a.token) == 0);
#else
  H5O_info_t a, b;
  H5(H5Oget_info(idOf(call, call[0]), &a));
  H5(H5Oget_info(idOf(call, call[1]), &b));
  return call.boolean(a.fileno == b.fileno && a.addr == b.addr);
#endif
}

/** By creation where the group remembers it, else by name. */
inline H5_index_t linkIndex(hid_t group) {
  Id list(H5(H5Gget_create_plist(group)));
  unsigned flags = 0;
  H5(H5Pget_link_creation_order(list, &flags));
  return flags & H5P_CRT_ORDER_TRACKED ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
}

inline napi_value keys(Call& call) {
  hid_t group = idOf(call, call[0]);
  std::vector<std::string> names;
  auto each = [](hid_t, const char* name, const H5L_info_t*, void* into) -> herr_t {
    static_cast<std::vector<std::string>*>(into)->emplace_back(name);
    return 0;
  };
  hsize_t at = 0;
  H5(H5Literate(group, linkIndex(group), H5_ITER_INC, &at, each, &names));
  return call.list(names);
}

/** Paths of everything below, each object once. */
inline napi_value visit(Call& call) {
  std::vector<std::string> paths;
#if H5_VERSION_GE(1, 12, 0)
  auto each = [](hid_t, const char* path, const H5O_info2_t*, void* into) -> herr_t {
#else
  auto each = [](hid_t, const char* path, const H5O_info_t*, void* into) -> herr_t {
#endif
    if (strcmp(path, ".") != 0) static_cast<std::vector<std::string>*>(into)->emplace_back(path);
    return 0;
  };
#if H5_VERSION_GE(1, 12, 0)
  H5(H5Ovisit3(idOf(call, call[0]), H5_INDEX_NAME, H5_ITER_INC, each, &paths, H5O_INFO_BASIC));
#else
  H5(H5Ovisit(idOf(call, call[0]), H5_INDEX_NAME, H5_ITER_INC, each, &paths));
#endif
  return call.list(paths);
}

/** Is there an object at the path, whatever links lead there? */
inline bool pathExists(hid_t location, const std::string& path) {
  std::string so_far = path[0] == '/' ? "/" : "";
  size_t at = 0;
  while (at < path.size()) {
    size_t next = std::min(path.find('/', at), path.size());
    if (next > at) {
      so_far += path.substr(at, next - at);
      // "." is no link.
      if (path.substr(at, next - at) != "." && H5Lexists(location, so_far.c_str(), H5P_DEFAULT) <= 0) return false;
      if (H5Oexists_by_name(location, so_far.c_str(), H5P_DEFAULT) <= 0) return false;
      so_far += '/';
    }
    at = next + 1;
  }
  return true;
}

inline napi_value exists(Call& call) {
  bool found = pathExists(idOf(call, call[0]), call.text(call[1]));
  H5Eclear2(H5E_DEFAULT);
  return call.boolean(found);
}

/** (location, path): what the last name stands for; undefined when it is not there. */
inline napi_value linkInfo(Call& call) {
  hid_t location = idOf(call, call[0]);
  std::string path = call.text(call[1]);
  size_t last = path.find_last_of('/');
  bool above = last == std::string::npos || last == 0 || pathExists(location, path.substr(0, last));
  if (!above || H5Lexists(location, path.c_str(), H5P_DEFAULT) <= 0) {
    H5Eclear2(H5E_DEFAULT);
    return call.undefined();
  }
  H5L_info_t info;
  H5(H5Lget_info(location, path.c_str(), &info, H5P_DEFAULT));
  napi_value out = call.object();
  call.set(out, "kind", call.string(info.type == H5L_TYPE_HARD ? "hard" : info.type == H5L_TYPE_SOFT ? "soft" : "external"));
  if (info.type == H5L_TYPE_HARD) return out;
  std::string value(info.u.val_size + 1, '\0');
  H5(H5Lget_val(location, path.c_str(), &value[0], value.size(), H5P_DEFAULT));
  const char *file = nullptr, *target = value.c_str();
  if (info.type == H5L_TYPE_EXTERNAL) {
    unsigned flags = 0;
    H5(H5Lunpack_elink_val(value.data(), info.u.val_size, &flags, &file, &target));
    call.set(out, "file", call.string(std::string(file)));
  }
  call.set(out, "target", call.string(std::string(target)));
  return out;
}

inline napi_value linkDelete(Call& call) {
  H5(H5Ldelete(idOf(call, call[0]), call.text(call[1]).c_str(), H5P_DEFAULT));
  return call.undefined();
}

/** (location, path, new path) */
inline napi_value linkMove(Call& call) {
  hid_t location = idOf(call, call[0]);
  H5(H5Lmove(location, call.text(call[1]).c_str(), location, call.text(call[2]).c_str(), linkCreation(), H5P_DEFAULT));
  return call.undefined();
}

/** (location, path, target's location, target's path) */
inline napi_value linkHard(Call& call) {
  H5(H5Olink(Id(H5(H5Oopen(idOf(call, call[2]), call.text(call[3]).c_str(), H5P_DEFAULT))), idOf(call, call[0]),
             call.text(call[1]).c_str(), linkCreation(), H5P_DEFAULT));
  return call.undefined();
}

inline napi_value linkSoft(Call& call) {
  H5(H5Lcreate_soft(call.text(call[2]).c_str(), idOf(call, call[0]), call.text(call[1]).c_str(), linkCreation(), H5P_DEFAULT));
  return call.undefined();
}

/** (location, path, file, target) */
inline napi_value linkExternal(Call& call) {
  H5(H5Lcreate_external(call.text(call[2]).c_str(), call.text(call[3]).c_str(), idOf(call, call[0]), call.text(call[1]).c_str(),
                        linkCreation(), H5P_DEFAULT));
  return call.undefined();
}

/** (source's location, path, target's location, path, flags of H5O_COPY) */
inline napi_value copy(Call& call) {
  Id list(H5(H5Pcreate(H5P_OBJECT_COPY)));
  napi_value options = call[4];
  unsigned flags = 0;
  if (call.flag(call.get(options, "shallow"))) flags |= H5O_COPY_SHALLOW_HIERARCHY_FLAG;
  if (call.flag(call.get(options, "expandSoft"))) flags |= H5O_COPY_EXPAND_SOFT_LINK_FLAG;
  if (call.flag(call.get(options, "expandExternal"))) flags |= H5O_COPY_EXPAND_EXT_LINK_FLAG;
  if (call.flag(call.get(options, "withoutAttributes"))) flags |= H5O_COPY_WITHOUT_ATTR_FLAG;
  H5(H5Pset_copy_object(list, flags));
  H5(H5Ocopy(idOf(call, call[0]), call.text(call[1]).c_str(), idOf(call, call[2]), call.text(call[3]).c_str(), list,
             linkCreation()));
  return call.undefined();
}

/** A type of its own, in no file: its handle. */
inline napi_value typeMake(Call& call) { return call.number(handles().add(makeType(call, call[0]).release())); }

/** (location, path, type) */
inline napi_value typeCommit(Call& call) {
  Id copied(H5(H5Tcopy(idOf(call, call[2]))));
  H5(H5Tcommit2(idOf(call, call[0]), call.text(call[1]).c_str(), copied, linkCreation(), H5P_DEFAULT, H5P_DEFAULT));
  return call.undefined();
}

/** The type of a dataset's or attribute's elements, or of a named type. */
inline napi_value typeOf(Call& call) {
  hid_t id = idOf(call, call[0]);
  switch (H5Iget_type(id)) {
    case H5I_DATASET:
      return describeType(call, Id(H5(H5Dget_type(id))));
    case H5I_ATTR:
      return describeType(call, Id(H5(H5Aget_type(id))));
    default:
      return describeType(call, id);
  }
}
