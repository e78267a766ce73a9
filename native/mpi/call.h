// One call from JavaScript: its arguments, and how it fails.
#pragma once
#include <mpi.h>
#include <node_api.h>

#include <cstdint>
#include <string>

namespace girona {

constexpr int noPeer = -1000000;

// What the callbacks of one operation know of it: N-API hands it to each call.
struct Operation {
  const char* name;
  napi_callback callback;
  bool async;
};

// Throw MpiError and UsageError: JavaScript functions that src/mpi/native.ts registers.
inline napi_ref mpiErrorMaker = nullptr;
inline napi_ref usageErrorMaker = nullptr;

// Whole numbers of the calls that must be fastest, where JavaScript writes them: an argument costs several ns.
inline int32_t callBlock[4];

struct ErrorClass {
  int value;
  const char* name;
};

inline const char* errorClassName(int value) {
#define CLASS(name) {name, #name}
  static const ErrorClass classes[] = {
      CLASS(MPI_ERR_BUFFER),   CLASS(MPI_ERR_COUNT),     CLASS(MPI_ERR_TYPE),       CLASS(MPI_ERR_TAG),
      CLASS(MPI_ERR_COMM),     CLASS(MPI_ERR_RANK),      CLASS(MPI_ERR_REQUEST),    CLASS(MPI_ERR_ROOT),
      CLASS(MPI_ERR_GROUP),    CLASS(MPI_ERR_OP),        CLASS(MPI_ERR_TOPOLOGY),   CLASS(MPI_ERR_DIMS),
      CLASS(MPI_ERR_ARG),      CLASS(MPI_ERR_UNKNOWN),   CLASS(MPI_ERR_TRUNCATE),   CLASS(MPI_ERR_OTHER),
      CLASS(MPI_ERR_INTERN),   CLASS(MPI_ERR_PENDING),   CLASS(MPI_ERR_IN_STATUS),  CLASS(MPI_ERR_ASSERT),
      CLASS(MPI_ERR_BASE),     CLASS(MPI_ERR_DISP),      CLASS(MPI_ERR_INFO),       CLASS(MPI_ERR_INFO_KEY),
      CLASS(MPI_ERR_INFO_NOKEY), CLASS(MPI_ERR_INFO_VALUE), CLASS(MPI_ERR_KEYVAL),  CLASS(MPI_ERR_LOCKTYPE),
      CLASS(MPI_ERR_NAME),     CLASS(MPI_ERR_NO_MEM),    CLASS(MPI_ERR_RMA_ATTACH), CLASS(MPI_ERR_RMA_CONFLICT),
      CLASS(MPI_ERR_RMA_FLAVOR), CLASS(MPI_ERR_RMA_RANGE), CLASS(MPI_ERR_RMA_SHARED), CLASS(MPI_ERR_RMA_SYNC),
      CLASS(MPI_ERR_SIZE),     CLASS(MPI_ERR_SPAWN),     CLASS(MPI_ERR_WIN),        CLASS(MPI_ERR_UNSUPPORTED_OPERATION),
  };
#undef CLASS
  for (const ErrorClass& one : classes)
    if (one.value == value) return one.name;
  return "MPI_ERR_UNKNOWN";
}

struct Call {
  napi_env env;
  const Operation* operation = nullptr;
  napi_value args[12];
  int peer = noPeer;

  Call(napi_env environment, napi_callback_info info, size_t count = 12) : env(environment) {
    napi_get_cb_info(env, info, &count, args, nullptr, (void**)&operation);
  }

  bool async() const { return operation->async; }

  int integer(int at) const {
    int32_t value = 0;
    napi_get_value_int32(env, args[at], &value);
    return value;
  }
  double number(int at) const {
    double value = 0;
    napi_get_value_double(env, args[at], &value);
    return value;
  }
  bool boolean(int at) const {
    bool value = false;
    napi_get_value_bool(env, args[at], &value);
    return value;
  }
  std::string text(int at) const {
    size_t length = 0;
    napi_get_value_string_utf8(env, args[at], nullptr, 0, &length);
    std::string value(length + 1, '\0');
    napi_get_value_string_utf8(env, args[at], value.data(), length + 1, &length);
    value.resize(length);
    return value;
  }
  // The numbers of a Float64Array: src/mpi makes one of every list of counts.
  const double* numbers(int at, size_t* length) const {
    napi_typedarray_type type;
    void* data = nullptr;
    *length = 0;
    if (napi_get_typedarray_info(env, args[at], &type, length, &data, nullptr, nullptr) != napi_ok) return nullptr;
    return type == napi_float64_array ? (const double*)data : nullptr;
  }
  bool given(int at) const {
    napi_valuetype type;
    napi_typeof(env, args[at], &type);
    return type != napi_undefined && type != napi_null;
  }

  napi_value result(int value) const {
    napi_value made;
    napi_create_int32(env, value, &made);
    return made;
  }
  napi_value result(double value) const {
    napi_value made;
    napi_create_double(env, value, &made);
    return made;
  }
  napi_value result(bool value) const {
    napi_value made;
    napi_get_boolean(env, value, &made);
    return made;
  }
  napi_value result(const char* text, size_t length = NAPI_AUTO_LENGTH) const {
    napi_value made;
    napi_create_string_utf8(env, text, length, &made);
    return made;
  }

  // Throws the MpiError of a return code, and says whether there is one to throw.
  bool failed(int code, const char* name = nullptr) const {
    if (code == MPI_SUCCESS) return false;
    char text[MPI_MAX_ERROR_STRING + 1];
    int length = 0, errorClass = MPI_ERR_UNKNOWN;
    MPI_Error_class(code, &errorClass);
    MPI_Error_string(code, text, &length);
    throwMpi(errorClass, code, std::string(text, length).c_str(), name);
    return true;
  }
  // An error that was found before MPI was asked, of the class that MPI has for it.
  bool refuse(int errorClass, const char* text) const {
    throwMpi(errorClass, errorClass, text, nullptr);
    return false;
  }
  // Throws a UsageError about a parameter.
  bool misused(const char* parameter, const char* text) const {
    napi_value values[3] = {result(operation->name), result(parameter), result(text)};
    make(usageErrorMaker, 3, values);
    return false;
  }

 private:
  void throwMpi(int errorClass, int code, const char* text, const char* name) const {
    napi_value values[5] = {result(name ? name : operation->name), result(errorClassName(errorClass)), result(code),
                            result(text), result(peer)};
    make(mpiErrorMaker, 5, values);
  }
  void make(napi_ref maker, size_t count, napi_value* values) const {
    bool pending = false;
    napi_is_exception_pending(env, &pending);
    if (pending) return;
    napi_value function = nullptr, self, ignored;
    if (maker) napi_get_reference_value(env, maker, &function);
    napi_get_undefined(env, &self);
    if (function)
      napi_call_function(env, self, function, count, values, &ignored);
    else
      napi_throw_error(env, nullptr, "girona's MPI addon is not set up");
  }
};

}  // namespace girona
