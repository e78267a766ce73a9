// Typed arrays, and parts of them, as MPI sees them: address, count, datatype.
#pragma once
#include <cstring>
#include <numeric>
#include <vector>

#include "call.h"

namespace girona {

constexpr int kinds = 11;
inline MPI_Datatype kindTypes[kinds];  // by napi_typedarray_type
constexpr int kindBytes[kinds] = {1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8};

inline void makeKindTypes() {
  kindTypes[napi_int8_array] = MPI_INT8_T;
  kindTypes[napi_uint8_array] = kindTypes[napi_uint8_clamped_array] = MPI_UINT8_T;
  kindTypes[napi_int16_array] = MPI_INT16_T;
  kindTypes[napi_uint16_array] = MPI_UINT16_T;
  kindTypes[napi_int32_array] = MPI_INT32_T;
  kindTypes[napi_uint32_array] = MPI_UINT32_T;
  kindTypes[napi_float32_array] = MPI_FLOAT;
  kindTypes[napi_float64_array] = MPI_DOUBLE;
  kindTypes[napi_bigint64_array] = MPI_INT64_T;
  kindTypes[napi_biguint64_array] = MPI_UINT64_T;
}
inline bool isFloat(int kind) { return kind == napi_float32_array || kind == napi_float64_array; }

// Which elements a derived datatype has, without the kind of the elements: MPI's types are made per kind when needed.
struct Layout {
  enum Form { plain, complex, pairs, blocks } form = blocks;
  std::vector<int> lengths;
  std::vector<MPI_Aint> starts;  // in elements
  MPI_Aint size = 0, extent = 0, begin = 0, end = 0;
  MPI_Datatype types[kinds];
  bool freed = false;

  Layout() {
    for (MPI_Datatype& type : types) type = MPI_DATATYPE_NULL;
  }
  MPI_Datatype of(int kind) {
    if (types[kind] != MPI_DATATYPE_NULL) return types[kind];
    MPI_Datatype made = MPI_DATATYPE_NULL;
    if (form == complex) return types[kind] = kind == napi_float32_array ? MPI_C_FLOAT_COMPLEX : MPI_C_DOUBLE_COMPLEX;
    if (form == pairs) {
      MPI_Type_contiguous(2, kindTypes[kind], &made);
    } else {
      MPI_Datatype bare = MPI_DATATYPE_NULL;
      MPI_Aint first = starts.empty() ? 0 : starts[0], stride = starts.size() < 2 ? 0 : starts[1] - starts[0];
      bool regular = first == 0;
      for (size_t i = 0; i < starts.size() && regular; i++)
        regular = lengths[i] == lengths[0] && starts[i] == (MPI_Aint)i * stride;
      // Libraries move what they know to be regular several times faster.
      if (regular && !starts.empty()) {
        MPI_Type_create_hvector((int)lengths.size(), lengths[0], stride * kindBytes[kind], kindTypes[kind], &bare);
      } else {
        std::vector<MPI_Aint> bytes(starts);
        for (MPI_Aint& one : bytes) one *= kindBytes[kind];
        MPI_Type_create_hindexed((int)lengths.size(), lengths.data(), bytes.data(), kindTypes[kind], &bare);
      }
      MPI_Type_create_resized(bare, 0, extent * kindBytes[kind], &made);
      MPI_Type_free(&bare);
    }
    MPI_Type_commit(&made);
    return types[kind] = made;
  }
  void release() {
    if (form == blocks)
      for (MPI_Datatype& type : types)
        if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
    freed = true;
  }
};
inline std::vector<Layout> layouts(3);  // 0: none, 1: complex, 2: pairs

struct Buffer {
  void* data = nullptr;
  int64_t count = 0;  // of `type`
  MPI_Datatype type = MPI_BYTE;
  int kind = -1;
  int layout = 0;
  int64_t elements = 0;  // of the array, in all
  bool inPlace = false;

