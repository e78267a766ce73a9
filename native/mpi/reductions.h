// Reductions over the ranks. Arguments: communicator, send, receive, operation, then what else the call has.
#pragma once
#include "collectives.h"

namespace girona {

// Elements are combined one by one, so that what is too long for an int is reduced in pieces, where MPI 4 is not there.
constexpr int64_t pieceElements = 1 << 30;

inline void* shifted(const void* data, int64_t elements, int bytes) {
  return data == MPI_IN_PLACE || !data ? (void*)data : (char*)data + elements * bytes;
}

inline void keepRequest(std::nullptr_t, MPI_Request) {}
inline void keepRequest(std::vector<MPI_Request>* requests, MPI_Request request) { requests->push_back(request); }

#if MPI_VERSION >= 4
#define REDUCED(call, requests, from_, into_, n, type_, bytes_, ...)               \
  ((n) <= largestCount ? MPI_##call(from_, into_, (int)(n), type_, __VA_ARGS__) \
                       : MPI_##call##_c(from_, into_, (MPI_Count)(n), type_, __VA_ARGS__))
#else
#define REDUCED(call, requests, from_, into_, n, type_, bytes_, ...)                      \
  ((n) <= largestCount ? MPI_##call(from_, into_, (int)(n), type_, __VA_ARGS__) : [&] { \
    int code_ = MPI_SUCCESS;                                                            \
    const int64_t piece_ = std::min(largestCount, pieceElements);                       \
    for (int64_t at_ = 0; at_ < (n) && code_ == MPI_SUCCESS; at_ += piece_) {           \
      if (at_ > 0) keepRequest(requests, request);                                      \
      code_ = MPI_##call(shifted(from_, at_, bytes_), shifted(into_, at_, bytes_),      \
                         (int)std::min<int64_t>(piece_, (n) - at_), type_, __VA_ARGS__); \
    }                                                                                   \
    return code_;                                                                       \
  }())
#endif

struct Reduction {
  Communicator* comm;
  Buffer from, into;
  MPI_Op op;
  std::vector<MPI_Request> more;

  void* sent() const { return from.inPlace ? MPI_IN_PLACE : from.data; }

  // `receives`: this rank gets a result.
  bool read(const Call& call, bool receives, bool root) {
    if (receives && !buffer(call, 2, into, "receive")) return false;
    if (!buffer(call, 1, from, "send", receives || root ? orInPlace : needed)) return false;
    return match(call, from, into, "receive") && operation(call, 3, from.inPlace ? into : from, &op);
  }
  bool sameLength(const Call& call) const {
    if (from.inPlace || into.nothing() || from.elements == into.elements) return true;
    return call.misused("receive", ("has " + std::to_string(into.elements) + " elements, but " +
                                    std::to_string(from.elements) + " are sent")
                                       .c_str());
  }
  const Buffer& data() const { return from.inPlace ? into : from; }
  int bytes() const { return (int)(data().per() * data().elementBytes()); }
  napi_value ended(const Call& call, int code, const MPI_Request& request) {
    napi_value result = done(call, code, request);
    if (call.async() && result && !more.empty()) {
      int32_t index;
      napi_get_value_int32(call.env, result, &index);
      slots[index].more = std::move(more);
    }
    return result;
  }
};

// (comm, send, receive, op, root)
inline napi_value reduce(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Reduction r;
  if (!(r.comm = communicator(call, 0))) return nullptr;
  const int root = call.integer(4);
  if (!validRoot(call, *r.comm, root)) return nullptr;
  if (!r.read(call, r.comm->rank == root, false) || !r.sameLength(call)) return nullptr;
  const Buffer& data = r.data();
  MPI_Request request;
  return r.ended(call,
                 EITHER(call,
                        REDUCED(Reduce, nullptr, r.sent(), r.into.data, data.count, data.type, r.bytes(), r.op, root,
                                r.comm->handle),
                        REDUCED(Ireduce, &r.more, r.sent(), r.into.data, data.count, data.type, r.bytes(), r.op, root,
                                r.comm->handle, &request)),
                 request);
}

