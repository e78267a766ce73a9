/* What MPI itself takes, in C: `mpi <iterations of short calls> <of 1 MB calls> <repeats>`; rank 0 prints figures as one line of JSON. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, repeats;

/* The least of some repeats, in us per message. */
static double ping_pong(int doubles, int iterations) {
  double *data = calloc(doubles, sizeof(double)), best = 1e9;
  for (int repeat = 0; repeat < repeats; repeat++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++) {
      if (rank == 0) {
        MPI_Send(data, doubles, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(data, doubles, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      } else {
        MPI_Recv(data, doubles, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data, doubles, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
      }
    }
    double each = (MPI_Wtime() - start) / iterations / 2;
    if (each < best) best = each;
  }
  free(data);
  return best * 1e6;
}

static double allreduce(int doubles, int iterations) {
  double *send = calloc(doubles, sizeof(double)), *receive = calloc(doubles, sizeof(double)), best = 1e9;
  for (int repeat = 0; repeat < repeats; repeat++) {
    MPI_Barrier(MPI_COMM_WORLD);
    double start = MPI_Wtime();
    for (int i = 0; i < iterations; i++)
      MPI_Allreduce(send, receive, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    double each = (MPI_Wtime() - start) / iterations;
    if (each < best) best = each;
  }
  free(send);
  free(receive);
  return best * 1e6;
}

int main(int count, char **values) {
  MPI_Init(&count, &values);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int many = count > 1 ? atoi(values[1]) : 500, few = count > 2 ? atoi(values[2]) : 10;
  repeats = count > 3 ? atoi(values[3]) : 100;
  double short_message = ping_pong(1, many), long_message = ping_pong(131072, few);
  double short_sum = allreduce(1, many), long_sum = allreduce(131072, few);
  if (rank == 0)
    printf("{\"mpi.pingpong\": %f, \"mpi.message\": %f, \"mpi.allreduce8\": %f, \"mpi.allreduce1m\": %f}\n", short_message,
           long_message, short_sum, long_sum);
  MPI_Finalize();
  return 0;
}
