// Messages of any length, for the lower-case calls: src/mpi/codec.ts makes bytes of values, and values of bytes.
#pragma once
#include <cstring>
#include "windows.h"

namespace girona {

// Bytes to send: the first `length` of one array, then whole arrays that lie elsewhere, each from a multiple of 8 on.
struct Bytes {
  void* data = nullptr;
  int64_t total = 0;
  int64_t count = 0;
  MPI_Datatype type = MPI_UINT8_T;
  bool own = false;
  std::vector<int> lengths;
  std::vector<MPI_Aint> addresses;

  ~Bytes() {
    if (own) MPI_Type_free(&type);
  }
  Bytes() = default;
  Bytes(const Bytes&) = delete;

  void copyTo(char* to) const {
    if (!own) std::memcpy(to, data, (size_t)total);
    for (size_t i = 0; i < lengths.size(); i++) {
      std::memcpy(to, (const char*)addresses[i], (size_t)lengths[i]);
      to += lengths[i];
    }
  }

  // args[at]: Uint8Array, args[at + 1]: its length, args[at + 2]: an array of Uint8Arrays, or undefined.
  bool read(const Call& call, int at) {
    Buffer head;
    if (!buffer(call, at, head, "value")) return false;
    data = head.data;
    total = count = (int64_t)call.number(at + 1);
    bool isArray = false;
    napi_is_array(call.env, call.args[at + 2], &isArray);
    if (!isArray) return true;
    uint32_t length = 0;
    napi_get_array_length(call.env, call.args[at + 2], &length);
    static const char zeros[8] = {};
    auto append = [&](const void* from, int64_t bytes) {
      for (int64_t done = 0; done < bytes; done += 1 << 30) {
        MPI_Aint address;
        MPI_Get_address((const char*)from + done, &address);
        lengths.push_back((int)std::min<int64_t>(1 << 30, bytes - done));
        addresses.push_back(address);
      }
    };
    append(data, total);
    for (uint32_t i = 0; i < length; i++) {
      napi_value one;
      napi_typedarray_type type;
      size_t bytes;
      void* from;
      napi_get_element(call.env, call.args[at + 2], i, &one);
      napi_get_typedarray_info(call.env, one, &type, &bytes, &from, nullptr, nullptr);
      const int64_t gap = (8 - total % 8) % 8;
      append(zeros, gap);
      append(from, bytes);
      total += gap + bytes;
    }
    MPI_Type_create_hindexed((int)lengths.size(), lengths.data(), addresses.data(), MPI_UINT8_T, &type);
    MPI_Type_commit(&type);
    own = true;
    data = MPI_BOTTOM;
    count = 1;
    return true;
  }

  // In one piece.
  std::vector<char> joined() const {
    std::vector<char> whole;
    whole.reserve((size_t)total);
    for (size_t i = 0; i < lengths.size(); i++) {
      const char* from = (const char*)addresses[i];
      whole.insert(whole.end(), from, from + lengths[i]);
    }
    return whole;
  }
};

// Where bytes are received: the scratch array in args[at] if they fit, else a new ArrayBuffer.
struct Room {
  void* data = nullptr;
  napi_value made = nullptr;

  bool make(const Call& call, int at, int64_t bytes) {
    Buffer scratch;
    if (!buffer(call, at, scratch, "scratch")) return false;
    if (bytes <= scratch.count) {
      data = scratch.data;
      return true;
    }
    if (napi_create_arraybuffer(call.env, (size_t)bytes, &data, &made) == napi_ok) return true;
    bool pending = false;
    napi_is_exception_pending(call.env, &pending);
    if (!pending) call.refuse(MPI_ERR_NO_MEM, "no memory for the value that arrives");
    return false;
  }
  // The ArrayBuffer, or how many bytes are in the scratch array.
  napi_value result(const Call& call, int64_t bytes) const { return made ? made : call.result((double)bytes); }
};

// sendValue(bytes, length, more, dest, tag, comm, synchronous)
inline napi_value sendValue(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 5);
  Bytes bytes;
  const int dest = call.peer = call.integer(3), tag = call.integer(4);
  if (!comm || !validDest(call, *comm, dest, tag) || !bytes.read(call, 0)) return nullptr;
  call.failed(call.boolean(6) ? COUNTED(Ssend, bytes.data, bytes.count, bytes.type, dest, tag, comm->handle)
                              : COUNTED(Send, bytes.data, bytes.count, bytes.type, dest, tag, comm->handle));
  return nullptr;
}

// receiveValue(source, tag, comm, scratch): see Room
inline napi_value receiveValue(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 2);
  const int source = call.peer = call.integer(0), tag = call.integer(1);
  if (!comm || !validSource(call, *comm, source, tag)) return nullptr;
  MPI_Message message;
  MPI_Status status;
  if (call.failed(MPI_Mprobe(source, tag, comm->handle, &message, &status))) return nullptr;
  writeStatus(status, 1);
  const int64_t length = (int64_t)statusBlock[3];
  Room room;
  if (!room.make(call, 3, length)) return nullptr;
  if (call.failed(COUNTED(Mrecv, room.data, length, MPI_UINT8_T, &message, MPI_STATUS_IGNORE))) return nullptr;
  return room.result(call, length);
}

