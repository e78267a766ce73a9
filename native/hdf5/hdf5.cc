// The addon of girona/hdf5: HDF5's calls for JavaScript, on handles and plain values. What they mean together, and all checks
// of arguments that need no HDF5, are in src/hdf5/. Built once for the serial library and once for the one with MPI
// (GIRONA_HDF5_MPI), of which a process may load both.
//
//   napi.h       arguments, values, exceptions          objects.h     groups, links, references, named types
//   errors.h     HDF5's error stack, ids that close     datasets.h    making datasets, what is known of them
//   handles.h    numbers that stand for ids             attributes.h  attributes
//   types.h      element types                          transfer.h    reads and writes
//   values.h     elements that are no plain numbers     guard.h       do all ranks make the same call?
//   selection.h  dataspaces                             files.h       opening and closing files
#include "attributes.h"
#include "files.h"
#include "guard.h"

namespace {

napi_value info(Call& call) {
  unsigned major, minor, release;
  H5(H5get_libversion(&major, &minor, &release));
  napi_value out = call.object();
  call.set(out, "version",
           call.string(std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(release)));
#ifdef GIRONA_HDF5_MPI
  call.set(out, "parallel", call.boolean(true));
#else
  call.set(out, "parallel", call.boolean(false));
#endif
  call.set(out, "gzip", call.boolean(H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0));
  return out;
}

/** (class Reference): made from an address, and has it as `address`. */
napi_value useReferenceClass(Call& call) {
  auto* instance = new Instance;
  napi_create_reference(call.env, call[0], 1, &instance->referenceClass);
  napi_set_instance_data(
      call.env, instance, [](napi_env, void* data, void*) { delete static_cast<Instance*>(data); }, nullptr);
  return call.undefined();
}

template <napi_value (*Function)(Call&)>
void add(napi_env env, napi_value exports, const char* name) {
  napi_value function;
  napi_create_function(env, name, NAPI_AUTO_LENGTH, guarded<Function>, nullptr, &function);
  napi_set_named_property(env, exports, name, function);
}

}  // namespace

NAPI_MODULE_INIT() {
  // girona closes what is open before the process ends. HDF5's own end would try again to write what it could not, with what is
  // gone by then: after a full disk the process crashed there.
  H5dont_atexit();
  H5open();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  add<info>(env, exports, "info");
  add<useReferenceClass>(env, exports, "useReferenceClass");
  add<isHdf5>(env, exports, "isHdf5");
  add<fileOpen>(env, exports, "fileOpen");
  add<fileClose>(env, exports, "fileClose");
  add<flush>(env, exports, "flush");
  add<userBlock>(env, exports, "userBlock");
  add<startSwmr>(env, exports, "startSwmr");
  add<atomicity>(env, exports, "atomicity");
  add<groupCreate>(env, exports, "groupCreate");
  add<objectOpen>(env, exports, "objectOpen");
  add<close>(env, exports, "close");
  add<objectName>(env, exports, "objectName");
  add<address>(env, exports, "address");
  add<sameObject>(env, exports, "sameObject");
  add<keys>(env, exports, "keys");
  add<visit>(env, exports, "visit");
  add<exists>(env, exports, "exists");
  add<linkInfo>(env, exports, "linkInfo");
  add<linkDelete>(env, exports, "linkDelete");
  add<linkMove>(env, exports, "linkMove");
  add<linkHard>(env, exports, "linkHard");
  add<linkSoft>(env, exports, "linkSoft");
  add<linkExternal>(env, exports, "linkExternal");
  add<copy>(env, exports, "copy");
  add<typeMake>(env, exports, "typeMake");
  add<typeCommit>(env, exports, "typeCommit");
  add<typeOf>(env, exports, "typeOf");
  add<datasetCreate>(env, exports, "datasetCreate");
  add<datasetInfo>(env, exports, "datasetInfo");
  add<shape>(env, exports, "shape");
  add<fillValue>(env, exports, "fillValue");
  add<resize>(env, exports, "resize");
  add<datasetFlush>(env, exports, "datasetFlush");
  add<refresh>(env, exports, "refresh");
  add<attributeCreate>(env, exports, "attributeCreate");
  add<attributeOpen>(env, exports, "attributeOpen");
  add<attributeExists>(env, exports, "attributeExists");
  add<attributeDelete>(env, exports, "attributeDelete");
  add<attributeRename>(env, exports, "attributeRename");
  add<attributeNames>(env, exports, "attributeNames");
  add<moveNumbers<false>>(env, exports, "readNumbers");
  add<moveNumbers<true>>(env, exports, "writeNumbers");
  add<readValues>(env, exports, "readValues");
  add<writeValues>(env, exports, "writeValues");
#ifdef GIRONA_HDF5_MPI
  add<guard>(env, exports, "guard");
  add<guardEnd>(env, exports, "guardEnd");
#endif
  return exports;
}
