// The MPI addon: each function that src/mpi/native.ts names, once. Raw N-API, because a call costs 60 ns then.
#ifndef NAPI_VERSION
#define NAPI_VERSION 8
#endif
// Not the C++ bindings of old: they need a library of their own.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include "lifecycle.h"
#include "point_to_point.h"

namespace girona {

// The name is the operation's, as errors tell it; `async` picks the form with a request.
struct Entry {
  const char* property;
  Operation operation;
};

static Entry entries[] = {
    {"initialize", {"Init", initialize, false}},
    {"abort", {"Abort", abortAll, false}},
    {"setExitCode", {"Finalize", setExitCode, false}},
    {"wtime", {"Wtime", wtime, false}},
    {"wtick", {"Wtick", wtick, false}},
    {"setLargest", {"setLargest", setLargest, false}},

    {"send", {"Send", sendNow, false}},
    {"isend", {"Isend", sendRequest, true}},
    {"ssend", {"Ssend", ssend, false}},
    {"issend", {"Issend", ssendRequest, true}},
    {"recv", {"Recv", receive, false}},
    {"irecv", {"Irecv", receiveRequest, true}},
    {"sendrecv", {"Sendrecv", sendReceive, false}},
    {"sendrecvReplace", {"Sendrecv_replace", exchange, false}},
    {"probe", {"Probe", probe, false}},
    {"iprobe", {"Iprobe", probe, true}},
    {"mprobe", {"Mprobe", matchedProbe, false}},
    {"improbe", {"Improbe", matchedProbe, true}},
    {"mrecv", {"Message.Recv", matchedReceive, false}},
    {"imrecv", {"Message.Irecv", matchedReceive, true}},

    {"test", {"test", testRequest, false}},
    {"spin", {"wait", spinRequest, false}},
    {"wait", {"wait", waitRequest, false}},
    {"cancel", {"cancel", cancelRequest, false}},

    {"barrier", {"Barrier", barrier, false}},
    {"ibarrier", {"Ibarrier", barrier, true}},
    {"bcast", {"Bcast", broadcast, false}},
    {"ibcast", {"Ibcast", broadcast, true}},
    {"scatter", {"Scatter", scatter, false}},
    {"iscatter", {"Iscatter", scatter, true}},
    {"scatterv", {"Scatterv", scatterv, false}},
    {"iscatterv", {"Iscatterv", scatterv, true}},
    {"gather", {"Gather", gather, false}},
    {"igather", {"Igather", gather, true}},
    {"gatherv", {"Gatherv", gatherv, false}},
    {"igatherv", {"Igatherv", gatherv, true}},
    {"partLengths", {"Gather", partLengths, false}},
    {"allgather", {"Allgather", allgather, false}},
    {"iallgather", {"Iallgather", allgather, true}},
    {"allgatherv", {"Allgatherv", allgatherv, false}},
    {"iallgatherv", {"Iallgatherv", allgatherv, true}},
    {"alltoall", {"Alltoall", alltoall, false}},
    {"ialltoall", {"Ialltoall", alltoall, true}},
    {"alltoallv", {"Alltoallv", alltoallv, false}},
    {"ialltoallv", {"Ialltoallv", alltoallv, true}},
    {"neighborAllgather", {"Neighbor_allgather", neighborAllgather, false}},
    {"ineighborAllgather", {"Ineighbor_allgather", neighborAllgather, true}},
    {"neighborAlltoall", {"Neighbor_alltoall", neighborAlltoall, false}},
    {"ineighborAlltoall", {"Ineighbor_alltoall", neighborAlltoall, true}},

    {"reduce", {"Reduce", reduce, false}},
    {"ireduce", {"Ireduce", reduce, true}},
    {"allreduce", {"Allreduce", allreduce, false}},
    {"iallreduce", {"Iallreduce", allreduceRequest, true}},
    {"scan", {"Scan", scan, false}},
    {"iscan", {"Iscan", scan, true}},
    {"exscan", {"Exscan", exscan, false}},
    {"iexscan", {"Iexscan", exscan, true}},
    {"reduceScatter", {"Reduce_scatter", reduceScatter, false}},
    {"ireduceScatter", {"Ireduce_scatter", reduceScatter, true}},
    {"reduceScatterBlock", {"Reduce_scatter_block", reduceScatterBlock, false}},
    {"ireduceScatterBlock", {"Ireduce_scatter_block", reduceScatterBlock, true}},
    {"createOperation", {"op", createOperation, false}},
    {"freeOperation", {"op", freeOperation, false}},

    {"sendValue", {"send", sendValue, false}},
    {"receiveValue", {"recv", receiveValue, false}},
    {"exchangeValue", {"sendrecv", exchangeValue, false}},
    {"broadcastValue", {"bcast", broadcastValue, false}},
    {"gatherValues", {"gather", gatherValues, false}},
    {"scatterValues", {"scatter", scatterValues, false}},
    {"alltoallValues", {"alltoall", alltoallValues, false}},

    {"commRank", {"rank", commRank, false}},
    {"commSize", {"size", commSize, false}},
    {"commHandle", {"handle", commHandle, false}},
    {"commSplit", {"split", commSplit, false}},
    {"commSplitShared", {"splitShared", commSplitShared, false}},
    {"commDup", {"dup", commDup, false}},
    {"commCreate", {"create", commCreate, false}},
    {"commCreateGroup", {"createGroup", commCreateGroup, false}},
    {"commCompare", {"compare", commCompare, false}},
    {"commFree", {"free", commFree, false}},
    {"commName", {"name", commName, false}},
    {"setCommName", {"name", setCommName, false}},
    {"commGroup", {"group", commGroup, false}},

    {"groupSize", {"Group.size", groupSize, false}},
    {"groupRank", {"Group.rank", groupRank, false}},
    {"groupChoose", {"Group.include", groupChoose, false}},
    {"groupCombine", {"Group.union", groupCombine, false}},
    {"groupTranslate", {"Group.translate", groupTranslate, false}},
    {"groupCompare", {"Group.compare", groupCompare, false}},
    {"groupFree", {"Group.free", groupFree, false}},

    {"cartCreate", {"createCart", cartCreate, false}},
    {"cartSub", {"sub", cartSub, false}},
    {"cartGet", {"createCart", cartGet, false}},
    {"cartCoords", {"coordsOf", cartCoords, false}},
    {"cartRank", {"rankOf", cartRank, false}},
    {"cartShift", {"shift", cartShift, false}},
    {"dimensions", {"dims", dimensions, false}},

    {"infoCreate", {"info", infoCreate, false}},
    {"infoHandle", {"info", infoHandle, false}},
    {"infoSet", {"Info.set", infoSet, false}},
    {"infoGet", {"Info.get", infoGet, false}},
    {"infoDelete", {"Info.delete", infoDelete, false}},
    {"infoKeys", {"Info.keys", infoKeys, false}},
    {"infoFree", {"Info.free", infoFree, false}},

    {"winAllocate", {"Win.allocate", winAllocate, false}},
    {"winCreate", {"Win.create", winCreate, false}},
    {"winLengths", {"Win.lengths", winLengths, false}},
    {"winKind", {"Win.kind", winKind, false}},
    {"winShared", {"Win.memoryOf", winShared, false}},
    {"winSync", {"Win synchronisation", winSync, false}},
    {"winName", {"Win.name", winName, false}},
    {"winFree", {"Win.free", winFree, false}},
    {"put", {"Put", put, false}},
    {"rput", {"Rput", put, true}},
    {"get", {"Get", get, false}},
    {"rget", {"Rget", get, true}},
    {"accumulate", {"Accumulate", accumulate, false}},
    {"getAccumulate", {"Get_accumulate", getAccumulate, false}},
    {"fetchAndOp", {"Fetch_and_op", fetchAndOp, false}},
    {"compareAndSwap", {"Compare_and_swap", compareAndSwap, false}},

    {"createLayout", {"datatype", createLayout, false}},
    {"freeLayout", {"datatype", freeLayout, false}},
};

}  // namespace girona

NAPI_MODULE_INIT() {
  for (girona::Entry& entry : girona::entries) {
    napi_value function;
    napi_create_function(env, entry.property, NAPI_AUTO_LENGTH, entry.operation.callback, &entry.operation, &function);
    napi_set_named_property(env, exports, entry.property, function);
  }
  return exports;
}
