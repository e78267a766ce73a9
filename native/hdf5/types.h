// Element types: from the description that JavaScript has (RawType in src/hdf5/raw.ts) to HDF5's and back.
#pragma once
#include "handles.h"

inline hid_t integerType(int size, bool isSigned, bool big) {
  switch (size) {
    case 1:
      return isSigned ? (big ? H5T_STD_I8BE : H5T_STD_I8LE) : (big ? H5T_STD_U8BE : H5T_STD_U8LE);
    case 2:
      return isSigned ? (big ? H5T_STD_I16BE : H5T_STD_I16LE) : (big ? H5T_STD_U16BE : H5T_STD_U16LE);
    case 4:
      return isSigned ? (big ? H5T_STD_I32BE : H5T_STD_I32LE) : (big ? H5T_STD_U32BE : H5T_STD_U32LE);
    case 8:
      return isSigned ? (big ? H5T_STD_I64BE : H5T_STD_I64LE) : (big ? H5T_STD_U64BE : H5T_STD_U64LE);
  }
  fail("an integer type of an unknown size");
}

/** IEEE 754; half precision is made from single precision, as HDF5 before 1.14.4 has none of its own. */
inline hid_t floatType(int size, bool big) {
  if (size == 8) return H5Tcopy(big ? H5T_IEEE_F64BE : H5T_IEEE_F64LE);
  hid_t type = H5Tcopy(big ? H5T_IEEE_F32BE : H5T_IEEE_F32LE);
  if (size == 2) {
    H5(H5Tset_fields(type, 15, 10, 5, 0, 10));
    H5(H5Tset_size(type, 2));
    H5(H5Tset_ebias(type, 15));
  }
  return type;
}

inline Id makeType(Call& call, napi_value raw);

inline Id makeEnum(Call& call, napi_value raw) {
  Id base = makeType(call, call.get(raw, "base"));
  Id type(H5(H5Tenum_create(base)));
  napi_value names = call.get(raw, "names"), values = call.get(raw, "values");
  for (uint32_t i = 0; i < call.length(names); i++) {
    // H5Tenum_insert takes the value as the base type has it in memory, byte order and all.
    int64_t value = static_cast<int64_t>(call.real(call.at(values, i)));
    H5(H5Tconvert(H5T_NATIVE_INT64, base, 1, &value, nullptr, H5P_DEFAULT));
    H5(H5Tenum_insert(type, call.text(call.at(names, i)).c_str(), &value));
  }
  return type;
}

/** Fields lie one after another without gaps, as in NumPy. */
inline Id makeCompound(Call& call, napi_value raw) {
  napi_value names = call.get(raw, "names"), types = call.get(raw, "types");
  std::vector<Id> fields;
  size_t size = 0;
  for (uint32_t i = 0; i < call.length(types); i++) {
    fields.push_back(makeType(call, call.at(types, i)));
    size += H5Tget_size(fields.back());
  }
  Id type(H5(H5Tcreate(H5T_COMPOUND, size)));
  size_t offset = 0;
  for (uint32_t i = 0; i < fields.size(); i++) {
    H5(H5Tinsert(type, call.text(call.at(names, i)).c_str(), offset, fields[i]));
    offset += H5Tget_size(fields[i]);
  }
  return type;
}

inline Id makeString(Call& call, napi_value raw) {
  Id type(H5(H5Tcopy(H5T_C_S1)));
  int size = call.integer(call.get(raw, "size"));
  H5(H5Tset_size(type, size == 0 ? H5T_VARIABLE : size));
  H5(H5Tset_cset(type, call.flag(call.get(raw, "utf8")) ? H5T_CSET_UTF8 : H5T_CSET_ASCII));
  H5(H5Tset_strpad(type, static_cast<H5T_str_t>(call.integer(call.get(raw, "pad")))));
  return type;
}

inline Id makeType(Call& call, napi_value raw) {
  std::string kind = call.text(call.get(raw, "class"));
  if (kind == "integer")
    return Id(H5(H5Tcopy(integerType(call.integer(call.get(raw, "size")), call.flag(call.get(raw, "signed")),
                                     call.flag(call.get(raw, "big"))))));
  if (kind == "float") return Id(H5(floatType(call.integer(call.get(raw, "size")), call.flag(call.get(raw, "big")))));
  if (kind == "string") return makeString(call, raw);
  if (kind == "enum") return makeEnum(call, raw);
  if (kind == "compound") return makeCompound(call, raw);
  if (kind == "reference") return Id(H5(H5Tcopy(H5T_STD_REF_OBJ)));
  if (kind == "vlen") return Id(H5(H5Tvlen_create(makeType(call, call.get(raw, "base")))));
  if (kind == "opaque") {
    Id type(H5(H5Tcreate(H5T_OPAQUE, call.integer(call.get(raw, "size")))));
    H5(H5Tset_tag(type, call.text(call.get(raw, "tag")).c_str()));
    return type;
  }
  if (kind == "array") {
    std::vector<hsize_t> dims;
    for (double d : call.numbers(call.get(raw, "shape"))) dims.push_back(static_cast<hsize_t>(d));
    return Id(H5(H5Tarray_create2(makeType(call, call.get(raw, "base")), static_cast<unsigned>(dims.size()), dims.data())));
  }
  fail("a type of an unknown class: " + kind);
}

