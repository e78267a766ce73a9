// The collective guard: before a collective operation each rank tells all others, over a communicator of its own, what it is
// about to do and where in the program. Ranks that do something else, or do not come in time, are found before HDF5 hangs.
#pragma once
#ifdef GIRONA_HDF5_MPI
#include <mpi.h>

#include <map>

#include "handles.h"

struct Shadow {
  MPI_Comm comm;
};

inline std::map<int, Shadow>& shadows() {
  static std::map<int, Shadow> all;
  return all;
}

constexpr int guardTextSize = 500;

/** Of fixed size, so that it can be received before it is known. */
struct Announcement {
  char text[guardTextSize];
};

/** Waits, up to the deadline, for the requests; says which came. */
inline std::vector<bool> waitForAll(std::vector<MPI_Request>& requests, double seconds) {
  int n = static_cast<int>(requests.size());
  std::vector<bool> come(requests.size(), false);
  double deadline = MPI_Wtime() + seconds;
  int left = n;
  std::vector<int> indices(requests.size());
  while (left > 0) {
    int count = 0;
    MPI_Testsome(n, requests.data(), &count, indices.data(), MPI_STATUSES_IGNORE);
    if (count == MPI_UNDEFINED) break;
    for (int i = 0; i < count; i++) come[static_cast<size_t>(indices[static_cast<size_t>(i)])] = true;
    left -= count;
    if (count == 0 && MPI_Wtime() > deadline) break;
  }
  return come;
}

/** The communicator of the announcements; the null one when some rank does not come for it in time. */
inline Shadow shadowOf(int key, double seconds) {
  auto found = shadows().find(key);
  if (found != shadows().end()) return found->second;
  // Kept where it is when it never ends: MPI writes into it then.
  auto* made = new Shadow{MPI_COMM_NULL};
  std::vector<MPI_Request> request(1);
  MPI_Comm_idup(MPI_Comm_f2c(static_cast<MPI_Fint>(key)), &made->comm, &request[0]);
  if (!waitForAll(request, seconds)[0]) return {MPI_COMM_NULL};
  Shadow shadow = *made;
  delete made;
  shadows().emplace(key, shadow);
  return shadow;
}

/**
 * (communicator, text of operation and arguments, text of the place, seconds): undefined when all ranks say the same; else per
 * rank what it said, "operation\nplace", or null where nothing came.
 */
inline napi_value guard(Call& call) {
  int key = call.integer(call[0]), tag = 0;
  double seconds = call.real(call[3]);
  Shadow shadow = shadowOf(key, seconds);
  if (shadow.comm == MPI_COMM_NULL) {
    // Not all ranks have come for it. Who has is asked on the program's own communicator, as nothing goes on after this.
    shadow.comm = MPI_Comm_f2c(static_cast<MPI_Fint>(key));
    tag = 32767;
    seconds = 0.5;
  }
  int rank, size;
  MPI_Comm_rank(shadow.comm, &rank);
  MPI_Comm_size(shadow.comm, &size);

  Announcement mine{};
  std::string text = call.text(call[1]) + "\n" + call.text(call[2]);
  strncpy(mine.text, text.c_str(), guardTextSize - 1);
  std::vector<Announcement> all(static_cast<size_t>(size));
  std::vector<MPI_Request> incoming, outgoing;
  for (int other = 0; other < size; other++) {
    incoming.push_back(MPI_REQUEST_NULL);
    outgoing.push_back(MPI_REQUEST_NULL);
    if (other == rank) continue;
    auto at = static_cast<size_t>(other);
    MPI_Irecv(&all[at], sizeof(Announcement), MPI_BYTE, other, tag, shadow.comm, &incoming[at]);
    MPI_Isend(&mine, sizeof(Announcement), MPI_BYTE, other, tag, shadow.comm, &outgoing[at]);
  }
  std::vector<bool> come = waitForAll(incoming, seconds);
  come[static_cast<size_t>(rank)] = true;
  all[static_cast<size_t>(rank)] = mine;

  std::string said = call.text(call[1]);
  bool agree = true;
  for (int i = 0; i < size; i++) {
    auto at = static_cast<size_t>(i);
    if (!come[at]) {
      agree = false;
      MPI_Cancel(&incoming[at]);
      MPI_Request_free(&incoming[at]);
    } else {
      all[at].text[guardTextSize - 1] = '\0';
      std::string other = all[at].text;
      if (other.substr(0, other.rfind('\n')) != text.substr(0, guardTextSize - 1).substr(0, other.rfind('\n'))) agree = false;
    }
  }
  // To ranks that never come the announcement stays under way; it is small enough to have left.
  if (agree) {
    MPI_Waitall(size, outgoing.data(), MPI_STATUSES_IGNORE);
    return call.undefined();
  }
  waitForAll(outgoing, 0.1);
  for (MPI_Request& request : outgoing)
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  napi_value table = call.array(static_cast<size_t>(size));
  for (int i = 0; i < size; i++) {
    auto at = static_cast<size_t>(i);
    call.set(table, static_cast<uint32_t>(i), come[at] ? call.string(std::string(all[at].text)) : call.null());
  }
  return table;
}

/** With the file: an open communicator keeps MPI from ending quietly. */
inline napi_value guardEnd(Call& call) {
  auto found = shadows().find(call.integer(call[0]));
  if (found != shadows().end()) {
    MPI_Comm_free(&found->second.comm);
    shadows().erase(found);
  }
  return call.undefined();
}
#endif
