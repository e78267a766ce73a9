// Calls that all ranks of a communicator make. The communicator is the first argument; each also has a form with a request.
#pragma once
#include <algorithm>

#include "operations.h"

namespace girona {

// The blocking call, or the one with a request.
#define EITHER(call_, blocking, requesting) (call_.async() ? (requesting) : (blocking))

// By reference, because the call in the argument before it writes it.
inline napi_value done(const Call& call, int code, const MPI_Request& request, std::shared_ptr<void> kept = nullptr) {
  if (call.async()) return begun(call, code, request, 1, true, std::move(kept));
  call.failed(code);
  return nullptr;
}

inline napi_value barrier(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  if (!comm) return nullptr;
  MPI_Request request;
  return done(call, EITHER(call, MPI_Barrier(comm->handle), MPI_Ibarrier(comm->handle, &request)), request);
}

// (comm, buffer, root)
inline napi_value broadcast(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  Buffer b;
  if (!comm || !buffer(call, 1, b, "buffer")) return nullptr;
  const int root = call.integer(2);
  if (!validRoot(call, *comm, root)) return nullptr;
  MPI_Request request;
  return done(call,
              EITHER(call, COUNTED(Bcast, b.data, b.count, b.type, root, comm->handle),
                     COUNTED(Ibcast, b.data, b.count, b.type, root, comm->handle, &request)),
              request);
}

// `whole` holds as many parts as there are ranks, each as long as `part`, where that is known.
inline bool divides(const Call& call, const Buffer& whole, int ranks, const Buffer& part, const char* name) {
  if (whole.count % ranks != 0)
    return call.misused(name, ("has " + std::to_string(whole.count) + " elements, which " + std::to_string(ranks) +
                               " ranks cannot share evenly: use the call that ends in v")
                                  .c_str());
  if (!part.inPlace && !part.nothing() && whole.elements / ranks != part.elements)
    return call.misused(name, ("has " + std::to_string(whole.elements) + " elements, but " + std::to_string(ranks) +
                               " ranks with " + std::to_string(part.elements) + " each need " +
                               std::to_string(ranks * part.elements))
                                  .c_str());
  return true;
}

// (comm, whole, part, root)
inline napi_value scatter(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  if (!comm) return nullptr;
  const int root = call.integer(3);
  if (!validRoot(call, *comm, root)) return nullptr;
  const bool isRoot = comm->rank == root;
  Buffer whole, part;
  if (isRoot && !buffer(call, 1, whole, "whole")) return nullptr;
  if (!buffer(call, 2, part, "part", isRoot ? orInPlace : needed) || !match(call, whole, part, "part")) return nullptr;
  if (isRoot && !divides(call, whole, comm->size, part, "whole")) return nullptr;
  void* into = part.inPlace ? MPI_IN_PLACE : part.data;
  const int64_t each = whole.count / comm->size;
  MPI_Request request;
  return done(call,
              EITHER(call,
                     COUNTED_TWICE(Scatter, whole.data, each, whole.type, into, part.count, part.type, root, comm->handle),
                     COUNTED_TWICE(Iscatter, whole.data, each, whole.type, into, part.count, part.type, root, comm->handle,
                                   &request)),
              request);
}

// (comm, part, whole, root)
inline napi_value gather(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  if (!comm) return nullptr;
  const int root = call.integer(3);
  if (!validRoot(call, *comm, root)) return nullptr;
  const bool isRoot = comm->rank == root;
  Buffer whole, part;
  if (isRoot && !buffer(call, 2, whole, "whole")) return nullptr;
  if (!buffer(call, 1, part, "part", isRoot ? orInPlace : needed) || !match(call, part, whole, "whole")) return nullptr;
  if (isRoot && !divides(call, whole, comm->size, part, "whole")) return nullptr;
  const void* from = part.inPlace ? MPI_IN_PLACE : part.data;
  const int64_t each = whole.count / comm->size;
  MPI_Request request;
  return done(call,
              EITHER(call,
                     COUNTED_TWICE(Gather, from, part.count, part.type, whole.data, each, whole.type, root, comm->handle),
                     COUNTED_TWICE(Igather, from, part.count, part.type, whole.data, each, whole.type, root, comm->handle,
                                   &request)),
              request);
}

// (comm, whole, part, root, counts, displacements); in the blocking form, src/mpi asks for partLengths() first.
inline napi_value scatterv(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  if (!comm) return nullptr;
  const int root = call.integer(3);
  if (!validRoot(call, *comm, root)) return nullptr;
  const bool isRoot = comm->rank == root;
  Buffer whole, part;
  if (isRoot && !buffer(call, 1, whole, "whole")) return nullptr;
  if (!buffer(call, 2, part, "part", isRoot ? orInPlace : needed) || !match(call, whole, part, "part")) return nullptr;
  auto parts = std::make_shared<Parts>();
  if (isRoot && !parts->read(call, 4, comm->size, whole, "counts")) return nullptr;
  Fitted into(part.count, part.type);
  void* data = part.inPlace ? MPI_IN_PLACE : part.data;
  MPI_Request request;
  return done(call,
              EITHER(call,
                     MPI_Scatterv(whole.data, parts->counts.data(), parts->starts.data(), isRoot ? parts->type : part.type,
                                  data, into.count, into.type, root, comm->handle),
                     MPI_Iscatterv(whole.data, parts->counts.data(), parts->starts.data(), isRoot ? parts->type : part.type,
                                   data, into.count, into.type, root, comm->handle, &request)),
              request, parts);
}

// (comm, part, whole, root, counts, displacements)
inline napi_value gatherv(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  if (!comm) return nullptr;
  const int root = call.integer(3);
  if (!validRoot(call, *comm, root)) return nullptr;
  const bool isRoot = comm->rank == root;
  Buffer whole, part;
  if (isRoot && !buffer(call, 2, whole, "whole")) return nullptr;
  if (!buffer(call, 1, part, "part", isRoot ? orInPlace : needed) || !match(call, part, whole, "whole")) return nullptr;
  auto parts = std::make_shared<Parts>();
  if (isRoot && !parts->read(call, 4, comm->size, whole, "counts")) return nullptr;
  Fitted from(part.count, part.type);
  const void* data = part.inPlace ? MPI_IN_PLACE : part.data;
  MPI_Request request;
  return done(call,
              EITHER(call,
                     MPI_Gatherv(data, from.count, from.type, whole.data, parts->counts.data(), parts->starts.data(),
                                 isRoot ? parts->type : part.type, root, comm->handle),
                     MPI_Igatherv(data, from.count, from.type, whole.data, parts->counts.data(), parts->starts.data(),
                                  isRoot ? parts->type : part.type, root, comm->handle, &request)),
              request, parts);
}

// partLengths(comm, buffer, root): a Float64Array of each rank's elements, on the root; with root -1 on all.
inline napi_value partLengths(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  Buffer part;
  if (!comm || !buffer(call, 1, part, "part", orInPlace | orNothing)) return nullptr;
  const int root = call.integer(2);
  if (root >= comm->size || root < -1) return validRoot(call, *comm, root), nullptr;
  // In place, the root's own length is unknown to others and needs no check.
  const double mine = part.inPlace || part.nothing() ? -1 : (double)part.elements;
  napi_value memory, array;
  void* data;
  napi_create_arraybuffer(env, sizeof(double) * comm->size, &data, &memory);
  napi_create_typedarray(env, napi_float64_array, comm->size, memory, 0, &array);
  if (call.failed(root < 0 ? MPI_Allgather(&mine, 1, MPI_DOUBLE, data, 1, MPI_DOUBLE, comm->handle)
                           : MPI_Gather(&mine, 1, MPI_DOUBLE, data, 1, MPI_DOUBLE, root, comm->handle)))
    return nullptr;
  return array;
}

// (comm, part, whole)
inline napi_value allgather(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  Buffer part, whole;
  if (!comm || !buffer(call, 1, part, "part", orInPlace) || !buffer(call, 2, whole, "whole") ||
      !match(call, part, whole, "whole") || !divides(call, whole, comm->size, part, "whole"))
    return nullptr;
  const void* from = part.inPlace ? MPI_IN_PLACE : part.data;
  const int64_t each = whole.count / comm->size;
  MPI_Request request;
  return done(call,
              EITHER(call, COUNTED_TWICE(Allgather, from, part.count, part.type, whole.data, each, whole.type, comm->handle),
                     COUNTED_TWICE(Iallgather, from, part.count, part.type, whole.data, each, whole.type, comm->handle,
                                   &request)),
              request);
}

// (comm, part, whole, counts, displacements)
inline napi_value allgatherv(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  Buffer part, whole;
  auto parts = std::make_shared<Parts>();
  if (!comm || !buffer(call, 1, part, "part", orInPlace) || !buffer(call, 2, whole, "whole") ||
      !match(call, part, whole, "whole") || !parts->read(call, 3, comm->size, whole, "counts"))
    return nullptr;
  Fitted from(part.count, part.type);
  const void* data = part.inPlace ? MPI_IN_PLACE : part.data;
  MPI_Request request;
  return done(call,
              EITHER(call,
                     MPI_Allgatherv(data, from.count, from.type, whole.data, parts->counts.data(), parts->starts.data(),
                                    parts->type, comm->handle),
                     MPI_Iallgatherv(data, from.count, from.type, whole.data, parts->counts.data(), parts->starts.data(),
                                     parts->type, comm->handle, &request)),
              request, parts);
}

// (comm, send, receive)
inline napi_value alltoall(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  Buffer s, r;
  if (!comm || !buffer(call, 1, s, "send", orInPlace) || !buffer(call, 2, r, "receive") || !match(call, s, r, "receive"))
    return nullptr;
  if (!divides(call, r, comm->size, Buffer(), "receive") || (!s.inPlace && !divides(call, s, comm->size, Buffer(), "send")))
    return nullptr;
  if (!s.inPlace && s.elements != r.elements) return call.misused("receive", "must be as long as what is sent"), nullptr;
  const void* from = s.inPlace ? MPI_IN_PLACE : s.data;
  const int64_t each = s.count / comm->size, eachReceived = r.count / comm->size;
  MPI_Request request;
  return done(call,
              EITHER(call, COUNTED_TWICE(Alltoall, from, each, s.type, r.data, eachReceived, r.type, comm->handle),
                     COUNTED_TWICE(Ialltoall, from, each, s.type, r.data, eachReceived, r.type, comm->handle, &request)),
              request);
}

// (comm, send, receive, sendCounts, sendDisplacements, receiveCounts, receiveDisplacements)
inline napi_value alltoallv(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  Buffer s, r;
  auto parts = std::make_shared<std::pair<Parts, Parts>>();
  Parts &sent = parts->first, &received = parts->second;
  if (!comm || !buffer(call, 1, s, "send") || !buffer(call, 2, r, "receive") || !match(call, s, r, "receive") ||
      !sent.read(call, 3, comm->size, s, "sendCounts") || !received.read(call, 5, comm->size, r, "receiveCounts"))
    return nullptr;
  MPI_Request request;
  return done(call,
              EITHER(call,
                     MPI_Alltoallv(s.data, sent.counts.data(), sent.starts.data(), sent.type, r.data,
                                   received.counts.data(), received.starts.data(), received.type, comm->handle),
                     MPI_Ialltoallv(s.data, sent.counts.data(), sent.starts.data(), sent.type, r.data,
                                    received.counts.data(), received.starts.data(), received.type, comm->handle, &request)),
              request, parts);
}

// --- among neighbours of a grid: (comm, send, receive)

inline napi_value neighborAllgather(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  Buffer part, whole;
  if (!comm || !buffer(call, 1, part, "part") || !buffer(call, 2, whole, "whole") || !match(call, part, whole, "whole"))
    return nullptr;
  if (whole.elements != comm->neighbors * part.elements)
    return call.misused("whole", ("needs a part for each of the " + std::to_string(comm->neighbors) + " neighbours").c_str()), nullptr;
  const int64_t each = comm->neighbors ? whole.count / comm->neighbors : 0;
  MPI_Request request;
  return done(call,
              EITHER(call,
                     COUNTED_TWICE(Neighbor_allgather, part.data, part.count, part.type, whole.data, each, whole.type,
                                   comm->handle),
                     COUNTED_TWICE(Ineighbor_allgather, part.data, part.count, part.type, whole.data, each, whole.type,
                                   comm->handle, &request)),
              request);
}

inline napi_value neighborAlltoall(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  Buffer s, r;
  if (!comm || !buffer(call, 1, s, "send") || !buffer(call, 2, r, "receive") || !match(call, s, r, "receive")) return nullptr;
  const int neighbors = std::max(1, comm->neighbors);
  if (s.count % neighbors != 0 || s.elements != r.elements)
    return call.misused("send", ("and receive need the same length, with a part for each of the " +
                                 std::to_string(comm->neighbors) + " neighbours")
                                    .c_str()),
           nullptr;
  const int64_t each = s.count / neighbors, eachReceived = r.count / neighbors;
  MPI_Request request;
  return done(call,
              EITHER(call,
                     COUNTED_TWICE(Neighbor_alltoall, s.data, each, s.type, r.data, eachReceived, r.type, comm->handle),
                     COUNTED_TWICE(Ineighbor_alltoall, s.data, each, s.type, r.data, eachReceived, r.type, comm->handle,
                                   &request)),
              request);
}

}  // namespace girona
