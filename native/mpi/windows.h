// Windows: memory that other ranks read and write, and datatypes for parts of arrays.
#pragma once
#include <cstdlib>

#include "communicators.h"

namespace girona {

struct Window {
  MPI_Win handle = MPI_WIN_NULL;
  int kind = 0, rank = 0;
  bool shared = false;
  std::vector<int64_t> lengths;  // in elements, of each rank
  std::vector<napi_ref> views;   // ArrayBuffers on memory that goes with the window
};
inline std::vector<Window> windows;

inline Window* window(const Call& call, int at) {
  uint32_t index = (uint32_t)call.integer(at);
  if (index < windows.size() && windows[index].handle != MPI_WIN_NULL) return &windows[index];
  call.refuse(MPI_ERR_WIN, "the window was freed");
  return nullptr;
}

// An ArrayBuffer on memory of the window, which is detached when that goes.
inline napi_value view(napi_env env, Window& win, void* data, size_t bytes) {
  napi_value memory = nullptr;
  if (bytes == 0) {
    void* none;
    napi_create_arraybuffer(env, 0, &none, &memory);
    return memory;
  }
  if (napi_create_external_arraybuffer(env, data, bytes, nullptr, nullptr, &memory) != napi_ok) {
    napi_throw_error(env, nullptr, "this runtime does not allow an ArrayBuffer on memory of MPI's");
    return nullptr;
  }
  napi_ref reference;
  napi_create_reference(env, memory, 1, &reference);
  win.views.push_back(reference);
  return memory;
}

inline void opened(Window& win, Communicator* comm, int64_t length) {
  MPI_Win_set_errhandler(win.handle, MPI_ERRORS_RETURN);
  win.rank = comm->rank;
  win.lengths.resize(comm->size);
  MPI_Allgather(&length, 1, MPI_INT64_T, win.lengths.data(), 1, MPI_INT64_T, comm->handle);
}

// winAllocate(comm, kind, length, info, shared): [number, ArrayBuffer]
inline napi_value winAllocate(napi_env env, napi_callback_info info_) {
  Call call(env, info_);
  Communicator* comm = communicator(call, 0);
  MPI_Info settings;
  if (!comm || !info(call, 3, &settings)) return nullptr;
  Window win;
  win.kind = call.integer(1);
  win.shared = call.boolean(4);
  const int bytes = kindBytes[win.kind];
  const int64_t length = (int64_t)call.number(2);
  void* data = nullptr;
  const int code = call.boolean(4)
                       ? MPI_Win_allocate_shared(length * bytes, bytes, settings, comm->handle, &data, &win.handle)
                       : MPI_Win_allocate(length * bytes, bytes, settings, comm->handle, &data, &win.handle);
  if (call.failed(code)) return nullptr;
  opened(win, comm, length);
  if (length > 0) memset(data, 0, length * bytes);
  napi_value pair, memory = view(env, win, data, length * bytes);
  MPI_Barrier(comm->handle);  // nobody sees memory that is not yet cleared
  windows.push_back(win);
  napi_create_array_with_length(env, 2, &pair);
  napi_set_element(env, pair, 0, call.result((int)windows.size() - 1));
  if (memory) napi_set_element(env, pair, 1, memory);
  return pair;
}

// winCreate(comm, array or null, info): its number
inline napi_value winCreate(napi_env env, napi_callback_info info_) {
  Call call(env, info_);
  Communicator* comm = communicator(call, 0);
  MPI_Info settings;
  Buffer b;
  if (!comm || !buffer(call, 1, b, "array", orNothing) || !info(call, 2, &settings)) return nullptr;
  if (b.layout) return call.misused("array", "must be a whole typed array"), nullptr;
  // Ranks without memory learn the kind from those that have some.
  int kind = b.kind, largest = -1;
  if (call.failed(MPI_Allreduce(&kind, &largest, 1, MPI_INT, MPI_MAX, comm->handle))) return nullptr;
  Window win;
  win.kind = largest < 0 ? (int)napi_uint8_array : largest;
  const int bytes = kindBytes[win.kind];
  if (call.failed(MPI_Win_create(b.data, b.count * bytes, bytes, settings, comm->handle, &win.handle))) return nullptr;
  opened(win, comm, b.count);
  windows.push_back(win);
  return call.result((int)windows.size() - 1);
}

// winLengths(win)
inline napi_value winLengths(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Window* win = window(call, 0);
  if (!win) return nullptr;
  napi_value list;
  napi_create_array_with_length(env, win->lengths.size(), &list);
  for (size_t i = 0; i < win->lengths.size(); i++) napi_set_element(env, list, (uint32_t)i, call.result((double)win->lengths[i]));
  return list;
}
inline napi_value winKind(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Window* win = window(call, 0);
  return win ? call.result(win->kind) : nullptr;
}

// winShared(win, rank): an ArrayBuffer on that rank's memory
inline napi_value winShared(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Window* win = window(call, 0);
  if (!win) return nullptr;
  const int rank = call.integer(1);
  if (rank < 0 || rank >= (int)win->lengths.size())
    return call.refuse(MPI_ERR_RANK, outOf("rank", rank, (int)win->lengths.size()).c_str()), nullptr;
  MPI_Aint bytes;
  int unit;
  void* data;
  if (call.failed(MPI_Win_shared_query(win->handle, rank, &bytes, &unit, &data))) return nullptr;
  return view(env, *win, data, (size_t)(win->lengths[rank] * kindBytes[win->kind]));
}

struct Access {
  Window* win;
  Buffer b;
  int target;
  MPI_Aint offset;

