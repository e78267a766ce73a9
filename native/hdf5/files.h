// Files: opening with a driver and its settings, flushing, closing with all that is open in them.
#pragma once
#include <sys/stat.h>

#include "handles.h"
#ifdef GIRONA_HDF5_MPI
#include <mpi.h>
#endif

inline H5F_libver_t formatOf(Call& call, napi_value v) {
  std::string name = call.text(v);
  if (name == "earliest") return H5F_LIBVER_EARLIEST;
  if (name == "latest") return H5F_LIBVER_LATEST;
  if (name == "v108") return H5F_LIBVER_V18;
  if (name == "v110") return H5F_LIBVER_V110;
#if H5_VERSION_GE(1, 12, 0)
  if (name == "v112") return H5F_LIBVER_V112;
#endif
#if H5_VERSION_GE(1, 14, 0)
  if (name == "v114") return H5F_LIBVER_V114;
#endif
  failUsage("format: this HDF5 does not know " + name);
}

#ifdef GIRONA_HDF5_MPI
inline void useMpio(Call& call, hid_t access, napi_value options) {
  int ready = 0;
  MPI_Initialized(&ready);
  if (!ready) fail("MPI is not initialised");
  MPI_Comm comm = MPI_Comm_f2c(static_cast<MPI_Fint>(call.integer(call.get(options, "comm"))));
  MPI_Info info;
  MPI_Info_create(&info);
  napi_value hints = call.get(options, "hints");
  for (uint32_t i = 0; i < call.length(hints); i++) {
    napi_value pair = call.at(hints, i);
    MPI_Info_set(info, call.text(call.at(pair, 0)).c_str(), call.text(call.at(pair, 1)).c_str());
  }
  herr_t set = H5Pset_fapl_mpio(access, comm, info);
  MPI_Info_free(&info);
  check(set, "H5Pset_fapl_mpio");
  if (call.flag(call.get(options, "collectiveMetadata"))) {
    H5(H5Pset_all_coll_metadata_ops(access, true));
    H5(H5Pset_coll_metadata_write(access, true));
  }
}
#endif

inline Id accessList(Call& call, napi_value options) {
  Id access(H5(H5Pcreate(H5P_FILE_ACCESS)));
  std::string driver = call.text(call.get(options, "driver"));
  // HDF5 opens the target of an external link weakly, and a file has one degree: with another one it could not be opened by
  // itself while, or after, a link led into it. What is open in a file is closed by closeFile. With MPI all ranks must close the
  // same things in the same order, which HDF5 sees to.
  H5(H5Pset_fclose_degree(access, driver == "mpio" ? H5F_CLOSE_STRONG : H5F_CLOSE_WEAK));
  if (driver == "core") {
    H5(H5Pset_fapl_core(access, static_cast<size_t>(call.real(call.get(options, "increment"))),
                        call.flag(call.get(options, "backingStore"))));
  } else if (driver == "mpio") {
#ifdef GIRONA_HDF5_MPI
    useMpio(call, access, options);
#else
    fail("this HDF5 was built without MPI");
#endif
  }
  napi_value low = call.get(options, "low");
  if (call.has(low)) H5(H5Pset_libver_bounds(access, formatOf(call, low), formatOf(call, call.get(options, "high"))));
  napi_value alignment = call.get(options, "alignment");
  if (call.has(alignment))
    H5(H5Pset_alignment(access, static_cast<hsize_t>(call.real(call.at(alignment, 0))),
                        static_cast<hsize_t>(call.real(call.at(alignment, 1)))));
  napi_value cache = call.get(options, "cache");
  if (call.has(cache))
    H5(H5Pset_cache(access, 0, static_cast<size_t>(call.real(call.at(cache, 0))),
                    static_cast<size_t>(call.real(call.at(cache, 1))), 0.75));
  napi_value locking = call.get(options, "locking");
  if (call.has(locking)) {
#if H5_VERSION_GE(1, 12, 1) || (H5_VERS_MINOR == 10 && H5_VERS_RELEASE >= 7)
    std::string how = call.text(locking);
    H5(H5Pset_file_locking(access, how != "off", how == "best-effort"));
#else
    failUsage("locking: this HDF5 takes HDF5_USE_FILE_LOCKING from the environment alone");
#endif
  }
  return access;
}

