// Calls under way. JavaScript keeps their buffers alive; what C needs until then hangs at the slot.
#pragma once
#include <memory>
#include <vector>

#include "handles.h"
#include "large.h"

namespace girona {

// What a status holds, where JavaScript reads it without a call: source, tag, elements, bytes, cancelled.
inline double statusBlock[5];

inline void writeStatus(const MPI_Status& status, int elementBytes, bool cancelled = false) {
  int bytes;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  double size = bytes;
  if (bytes == MPI_UNDEFINED) {
    MPI_Count large = 0;
    MPI_Get_elements_x(&status, MPI_BYTE, &large);
    size = (double)large;
  }
  statusBlock[0] = status.MPI_SOURCE;
  statusBlock[1] = status.MPI_TAG;
  statusBlock[2] = elementBytes == 1 ? size : elementBytes == 8 ? (int64_t)size / 8 : (int64_t)size / elementBytes;
  statusBlock[3] = size;
  statusBlock[4] = cancelled;
}

struct Slot {
  MPI_Request request = MPI_REQUEST_NULL;
  int elementBytes = 1;
  int peer = noPeer;
  bool collective = false, cancelled = false;
  const char* name = "";
  std::shared_ptr<void> kept;          // counts and the like
  std::vector<MPI_Request> more;       // of a reduction in chunks
};
inline std::vector<Slot> slots;
inline std::vector<int> freeSlots;

inline napi_value begun(const Call& call, int code, MPI_Request request, int elementBytes, bool collective,
                        std::shared_ptr<void> kept = nullptr) {
  if (call.failed(code)) return nullptr;
  int index;
  if (freeSlots.empty()) {
    index = (int)slots.size();
    slots.emplace_back();
  } else {
    index = freeSlots.back();
    freeSlots.pop_back();
  }
  Slot& slot = slots[index];
  slot.request = request;
  slot.elementBytes = elementBytes;
  slot.peer = call.peer;
  slot.collective = collective;
  slot.name = call.operation->name;
  if (kept) slot.kept = std::move(kept);
  return call.result(index);
}

inline void release(int index) {
  Slot& slot = slots[index];
  slot.request = MPI_REQUEST_NULL;
  if (slot.kept) slot.kept.reset();
  if (!slot.more.empty()) slot.more.clear();
  slot.cancelled = false;
  freeSlots.push_back(index);
}

// Ends the slot after a Test or Wait: writes the status, or throws.
inline bool ended(Call& call, int index, int code, const MPI_Status& status) {
  Slot& slot = slots[index];
  const char* name = slot.name;
  call.peer = slot.peer;
  if (code == MPI_SUCCESS) {
    int cancelled = 0;
    if (slot.cancelled) MPI_Test_cancelled(&status, &cancelled);
    if (!slot.collective) writeStatus(status, slot.elementBytes, cancelled);
  }
  release(index);
  return !call.failed(code, name);
}

inline int test(Slot& slot, int* flag, MPI_Status* status) {
  if (!slot.more.empty()) {
    int code = MPI_Testall((int)slot.more.size(), slot.more.data(), flag, MPI_STATUSES_IGNORE);
    if (code != MPI_SUCCESS || !*flag) return code;
  }
  return MPI_Test(&slot.request, flag, status);
}

// test(slot): true when it has settled.
inline napi_value testRequest(napi_env env, napi_callback_info info) {
  Call call(env, info);
  int index = call.integer(0), flag = 0;
  MPI_Status status;
  int code = test(slots[index], &flag, &status);
  if (code == MPI_SUCCESS && !flag) return call.result(false);
  return ended(call, index, code, status) ? call.result(true) : nullptr;
}

// spin(slot, microseconds): as test, again and again for so long.
inline napi_value spinRequest(napi_env env, napi_callback_info info) {
  Call call(env, info);
  int index = call.integer(0), flag = 0;
  MPI_Status status;
  int code = test(slots[index], &flag, &status);
  if (code == MPI_SUCCESS && !flag) {
    const double until = MPI_Wtime() + call.number(1) * 1e-6;
    do code = test(slots[index], &flag, &status);
    while (code == MPI_SUCCESS && !flag && MPI_Wtime() < until);
    if (code == MPI_SUCCESS && !flag) return call.result(false);
  }
  return ended(call, index, code, status) ? call.result(true) : nullptr;
}

inline napi_value waitRequest(napi_env env, napi_callback_info info) {
  Call call(env, info);
  int index = call.integer(0);
  Slot& slot = slots[index];
  MPI_Status status;
  int code = MPI_SUCCESS;
  if (!slot.more.empty()) code = MPI_Waitall((int)slot.more.size(), slot.more.data(), MPI_STATUSES_IGNORE);
  if (code == MPI_SUCCESS) code = MPI_Wait(&slot.request, &status);
  ended(call, index, code, status);
  return nullptr;
}

inline napi_value cancelRequest(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Slot& slot = slots[call.integer(0)];
  if (slot.collective) return call.refuse(MPI_ERR_REQUEST, "a collective call cannot be cancelled"), nullptr;
  if (call.failed(MPI_Cancel(&slot.request))) return nullptr;
  slot.cancelled = true;
  return nullptr;
}

}  // namespace girona
