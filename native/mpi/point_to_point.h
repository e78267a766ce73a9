// Messages from one rank to another. Arguments: buffer, peer, tag, communicator; Send and Recv have the last three in
// callBlock.
#pragma once
#include "requests.h"

namespace girona {

#define SENDING(function, mpi, requesting)                                                         \
  inline napi_value function(napi_env env, napi_callback_info info) {                              \
    Call call(env, info);                                                                          \
    Buffer b;                                                                                      \
    Communicator* comm = communicator(call, 3);                                                    \
    if (!comm || !buffer(call, 0, b, "buffer")) return nullptr;                                    \
    const int dest = call.peer = call.integer(1), tag = call.integer(2);                           \
    if (!validDest(call, *comm, dest, tag)) return nullptr;                                        \
    call.failed(COUNTED(mpi, b.data, b.count, b.type, dest, tag, comm->handle));                   \
    return nullptr;                                                                                \
  }                                                                                                \
  inline napi_value function##Request(napi_env env, napi_callback_info info) {                     \
    Call call(env, info);                                                                          \
    Buffer b;                                                                                      \
    Communicator* comm = communicator(call, 3);                                                    \
    if (!comm || !buffer(call, 0, b, "buffer")) return nullptr;                                    \
    const int dest = call.peer = call.integer(1), tag = call.integer(2);                           \
    if (!validDest(call, *comm, dest, tag)) return nullptr;                                        \
    MPI_Request request;                                                                           \
    const int code = COUNTED(requesting, b.data, b.count, b.type, dest, tag, comm->handle, &request);  \
    return begun(call, code, request, b.elementBytes(), false);                                    \
  }
SENDING(send, Send, Isend)
SENDING(ssend, Ssend, Issend)
#undef SENDING

inline napi_value sendNow(napi_env env, napi_callback_info info) {
  Call call(env, info, 1);
  Buffer b;
  Communicator* comm = communicatorOf(call, callBlock[2]);
  if (!comm || !buffer(call, 0, b, "buffer")) return nullptr;
  const int dest = call.peer = callBlock[0], tag = callBlock[1];
  if (!validDest(call, *comm, dest, tag)) return nullptr;
  call.failed(COUNTED(Send, b.data, b.count, b.type, dest, tag, comm->handle));
  return nullptr;
}

inline napi_value receive(napi_env env, napi_callback_info info) {
  Call call(env, info, 1);
  Buffer b;
  Communicator* comm = communicatorOf(call, callBlock[2]);
  if (!comm || !buffer(call, 0, b, "buffer")) return nullptr;
  const int source = call.peer = callBlock[0], tag = callBlock[1];
  if (!validSource(call, *comm, source, tag)) return nullptr;
  MPI_Status status;
  if (call.failed(COUNTED(Recv, b.data, b.count, b.type, source, tag, comm->handle, &status))) return nullptr;
  writeStatus(status, b.elementBytes());
  return nullptr;
}

inline napi_value receiveRequest(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Buffer b;
  Communicator* comm = communicator(call, 3);
  if (!comm || !buffer(call, 0, b, "buffer")) return nullptr;
  const int source = call.peer = call.integer(1), tag = call.integer(2);
  if (!validSource(call, *comm, source, tag)) return nullptr;
  MPI_Request request;
  const int code = COUNTED(Irecv, b.data, b.count, b.type, source, tag, comm->handle, &request);
  return begun(call, code, request, b.elementBytes(), false);
}

// sendReceive(send, dest, tag, communicator, receive, source, tag)
inline napi_value sendReceive(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Buffer s, r;
  Communicator* comm = communicator(call, 3);
  if (!comm || !buffer(call, 0, s, "send") || !buffer(call, 4, r, "receive")) return nullptr;
  const int dest = call.peer = call.integer(1), tag = call.integer(2);
  const int source = call.integer(5), receiveTag = call.integer(6);
  if (!validDest(call, *comm, dest, tag) || !validSource(call, *comm, source, receiveTag)) return nullptr;
  Fitted sent(s.count, s.type), received(r.count, r.type);
  MPI_Status status;
  if (call.failed(MPI_Sendrecv(s.data, sent.count, sent.type, dest, tag, r.data, received.count, received.type, source,
                               receiveTag, comm->handle, &status)))
    return nullptr;
  writeStatus(status, r.elementBytes());
  return nullptr;
}

// exchange(buffer, dest, tag, communicator, source, tag): what is received takes the place of what is sent.
inline napi_value exchange(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Buffer b;
  Communicator* comm = communicator(call, 3);
  if (!comm || !buffer(call, 0, b, "buffer")) return nullptr;
  const int dest = call.peer = call.integer(1), tag = call.integer(2);
  const int source = call.integer(4), receiveTag = call.integer(5);
  if (!validDest(call, *comm, dest, tag) || !validSource(call, *comm, source, receiveTag)) return nullptr;
  MPI_Status status;
  if (call.failed(COUNTED(Sendrecv_replace, b.data, b.count, b.type, dest, tag, source, receiveTag, comm->handle, &status)))
    return nullptr;
  writeStatus(status, b.elementBytes());
  return nullptr;
}

// --- probes: source, tag, communicator. The status is in bytes.

inline napi_value probe(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 2);
  if (!comm) return nullptr;
  const int source = call.peer = call.integer(0), tag = call.integer(1);
  if (!validSource(call, *comm, source, tag)) return nullptr;
  MPI_Status status;
  int found = 1;
  if (call.failed(call.async() ? MPI_Iprobe(source, tag, comm->handle, &found, &status)
                               : MPI_Probe(source, tag, comm->handle, &status)))
    return nullptr;
  if (found) writeStatus(status, 1);
  return call.result((bool)found);
}

inline std::vector<MPI_Message> messages;
inline std::vector<int> freeMessages;

// The message's number, or -1 when there is none.
inline napi_value matchedProbe(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 2);
  if (!comm) return nullptr;
  const int source = call.peer = call.integer(0), tag = call.integer(1);
  if (!validSource(call, *comm, source, tag)) return nullptr;
  MPI_Status status;
  MPI_Message message;
  int found = 1;
  if (call.failed(call.async() ? MPI_Improbe(source, tag, comm->handle, &found, &message, &status)
                               : MPI_Mprobe(source, tag, comm->handle, &message, &status)))
    return nullptr;
  if (!found) return call.result(-1);
  writeStatus(status, 1);
  int index = (int)messages.size();
  if (freeMessages.empty()) {
    messages.push_back(message);
  } else {
    index = freeMessages.back();
    freeMessages.pop_back();
    messages[index] = message;
  }
  return call.result(index);
}

// matchedReceive(buffer, message, source)
inline napi_value matchedReceive(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Buffer b;
  if (!buffer(call, 0, b, "buffer")) return nullptr;
  const int index = call.integer(1);
  call.peer = call.integer(2);
  MPI_Message message = messages[index];
  freeMessages.push_back(index);
  if (call.async()) {
    MPI_Request request;
    const int code = COUNTED(Imrecv, b.data, b.count, b.type, &message, &request);
    return begun(call, code, request, b.elementBytes(), false);
  }
  MPI_Status status;
  if (call.failed(COUNTED(Mrecv, b.data, b.count, b.type, &message, &status))) return nullptr;
  writeStatus(status, b.elementBytes());
  return nullptr;
}

}  // namespace girona