inline Id creationList(Call& call, napi_value options) {
  Id creation(H5(H5Pcreate(H5P_FILE_CREATE)));
  if (call.flag(call.get(options, "trackOrder"))) {
    H5(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
    H5(H5Pset_attr_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED));
  }
  napi_value block = call.get(options, "userBlock");
  if (call.has(block)) H5(H5Pset_userblock(creation, static_cast<hsize_t>(call.real(block))));
  return creation;
}

/** (path, mode, options) */
inline napi_value fileOpen(Call& call) {
  std::string path = call.text(call[0]), mode = call.text(call[1]);
  Id access = accessList(call, call[2]), creation = creationList(call, call[2]);
  auto open = [&](unsigned flags) { return H5Fopen(path.c_str(), flags, access); };
  auto create = [&](unsigned flags) { return H5Fcreate(path.c_str(), flags, creation, access); };
  hid_t id;
  if (mode == "r") {
    id = open(H5F_ACC_RDONLY | (call.flag(call.get(call[2], "swmr")) ? H5F_ACC_SWMR_READ : 0));
  } else if (mode == "r+") {
    id = open(H5F_ACC_RDWR);
  } else if (mode == "w") {
    id = create(H5F_ACC_TRUNC);
  } else if (mode == "w-") {
    id = create(H5F_ACC_EXCL);
  } else {
    // Either: create only when there is none, else a file that cannot be opened would be lost.
    struct stat found;
    id = open(H5F_ACC_RDWR);
    if (id < 0 && stat(path.c_str(), &found) != 0) id = create(H5F_ACC_EXCL);
  }
  return call.number(handles().add(check(id, "H5Fopen")));
}

inline bool isWeak(hid_t file) {
  Id access(H5(H5Fget_access_plist(file)));
  H5F_close_degree_t degree = H5F_CLOSE_DEFAULT;
  H5(H5Pget_fclose_degree(access, &degree));
  return degree == H5F_CLOSE_WEAK;
}

inline void closeFile(int handle) {
  hid_t id = handles().id(handle);
  // Closing a dataset writes what is left of it, which may fail; the file is closed all the same, and the first failure told.
  std::string lost;
  if (isWeak(id))
    for (hid_t inside : handles().inside(handle))
      if (H5Idec_ref(inside) < 0 && lost.empty()) H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, collect, &lost);
  // Forgotten first: what HDF5 could not write is told, and a second attempt would find nothing to close.
  herr_t closed = H5Fclose(id);
  handles().removeFile(handle);
  check(closed, "H5Fclose");
  if (!lost.empty()) throw Failure{lost, Origin::hdf5};
}

inline napi_value fileClose(Call& call) {
  closeFile(call.integer(call[0]));
  return call.undefined();
}

inline napi_value flush(Call& call) {
  H5(H5Fflush(idOf(call, call[0]), H5F_SCOPE_GLOBAL));
  return call.undefined();
}

inline napi_value userBlock(Call& call) {
  Id list(H5(H5Fget_create_plist(idOf(call, call[0]))));
  hsize_t size = 0;
  H5(H5Pget_userblock(list, &size));
  return call.number(static_cast<double>(size));
}

inline napi_value startSwmr(Call& call) {
  H5(H5Fstart_swmr_write(idOf(call, call[0])));
  return call.undefined();
}

/** (file): is it atomic? (file, flag): from now on. */
inline napi_value atomicity(Call& call) {
#ifdef GIRONA_HDF5_MPI
  hid_t file = idOf(call, call[0]);
  hbool_t is = call.flag(call[1]);
  if (call.has(call[1]))
    H5(H5Fset_mpi_atomicity(file, is));
  else
    H5(H5Fget_mpi_atomicity(file, &is));
  return call.boolean(is);
#else
  (void)call;
  fail("only files of the driver mpio can be atomic");
#endif
}

inline napi_value isHdf5(Call& call) { return call.boolean(H5Fis_hdf5(call.text(call[0]).c_str()) > 0); }
