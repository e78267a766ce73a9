// HDF5's error stack. HDF5 clears it at each call, closing an id too: it is read at once, before anything is cleaned up.
#pragma once
#include <hdf5.h>

#include "napi.h"

inline herr_t collect(unsigned, const H5E_error2_t* entry, void* into) {
  auto* lines = static_cast<std::string*>(into);
  if (!lines->empty()) *lines += '\n';
  std::string words = entry->desc ? entry->desc : "?";
  // ctime() in some of them brings a line's end.
  for (size_t at; (at = words.find('\n')) != std::string::npos;) words.erase(at, 1);
  *lines += std::string(entry->func_name ? entry->func_name : "?") + ": " + words;
  return 0;
}

/** Throws with the whole stack, the call of the user first, the reason last. */
[[noreturn]] inline void failHdf5(const char* call) {
  std::string lines;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, collect, &lines);
  H5Eclear2(H5E_DEFAULT);
  if (lines.empty()) lines = std::string(call) + ": failed without a reason";
  throw Failure{lines, Origin::hdf5};
}

/** Passes on what an HDF5 call gave unless it is negative, which is how all of them tell of a failure. */
template <typename T>
T check(T result, const char* call) {
  if (result < 0) failHdf5(call);
  return result;
}
#define H5(call) check(call, #call)

/** An id that is closed at the end of its block. */
class Id {
 public:
  hid_t id;
  explicit Id(hid_t given) : id(given) {}
  ~Id() {
    if (id >= 0) H5Idec_ref(id);
  }
  Id(Id&& other) noexcept : id(other.id) { other.id = -1; }
  Id(const Id&) = delete;
  Id& operator=(const Id&) = delete;
  operator hid_t() const { return id; }
  hid_t release() {
    hid_t given = id;
    id = -1;
    return given;
  }
};