// exchangeValue(bytes, length, more, dest, tag, comm, source, receiveTag, scratch): sends while it receives.
inline napi_value exchangeValue(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 5);
  Bytes bytes;
  const int dest = call.peer = call.integer(3), tag = call.integer(4), source = call.integer(6), from = call.integer(7);
  if (!comm || !validDest(call, *comm, dest, tag) || !validSource(call, *comm, source, from) || !bytes.read(call, 0))
    return nullptr;
  // What is sent lies in the scratch array, where what arrives is to lie.
  std::vector<char> copy;
  if (bytes.data != MPI_BOTTOM) {
    copy.assign((char*)bytes.data, (char*)bytes.data + bytes.total);
    bytes.data = copy.data();
  }
  MPI_Request sending;
  if (call.failed(COUNTED(Isend, bytes.data, bytes.count, bytes.type, dest, tag, comm->handle, &sending))) return nullptr;
  MPI_Message message;
  MPI_Status status;
  Room room;
  int64_t length = 0;
  int code = MPI_Mprobe(source, from, comm->handle, &message, &status);
  if (code == MPI_SUCCESS) {
    writeStatus(status, 1);
    length = (int64_t)statusBlock[3];
    // With nowhere to put it, what was sent must still leave.
    std::vector<char> head;
    if (!copy.empty() || bytes.data == MPI_BOTTOM) {
      if (!room.make(call, 8, length)) {
        MPI_Wait(&sending, MPI_STATUS_IGNORE);
        return nullptr;
      }
      if (bytes.data == MPI_BOTTOM && !room.made) {
        // The head of what is sent may still be read from the scratch array.
        head.resize((size_t)length + 1);
        code = COUNTED(Mrecv, head.data(), length, MPI_UINT8_T, &message, MPI_STATUS_IGNORE);
      } else {
        code = COUNTED(Mrecv, room.data, length, MPI_UINT8_T, &message, MPI_STATUS_IGNORE);
      }
    }
    const int sent = MPI_Wait(&sending, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS) code = sent;
    if (!head.empty()) memcpy(room.data, head.data(), (size_t)length);
  }
  if (call.failed(code)) return nullptr;
  return room.result(call, length);
}

// broadcastValue(comm, root, bytes, length, more, scratch): see Room; on the root nothing. A short value needs one broadcast.
inline napi_value broadcastValue(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  const int root = call.integer(1);
  if (!comm || !validRoot(call, *comm, root)) return nullptr;
  constexpr int64_t shortest = 504;
  struct {
    double length;
    char bytes[shortest];
  } first;
  if (comm->rank == root) {
    Bytes bytes;
    if (!bytes.read(call, 2)) return nullptr;
    first.length = (double)bytes.total;
    if (bytes.total <= shortest && !bytes.own) memcpy(first.bytes, bytes.data, (size_t)bytes.total);
    if (call.failed(MPI_Bcast(&first, sizeof first, MPI_BYTE, root, comm->handle))) return nullptr;
    if (bytes.total <= shortest) return nullptr;
    // In one piece, as the others receive it: MPICH 5.0 crashes in a broadcast of which the root's datatype has gaps.
    std::vector<char> whole;
    if (bytes.own) whole = bytes.joined();
    call.failed(COUNTED(Bcast, bytes.own ? whole.data() : bytes.data, bytes.total, MPI_UINT8_T, root, comm->handle));
    return nullptr;
  }
  if (call.failed(MPI_Bcast(&first, sizeof first, MPI_BYTE, root, comm->handle))) return nullptr;
  const int64_t length = (int64_t)first.length;
  Room room;
  if (!room.make(call, 5, length)) return nullptr;
  if (length <= shortest)
    memcpy(room.data, first.bytes, (size_t)length);
  else if (call.failed(COUNTED(Bcast, room.data, length, MPI_UINT8_T, root, comm->handle)))
    return nullptr;
  return room.result(call, length);
}

// The bytes of each rank, as they follow each other in one buffer, from multiples of 8 on.
struct Row {
  std::vector<double> lengths;
  std::vector<int> counts, starts;
  int64_t total = 0;

  explicit Row(int ranks) : lengths(ranks) {}
  bool place(const Call& call) {
    counts.clear(), starts.clear(), total = 0;
    for (double length : lengths) {
      if (total + length > std::numeric_limits<int>::max())
        return call.refuse(MPI_ERR_COUNT, "the values of all ranks are more than 2 GiB: use the upper-case call on typed arrays");
      counts.push_back((int)length);
      starts.push_back((int)total);
      total += (int64_t)length;
      total += (8 - total % 8) % 8;
    }
    return true;
  }
};
// [ArrayBuffer, lengths]
inline napi_value rowResult(const Call& call, napi_value memory, const Row& row) {
  napi_value list, pair;
  napi_create_array_with_length(call.env, row.lengths.size(), &list);
  for (size_t i = 0; i < row.lengths.size(); i++) napi_set_element(call.env, list, (uint32_t)i, call.result(row.lengths[i]));
  napi_create_array_with_length(call.env, 2, &pair);
  napi_set_element(call.env, pair, 0, memory);
  napi_set_element(call.env, pair, 1, list);
  return pair;
}