#define REDUCTION(function, call_, icall_)                                                                        \
  inline napi_value function(napi_env env, napi_callback_info info) {                                             \
    Call call(env, info);                                                                                         \
    Reduction r;                                                                                                  \
    if (!(r.comm = communicator(call, 0)) || !r.read(call, true, true) || !r.sameLength(call)) return nullptr;    \
    const Buffer& data = r.into;                                                                                  \
    MPI_Request request;                                                                                          \
    return r.ended(call,                                                                                          \
                   EITHER(call,                                                                                   \
                          REDUCED(call_, nullptr, r.sent(), r.into.data, data.count, data.type, r.bytes(), r.op,     \
                                  r.comm->handle),                                                                \
                          REDUCED(icall_, &r.more, r.sent(), r.into.data, data.count, data.type, r.bytes(), r.op,    \
                                  r.comm->handle, &request)),                                                     \
                   request);                                                                                      \
  }
REDUCTION(allreduceRequest, Allreduce, Iallreduce)
REDUCTION(scan, Scan, Iscan)
REDUCTION(exscan, Exscan, Iexscan)
#undef REDUCTION

// (send, receive), with communicator and operation in callBlock.
inline napi_value allreduce(napi_env env, napi_callback_info info) {
  Call call(env, info, 2);
  Buffer from, into;
  MPI_Op op;
  Communicator* comm = communicatorOf(call, callBlock[0]);
  if (!comm || !buffer(call, 1, into, "receive") || !buffer(call, 0, from, "send", orInPlace) ||
      !match(call, from, into, "receive") || !operationOf(call, callBlock[1], into, &op))
    return nullptr;
  if (!from.inPlace && from.elements != into.elements)
    return call.misused("receive", ("has " + std::to_string(into.elements) + " elements, but " +
                                    std::to_string(from.elements) + " are sent").c_str()), nullptr;
  const void* sent = from.inPlace ? MPI_IN_PLACE : from.data;
  [[maybe_unused]] MPI_Request request = MPI_REQUEST_NULL;
  call.failed(REDUCED(Allreduce, nullptr, sent, into.data, into.count, into.type, (int)(into.per() * into.elementBytes()), op,
                      comm->handle));
  return nullptr;
}

// (comm, send, receive, op): equal parts.
inline napi_value reduceScatterBlock(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Reduction r;
  if (!(r.comm = communicator(call, 0)) || !r.read(call, true, true)) return nullptr;
  const int size = r.comm->size;
  if (r.from.inPlace ? r.into.count % size != 0 : r.from.elements != r.into.elements * size)
    return call.misused("receive", r.from.inPlace ? "must hold a part for each rank" : "must be as long as what is sent, divided by the number of ranks"), nullptr;
  const int64_t each = r.from.inPlace ? r.into.count / size : r.into.count;
  if (each > std::numeric_limits<int>::max())
    return call.refuse(MPI_ERR_COUNT, "more than 2^31 elements for a rank: reduce in pieces"), nullptr;
  MPI_Request request;
  return r.ended(call,
                 EITHER(call, MPI_Reduce_scatter_block(r.sent(), r.into.data, (int)each, r.into.type, r.op, r.comm->handle),
                        MPI_Ireduce_scatter_block(r.sent(), r.into.data, (int)each, r.into.type, r.op, r.comm->handle,
                                                  &request)),
                 request);
}

// (comm, send, receive, op, counts)
inline napi_value reduceScatter(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Reduction r;
  if (!(r.comm = communicator(call, 0)) || !r.read(call, true, true)) return nullptr;
  size_t length;
  const double* given = call.numbers(4, &length);
  if (!given || (int)length != r.comm->size) return call.misused("counts", "must have one number for each rank"), nullptr;
  auto counts = std::make_shared<std::vector<int>>();
  double total = 0;
  for (size_t rank = 0; rank < length; rank++) {
    total += given[rank];
    if (given[rank] > std::numeric_limits<int>::max())
      return call.refuse(MPI_ERR_COUNT, "more than 2^31 elements for a rank: reduce in pieces"), nullptr;
    counts->push_back((int)given[rank]);
  }
  if (r.data().count != (int64_t)total)
    return call.misused("counts", ("add up to " + std::to_string((int64_t)total) + ", but there are " +
                                   std::to_string(r.data().count) + " elements to reduce")
                                      .c_str()),
           nullptr;
  if (!r.from.inPlace && r.into.count < counts->at(r.comm->rank))
    return call.misused("receive", "is shorter than this rank's count"), nullptr;
  MPI_Request request;
  const int code =
      EITHER(call, MPI_Reduce_scatter(r.sent(), r.into.data, counts->data(), r.into.type, r.op, r.comm->handle),
             MPI_Ireduce_scatter(r.sent(), r.into.data, counts->data(), r.into.type, r.op, r.comm->handle, &request));
  return done(call, code, request, counts);
}

}  // namespace girona
