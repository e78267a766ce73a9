// Counts MPI calls, bytes, message sizes and time, per operation and rank, for any program on the MPI it is built for:
//
//   GIRONA_MPI_PROFILE=run.json LD_PRELOAD=<this library> mpirun -n 4 ./program
//
// Each MPI_X here calls the library's PMPI_X, which the standard keeps for this. girona/mpi loads it before its addon, so that
// the addon's calls come here too; so do those of HDF5. Fortran's calls do not: they have other names.
//
// Each rank writes its file when it finalises or aborts: run.0.json and so on; %r in the name stands for the rank.
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>
#include <time.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

namespace {

int64_t nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

constexpr int buckets = 64;  // bucket b > 0 counts sizes above 2^(b-2) and up to 2^(b-1); bucket 0 those of 0 bytes

// Programs may call MPI from several threads.
struct Record {
  const char* name;
  std::atomic<int64_t> calls{0}, bytes{0}, nanos{0}, longest{0}, sizes[buckets] = {};
};

std::mutex listing;
std::vector<Record*> records;
int64_t began = 0;

Record& recordOf(const char* name) {
  std::lock_guard<std::mutex> lock(listing);
  for (Record* one : records)
    if (std::string(one->name) == name) return *one;
  records.push_back(new Record{name});
  return *records.back();
}

// `bytes` below 0 for calls that move none.
void count(Record& record, int64_t start, int64_t bytes) {
  const int64_t took = nanoseconds() - start;
  record.calls.fetch_add(1, std::memory_order_relaxed);
  record.nanos.fetch_add(took, std::memory_order_relaxed);
  if (took > record.longest.load(std::memory_order_relaxed)) record.longest.store(took, std::memory_order_relaxed);
  if (bytes < 0) return;
  record.bytes.fetch_add(bytes, std::memory_order_relaxed);
  int bucket = 0;
  if (bytes > 0) bucket = bytes == 1 ? 1 : 65 - __builtin_clzll((uint64_t)(bytes - 1));
  record.sizes[bucket].fetch_add(1, std::memory_order_relaxed);
}

int64_t bytesOf(int64_t n, MPI_Datatype type) {
  int size = 0;
  if (n <= 0 || type == MPI_DATATYPE_NULL || PMPI_Type_size(type, &size) != MPI_SUCCESS) return 0;
  return n * size;
}

int64_t received(const MPI_Status& status) {
  int n = 0;
  if (PMPI_Get_count(&status, MPI_BYTE, &n) == MPI_SUCCESS && n != MPI_UNDEFINED) return n;
  MPI_Count many = 0;
  PMPI_Get_elements_x(&status, MPI_BYTE, &many);
  return (int64_t)many;
}

template <typename N>
int64_t sumOf(const N* counts, MPI_Comm comm) {
  int size = 0;
  int64_t sum = 0;
  PMPI_Comm_size(comm, &size);
  for (int i = 0; counts && i < size; i++) sum += counts[i];
  return sum;
}
int sizeOf(MPI_Comm comm) {
  int size = 0;
  PMPI_Comm_size(comm, &size);
  return size;
}

std::string quoted(const char* text) {
  std::string result = "\"";
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') result += '\\';
    result += (unsigned char)*text < 32 ? ' ' : *text;
  }
  return result + "\"";
}

std::string fileOf(std::string name, int rank) {
  const std::string number = std::to_string(rank);
  size_t at = name.find("%r");
  if (at != std::string::npos) return name.replace(at, 2, number);
  const size_t dot = name.rfind('.'), slash = name.rfind('/');
  if (dot == std::string::npos || (slash != std::string::npos && dot < slash)) return name + "." + number;
  return name.insert(dot, "." + number);
}