// gatherValues(comm, root, bytes, length, more): [ArrayBuffer, lengths] on the root, or on all ranks with root -1.
inline napi_value gatherValues(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  const int root = call.integer(1);
  Bytes bytes;
  if (!comm || (root != -1 && !validRoot(call, *comm, root)) || !bytes.read(call, 2)) return nullptr;
  Row row(comm->size);
  double mine = (double)bytes.total;
  if (call.failed(root < 0 ? MPI_Allgather(&mine, 1, MPI_DOUBLE, row.lengths.data(), 1, MPI_DOUBLE, comm->handle)
                           : MPI_Gather(&mine, 1, MPI_DOUBLE, row.lengths.data(), 1, MPI_DOUBLE, root, comm->handle)))
    return nullptr;
  const bool receives = root < 0 || root == comm->rank;
  napi_value memory = nullptr;
  void* into = nullptr;
  if (receives && (!row.place(call) || napi_create_arraybuffer(env, (size_t)row.total, &into, &memory) != napi_ok)) return nullptr;
  // Open MPI chooses the algorithm by the size of the type that is sent, which must be the same on all ranks: in place it is.
  if (root < 0) bytes.copyTo((char*)into + row.starts[(size_t)comm->rank]);
  if (call.failed(root < 0 ? MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, into, row.counts.data(), row.starts.data(),
                                            MPI_UINT8_T, comm->handle)
                           : MPI_Gatherv(bytes.data, (int)bytes.count, bytes.type, into, row.counts.data(),
                                         row.starts.data(), MPI_UINT8_T, root, comm->handle)))
    return nullptr;
  return receives ? rowResult(call, memory, row) : nullptr;
}

// scatterValues(comm, root, bytes, lengths, scratch): see Room. The root's values follow each other, from multiples of 8 on.
inline napi_value scatterValues(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  const int root = call.integer(1);
  if (!comm || !validRoot(call, *comm, root)) return nullptr;
  Buffer bytes;
  Row row(comm->size);
  if (comm->rank == root) {
    size_t length;
    const double* lengths = call.numbers(3, &length);
    if (!buffer(call, 2, bytes, "values")) return nullptr;
    row.lengths.assign(lengths, lengths + length);
    if (!row.place(call)) return nullptr;
  }
  double mine;
  if (call.failed(MPI_Scatter(row.lengths.data(), 1, MPI_DOUBLE, &mine, 1, MPI_DOUBLE, root, comm->handle))) return nullptr;
  // The root's scratch array is what it sends from.
  Room room;
  std::vector<char> own;
  if (comm->rank == root) own.resize((size_t)mine + 1), room.data = own.data();
  else if (!room.make(call, 4, (int64_t)mine)) return nullptr;
  if (call.failed(MPI_Scatterv(bytes.data, row.counts.data(), row.starts.data(), MPI_UINT8_T, room.data, (int)mine,
                               MPI_UINT8_T, root, comm->handle)))
    return nullptr;
  return comm->rank == root ? nullptr : room.result(call, (int64_t)mine);
}

// alltoallValues(comm, bytes, lengths, neighbors): [ArrayBuffer, lengths]
inline napi_value alltoallValues(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Communicator* comm = communicator(call, 0);
  Buffer bytes;
  size_t length;
  const double* lengths = call.numbers(2, &length);
  if (!comm || !buffer(call, 1, bytes, "values")) return nullptr;
  const bool neighbors = call.boolean(3);
  Row sent((int)length), received((int)length);
  sent.lengths.assign(lengths, lengths + length);
  if (!sent.place(call)) return nullptr;
  if (call.failed(neighbors ? MPI_Neighbor_alltoall(sent.lengths.data(), 1, MPI_DOUBLE, received.lengths.data(), 1, MPI_DOUBLE, comm->handle)
                            : MPI_Alltoall(sent.lengths.data(), 1, MPI_DOUBLE, received.lengths.data(), 1, MPI_DOUBLE, comm->handle)))
    return nullptr;
  napi_value memory;
  void* into;
  if (!received.place(call) || napi_create_arraybuffer(env, (size_t)received.total, &into, &memory) != napi_ok) return nullptr;
  const int code = neighbors ? MPI_Neighbor_alltoallv(bytes.data, sent.counts.data(), sent.starts.data(), MPI_UINT8_T, into,
                                                      received.counts.data(), received.starts.data(), MPI_UINT8_T, comm->handle)
                             : MPI_Alltoallv(bytes.data, sent.counts.data(), sent.starts.data(), MPI_UINT8_T, into,
                                             received.counts.data(), received.starts.data(), MPI_UINT8_T, comm->handle);
  return call.failed(code) ? nullptr : rowResult(call, memory, received);
}

}  // namespace girona
