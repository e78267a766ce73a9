// What JavaScript holds as numbers: communicators, groups, info. An index is never used twice, so that a freed one is known.
#pragma once
#include "call.h"

#include <vector>

namespace girona {

struct Communicator {
  MPI_Comm handle = MPI_COMM_NULL;
  int rank = 0, size = 0, neighbors = 0;
};
inline std::vector<Communicator> communicators;
inline std::vector<MPI_Group> groups;
inline std::vector<MPI_Info> infos;
inline int largestTag = 32767;

inline int keep(MPI_Comm handle) {
  Communicator made;
  made.handle = handle;
  MPI_Comm_rank(handle, &made.rank);
  MPI_Comm_size(handle, &made.size);
  int topology = MPI_UNDEFINED, dimensions = 0;
  MPI_Topo_test(handle, &topology);
  if (topology == MPI_CART) {
    MPI_Cartdim_get(handle, &dimensions);
    made.neighbors = 2 * dimensions;
  }
  communicators.push_back(made);
  return (int)communicators.size() - 1;
}

inline Communicator* communicatorOf(const Call& call, int number) {
  const uint32_t index = (uint32_t)number;
  if (index < communicators.size() && communicators[index].handle != MPI_COMM_NULL) return &communicators[index];
  call.refuse(MPI_ERR_COMM, "the communicator was freed");
  return nullptr;
}

// The communicator in args[at], or null after throwing.
inline Communicator* communicator(const Call& call, int at) { return communicatorOf(call, call.integer(at)); }

inline bool group(const Call& call, int at, MPI_Group* group) {
  uint32_t index = (uint32_t)call.integer(at);
  if (index >= groups.size() || groups[index] == MPI_GROUP_NULL) return call.refuse(MPI_ERR_GROUP, "the group was freed");
  *group = groups[index];
  return true;
}

// -1 stands for no settings.
inline bool info(const Call& call, int at, MPI_Info* info) {
  int index = call.integer(at);
  *info = MPI_INFO_NULL;
  if (index < 0) return true;
  if (index >= (int)infos.size() || infos[index] == MPI_INFO_NULL) return call.refuse(MPI_ERR_INFO, "the info was freed");
  *info = infos[index];
  return true;
}

inline std::string outOf(const char* what, int value, int size) {
  return std::string(what) + " " + std::to_string(value) + " is none of 0 to " + std::to_string(size - 1) +
         ", the ranks of this communicator";
}

// Libraries may be built without these checks, and then write where they should not.
inline bool validDest(const Call& call, const Communicator& comm, int dest, int tag) {
  if ((uint32_t)dest >= (uint32_t)comm.size && dest != MPI_PROC_NULL)
    return call.refuse(MPI_ERR_RANK, outOf("dest", dest, comm.size).c_str());
  if (tag < 0 || tag > largestTag)
    return call.refuse(MPI_ERR_TAG, ("tag " + std::to_string(tag) + " is not within 0 and " + std::to_string(largestTag) + " (MPI.TAG_UB)").c_str());
  return true;
}
inline bool validSource(const Call& call, const Communicator& comm, int source, int tag) {
  if ((uint32_t)source >= (uint32_t)comm.size && source != MPI_PROC_NULL && source != MPI_ANY_SOURCE)
    return call.refuse(MPI_ERR_RANK, outOf("source", source, comm.size).c_str());
  if ((tag < 0 && tag != MPI_ANY_TAG) || tag > largestTag)
    return call.refuse(MPI_ERR_TAG, ("tag " + std::to_string(tag) + " is not within 0 and " + std::to_string(largestTag) + " (MPI.TAG_UB)").c_str());
  return true;
}
inline bool validRoot(const Call& call, const Communicator& comm, int root) {
  if ((uint32_t)root < (uint32_t)comm.size) return true;
  return call.refuse(MPI_ERR_ROOT, outOf("root", root, comm.size).c_str());
}

}  // namespace girona
