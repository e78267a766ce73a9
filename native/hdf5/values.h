// Elements that are no plain numbers: strings, booleans, records, arrays, sequences, references, from memory as HDF5 has it
// to JavaScript values and back.
#pragma once
#include <algorithm>
#include <memory>

#include "types.h"

/** A memory type, taken apart once for many elements. */
struct Plan {
  enum Kind { number, boolean, variableText, fixedText, record, array, sequence, reference, opaque } kind = number;
  size_t size = 0;
  size_t offset = 0;
  bool isFloat = false, isSigned = false, isAscii = false;
  H5T_str_t pad = H5T_STR_NULLPAD;
  /** Elements of an array type. */
  size_t count = 1;
  std::vector<Plan> parts;
  std::vector<std::string> names;
  std::vector<napi_value> keys;

  bool allocates() const {
    if (kind == variableText || kind == sequence) return true;
    for (const Plan& part : parts)
      if (part.allocates()) return true;
    return false;
  }
};

/** h5py's booleans: an enumeration of one byte with FALSE and TRUE. */
inline bool isBoolean(hid_t type) {
  if (H5Tget_size(type) != 1 || H5Tget_nmembers(type) != 2) return false;
  int8_t no = 1, yes = 0;
  std::string first = takeText(H5Tget_member_name(type, 0)), second = takeText(H5Tget_member_name(type, 1));
  H5Tget_member_value(type, 0, &no);
  H5Tget_member_value(type, 1, &yes);
  return first == "FALSE" && second == "TRUE" && no == 0 && yes == 1;
}

inline Plan planOf(Call& call, hid_t type) {
  Plan plan;
  plan.size = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      plan.isSigned = H5Tget_sign(type) == H5T_SGN_2;
      break;
    case H5T_FLOAT:
      plan.isFloat = true;
      break;
    case H5T_ENUM: {
      Id base(H5(H5Tget_super(type)));
      plan.isSigned = H5Tget_sign(base) == H5T_SGN_2;
      if (isBoolean(type)) plan.kind = Plan::boolean;
      break;
    }
    case H5T_STRING:
      plan.kind = H5Tis_variable_str(type) > 0 ? Plan::variableText : Plan::fixedText;
      plan.isAscii = H5Tget_cset(type) == H5T_CSET_ASCII;
      plan.pad = H5Tget_strpad(type);
      break;
    case H5T_COMPOUND: {
      plan.kind = Plan::record;
      int n = H5(H5Tget_nmembers(type));
      for (int i = 0; i < n; i++) {
        Id field(H5(H5Tget_member_type(type, i)));
        plan.parts.push_back(planOf(call, field));
        plan.parts.back().offset = H5Tget_member_offset(type, i);
        plan.names.push_back(takeText(H5Tget_member_name(type, i)));
        plan.keys.push_back(call.string(plan.names.back()));
      }
      break;
    }
    case H5T_ARRAY:
    case H5T_VLEN: {
      bool fixed = H5Tget_class(type) == H5T_ARRAY;
      plan.kind = fixed ? Plan::array : Plan::sequence;
      Id base(H5(H5Tget_super(type)));
      plan.parts.push_back(planOf(call, base));
      if (fixed) plan.count = plan.size / plan.parts[0].size;
      break;
    }
    case H5T_REFERENCE:
      plan.kind = Plan::reference;
      break;
    case H5T_OPAQUE:
      plan.kind = Plan::opaque;
      break;
    default:
      fail("a type that JavaScript has nothing for");
  }
  return plan;
}

inline napi_typedarray_type arrayKind(const Plan& plan) {
  if (plan.isFloat) return plan.size == 8 ? napi_float64_array : napi_float32_array;
  switch (plan.size) {
    case 1:
      return plan.isSigned ? napi_int8_array : napi_uint8_array;
    case 2:
      return plan.isSigned ? napi_int16_array : napi_uint16_array;
    case 4:
      return plan.isSigned ? napi_int32_array : napi_uint32_array;
  }
  return plan.isSigned ? napi_bigint64_array : napi_biguint64_array;
}

inline napi_value typedArray(Call& call, napi_typedarray_type kind, size_t size, const void* from, size_t count) {
  void* to = nullptr;
  napi_value buffer, view;
  if (napi_create_arraybuffer(call.env, count * size, &to, &buffer) != napi_ok) throw std::bad_alloc();
  if (count) memcpy(to, from, count * size);
  napi_create_typedarray(call.env, kind, count, buffer, 0, &view);
  return view;
}