/** A text that HDF5 has allocated. */
inline std::string takeText(char* given) {
  std::string text = given ? given : "";
  H5free_memory(given);
  return text;
}

inline napi_value describeType(Call& call, hid_t type, int depth = 0);

inline void describeEnum(Call& call, napi_value out, hid_t type) {
  Id base(H5(H5Tget_super(type)));
  call.set(out, "base", describeType(call, base));
  int n = H5(H5Tget_nmembers(type));
  bool isSigned = H5Tget_sign(base) == H5T_SGN_2;
  size_t size = H5Tget_size(base);
  napi_value names = call.array(n), values = call.array(n);
  for (int i = 0; i < n; i++) {
    unsigned char bytes[64] = {0};
    if (size > sizeof bytes) fail("an enumeration of integers of more than 64 bytes");
    H5(H5Tget_member_value(type, i, bytes));
    H5(H5Tconvert(base, isSigned ? H5T_NATIVE_INT64 : H5T_NATIVE_UINT64, 1, bytes, nullptr, H5P_DEFAULT));
    int64_t value;
    memcpy(&value, bytes, 8);
    call.set(values, i, call.number(isSigned ? static_cast<double>(value) : static_cast<double>(static_cast<uint64_t>(value))));
    call.set(names, i, call.string(takeText(H5Tget_member_name(type, i))));
  }
  call.set(out, "names", names);
  call.set(out, "values", values);
}

inline void describeCompound(Call& call, napi_value out, hid_t type, int depth) {
  int n = H5(H5Tget_nmembers(type));
  napi_value names = call.array(n), types = call.array(n);
  for (int i = 0; i < n; i++) {
    call.set(names, i, call.string(takeText(H5Tget_member_name(type, i))));
    Id field(H5(H5Tget_member_type(type, i)));
    call.set(types, i, describeType(call, field, depth + 1));
  }
  call.set(out, "names", names);
  call.set(out, "types", types);
}

/** Is it IEEE 754 of its size, and not, say, a bfloat16 or a VAX float? */
inline bool isIeee(hid_t type, bool big) {
  size_t size = H5Tget_size(type);
  if (size != 2 && size != 4 && size != 8) return false;
  Id ieee(floatType(static_cast<int>(size), big));
  return H5Tequal(type, ieee) > 0;
}

inline napi_value describeType(Call& call, hid_t type, int depth) {
  // Damaged files may nest types in themselves.
  if (depth > 32) fail("a type nested more than 32 deep");
  napi_value out = call.object();
  auto kind = [&](const char* name) { call.set(out, "class", call.string(name)); };
  H5T_class_t tclass = H5(H5Tget_class(type));
  size_t size = H5Tget_size(type);
  call.set(out, "size", call.number(static_cast<double>(size)));
  bool big = H5Tget_order(type) == H5T_ORDER_BE;
  switch (tclass) {
    case H5T_INTEGER: {
      bool isSigned = H5Tget_sign(type) == H5T_SGN_2;
      bool plain = (size == 1 || size == 2 || size == 4 || size == 8) && H5Tget_precision(type) == size * 8;
      kind(plain ? "integer" : "other");
      call.set(out, "signed", call.boolean(isSigned));
      call.set(out, "big", call.boolean(big));
      break;
    }
    case H5T_FLOAT:
      kind(isIeee(type, big) ? "float" : "other");
      call.set(out, "big", call.boolean(big));
      break;
    case H5T_STRING:
      kind("string");
      if (H5Tis_variable_str(type) > 0) call.set(out, "size", call.number(0));
      call.set(out, "utf8", call.boolean(H5Tget_cset(type) == H5T_CSET_UTF8));
      call.set(out, "pad", call.number(H5Tget_strpad(type)));
      break;
    case H5T_ENUM:
      kind("enum");
      describeEnum(call, out, type);
      break;
    case H5T_COMPOUND:
      kind("compound");
      describeCompound(call, out, type, depth);
      break;
    case H5T_ARRAY: {
      kind("array");
      int n = H5(H5Tget_array_ndims(type));
      std::vector<hsize_t> dims(n);
      H5(H5Tget_array_dims2(type, dims.data()));
      call.set(out, "shape", call.list(dims));
      Id base(H5(H5Tget_super(type)));
      call.set(out, "base", describeType(call, base, depth + 1));
      break;
    }
    case H5T_VLEN: {
      kind("vlen");
      Id base(H5(H5Tget_super(type)));
      call.set(out, "base", describeType(call, base, depth + 1));
      break;
    }
    case H5T_REFERENCE:
      kind(H5Tequal(type, H5T_STD_REF_OBJ) > 0 ? "reference" : "other");
      break;
    case H5T_OPAQUE:
      kind("opaque");
      call.set(out, "tag", call.string(takeText(H5Tget_tag(type))));
      break;
    default:
      kind("other");
  }
  return out;
}
