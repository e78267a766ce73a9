// Node-API in few words: arguments in, values out, C++ exceptions as JavaScript ones.
#pragma once
#ifndef NAPI_VERSION
#define NAPI_VERSION 8
#endif
#include <node_api.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

/** Whose words a message is: HDF5's own, a line for each of its functions; girona's about a file; or about a wrong argument. */
enum class Origin { hdf5, file, usage };

/** What is thrown to JavaScript. */
struct Failure {
  std::string message;
  Origin origin;
};

[[noreturn]] inline void fail(std::string message) { throw Failure{std::move(message), Origin::file}; }
[[noreturn]] inline void failUsage(std::string message) { throw Failure{std::move(message), Origin::usage}; }

/** The arguments of a call, and what makes values of the result. */
class Call {
 public:
  napi_env env;
  size_t count = 16;
  napi_value args[16];

  Call(napi_env e, napi_callback_info info) : env(e) {
    for (auto& one : args) napi_get_undefined(e, &one);
    napi_get_cb_info(e, info, &count, args, nullptr, nullptr);
  }

  napi_value operator[](size_t i) const { return args[i]; }
  napi_valuetype type(napi_value v) const {
    napi_valuetype t = napi_undefined;
    napi_typeof(env, v, &t);
    return t;
  }
  bool has(napi_value v) const {
    napi_valuetype t = type(v);
    return t != napi_undefined && t != napi_null;
  }

  double real(napi_value v) const {
    double d = 0;
    if (napi_get_value_double(env, v, &d) != napi_ok) fail("a number is missing in a call of the addon");
    return d;
  }
  int integer(napi_value v) const { return static_cast<int>(real(v)); }
  bool flag(napi_value v) const {
    bool b = false;
    napi_get_value_bool(env, v, &b);
    return b;
  }
  std::string text(napi_value v) const {
    size_t length = 0;
    if (napi_get_value_string_utf8(env, v, nullptr, 0, &length) != napi_ok) fail("a text is missing in a call of the addon");
    std::string s(length, '\0');
    napi_get_value_string_utf8(env, v, &s[0], length + 1, &length);
    return s;
  }
  uint32_t length(napi_value array) const {
    uint32_t n = 0;
    napi_get_array_length(env, array, &n);
    return n;
  }
  napi_value at(napi_value array, uint32_t i) const {
    napi_value v;
    // A getter of the caller's may have thrown; that is passed on.
    if (napi_get_element(env, array, i, &v) != napi_ok) fail("an element cannot be read");
    return v;
  }
  napi_value get(napi_value object, const char* name) const {
    napi_value v;
    if (napi_get_named_property(env, object, name, &v) != napi_ok) fail(std::string("an object without ") + name);
    return v;
  }
  std::vector<double> numbers(napi_value array) const {
    std::vector<double> all;
    bool isArray = false;
    napi_is_array(env, array, &isArray);
    if (!isArray) return all;
    uint32_t n = length(array);
    all.reserve(n);
    for (uint32_t i = 0; i < n; i++) all.push_back(real(at(array, i)));
    return all;
  }

  // Values in a loop over many elements would otherwise pile up until the call returns.
  class Scope {
    napi_env env_;
    napi_handle_scope scope_;

   public:
    explicit Scope(napi_env env) : env_(env) { napi_open_handle_scope(env, &scope_); }
    ~Scope() { napi_close_handle_scope(env_, scope_); }
    Scope(const Scope&) = delete;
  };

  napi_value undefined() const {
    napi_value v;
    napi_get_undefined(env, &v);
    return v;
  }
  napi_value null() const {
    napi_value v;
    napi_get_null(env, &v);
    return v;
  }
  napi_value number(double d) const {
    napi_value v;
    napi_create_double(env, d, &v);
    return v;
  }
  napi_value boolean(bool b) const {
    napi_value v;
    napi_get_boolean(env, b, &v);
    return v;
  }
  napi_value string(const char* s, size_t n) const {
    napi_value v;
    if (napi_create_string_utf8(env, s, n, &v) != napi_ok) fail("a text is too long for JavaScript");
    return v;
  }
  napi_value string(const std::string& s) const { return string(s.data(), s.size()); }
  napi_value array(size_t n = 0) const {
    napi_value v;
    napi_create_array_with_length(env, n, &v);
    return v;
  }
  napi_value object() const {
    napi_value v;
    napi_create_object(env, &v);
    return v;
  }
  void set(napi_value array, uint32_t i, napi_value v) const { napi_set_element(env, array, i, v); }
  void set(napi_value object, const char* name, napi_value v) const { napi_set_named_property(env, object, name, v); }
  template <typename T>
  napi_value list(const std::vector<T>& values) const {
    napi_value all = array(values.size());
    for (uint32_t i = 0; i < values.size(); i++) set(all, i, number(static_cast<double>(values[i])));
    return all;
  }
  napi_value list(const std::vector<std::string>& values) const {
    napi_value all = array(values.size());
    for (uint32_t i = 0; i < values.size(); i++) set(all, i, string(values[i]));
    return all;
  }
};

/**
 * HDF5 is used by one thread at a time, also when workers of Node load the addon too. The same thread may come again: values to be
 * written can have getters, which may do anything.
 */
inline std::recursive_mutex& oneAtATime() {
  static std::recursive_mutex mutex;
  return mutex;
}

template <napi_value (*Function)(Call&)>
napi_value guarded(napi_env env, napi_callback_info info) {
  std::lock_guard<std::recursive_mutex> lock(oneAtATime());
  Call call(env, info);
  std::string message;
  Origin origin = Origin::file;
  try {
    return Function(call);
  } catch (const Failure& failure) {
    message = failure.message;
    origin = failure.origin;
  } catch (const std::bad_alloc&) {
    message = "there is not enough memory";
  } catch (const std::length_error&) {
    message = "there is not enough memory";
  }
  bool pending = false;
  napi_is_exception_pending(env, &pending);
  if (pending) return nullptr;
  napi_value text, error;
  napi_create_string_utf8(env, message.data(), message.size(), &text);
  napi_create_error(env, nullptr, text, &error);
  call.set(error, "origin", call.string(origin == Origin::hdf5 ? "hdf5" : origin == Origin::usage ? "usage" : "file"));
  napi_throw(env, error);
  return nullptr;
}