void write() {
  static bool written = false;
  const char* name = getenv("GIRONA_MPI_PROFILE");
  if (written || !name || !*name) return;
  written = true;
  int rank = 0, size = 0, length = 0;
  char host[MPI_MAX_PROCESSOR_NAME + 1] = {}, library[MPI_MAX_LIBRARY_VERSION_STRING + 1] = {};
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  PMPI_Get_processor_name(host, &length);
  PMPI_Get_library_version(library, &length);
  const std::string path = fileOf(name, rank);
  FILE* file = fopen(path.c_str(), "w");
  if (!file) {
    fprintf(stderr, "girona: rank %d cannot write the profile %s\n", rank, path.c_str());
    return;
  }
  int64_t total = 0;
  for (Record* one : records) total += one->nanos;
  fprintf(file, "{\n  \"format\": \"girona-mpi-profile\",\n  \"version\": 1,\n  \"rank\": %d,\n  \"size\": %d,\n", rank, size);
  fprintf(file, "  \"host\": %s,\n  \"library\": %s,\n", quoted(host).c_str(), quoted(library).c_str());
  fprintf(file, "  \"seconds\": %.9f,\n  \"mpiSeconds\": %.9f,\n  \"operations\": {", (nanoseconds() - began) / 1e9, total / 1e9);
  const char* separator = "";
  for (Record* one : records) {
    if (one->calls == 0) continue;
    fprintf(file, "%s\n    %s: { \"calls\": %lld, \"bytes\": %lld, \"seconds\": %.9f, \"longest\": %.9f, \"sizes\": {", separator,
            quoted(one->name).c_str(), (long long)one->calls, (long long)one->bytes, one->nanos / 1e9, one->longest / 1e9);
    separator = ",";
    const char* comma = "";
    for (int bucket = 0; bucket < buckets; bucket++) {
      if (one->sizes[bucket] == 0) continue;
      fprintf(file, "%s \"%llu\": %lld", comma, bucket == 0 ? 0ULL : 1ULL << (bucket - 1), (long long)one->sizes[bucket]);
      comma = ",";
    }
    fprintf(file, "%s} }", *comma ? " " : "");
  }
  fprintf(file, "\n  }\n}\n");
  fclose(file);
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

// Node loads it as an addon that has nothing to say.
EXPORTED void* napi_register_module_v1(void*, void* exports) { return exports; }

// MPI_<name> with these parameters, counted as `label`; `bytes` is evaluated after the call.
#define WRAP_AS(label, name, parameters, arguments, bytes) \
  EXPORTED int MPI_##name parameters {                     \
    static Record& record = recordOf(label);               \
    const int64_t start = nanoseconds();                   \
    const int code = PMPI_##name arguments;                \
    count(record, start, bytes);                           \
    return code;                                           \
  }
#define WRAP(name, parameters, arguments, bytes) WRAP_AS(#name, name, parameters, arguments, bytes)

EXPORTED int MPI_Init(int* count, char*** values) {
  const int code = PMPI_Init(count, values);
  began = nanoseconds();
  return code;
}
EXPORTED int MPI_Init_thread(int* count, char*** values, int required, int* provided) {
  const int code = PMPI_Init_thread(count, values, required, provided);
  began = nanoseconds();
  return code;
}
EXPORTED int MPI_Finalize() {
  write();
  return PMPI_Finalize();
}
EXPORTED int MPI_Abort(MPI_Comm comm, int code) {
  write();
  return PMPI_Abort(comm, code);
}

// --- messages

#define SENDS(label, name, N)                                                                                       \
  WRAP_AS(label, name, (const void* data, N n, MPI_Datatype type, int dest, int tag, MPI_Comm comm),                \
          (data, n, type, dest, tag, comm), bytesOf(n, type))
#define ISENDS(label, name, N)                                                                                      \
  WRAP_AS(label, name,                                                                                              \
          (const void* data, N n, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request* request),       \
          (data, n, type, dest, tag, comm, request), bytesOf(n, type))