  bool nothing() const { return kind < 0 && !inPlace; }
  int elementBytes() const { return kind < 0 ? 1 : kindBytes[kind]; }
  // Elements of the array in one of `type`.
  int64_t per() const { return layout ? (layouts[layout].form == Layout::blocks ? layouts[layout].size : 2) : 1; }
};

enum Allow { needed = 0, orNothing = 1, orInPlace = 2 };

namespace detail {
inline bool property(const Call& call, napi_value object, const char* name, napi_value* value) {
  return napi_get_named_property(call.env, object, name, value) == napi_ok;
}
inline int64_t integerOf(const Call& call, napi_value object, const char* name) {
  napi_value value;
  double number = -1;
  if (property(call, object, name, &value)) napi_get_value_double(call.env, value, &number);
  return (int64_t)number;
}
}  // namespace detail

// What is no typed array, and empty arrays, which may be detached ones.
inline bool unusual(const Call& call, napi_value value, Buffer& buffer, int allow, const char* name) {
  bool isArray = false;
  napi_is_typedarray(call.env, value, &isArray);
  if (isArray) {
    napi_typedarray_type type;
    napi_value memory;
    bool detached = false;
    napi_get_typedarray_info(call.env, value, &type, nullptr, nullptr, &memory, nullptr);
    napi_is_detached_arraybuffer(call.env, memory, &detached);
    if (detached) return call.misused(name, "is detached: its ArrayBuffer was transferred, so that it has no elements any more");
    if (type >= kinds) return call.misused(name, "is an array of a kind that MPI has no type for");
    return true;
  }
  napi_valuetype type;
  napi_typeof(call.env, value, &type);
  if (type == napi_undefined || type == napi_null) {
    if (!(allow & orNothing)) return call.misused(name, "is needed on this rank: pass a typed array");
    buffer = Buffer();
    return true;
  }
  if (type == napi_symbol) {
    if (!(allow & orInPlace)) return call.misused(name, "cannot be MPI.IN_PLACE here");
    buffer = Buffer();
    buffer.inPlace = true;
    return true;
  }
  napi_value array;
  if (type == napi_object && detail::property(call, value, "array", &array) &&
      napi_is_typedarray(call.env, array, &isArray) == napi_ok && isArray) {
    napi_typedarray_type kind;
    size_t length;
    void* data;
    napi_get_typedarray_info(call.env, array, &kind, &length, &data, nullptr, nullptr);
    int64_t layout = detail::integerOf(call, value, "layout"), offset = detail::integerOf(call, value, "offset"),
            count = detail::integerOf(call, value, "count");
    if (layout < 1 || layout >= (int64_t)layouts.size() || kind >= kinds)
      return call.misused(name, "is no part of an array that MPI.vector(...).of(array) and the like made");
    Layout& used = layouts[layout];
    if (used.freed) return call.misused(name, "is a part by a datatype that was freed");
    buffer.kind = kind;
    buffer.layout = (int)layout;
    buffer.count = count;
    bool blocks = used.form == Layout::blocks;
    int64_t first = offset + (blocks ? used.begin : 0);
    int64_t last = blocks ? offset + (count - 1) * used.extent + used.end : offset + 2 * count;
    // The array may have been detached or resized since the part was made.
    if (count > 0 && (first < 0 || last > (int64_t)length))
      return call.misused(name, "reaches beyond its array, which is shorter than when the part was made (detached or resized)");
    buffer.type = used.of(kind);
    buffer.elements = count * (blocks ? used.size : 2);
    buffer.data = (char*)data + offset * kindBytes[kind];
    return true;
  }
  return call.misused(name, "must be a typed array, such as Float64Array.of(1, 2); for any other value use the lower-case call");
}

inline bool buffer(const Call& call, int at, Buffer& buffer, const char* name, int allow = needed) {
  napi_typedarray_type type;
  size_t length;
  if (napi_get_typedarray_info(call.env, call.args[at], &type, &length, &buffer.data, nullptr, nullptr) == napi_ok &&
      type < kinds) {
    buffer.kind = type;
    buffer.type = kindTypes[type];
    buffer.count = buffer.elements = (int64_t)length;
    if (length > 0) return true;
  }
  return unusual(call, call.args[at], buffer, allow, name);
}

// Two buffers of one call hold the same kind of elements.
inline bool match(const Call& call, const Buffer& a, const Buffer& b, const char* name) {
  if (a.kind == b.kind || a.kind < 0 || b.kind < 0) return true;
  if (kindTypes[a.kind] == kindTypes[b.kind]) return true;
  return call.misused(name, "is another kind of typed array than the other buffer of this call");
}

}  // namespace girona
