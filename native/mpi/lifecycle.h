// How MPI begins with a process and ends with it.
#pragma once
#include <dlfcn.h>

#include <cstdlib>

#include "values.h"

namespace girona {

inline int exitCode = 0;
inline bool ending = false;

// After all of JavaScript, and after HDF5, which closes its files by a handler of its own that was registered later.
inline void atExit() {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  if (!initialized || ending) return;
  MPI_Finalized(&finalized);
  if (finalized) return;
  ending = true;
  // The others may be waiting for this rank: its failure is theirs.
  if (exitCode != 0 && communicators[0].size > 1) MPI_Abort(MPI_COMM_WORLD, exitCode);
  MPI_Finalize();
}

// Plugins of Open MPI use its symbols without naming the library that has them.
inline void promote() {
  Dl_info found;
  if (dladdr((void*)&PMPI_Init, &found) && found.dli_fname) dlopen(found.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

// initialize(mpiError, usageError): what holds from now on, as an object
inline napi_value initialize(napi_env env, napi_callback_info info) {
  Call call(env, info);
  napi_create_reference(env, call.args[0], 1, &mpiErrorMaker);
  napi_create_reference(env, call.args[1], 1, &usageErrorMaker);
  promote();
  int initialized = 0, level = 0;
  MPI_Initialized(&initialized);
  if (!initialized) {
    if (call.failed(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level))) return nullptr;
    std::atexit(atExit);
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  makeKindTypes();
  layouts[1].form = Layout::complex;
  layouts[2].form = Layout::pairs;
  makeOperations();
  keep(MPI_COMM_WORLD);
  keep(MPI_COMM_SELF);
  int *tag = nullptr, found = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag, &found);
  if (found) largestTag = *tag;

  napi_value facts;
  napi_create_object(env, &facts);
  auto number = [&](const char* name, int value) { napi_set_named_property(env, facts, name, call.result(value)); };
  number("rank", communicators[0].rank);
  number("size", communicators[0].size);
  number("anySource", MPI_ANY_SOURCE);
  number("anyTag", MPI_ANY_TAG);
  number("procNull", MPI_PROC_NULL);
  number("tagUb", largestTag);
  int major = 0, minor = 0, length = 0;
  MPI_Get_version(&major, &minor);
  number("major", major);
  number("minor", minor);
  char text[MPI_MAX_LIBRARY_VERSION_STRING + 1] = {};
  MPI_Get_library_version(text, &length);
  napi_set_named_property(env, facts, "library", call.result(text));
  char name[MPI_MAX_PROCESSOR_NAME + 1] = {};
  MPI_Get_processor_name(name, &length);
  napi_set_named_property(env, facts, "processorName", call.result(name));
  napi_value memory, status;
  napi_create_external_arraybuffer(env, statusBlock, sizeof statusBlock, nullptr, nullptr, &memory);
  napi_create_typedarray(env, napi_float64_array, sizeof statusBlock / sizeof(double), memory, 0, &status);
  napi_set_named_property(env, facts, "status", status);
  napi_create_external_arraybuffer(env, callBlock, sizeof callBlock, nullptr, nullptr, &memory);
  napi_create_typedarray(env, napi_int32_array, sizeof callBlock / sizeof(int32_t), memory, 0, &status);
  napi_set_named_property(env, facts, "call", status);
  return facts;
}

// abort(comm, code): does not return
inline napi_value abortAll(napi_env env, napi_callback_info info) {
  Call call(env, info);
  const uint32_t index = (uint32_t)call.integer(0);
  ending = true;
  MPI_Abort(index < communicators.size() && communicators[index].handle != MPI_COMM_NULL ? communicators[index].handle : MPI_COMM_WORLD,
            call.integer(1));
  _Exit(call.integer(1));
}

inline napi_value setExitCode(napi_env env, napi_callback_info info) {
  Call call(env, info);
  exitCode = call.integer(0);
  return nullptr;
}

inline napi_value wtime(napi_env env, napi_callback_info) {
  napi_value made;
  napi_create_double(env, MPI_Wtime(), &made);
  return made;
}
inline napi_value wtick(napi_env env, napi_callback_info) {
  napi_value made;
  napi_create_double(env, MPI_Wtick(), &made);
  return made;
}
inline napi_value setLargest(napi_env env, napi_callback_info info) {
  Call call(env, info);
  largestCount = (int64_t)call.number(0);
  return nullptr;
}

}  // namespace girona