#define MESSAGES(suffix, N)                                                                                         \
  SENDS("Send", Send##suffix, N)                                                                                    \
  SENDS("Ssend", Ssend##suffix, N)                                                                                  \
  SENDS("Bsend", Bsend##suffix, N)                                                                                  \
  SENDS("Rsend", Rsend##suffix, N)                                                                                  \
  ISENDS("Isend", Isend##suffix, N)                                                                                 \
  ISENDS("Issend", Issend##suffix, N)                                                                               \
  ISENDS("Ibsend", Ibsend##suffix, N)                                                                               \
  ISENDS("Irsend", Irsend##suffix, N)                                                                               \
  EXPORTED int MPI_Recv##suffix(void* data, N n, MPI_Datatype type, int source, int tag, MPI_Comm comm,             \
                                MPI_Status* status) {                                                               \
    static Record& record = recordOf("Recv");                                                                       \
    MPI_Status own, *used = status == MPI_STATUS_IGNORE ? &own : status;                                            \
    const int64_t start = nanoseconds();                                                                            \
    const int code = PMPI_Recv##suffix(data, n, type, source, tag, comm, used);                                     \
    count(record, start, code == MPI_SUCCESS ? received(*used) : 0);                                                \
    return code;                                                                                                    \
  }                                                                                                                 \
  EXPORTED int MPI_Mrecv##suffix(void* data, N n, MPI_Datatype type, MPI_Message* message, MPI_Status* status) {    \
    static Record& record = recordOf("Mrecv");                                                                      \
    MPI_Status own, *used = status == MPI_STATUS_IGNORE ? &own : status;                                            \
    const int64_t start = nanoseconds();                                                                            \
    const int code = PMPI_Mrecv##suffix(data, n, type, message, used);                                              \
    count(record, start, code == MPI_SUCCESS ? received(*used) : 0);                                                \
    return code;                                                                                                    \
  }                                                                                                                 \
  WRAP_AS("Irecv", Irecv##suffix,                                                                                   \
          (void* data, N n, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request* request),           \
          (data, n, type, source, tag, comm, request), bytesOf(n, type))                                            \
  WRAP_AS("Imrecv", Imrecv##suffix,                                                                                 \
          (void* data, N n, MPI_Datatype type, MPI_Message* message, MPI_Request* request),                         \
          (data, n, type, message, request), bytesOf(n, type))                                                      \
  WRAP_AS("Sendrecv", Sendrecv##suffix,                                                                             \
          (const void* data, N n, MPI_Datatype type, int dest, int tag, void* into, N m, MPI_Datatype type2,        \
           int source, int tag2, MPI_Comm comm, MPI_Status* status),                                                \
          (data, n, type, dest, tag, into, m, type2, source, tag2, comm, status), bytesOf(n, type))                 \
  WRAP_AS("Sendrecv_replace", Sendrecv_replace##suffix,                                                             \
          (void* data, N n, MPI_Datatype type, int dest, int tag, int source, int tag2, MPI_Comm comm,              \
           MPI_Status* status),                                                                                     \
          (data, n, type, dest, tag, source, tag2, comm, status), bytesOf(n, type))

WRAP(Probe, (int source, int tag, MPI_Comm comm, MPI_Status* status), (source, tag, comm, status), -1)
WRAP(Iprobe, (int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status), (source, tag, comm, flag, status), -1)
WRAP(Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status),
     (source, tag, comm, message, status), -1)
WRAP(Improbe, (int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status),
     (source, tag, comm, flag, message, status), -1)
WRAP(Wait, (MPI_Request* request, MPI_Status* status), (request, status), -1)
WRAP(Waitall, (int n, MPI_Request* requests, MPI_Status* statuses), (n, requests, statuses), -1)
WRAP(Waitany, (int n, MPI_Request* requests, int* index, MPI_Status* status), (n, requests, index, status), -1)
WRAP(Waitsome, (int n, MPI_Request* requests, int* m, int* indices, MPI_Status* statuses),
     (n, requests, m, indices, statuses), -1)
WRAP(Test, (MPI_Request* request, int* flag, MPI_Status* status), (request, flag, status), -1)
WRAP(Testall, (int n, MPI_Request* requests, int* flag, MPI_Status* statuses), (n, requests, flag, statuses), -1)
WRAP(Testany, (int n, MPI_Request* requests, int* index, int* flag, MPI_Status* status),
     (n, requests, index, flag, status), -1)
WRAP(Testsome, (int n, MPI_Request* requests, int* m, int* indices, MPI_Status* statuses),
     (n, requests, m, indices, statuses), -1)

// --- collective calls: the bytes are those of this rank's part. A has the type of places: int, or MPI_Aint with large counts.

#define PART(n, type, m, type2) (data == MPI_IN_PLACE ? bytesOf(m, type2) : bytesOf(n, type))
// The names of one form; REQUEST and REQUEST_ are what a call with a request has besides.
#define FORMS(Bcast_, Scatter_, Scatterv_, Gather_, Gatherv_, Allgather_, Allgatherv_, Alltoall_, Alltoallv_, Reduce_,  \
              Allreduce_, Reduce_scatter_, Reduce_scatter_block_, Scan_, Exscan_, Neighbor_allgather_,                 \
              Neighbor_alltoall_, S, N, A)                                                                             \
  WRAP_AS(#Bcast_, Bcast_##S, (void* data, N n, MPI_Datatype t, int root, MPI_Comm c REQUEST),                         \
          (data, n, t, root, c REQUEST_), bytesOf(n, t))                                                               \
  WRAP_AS(#Scatter_, Scatter_##S,                                                                                      \
          (const void* data, N n, MPI_Datatype t, void* into, N m, MPI_Datatype u, int root, MPI_Comm c REQUEST),      \
          (data, n, t, into, m, u, root, c REQUEST_), into == MPI_IN_PLACE ? bytesOf(n, t) : bytesOf(m, u))            \
  WRAP_AS(#Scatterv_, Scatterv_##S,                                                                                    \
          (const void* data, const N* n, const A* at, MPI_Datatype t, void* into, N m, MPI_Datatype u, int root,       \
           MPI_Comm c REQUEST),                                                                                        \
          (data, n, at, t, into, m, u, root, c REQUEST_), into == MPI_IN_PLACE ? 0 : bytesOf(m, u))                    \
  WRAP_AS(#Gather_, Gather_##S,                                                                                        \
          (const void* data, N n, MPI_Datatype t, void* into, N m, MPI_Datatype u, int root, MPI_Comm c REQUEST),      \
          (data, n, t, into, m, u, root, c REQUEST_), PART(n, t, m, u))                                                \
  WRAP_AS(#Gatherv_, Gatherv_##S,                                                                                      \
          (const void* data, N n, MPI_Datatype t, void* into, const N* m, const A* at, MPI_Datatype u, int root,       \
           MPI_Comm c REQUEST),                                                                                        \
          (data, n, t, into, m, at, u, root, c REQUEST_), PART(n, t, 0, u))                                            \
  WRAP_AS(#Allgather_, Allgather_##S,                                                                                  \
          (const void* data, N n, MPI_Datatype t, void* into, N m, MPI_Datatype u, MPI_Comm c REQUEST),                \
          (data, n, t, into, m, u, c REQUEST_), PART(n, t, m, u))                                                      \
  WRAP_AS(#Allgatherv_, Allgatherv_##S,                                                                                \
          (const void* data, N n, MPI_Datatype t, void* into, const N* m, const A* at, MPI_Datatype u,                 \
           MPI_Comm c REQUEST),                                                                                        \
          (data, n, t, into, m, at, u, c REQUEST_), PART(n, t, 0, u))                                                  \
  WRAP_AS(#Alltoall_, Alltoall_##S,                                                                                    \
          (const void* data, N n, MPI_Datatype t, void* into, N m, MPI_Datatype u, MPI_Comm c REQUEST),                \
          (data, n, t, into, m, u, c REQUEST_), sizeOf(c) * PART(n, t, m, u))                                          \
  WRAP_AS(#Alltoallv_, Alltoallv_##S,                                                                                  \
          (const void* data, const N* n, const A* at, MPI_Datatype t, void* into, const N* m, const A* at2,            \
           MPI_Datatype u, MPI_Comm c REQUEST),                                                                        \
          (data, n, at, t, into, m, at2, u, c REQUEST_),                                                               \
          data == MPI_IN_PLACE ? bytesOf(sumOf(m, c), u) : bytesOf(sumOf(n, c), t))                                    \
  WRAP_AS(#Reduce_, Reduce_##S,                                                                                        \
          (const void* data, void* into, N n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm c REQUEST),                \
          (data, into, n, t, op, root, c REQUEST_), bytesOf(n, t))                                                     \
  WRAP_AS(#Allreduce_, Allreduce_##S, (const void* data, void* into, N n, MPI_Datatype t, MPI_Op op, MPI_Comm c REQUEST), \
          (data, into, n, t, op, c REQUEST_), bytesOf(n, t))                                                           \
  WRAP_AS(#Reduce_scatter_, Reduce_scatter_##S,                                                                        \
          (const void* data, void* into, const N* n, MPI_Datatype t, MPI_Op op, MPI_Comm c REQUEST),                   \
          (data, into, n, t, op, c REQUEST_), bytesOf(sumOf(n, c), t))                                                 \
  WRAP_AS(#Reduce_scatter_block_, Reduce_scatter_block_##S,                                                            \
          (const void* data, void* into, N n, MPI_Datatype t, MPI_Op op, MPI_Comm c REQUEST),                          \
          (data, into, n, t, op, c REQUEST_), sizeOf(c) * bytesOf(n, t))                                               \
  WRAP_AS(#Scan_, Scan_##S, (const void* data, void* into, N n, MPI_Datatype t, MPI_Op op, MPI_Comm c REQUEST),        \
          (data, into, n, t, op, c REQUEST_), bytesOf(n, t))                                                           \
  WRAP_AS(#Exscan_, Exscan_##S, (const void* data, void* into, N n, MPI_Datatype t, MPI_Op op, MPI_Comm c REQUEST),    \
          (data, into, n, t, op, c REQUEST_), bytesOf(n, t))                                                           \
  WRAP_AS(#Neighbor_allgather_, Neighbor_allgather_##S,                                                                \
          (const void* data, N n, MPI_Datatype t, void* into, N m, MPI_Datatype u, MPI_Comm c REQUEST),                \
          (data, n, t, into, m, u, c REQUEST_), bytesOf(n, t))                                                         \
  WRAP_AS(#Neighbor_alltoall_, Neighbor_alltoall_##S,                                                                  \
          (const void* data, N n, MPI_Datatype t, void* into, N m, MPI_Datatype u, MPI_Comm c REQUEST),                \
          (data, n, t, into, m, u, c REQUEST_), bytesOf(n, t))

#define BLOCKING(S, N, A)                                                                                               \
  FORMS(Bcast, Scatter, Scatterv, Gather, Gatherv, Allgather, Allgatherv, Alltoall, Alltoallv, Reduce, Allreduce,      \
        Reduce_scatter, Reduce_scatter_block, Scan, Exscan, Neighbor_allgather, Neighbor_alltoall, S, N, A)
#define REQUESTING(S, N, A)                                                                                             \
  FORMS(Ibcast, Iscatter, Iscatterv, Igather, Igatherv, Iallgather, Iallgatherv, Ialltoall, Ialltoallv, Ireduce,       \
        Iallreduce, Ireduce_scatter, Ireduce_scatter_block, Iscan, Iexscan, Ineighbor_allgather, Ineighbor_alltoall, S, \
        N, A)

MESSAGES(, int)
#define REQUEST
#define REQUEST_
BLOCKING(, int, int)
WRAP(Barrier, (MPI_Comm comm), (comm), -1)
#if MPI_VERSION >= 4
MESSAGES(_c, MPI_Count)
BLOCKING(_c, MPI_Count, MPI_Aint)
#endif
#undef REQUEST
#undef REQUEST_
#define REQUEST , MPI_Request* request
#define REQUEST_ , request
REQUESTING(, int, int)
WRAP(Ibarrier, (MPI_Comm comm, MPI_Request* request), (comm, request), -1)
#if MPI_VERSION >= 4
REQUESTING(_c, MPI_Count, MPI_Aint)
#endif

// --- windows

WRAP(Put, (const void* data, int n, MPI_Datatype t, int target, MPI_Aint at, int m, MPI_Datatype u, MPI_Win win),
     (data, n, t, target, at, m, u, win), bytesOf(n, t))
WRAP(Rput,
     (const void* data, int n, MPI_Datatype t, int target, MPI_Aint at, int m, MPI_Datatype u, MPI_Win win,
      MPI_Request* request),
     (data, n, t, target, at, m, u, win, request), bytesOf(n, t))
WRAP(Get, (void* data, int n, MPI_Datatype t, int target, MPI_Aint at, int m, MPI_Datatype u, MPI_Win win),
     (data, n, t, target, at, m, u, win), bytesOf(n, t))
WRAP(Rget,
     (void* data, int n, MPI_Datatype t, int target, MPI_Aint at, int m, MPI_Datatype u, MPI_Win win, MPI_Request* request),
     (data, n, t, target, at, m, u, win, request), bytesOf(n, t))
WRAP(Accumulate,
     (const void* data, int n, MPI_Datatype t, int target, MPI_Aint at, int m, MPI_Datatype u, MPI_Op op, MPI_Win win),
     (data, n, t, target, at, m, u, op, win), bytesOf(n, t))
WRAP(Get_accumulate,
     (const void* data, int n, MPI_Datatype t, void* result, int m, MPI_Datatype u, int target, MPI_Aint at, int k,
      MPI_Datatype v, MPI_Op op, MPI_Win win),
     (data, n, t, result, m, u, target, at, k, v, op, win), bytesOf(m, u))
WRAP(Fetch_and_op,
     (const void* data, void* result, MPI_Datatype t, int target, MPI_Aint at, MPI_Op op, MPI_Win win),
     (data, result, t, target, at, op, win), bytesOf(1, t))
WRAP(Compare_and_swap,
     (const void* data, const void* compare, void* result, MPI_Datatype t, int target, MPI_Aint at, MPI_Win win),
     (data, compare, result, t, target, at, win), bytesOf(1, t))
WRAP(Win_fence, (int assert_, MPI_Win win), (assert_, win), -1)
WRAP(Win_lock, (int type, int rank, int assert_, MPI_Win win), (type, rank, assert_, win), -1)
WRAP(Win_unlock, (int rank, MPI_Win win), (rank, win), -1)
WRAP(Win_lock_all, (int assert_, MPI_Win win), (assert_, win), -1)
WRAP(Win_unlock_all, (MPI_Win win), (win), -1)
WRAP(Win_flush, (int rank, MPI_Win win), (rank, win), -1)
WRAP(Win_flush_all, (MPI_Win win), (win), -1)
WRAP(Win_start, (MPI_Group group, int assert_, MPI_Win win), (group, assert_, win), -1)
WRAP(Win_complete, (MPI_Win win), (win), -1)
WRAP(Win_wait, (MPI_Win win), (win), -1)

// --- communicators, and files as parallel HDF5 writes them

WRAP(Comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made), -1)
WRAP(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm* made), (comm, color, key, made), -1)

#define FILE_AT(name, data_type)                                                                              \
  WRAP(name, (MPI_File file, MPI_Offset at, data_type data, int n, MPI_Datatype t, MPI_Status* status),      \
       (file, at, data, n, t, status), bytesOf(n, t))
#define FILE_HERE(name, data_type)                                                                            \
  WRAP(name, (MPI_File file, data_type data, int n, MPI_Datatype t, MPI_Status* status),                     \
       (file, data, n, t, status), bytesOf(n, t))
FILE_AT(File_read_at, void*)
FILE_AT(File_read_at_all, void*)
FILE_AT(File_write_at, const void*)
FILE_AT(File_write_at_all, const void*)
FILE_HERE(File_read, void*)
FILE_HERE(File_read_all, void*)
FILE_HERE(File_write, const void*)
FILE_HERE(File_write_all, const void*)
WRAP(File_open, (MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file),
     (comm, name, mode, info, file), -1)
WRAP(File_close, (MPI_File * file), (file), -1)
WRAP(File_sync, (MPI_File file), (file), -1)
WRAP(File_set_size, (MPI_File file, MPI_Offset size), (file, size), -1)
WRAP(File_set_view, (MPI_File file, MPI_Offset at, MPI_Datatype t, MPI_Datatype u, const char* how, MPI_Info info),
     (file, at, t, u, how, info), -1)
