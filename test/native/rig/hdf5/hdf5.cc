#include <hdf5.h>
#include <node_api.h>
#ifdef GIRONA_HDF5_MPI
#include <mpi.h>
#endif

NAPI_MODULE_INIT() {
  unsigned major, minor, release;
  H5get_libversion(&major, &minor, &release);
#ifdef GIRONA_HDF5_MPI
  int done;
  MPI_Initialized(&done);
#endif
  napi_value made;
  napi_create_uint32(env, minor, &made);
  napi_set_named_property(env, exports, "minor", made);
  return exports;
}
