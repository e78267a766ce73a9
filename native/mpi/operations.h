// Reductions: MPI's own, those on pairs of a value and a rank, and those that JavaScript defines.
#pragma once
#include <array>
#include <utility>

#include "requests.h"

namespace girona {

// As src/mpi/ops.ts numbers them; those of JavaScript come from `firstUser` on.
enum { opSum, opProd, opMax, opMin, opLand, opLor, opLxor, opBand, opBor, opBxor, opMaxLoc, opMinLoc, opReplace, opNoOp };
constexpr int firstUser = 16, users = 64;

inline MPI_Op pairOps[2];

template <typename T>
void pairs(const T* in, T* inout, int count, bool larger) {
  for (int i = 0; i < 2 * count; i += 2) {
    const bool better = larger ? in[i] > inout[i] : in[i] < inout[i];
    if (better || (in[i] == inout[i] && in[i + 1] < inout[i + 1])) {
      inout[i] = in[i];
      inout[i + 1] = in[i + 1];
    }
  }
}

template <bool larger>
void combinePairs(void* in, void* inout, int* count, MPI_Datatype* type) {
  for (int kind = 0; kind < kinds; kind++) {
    if (layouts[2].types[kind] != *type) continue;
#define PAIRS(which, T) \
  case which: return pairs((const T*)in, (T*)inout, *count, larger)
    switch (kind) {
      PAIRS(napi_int8_array, int8_t);
      PAIRS(napi_uint8_array, uint8_t);
      PAIRS(napi_uint8_clamped_array, uint8_t);
      PAIRS(napi_int16_array, int16_t);
      PAIRS(napi_uint16_array, uint16_t);
      PAIRS(napi_int32_array, int32_t);
      PAIRS(napi_uint32_array, uint32_t);
      PAIRS(napi_float32_array, float);
      PAIRS(napi_float64_array, double);
      default: return;
    }
#undef PAIRS
  }
}

// --- JavaScript's: MPI hands a function no data of its own, so that each has one of a table.

struct UserOp {
  napi_env env = nullptr;
  napi_ref function = nullptr;
  MPI_Op op = MPI_OP_NULL;
};
inline UserOp userOps[users];

inline napi_value memoryOf(napi_env env, void* data, int count, int kind, napi_value* array) {
  napi_value memory = nullptr;
  napi_create_external_arraybuffer(env, data, (size_t)count * kindBytes[kind], nullptr, nullptr, &memory);
  napi_create_typedarray(env, (napi_typedarray_type)kind, count, memory, 0, array);
  return memory;
}

template <int index>
void userFunction(void* in, void* inout, int* count, MPI_Datatype* type) {
  UserOp& user = userOps[index];
  bool pending = false;
  napi_is_exception_pending(user.env, &pending);
  if (pending) return;  // thrown when the call returns
  int kind = -1, per = 1;
  for (int i = 0; i < kinds && kind < 0; i++) {
    // Two kinds share a type; the first stands for both.
    if (kindTypes[i] == *type) kind = i;
    for (int layout = 1; layout <= 2 && kind < 0; layout++)
      if (layouts[layout].types[i] == *type) kind = i, per = 2;
  }
  if (kind < 0) return;
  napi_handle_scope scope;
  napi_open_handle_scope(user.env, &scope);
  napi_value function, self, values[3], ignored;
  napi_get_reference_value(user.env, user.function, &function);
  napi_get_undefined(user.env, &self);
  napi_value first = memoryOf(user.env, in, *count * per, kind, &values[0]);
  napi_value second = memoryOf(user.env, inout, *count * per, kind, &values[1]);
  napi_create_int32(user.env, per, &values[2]);
  const bool thrown = napi_call_function(user.env, self, function, 3, values, &ignored) != napi_ok;
  if (!thrown) {
    napi_detach_arraybuffer(user.env, first);
    napi_detach_arraybuffer(user.env, second);
  }
  napi_close_handle_scope(user.env, scope);
}

template <size_t... index>
std::array<MPI_User_function*, sizeof...(index)> tableOf(std::index_sequence<index...>) {
  return {{&userFunction<(int)index>...}};
}
inline const auto userFunctions = tableOf(std::make_index_sequence<users>());

inline void makeOperations() {
  MPI_Op_create(&combinePairs<true>, 1, &pairOps[0]);
  MPI_Op_create(&combinePairs<false>, 1, &pairOps[1]);
}

// createOperation(function, commutative): its number, or -1 when the table is full.
inline napi_value createOperation(napi_env env, napi_callback_info info) {
  Call call(env, info);
  for (int index = 0; index < users; index++) {
    UserOp& user = userOps[index];
    if (user.op != MPI_OP_NULL) continue;
    if (call.failed(MPI_Op_create(userFunctions[index], call.boolean(1), &user.op))) return nullptr;
    user.env = env;
    napi_create_reference(env, call.args[0], 1, &user.function);
    return call.result(firstUser + index);
  }
  return call.result(-1);
}

inline napi_value freeOperation(napi_env env, napi_callback_info info) {
  Call call(env, info);
  UserOp& user = userOps[call.integer(0) - firstUser];
  MPI_Op_free(&user.op);
  napi_delete_reference(env, user.function);
  user = UserOp();
  return nullptr;
}

// The operation of that number, for elements as in the buffer.
inline bool operationOf(const Call& call, const int which, const Buffer& b, MPI_Op* op) {
  static const MPI_Op own[] = {MPI_SUM,  MPI_PROD, MPI_MAX, MPI_MIN,  MPI_LAND,    MPI_LOR,    MPI_LXOR,
                               MPI_BAND, MPI_BOR,  MPI_BXOR, MPI_OP_NULL, MPI_OP_NULL, MPI_REPLACE, MPI_NO_OP};
  if (b.layout && layouts[b.layout].form == Layout::blocks)
    return call.refuse(MPI_ERR_OP, "a reduction takes whole arrays: copy the column or block into an array of its own");
  if (which == opMaxLoc || which == opMinLoc) {
    if (b.layout != 2) return call.refuse(MPI_ERR_OP, "MAXLOC and MINLOC combine pairs: pass MPI.pairs(array)");
    *op = pairOps[which - opMaxLoc];
    return true;
  }
  if (which >= firstUser) {
    *op = userOps[which - firstUser].op;
    return true;
  }
  *op = own[which];
  if (which == opReplace || which == opNoOp) return true;
  if (b.layout == 2) return call.refuse(MPI_ERR_OP, "pairs are combined by MAXLOC, MINLOC or an operation of one's own");
  if (which >= opLand && isFloat(b.kind)) return call.refuse(MPI_ERR_OP, "logical and bitwise operations combine integers, not floats");
  if (b.layout == 1 && which > opProd) return call.refuse(MPI_ERR_OP, "complex numbers have a sum and a product, and no order");
  return true;
}

inline bool operation(const Call& call, int at, const Buffer& b, MPI_Op* op) {
  return operationOf(call, call.integer(at), b, op);
}

}  // namespace girona