  // (win, buffer, target, offset, …)
  bool read(Call& call) {
    if (!(win = window(call, 0)) || !buffer(call, 1, b, "buffer")) return false;
    return check(call);
  }
  bool check(Call& call) {
    target = call.peer = call.integer(2);
    offset = (MPI_Aint)call.number(3);
    if (target == MPI_PROC_NULL) return true;
    if (target < 0 || target >= (int)win->lengths.size())
      return call.refuse(MPI_ERR_RANK, outOf("target", target, (int)win->lengths.size()).c_str());
    if (kindTypes[b.kind] != kindTypes[win->kind]) return call.misused("buffer", "is another kind of typed array than the window");
    if (offset < 0 || offset + b.elements > win->lengths[target])
      return call.refuse(MPI_ERR_RMA_RANGE, ("elements " + std::to_string(offset) + " to " + std::to_string(offset + b.elements) +
                                             " are not all in the window of rank " + std::to_string(target) + ", which has " +
                                             std::to_string(win->lengths[target]))
                                                .c_str());
    return true;
  }
  // At the other end, the elements lie one after the other.
  bool blocks() const { return b.layout && layouts[b.layout].form == Layout::blocks; }
  int64_t targetCount() const { return blocks() ? b.elements : b.count; }
  MPI_Datatype targetType() const { return blocks() ? kindTypes[b.kind] : b.type; }
};

inline napi_value put(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Access a;
  if (!a.read(call)) return nullptr;
  Fitted here(a.b.count, a.b.type), there(a.targetCount(), a.targetType());
  if (call.async()) {
    MPI_Request request;
    const int code = MPI_Rput(a.b.data, here.count, here.type, a.target, a.offset, there.count, there.type, a.win->handle, &request);
    return begun(call, code, request, 1, true);
  }
  call.failed(MPI_Put(a.b.data, here.count, here.type, a.target, a.offset, there.count, there.type, a.win->handle));
  return nullptr;
}
inline napi_value get(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Access a;
  if (!a.read(call)) return nullptr;
  Fitted here(a.b.count, a.b.type), there(a.targetCount(), a.targetType());
  if (call.async()) {
    MPI_Request request;
    const int code = MPI_Rget(a.b.data, here.count, here.type, a.target, a.offset, there.count, there.type, a.win->handle, &request);
    return begun(call, code, request, 1, true);
  }
  call.failed(MPI_Get(a.b.data, here.count, here.type, a.target, a.offset, there.count, there.type, a.win->handle));
  return nullptr;
}
inline bool windowOperation(const Call& call, int at, const Buffer& b, MPI_Op* op) {
  if (call.integer(at) >= opMaxLoc && call.integer(at) != opReplace && call.integer(at) != opNoOp)
    return call.refuse(MPI_ERR_OP, "windows know MPI's own operations on single elements only");
  Buffer plain = b;
  if (b.layout && layouts[b.layout].form == Layout::blocks) plain.layout = 0;
  return operation(call, at, plain, op);
}
// (win, buffer, target, offset, op)
inline napi_value accumulate(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Access a;
  MPI_Op op;
  if (!a.read(call) || !windowOperation(call, 4, a.b, &op)) return nullptr;
  Fitted here(a.b.count, a.b.type), there(a.targetCount(), a.targetType());
  call.failed(MPI_Accumulate(a.b.data, here.count, here.type, a.target, a.offset, there.count, there.type, op, a.win->handle));
  return nullptr;
}
// (win, buffer, target, offset, op, result)
inline napi_value getAccumulate(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Access a;
  Buffer r;
  MPI_Op op;
  if (!a.read(call) || !windowOperation(call, 4, a.b, &op) || !buffer(call, 5, r, "result") || !match(call, a.b, r, "result"))
    return nullptr;
  if (r.elements != a.b.elements) return call.misused("result", "must be as long as the buffer"), nullptr;
  Fitted here(a.b.count, a.b.type), there(a.targetCount(), a.targetType()), result(r.count, r.type);
  call.failed(MPI_Get_accumulate(a.b.data, here.count, here.type, r.data, result.count, result.type, a.target, a.offset,
                                 there.count, there.type, op, a.win->handle));
  return nullptr;
}
inline napi_value fetchAndOp(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Access a;
  Buffer r;
  MPI_Op op;
  if (!a.read(call) || !windowOperation(call, 4, a.b, &op) || !buffer(call, 5, r, "result") || !match(call, a.b, r, "result"))
    return nullptr;
  if (r.count != 1 || a.b.count != 1 || a.b.layout) return call.misused("buffer", "and result must have one element"), nullptr;
  call.failed(MPI_Fetch_and_op(a.b.data, r.data, a.b.type, a.target, a.offset, op, a.win->handle));
  return nullptr;
}
// (win, value, target, offset, compare, result)
inline napi_value compareAndSwap(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Access a;
  Buffer c, r;
  if (!a.read(call) || !buffer(call, 4, c, "compare") || !buffer(call, 5, r, "result") || !match(call, a.b, c, "compare") ||
      !match(call, a.b, r, "result"))
    return nullptr;
  if (a.b.count != 1 || c.count != 1 || r.count != 1)
    return call.misused("value", "compare and result must have one element"), nullptr;
  if (isFloat(a.b.kind)) return call.refuse(MPI_ERR_TYPE, "only integers are compared and swapped"), nullptr;
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION == 4
  // Its osc/rdma ends the target's process with a fault.
  const char* component = getenv("OMPI_MCA_osc");
  if (kindBytes[a.b.kind] == 8 && !a.win->shared && a.win->lengths.size() > 1 && !(component && !strstr(component, "rdma")))
    return call.refuse(MPI_ERR_UNSUPPORTED_OPERATION,
                       "64-bit integers in Open MPI 4 would crash the target: use an Int32Array, or start the program with OMPI_MCA_osc=pt2pt"),
           nullptr;
#endif
  call.failed(MPI_Compare_and_swap(a.b.data, c.data, r.data, a.b.type, a.target, a.offset, a.win->handle));
  return nullptr;
}

// winSync(win, what, rank or group, flag)
enum { syncFence, syncLock, syncUnlock, syncLockAll, syncUnlockAll, syncFlush, syncFlushAll, syncFlushLocal, syncFlushLocalAll, syncSync, syncPost, syncStart, syncComplete, syncWait };
inline napi_value winSync(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Window* win = window(call, 0);
  if (!win) return nullptr;
  const int what = call.integer(1), rank = call.integer(2);
  const bool toRank = what == syncLock || what == syncUnlock || what == syncFlush || what == syncFlushLocal;
  if (toRank) {
    call.peer = rank;
    if (rank < 0 || rank >= (int)win->lengths.size())
      return call.refuse(MPI_ERR_RANK, outOf("rank", rank, (int)win->lengths.size()).c_str()), nullptr;
  }
  MPI_Group members = MPI_GROUP_NULL;
  if ((what == syncPost || what == syncStart) && !group(call, 2, &members)) return nullptr;
  MPI_Win handle = win->handle;
  int code = MPI_SUCCESS;
  switch (what) {
    case syncFence: code = MPI_Win_fence(0, handle); break;
    case syncLock: code = MPI_Win_lock(call.boolean(3) ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, rank, 0, handle); break;
    case syncUnlock: code = MPI_Win_unlock(rank, handle); break;
    case syncLockAll: code = MPI_Win_lock_all(0, handle); break;
    case syncUnlockAll: code = MPI_Win_unlock_all(handle); break;
    case syncFlush: code = MPI_Win_flush(rank, handle); break;
    case syncFlushAll: code = MPI_Win_flush_all(handle); break;
    case syncFlushLocal: code = MPI_Win_flush_local(rank, handle); break;
    case syncFlushLocalAll: code = MPI_Win_flush_local_all(handle); break;
    case syncSync: code = MPI_Win_sync(handle); break;
    case syncPost: code = MPI_Win_post(members, 0, handle); break;
    case syncStart: code = MPI_Win_start(members, 0, handle); break;
    case syncComplete: code = MPI_Win_complete(handle); break;
    case syncWait: code = MPI_Win_wait(handle); break;
  }
  call.failed(code);
  return nullptr;
}

inline napi_value winName(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Window* win = window(call, 0);
  if (!win) return nullptr;
  if (call.given(1)) {
    call.failed(MPI_Win_set_name(win->handle, call.text(1).substr(0, MPI_MAX_OBJECT_NAME - 1).c_str()));
    return nullptr;
  }
  char name[MPI_MAX_OBJECT_NAME + 1];
  int length = 0;
  if (call.failed(MPI_Win_get_name(win->handle, name, &length))) return nullptr;
  return call.result(name, length);
}

inline napi_value winFree(napi_env env, napi_callback_info info) {
  Call call(env, info);
  Window* win = window(call, 0);
  if (!win) return nullptr;
  // First the arrays: JavaScript must not reach the memory once it is gone. Nor before the others have stopped using it,
  // which MPI_Win_free waits for.
  if (call.failed(MPI_Win_free(&win->handle))) return nullptr;
  for (napi_ref reference : win->views) {
    napi_value memory;
    napi_get_reference_value(env, reference, &memory);
    if (memory) napi_detach_arraybuffer(env, memory);
    napi_delete_reference(env, reference);
  }
  win->views.clear();
  win->handle = MPI_WIN_NULL;
  return nullptr;
}

// --- datatypes: createLayout(lengths, starts, extent), in elements: [number, size, begin, end]
inline napi_value createLayout(napi_env env, napi_callback_info info) {
  Call call(env, info);
  size_t count, startCount;
  const double *lengths = call.numbers(0, &count), *starts = call.numbers(1, &startCount);
  Layout layout;
  layout.begin = count ? std::numeric_limits<MPI_Aint>::max() : 0;
  for (size_t i = 0; i < count; i++) {
    layout.lengths.push_back((int)lengths[i]);
    layout.starts.push_back((MPI_Aint)starts[i]);
    layout.size += (MPI_Aint)lengths[i];
    if (lengths[i] == 0) continue;
    layout.begin = std::min(layout.begin, (MPI_Aint)starts[i]);
    layout.end = std::max(layout.end, (MPI_Aint)(starts[i] + lengths[i]));
  }
  if (layout.begin > layout.end) layout.begin = layout.end;
  layout.extent = (MPI_Aint)call.number(2);
  layouts.push_back(layout);
  return call.result((int)layouts.size() - 1);
}
inline napi_value freeLayout(napi_env env, napi_callback_info info) {
  Call call(env, info);
  layouts[call.integer(0)].release();
  return nullptr;
}

}  // namespace girona