/** Where the class `Reference` of JavaScript is kept. */
struct Instance {
  napi_ref referenceClass = nullptr;
};

inline napi_value makeReference(Call& call, uint64_t address) {
  if (address == 0) return call.null();
  Instance* instance = nullptr;
  napi_get_instance_data(call.env, reinterpret_cast<void**>(&instance));
  napi_value constructor, argument, made;
  napi_get_reference_value(call.env, instance->referenceClass, &constructor);
  napi_create_bigint_uint64(call.env, address, &argument);
  if (napi_new_instance(call.env, constructor, 1, &argument, &made) != napi_ok) fail("a reference could not be made");
  return made;
}

template <typename T>
T load(const char* p) {
  T value;
  memcpy(&value, p, sizeof value);
  return value;
}
template <typename T>
void store(char* p, T value) {
  memcpy(p, &value, sizeof value);
}

inline napi_value toNumber(Call& call, const Plan& plan, const char* p) {
  napi_value v;
  if (plan.isFloat) return call.number(plan.size == 8 ? load<double>(p) : load<float>(p));
  // Not in one expression: C++ would give both sides the unsigned type.
  if (plan.size == 4 && plan.isSigned) return call.number(load<int32_t>(p));
  if (plan.size == 4) return call.number(load<uint32_t>(p));
  if (plan.size == 2) return call.number(plan.isSigned ? load<int16_t>(p) : load<uint16_t>(p));
  if (plan.size == 1) return call.number(plan.isSigned ? load<int8_t>(p) : load<uint8_t>(p));
  if (plan.isSigned)
    napi_create_bigint_int64(call.env, load<int64_t>(p), &v);
  else
    napi_create_bigint_uint64(call.env, load<uint64_t>(p), &v);
  return v;
}

inline napi_value toText(Call& call, const Plan& plan, const char* p) {
  size_t n = plan.pad == H5T_STR_NULLTERM ? strnlen(p, plan.size) : plan.size;
  char filler = plan.pad == H5T_STR_SPACEPAD ? ' ' : '\0';
  while (n > 0 && p[n - 1] == filler) n--;
  return call.string(p, n);
}

inline napi_value toJs(Call& call, const Plan& plan, const char* p);

/** Many elements side by side: a typed array of numbers, an array of anything else. */
inline napi_value toMany(Call& call, const Plan& plan, const char* p, size_t count) {
  if (plan.kind == Plan::number) return typedArray(call, arrayKind(plan), plan.size, p, count);
  napi_value all = call.array(count);
  for (size_t i = 0; i < count; i++) {
    Call::Scope scope(call.env);
    call.set(all, static_cast<uint32_t>(i), toJs(call, plan, p + i * plan.size));
  }
  return all;
}

inline void setField(Call& call, napi_value record, const Plan& plan, size_t i, napi_value value) {
  if (plan.names[i] != "__proto__") {
    napi_set_property(call.env, record, plan.keys[i], value);
    return;
  }
  // Setting it would change what the object inherits from.
  napi_property_descriptor field{};
  field.name = plan.keys[i];
  field.value = value;
  field.attributes = napi_default_jsproperty;
  napi_define_properties(call.env, record, 1, &field);
}

inline napi_value toJs(Call& call, const Plan& plan, const char* p) {
  switch (plan.kind) {
    case Plan::number:
      return toNumber(call, plan, p);
    case Plan::boolean:
      return call.boolean(*p != 0);
    case Plan::variableText: {
      const char* text = load<const char*>(p);
      return call.string(text ? text : "", text ? strlen(text) : 0);
    }
    case Plan::fixedText:
      return toText(call, plan, p);
    case Plan::record: {
      napi_value record = call.object();
      for (size_t i = 0; i < plan.parts.size(); i++)
        setField(call, record, plan, i, toJs(call, plan.parts[i], p + plan.parts[i].offset));
      return record;
    }
    case Plan::array:
      return toMany(call, plan.parts[0], p, plan.count);
    case Plan::sequence: {
      auto all = load<hvl_t>(p);
      return toMany(call, plan.parts[0], static_cast<const char*>(all.p), all.p ? all.len : 0);
    }
    case Plan::reference:
      return makeReference(call, load<uint64_t>(p));
    case Plan::opaque:
      return typedArray(call, napi_uint8_array, 1, p, plan.size);
  }
  return call.undefined();
}

/** Memory that strings and sequences lie in until they are written. */
class Arena {
  std::vector<std::unique_ptr<char[]>> blocks_;

