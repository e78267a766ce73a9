// Handles for JavaScript. An hid_t has its kind in the uppermost bits and so exceeds 2^53: numbers cannot carry it, an index
// into this table can.
#pragma once
#include <algorithm>

#include "errors.h"

class Handles {
  struct Entry {
    hid_t id;
    /** The handle of the file it is in; -1 for files and for types that belong to none. */
    int file;
  };
  std::vector<Entry> entries_;
  std::vector<int> free_;

 public:
  int add(hid_t id, int file = -1) {
    if (!free_.empty()) {
      int handle = free_.back();
      free_.pop_back();
      entries_[handle] = {id, file};
      return handle;
    }
    entries_.push_back({id, file});
    return static_cast<int>(entries_.size()) - 1;
  }

  hid_t id(int handle) const {
    if (handle < 0 || handle >= static_cast<int>(entries_.size()) || entries_[handle].id < 0) fail("it is closed");
    return entries_[handle].id;
  }

  /** The file's handle of something in it; of a file, its own. */
  int fileOf(int handle) const {
    id(handle);
    return entries_[handle].file < 0 ? handle : entries_[handle].file;
  }

  void remove(int handle) {
    entries_[handle].id = -1;
    free_.push_back(handle);
  }

  /** What is open in a file, in the order of its making: in that order it is written, so that equal programs write equal files. */
  std::vector<hid_t> inside(int file) const {
    std::vector<hid_t> ids;
    for (const Entry& entry : entries_)
      if (entry.id >= 0 && entry.file == file) ids.push_back(entry.id);
    std::sort(ids.begin(), ids.end());
    return ids;
  }

  /** Forgets a file and all in it, when the ids have been closed. */
  void removeFile(int file) {
    for (int i = 0; i < static_cast<int>(entries_.size()); i++)
      if (entries_[i].id >= 0 && (i == file || entries_[i].file == file)) remove(i);
  }
};

inline Handles& handles() {
  static Handles table;
  return table;
}

inline hid_t idOf(Call& call, napi_value v) { return handles().id(call.integer(v)); }
