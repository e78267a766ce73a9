// Communicators, groups, grids, info: how they are made, compared and given back.
#pragma once
#include "reductions.h"

namespace girona {

// By reference, because the call in the argument before it writes it.
inline napi_value madeComm(const Call& call, int code, const MPI_Comm& handle) {
  if (call.failed(code)) return nullptr;
  return call.result(handle == MPI_COMM_NULL ? -1 : keep(handle));
}
inline napi_value madeGroup(const Call& call, int code, const MPI_Group& group) {
  if (call.failed(code)) return nullptr;
  groups.push_back(group);
  return call.result((int)groups.size() - 1);
}

inline napi_value commRank(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  return comm ? call.result(comm->rank) : nullptr;
}
inline napi_value commSize(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  return comm ? call.result(comm->size) : nullptr;
}

// The handle as MPI gives it to other languages, for other addons of this package.
inline napi_value commHandle(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  if (!comm) return nullptr;
#ifdef MPI_ABI
  return call.result(MPI_Comm_toint(comm->handle));
#else
  return call.result((int)MPI_Comm_c2f(comm->handle));
#endif
}

// (comm, color, key); color -1 leaves the caller out.
inline napi_value commSplit(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  if (!comm) return nullptr;
  const int color = call.integer(1);
  MPI_Comm handle = MPI_COMM_NULL;
  return madeComm(call, MPI_Comm_split(comm->handle, color < 0 ? MPI_UNDEFINED : color, call.integer(2), &handle), handle);
}
inline napi_value commSplitShared(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  if (!comm) return nullptr;
  MPI_Comm handle = MPI_COMM_NULL;
  return madeComm(call, MPI_Comm_split_type(comm->handle, MPI_COMM_TYPE_SHARED, call.integer(1), MPI_INFO_NULL, &handle), handle);
}
inline napi_value commDup(napi_env env, napi_callback_info info_) {
  Call call(env, info_);
  Communicator* comm = communicator(call, 0);
  MPI_Info settings;
  if (!comm || !info(call, 1, &settings)) return nullptr;
  MPI_Comm handle = MPI_COMM_NULL;
  return madeComm(call, settings == MPI_INFO_NULL ? MPI_Comm_dup(comm->handle, &handle)
                                              : MPI_Comm_dup_with_info(comm->handle, settings, &handle),
              handle);
}
// (comm, group)
inline napi_value commCreate(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  MPI_Group members;
  if (!comm || !group(call, 1, &members)) return nullptr;
  MPI_Comm handle = MPI_COMM_NULL;
  return madeComm(call, MPI_Comm_create(comm->handle, members, &handle), handle);
}
// (comm, group, tag)
inline napi_value commCreateGroup(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  MPI_Group members;
  if (!comm || !group(call, 1, &members)) return nullptr;
  int rank;
  MPI_Group_rank(members, &rank);
  if (rank == MPI_UNDEFINED) return call.result(-1);
  MPI_Comm handle = MPI_COMM_NULL;
  return madeComm(call, MPI_Comm_create_group(comm->handle, members, call.integer(2), &handle), handle);
}
inline napi_value commCompare(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator *a = communicator(call, 0), *b = a ? communicator(call, 1) : nullptr;
  if (!b) return nullptr;
  int result;
  if (call.failed(MPI_Comm_compare(a->handle, b->handle, &result))) return nullptr;
  return call.result(result == MPI_IDENT ? 0 : result == MPI_CONGRUENT ? 1 : result == MPI_SIMILAR ? 2 : 3);
}
inline napi_value commFree(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  if (!comm) return nullptr;
  if (call.integer(0) < 2)
    return call.refuse(MPI_ERR_COMM, "COMM_WORLD and COMM_SELF cannot be freed"), nullptr;
  call.failed(MPI_Comm_free(&comm->handle));
  comm->handle = MPI_COMM_NULL;
  return nullptr;
}
inline napi_value commName(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  if (!comm) return nullptr;
  char name[MPI_MAX_OBJECT_NAME + 1];
  int length = 0;
  if (call.failed(MPI_Comm_get_name(comm->handle, name, &length))) return nullptr;
  return call.result(name, length);
}
inline napi_value setCommName(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  if (comm) call.failed(MPI_Comm_set_name(comm->handle, call.text(1).substr(0, MPI_MAX_OBJECT_NAME - 1).c_str()));
  return nullptr;
}
inline napi_value commGroup(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  if (!comm) return nullptr;
  MPI_Group members;
  const int code = MPI_Comm_group(comm->handle, &members);
  return madeGroup(call, code, members);
}

// --- groups

inline bool ranksOf(const Call& call, int at, std::vector<int>* ranks) {
  size_t length;
  const double* given = call.numbers(at, &length);
  for (size_t i = 0; given && i < length; i++) ranks->push_back((int)given[i]);
  return true;
}
// groupSize(group), groupRank(group): -1 when this process is not in it.
inline napi_value groupSize(napi_env env, napi_callback_info info) {
  Call call(env, info);
  MPI_Group members;
  int size = 0;
  if (!group(call, 0, &members) || call.failed(MPI_Group_size(members, &size))) return nullptr;
  return call.result(size);
}
inline napi_value groupRank(napi_env env, napi_callback_info info) {
  Call call(env, info);
  MPI_Group members;
  int rank = 0;
  if (!group(call, 0, &members) || call.failed(MPI_Group_rank(members, &rank))) return nullptr;
  return call.result(rank == MPI_UNDEFINED ? -1 : rank);
}
// groupChoose(group, ranks, exclude)
inline napi_value groupChoose(napi_env env, napi_callback_info info) {
  Call call(env, info);
  MPI_Group members, chosen;
  std::vector<int> ranks;
  if (!group(call, 0, &members) || !ranksOf(call, 1, &ranks)) return nullptr;
  int size = 0;
  MPI_Group_size(members, &size);
  std::vector<bool> seen(size);
  for (int rank : ranks) {
    if (rank < 0 || rank >= size)
      return call.refuse(MPI_ERR_RANK, ("rank " + std::to_string(rank) + " is not in the group").c_str()), nullptr;
    if (seen[rank]) return call.refuse(MPI_ERR_RANK, ("rank " + std::to_string(rank) + " is there twice").c_str()), nullptr;
    seen[rank] = true;
  }
  const int code = call.boolean(2) ? MPI_Group_excl(members, (int)ranks.size(), ranks.data(), &chosen)
                                   : MPI_Group_incl(members, (int)ranks.size(), ranks.data(), &chosen);
  return madeGroup(call, code, chosen);
}
// groupCombine(a, b, which): 0 union, 1 intersection, 2 difference
inline napi_value groupCombine(napi_env env, napi_callback_info info) {
  Call call(env, info);
  MPI_Group a, b, combined;
  if (!group(call, 0, &a) || !group(call, 1, &b)) return nullptr;
  const int which = call.integer(2);
  const int code = which == 0   ? MPI_Group_union(a, b, &combined)
                   : which == 1 ? MPI_Group_intersection(a, b, &combined)
                                : MPI_Group_difference(a, b, &combined);
  return madeGroup(call, code, combined);
}
// groupTranslate(group, ranks, other): a Float64Array, -1 for those that are not in it.
inline napi_value groupTranslate(napi_env env, napi_callback_info info) {
  Call call(env, info);
  MPI_Group a, b;
  std::vector<int> ranks;
  if (!group(call, 0, &a) || !ranksOf(call, 1, &ranks) || !group(call, 2, &b)) return nullptr;
  int size = 0;
  MPI_Group_size(a, &size);
  for (int rank : ranks)
    if ((rank < 0 || rank >= size) && rank != MPI_PROC_NULL)
      return call.refuse(MPI_ERR_RANK, ("rank " + std::to_string(rank) + " is not in the group").c_str()), nullptr;
  std::vector<int> found(ranks.size());
  if (call.failed(MPI_Group_translate_ranks(a, (int)ranks.size(), ranks.data(), b, found.data()))) return nullptr;
  napi_value list;
  napi_create_array_with_length(env, found.size(), &list);
  for (size_t i = 0; i < found.size(); i++)
    napi_set_element(env, list, (uint32_t)i, call.result(found[i] == MPI_UNDEFINED ? -1 : found[i]));
  return list;
}
inline napi_value groupCompare(napi_env env, napi_callback_info info) {
  Call call(env, info);
  MPI_Group a, b;
  int result;
  if (!group(call, 0, &a) || !group(call, 1, &b) || call.failed(MPI_Group_compare(a, b, &result))) return nullptr;
  return call.result(result == MPI_IDENT ? 0 : result == MPI_SIMILAR ? 2 : 3);
}
inline napi_value groupFree(napi_env env, napi_callback_info info) {
  Call call(env, info);
  MPI_Group members;
  if (!group(call, 0, &members)) return nullptr;
  groups[call.integer(0)] = MPI_GROUP_NULL;
  // The empty group is MPI's own.
  if (members != MPI_GROUP_EMPTY) call.failed(MPI_Group_free(&members));
  return nullptr;
}

// --- grids

// cartCreate(comm, dims, periods, reorder); lists are Float64Arrays
inline napi_value cartCreate(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  std::vector<int> dims, periods;
  if (!comm || !ranksOf(call, 1, &dims) || !ranksOf(call, 2, &periods)) return nullptr;
  MPI_Comm handle = MPI_COMM_NULL;
  return madeComm(call,
              MPI_Cart_create(comm->handle, (int)dims.size(), dims.data(), periods.data(), call.boolean(3), &handle), handle);
}
// cartSub(comm, keep)
inline napi_value cartSub(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  std::vector<int> kept;
  if (!comm || !ranksOf(call, 1, &kept)) return nullptr;
  MPI_Comm handle = MPI_COMM_NULL;
  return madeComm(call, MPI_Cart_sub(comm->handle, kept.data(), &handle), handle);
}
// cartGet(comm): dims, then periods, then coordinates
inline napi_value cartGet(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  if (!comm) return nullptr;
  const int n = comm->neighbors / 2;
  std::vector<int> all(3 * n + 1);
  if (call.failed(MPI_Cart_get(comm->handle, n, all.data(), all.data() + n, all.data() + 2 * n))) return nullptr;
  napi_value list;
  napi_create_array_with_length(env, 3 * n, &list);
  for (int i = 0; i < 3 * n; i++) napi_set_element(env, list, i, call.result(all[i]));
  return list;
}
// cartCoords(comm, rank)
inline napi_value cartCoords(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  if (!comm) return nullptr;
  const int n = comm->neighbors / 2, rank = call.integer(1);
  if (rank < 0 || rank >= comm->size) return call.refuse(MPI_ERR_RANK, outOf("rank", rank, comm->size).c_str()), nullptr;
  std::vector<int> coords(n + 1);
  if (call.failed(MPI_Cart_coords(comm->handle, rank, n, coords.data()))) return nullptr;
  napi_value list;
  napi_create_array_with_length(env, n, &list);
  for (int i = 0; i < n; i++) napi_set_element(env, list, i, call.result(coords[i]));
  return list;
}
// cartRank(comm, coords)
inline napi_value cartRank(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  std::vector<int> coords;
  int rank = 0;
  if (!comm || !ranksOf(call, 1, &coords) || call.failed(MPI_Cart_rank(comm->handle, coords.data(), &rank))) return nullptr;
  return call.result(rank);
}
// cartShift(comm, dimension, displacement): [source, dest]
inline napi_value cartShift(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  int source, dest;
  if (!comm || call.failed(MPI_Cart_shift(comm->handle, call.integer(1), call.integer(2), &source, &dest))) return nullptr;
  napi_value list;
  napi_create_array_with_length(env, 2, &list);
  napi_set_element(env, list, 0, call.result(source));
  napi_set_element(env, list, 1, call.result(dest));
  return list;
}
// dimensions(ranks, dims): fills in those that are 0
inline napi_value dimensions(napi_env env, napi_callback_info info) {
  Call call(env, info);
  std::vector<int> dims;
  if (!ranksOf(call, 1, &dims)) return nullptr;
  if (call.failed(MPI_Dims_create(call.integer(0), (int)dims.size(), dims.data()))) return nullptr;
  napi_value list;
  napi_create_array_with_length(env, dims.size(), &list);
  for (size_t i = 0; i < dims.size(); i++) napi_set_element(env, list, (uint32_t)i, call.result(dims[i]));
  return list;
}

// --- info

inline napi_value infoCreate(napi_env env, napi_callback_info info_) {
  Call call(env, info_);
  MPI_Info made = MPI_INFO_NULL, old;
  if (!info(call, 0, &old)) return nullptr;
  if (call.failed(old == MPI_INFO_NULL ? MPI_Info_create(&made) : MPI_Info_dup(old, &made))) return nullptr;
  infos.push_back(made);
  return call.result((int)infos.size() - 1);
}
inline napi_value infoHandle(napi_env env, napi_callback_info info_) {
  Call call(env, info_);
  MPI_Info settings;
  if (!info(call, 0, &settings)) return nullptr;
#ifdef MPI_ABI
  return call.result(MPI_Info_toint(settings));
#else
  return call.result((int)MPI_Info_c2f(settings));
#endif
}
inline napi_value infoSet(napi_env env, napi_callback_info info_) {
  Call call(env, info_);
  MPI_Info settings;
  if (info(call, 0, &settings)) call.failed(MPI_Info_set(settings, call.text(1).c_str(), call.text(2).c_str()));
  return nullptr;
}
inline napi_value infoGet(napi_env env, napi_callback_info info_) {
  Call call(env, info_);
  MPI_Info settings;
  if (!info(call, 0, &settings)) return nullptr;
  const std::string key = call.text(1);
  int length = 0, found = 0;
  if (key.size() >= MPI_MAX_INFO_KEY || call.failed(MPI_Info_get_valuelen(settings, key.c_str(), &length, &found)) || !found)
    return nullptr;
  std::string value(length + 1, '\0');
  if (call.failed(MPI_Info_get(settings, key.c_str(), length, value.data(), &found))) return nullptr;
  return call.result(value.c_str());
}
inline napi_value infoDelete(napi_env env, napi_callback_info info_) {
  Call call(env, info_);
  MPI_Info settings;
  if (info(call, 0, &settings)) call.failed(MPI_Info_delete(settings, call.text(1).c_str()));
  return nullptr;
}
inline napi_value infoKeys(napi_env env, napi_callback_info info_) {
  Call call(env, info_);
  MPI_Info settings;
  int count = 0;
  if (!info(call, 0, &settings) || call.failed(MPI_Info_get_nkeys(settings, &count))) return nullptr;
  napi_value list;
  napi_create_array_with_length(env, count, &list);
  for (int i = 0; i < count; i++) {
    char key[MPI_MAX_INFO_KEY + 1];
    if (call.failed(MPI_Info_get_nthkey(settings, i, key))) return nullptr;
    napi_set_element(env, list, i, call.result(key));
  }
  return list;
}
inline napi_value infoFree(napi_env env, napi_callback_info info_) {
  Call call(env, info_);
  MPI_Info settings;
  if (!info(call, 0, &settings)) return nullptr;
  infos[call.integer(0)] = MPI_INFO_NULL;
  call.failed(MPI_Info_free(&settings));
  return nullptr;
}

}  // namespace girona