 public:
  char* take(size_t size) {
    blocks_.emplace_back(new char[size ? size : 1]());
    return blocks_.back().get();
  }
};

/** `where`: the field at hand, for messages. */
inline void fromJs(Call& call, const Plan& plan, napi_value v, char* p, Arena& arena, const std::string& where);

[[noreturn]] inline void wrong(const std::string& where, const char* takes) {
  failUsage((where.empty() ? "values: an element" : "values: " + where) + " must be " + takes);
}

inline void fromNumber(Call& call, const Plan& plan, napi_value v, char* p, const std::string& where) {
  napi_valuetype type = call.type(v);
  if (!plan.isFloat && plan.size == 8) {
    bool lossless = false;
    if (type != napi_bigint) wrong(where, "a bigint");
    if (plan.isSigned) {
      int64_t value = 0;
      napi_get_value_bigint_int64(call.env, v, &value, &lossless);
      store(p, value);
    } else {
      uint64_t value = 0;
      napi_get_value_bigint_uint64(call.env, v, &value, &lossless);
      store(p, value);
    }
    if (!lossless) wrong(where, "a bigint of at most 64 bits");
    return;
  }
  if (type != napi_number) wrong(where, "a number");
  double value = call.real(v);
  if (plan.isFloat) {
    if (plan.size == 8)
      store(p, value);
    else
      store(p, static_cast<float>(value));
    return;
  }
  double most = std::ldexp(1.0, static_cast<int>(plan.size) * 8 - (plan.isSigned ? 1 : 0)) - 1;
  double least = plan.isSigned ? -most - 1 : 0;
  if (!(value >= least && value <= most) || value != std::floor(value))
    wrong(where, ("a whole number from " + std::to_string(static_cast<int64_t>(least)) + " to " +
                  std::to_string(static_cast<int64_t>(most)))
                     .c_str());
  auto whole = static_cast<int64_t>(value);
  memcpy(p, &whole, plan.size);
}

inline bool isWellFormed(Call& call, napi_value v) {
  size_t length = 0;
  napi_get_value_string_utf16(call.env, v, nullptr, 0, &length);
  std::u16string text(length + 1, u'\0');
  napi_get_value_string_utf16(call.env, v, &text[0], length + 1, &length);
  for (size_t i = 0; i < length; i++) {
    if (text[i] < 0xD800 || text[i] > 0xDFFF) continue;
    bool isPair = text[i] < 0xDC00 && i + 1 < length && text[i + 1] >= 0xDC00 && text[i + 1] <= 0xDFFF;
    if (!isPair) return false;
    i++;
  }
  return true;
}

inline std::string checkedText(Call& call, const Plan& plan, napi_value v, const std::string& where) {
  if (call.type(v) != napi_string) wrong(where, "a string");
  std::string text = call.text(v);
  // What is no letter becomes U+FFFD on the way here, which another text may have as well.
  if (text.find("\xEF\xBF\xBD") != std::string::npos && !isWellFormed(call, v))
    wrong(where, "a string without half a surrogate pair: it has no UTF-8");
  if (plan.isAscii)
    for (unsigned char c : text)
      if (c > 127) wrong(where, "a string of ASCII characters: the type's encoding is \"ascii\"");
  return text;
}

inline void fromText(Call& call, const Plan& plan, napi_value v, char* p, const std::string& where) {
  std::string text = checkedText(call, plan, v, where);
  size_t room = plan.size - (plan.pad == H5T_STR_NULLTERM ? 1 : 0);
  if (text.size() > room) {
    std::string takes = "a string of at most " + std::to_string(room) + " bytes, and has " + std::to_string(text.size());
    wrong(where, takes.c_str());
  }
  memset(p, plan.pad == H5T_STR_SPACEPAD ? ' ' : '\0', plan.size);
  memcpy(p, text.data(), text.size());
}

inline void fromReference(Call& call, napi_value v, char* p, const std::string& where) {
  uint64_t address = 0;
  if (call.has(v)) {
    bool lossless = false;
    if (call.type(v) != napi_object) wrong(where, "a Reference or null");
    napi_value given = call.get(v, "address");
    if (napi_get_value_bigint_uint64(call.env, given, &address, &lossless) != napi_ok) wrong(where, "a Reference or null");
  }
  store(p, address);
}

/** How many elements an array or typed array has; -1 for what is neither. */
inline int64_t countOf(Call& call, napi_value v) {
  bool isArray = false, isTyped = false;
  napi_is_array(call.env, v, &isArray);
  if (isArray) return call.length(v);
  napi_is_typedarray(call.env, v, &isTyped);
  if (!isTyped) return -1;
  size_t length = 0;
  napi_get_typedarray_info(call.env, v, nullptr, &length, nullptr, nullptr, nullptr);
  return static_cast<int64_t>(length);
}

inline void fromMany(Call& call, const Plan& plan, napi_value v, char* p, size_t count, Arena& arena, const std::string& where) {
  napi_typedarray_type kind;
  void* data = nullptr;
  if (plan.kind == Plan::number && napi_get_typedarray_info(call.env, v, &kind, nullptr, &data, nullptr, nullptr) == napi_ok &&
      kind == arrayKind(plan)) {
    if (count) memcpy(p, data, count * plan.size);
    return;
  }
  for (size_t i = 0; i < count; i++) {
    Call::Scope scope(call.env);
    fromJs(call, plan, call.at(v, static_cast<uint32_t>(i)), p + i * plan.size, arena, where);
  }
}

/** A field that the type has not would be lost in silence. */
inline void checkFields(Call& call, const Plan& plan, napi_value v, const std::string& where) {
  napi_value given;
  auto filter = static_cast<napi_key_filter>(napi_key_enumerable | napi_key_skip_symbols);
  if (napi_get_all_property_names(call.env, v, napi_key_own_only, filter, napi_key_numbers_to_strings, &given) != napi_ok)
    fail("the fields cannot be listed");
  uint32_t count = call.length(given);
  if (count <= plan.parts.size()) return;
  for (uint32_t i = 0; i < count; i++) {
    std::string name = call.text(call.at(given, i));
    if (std::find(plan.names.begin(), plan.names.end(), name) == plan.names.end())
      wrong(where, ("without the field " + name + ", which the type has not").c_str());
  }
}

inline void fromJs(Call& call, const Plan& plan, napi_value v, char* p, Arena& arena, const std::string& where) {
  switch (plan.kind) {
    case Plan::number:
      return fromNumber(call, plan, v, p, where);
    case Plan::boolean:
      if (call.type(v) != napi_boolean) wrong(where, "a boolean");
      return store<int8_t>(p, call.flag(v) ? 1 : 0);
    case Plan::variableText: {
      std::string text = checkedText(call, plan, v, where);
      if (text.find('\0') != std::string::npos) wrong(where, "a string without \"\\0\": it ends strings of any length in HDF5");
      char* kept = arena.take(text.size() + 1);
      memcpy(kept, text.c_str(), text.size() + 1);
      return store(p, kept);
    }
    case Plan::fixedText:
      return fromText(call, plan, v, p, where);
    case Plan::record: {
      bool has = false;
      if (call.type(v) != napi_object) wrong(where, "an object with the fields of the type");
      checkFields(call, plan, v, where);
      for (size_t i = 0; i < plan.parts.size(); i++) {
        std::string field = where.empty() ? "field " + plan.names[i] : where + "." + plan.names[i];
        napi_value value;
        if (napi_has_property(call.env, v, plan.keys[i], &has) != napi_ok) fail(field + " cannot be looked for");
        if (!has) wrong(field, "there");
        if (napi_get_property(call.env, v, plan.keys[i], &value) != napi_ok) fail(field + " cannot be read");
        fromJs(call, plan.parts[i], value, p + plan.parts[i].offset, arena, field);
      }
      return;
    }
    case Plan::array: {
      int64_t n = countOf(call, v);
      if (n != static_cast<int64_t>(plan.count)) {
        std::string takes = "an array of " + std::to_string(plan.count) + " elements";
        wrong(where, takes.c_str());
      }
      return fromMany(call, plan.parts[0], v, p, plan.count, arena, where);
    }
    case Plan::sequence: {
      int64_t n = countOf(call, v);
      if (n < 0) wrong(where, "an array or typed array");
      hvl_t all;
      all.len = static_cast<size_t>(n);
      all.p = arena.take(all.len * plan.parts[0].size);
      fromMany(call, plan.parts[0], v, static_cast<char*>(all.p), all.len, arena, where);
      return store(p, all);
    }
    case Plan::reference:
      return fromReference(call, v, p, where);
    case Plan::opaque: {
      void* data = nullptr;
      if (countOf(call, v) != static_cast<int64_t>(plan.size) ||
          napi_get_typedarray_info(call.env, v, nullptr, nullptr, &data, nullptr, nullptr) != napi_ok) {
        std::string takes = "a Uint8Array of " + std::to_string(plan.size) + " bytes";
        wrong(where, takes.c_str());
      }
      memcpy(p, data, plan.size);
    }
  }
}
