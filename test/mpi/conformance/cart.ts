import { type CartComm, type Comm, MPI } from "../../../src/mpi/index.ts";
import { failsWith, groupOf, holds, isRefused, range, same } from "./behaviour.ts";
import reference from "./reference/reductions.json" with { type: "json" };

const behaviour = groupOf("grids of ranks");

/** All ranks in `dimensions` dimensions. */
function gridOf(comm: Comm, dimensions: number, periods: boolean): CartComm {
  const grid = comm.createCart(MPI.dims(comm.size, dimensions), { periods });
  holds(grid);
  return grid;
}

const dimensionsTried = [1, 2, 3, 4, 5];

behaviour("dims are those that mpi4py finds, for up to 24 ranks in up to four dimensions", (_comm) => {
  // The standard asks for dimensions as equal as can be, largest first; Open MPI and MPICH agree for these.
  for (const { ranks, dimensions, result } of reference.dims) same(MPI.dims(ranks, dimensions), result);
});

behaviour("dims keeps the dimensions that are given", (_comm) => {
  for (const { ranks, dimensions, result } of reference.dimsGiven) same(MPI.dims(ranks, dimensions), result);
});

behaviour("dims of a number that is no multiple of the given ones is an MpiError", (_comm) => {
  failsWith(["DIMS", "ARG"], () => MPI.dims(7, [2, 0]));
});

behaviour("a grid has its dimensions and periods, and this rank's place in them", (comm) => {
  for (const dimensions of dimensionsTried) {
    using grid = gridOf(comm, dimensions, true);
    same(grid.dims, MPI.dims(comm.size, dimensions));
    same(
      grid.periods,
      range(dimensions).map(() => true),
    );
    same(grid.coords, grid.coordsOf(grid.rank));
    same([grid.size, grid.rank], [comm.size, comm.rank]);
  }
});

behaviour("ranks count along the last dimension first", (comm) => {
  using grid = gridOf(comm, 2, false);
  const columns = grid.dims[1]!;
  for (let rank = 0; rank < comm.size; rank++) {
    same(grid.coordsOf(rank), [Math.floor(rank / columns), rank % columns]);
    same(grid.rankOf([Math.floor(rank / columns), rank % columns]), rank);
  }
});

behaviour("coordinates wrap around in periodic dimensions", (comm) => {
  for (const dimensions of dimensionsTried) {
    using grid = gridOf(comm, dimensions, true);
    for (const d of range(dimensions))
      for (const step of [-1, 1]) {
        const coords = [...grid.coords];
        coords[d]! += step;
        const wrapped = coords.map((at, i) => (at + grid.dims[i]!) % grid.dims[i]!);
        same(grid.coordsOf(grid.rankOf(coords)), wrapped);
      }
  }
});

behaviour("a coordinate outside a dimension that is not periodic is an MpiError", (comm) => {
  using grid = gridOf(comm, 2, false);
  failsWith(["ARG", "RANK"], () => grid.rankOf([grid.dims[0]!, 0]));
  failsWith(["ARG", "RANK"], () => grid.rankOf([0, -1]));
});

behaviour("coordsOf a rank that is not there is MPI_ERR_RANK", (comm) => {
  using grid = gridOf(comm, 2, false);
  failsWith("RANK", () => grid.coordsOf(comm.size));
  failsWith("RANK", () => grid.coordsOf(-1));
});

behaviour("shift names the ranks before and after along a dimension", (comm) => {
  for (const dimensions of dimensionsTried) {
    using grid = gridOf(comm, dimensions, true);
    for (const d of range(dimensions)) {
      const at = (step: number): number => grid.rankOf(grid.coords.map((x, i) => (i === d ? x + step : x)));
      same(grid.shift(d), { source: at(-1), dest: at(1) });
      same(grid.shift(d, -1), { source: at(1), dest: at(-1) });
      same(grid.shift(d, 2), { source: at(-2), dest: at(2) });
      same(grid.shift(d, 0), { source: grid.rank, dest: grid.rank });
    }
  }
});

behaviour("shift beyond an edge gives PROC_NULL", (comm) => {
  using line = gridOf(comm, 1, false);
  const { source, dest } = line.shift(0);
  same(
    [source, dest],
    [comm.rank === 0 ? MPI.PROC_NULL : comm.rank - 1, comm.rank === comm.size - 1 ? MPI.PROC_NULL : comm.rank + 1],
  );
  same(line.shift(0, comm.size), { source: MPI.PROC_NULL, dest: MPI.PROC_NULL });
});

behaviour("shift along a dimension that is not there is refused", (comm) => {
  using grid = gridOf(comm, 2, true);
  isRefused(() => grid.shift(2));
  isRefused(() => grid.shift(-1));
});

behaviour("neighbors are those before and after in each dimension, in this order", (comm) => {
  for (const periods of [true, false])
    for (const dimensions of dimensionsTried) {
      using grid = gridOf(comm, dimensions, periods);
      same(
        grid.neighbors,
        range(dimensions).flatMap((d) => [grid.shift(d).source, grid.shift(d).dest]),
      );
    }
});

behaviour("a grid may be periodic in one dimension only", (comm) => {
  using grid = comm.createCart([comm.size, 1], { periods: [false, true] });
  same(grid?.periods, [false, true]);
  same(grid?.shift(1), { source: comm.rank, dest: comm.rank });
  same(grid?.shift(0, comm.size).dest, MPI.PROC_NULL);
});

behaviour("a grid is not periodic unless it is said", (comm) => {
  using grid = comm.createCart([comm.size]);
  same(grid?.periods, [false]);
});

behaviour("ranks that the grid has no place for get undefined", (comm) => {
  const grid = comm.createCart([1]);
  if (comm.rank > 0) return same(grid, undefined);
  same([grid?.size, grid?.rank], [1, 0]);
  grid?.free();
});

behaviour("a grid of no dimensions is rank 0 alone", (comm) => {
  const grid = comm.createCart([]);
  if (!grid) return holds(comm.rank > 0);
  same([grid.dims, grid.periods, grid.coords, grid.neighbors], [[], [], [], []]);
  same([grid.size, grid.rankOf([])], [1, 0]);
  grid.free();
});

behaviour("a grid that is larger than the ranks is an MpiError", (comm) => {
  failsWith(["DIMS", "ARG", "TOPOLOGY"], () => comm.createCart([comm.size + 1]));
});

behaviour("periods that are not one per dimension are refused", (comm) => {
  isRefused(() => comm.createCart([comm.size], { periods: [] }));
  isRefused(() => comm.createCart([comm.size], { periods: [true, true] }));
});

behaviour("a grid may give the ranks other numbers if asked, and every place is taken once", (comm) => {
  using grid = comm.createCart(MPI.dims(comm.size, 2), { reorder: true });
  holds(grid);
  const places = grid.allgather(grid.coords.join());
  same(new Set(places).size, comm.size);
});

behaviour("sub gives the grids of the dimensions that are kept", (comm) => {
  for (const dimensions of [2, 3]) {
    using grid = gridOf(comm, dimensions, true);
    for (const left of range(dimensions)) {
      using sub = grid.sub(range(dimensions).map((d) => d !== left));
      same(
        sub.dims,
        grid.dims.filter((_, d) => d !== left),
      );
      same(
        sub.coords,
        grid.coords.filter((_, d) => d !== left),
      );
      same(
        sub.size,
        sub.dims.reduce((a, b) => a * b, 1),
      );
    }
  }
});

behaviour("sums over rows and columns of a grid go through sub", (comm) => {
  using grid = gridOf(comm, 2, false);
  const [rows, columns] = [grid.dims[0]!, grid.dims[1]!];
  using row = grid.sub([false, true]);
  using column = grid.sub([true, false]);
  same(
    row.allgather(grid.rank),
    range(columns, (c) => grid.coords[0]! * columns + c),
  );
  same(
    column.allgather(grid.rank),
    range(rows, (r) => r * columns + grid.coords[1]!),
  );
});

behaviour("sub that keeps no dimension is this rank alone", (comm) => {
  using grid = gridOf(comm, 2, false);
  using sub = grid.sub([false, false]);
  same([sub.size, sub.dims.length], [1, 0]);
});

behaviour("sub takes exactly one flag per dimension", (comm) => {
  using grid = gridOf(comm, 2, false);
  isRefused(() => grid.sub([true]));
  isRefused(() => grid.sub([true, true, true]));
});

behaviour("dup of a grid is a grid", (comm) => {
  using grid = gridOf(comm, 2, true);
  using copy = grid.dup();
  same([copy.dims, copy.periods, copy.coords], [grid.dims, grid.periods, grid.coords]);
  same(grid.compare(copy), "congruent");
});

behaviour("a grid carries messages and collective calls as any communicator", (comm) => {
  using grid = gridOf(comm, 1, true);
  const { source, dest } = grid.shift(0);
  const received = new Int32Array(1);
  grid.Sendrecv(Int32Array.of(grid.rank), { dest }, received, { source });
  same(received[0], source);
  same(grid.allreduce(1, { op: MPI.SUM }), comm.size);
});

behaviour("halo cells of a line come from the neighbours, and stay at the edges", (comm) => {
  using line = gridOf(comm, 1, false);
  const cells = Float64Array.of(-1, comm.rank, comm.rank, -1);
  const { source, dest } = line.shift(0);
  line.Sendrecv(cells.subarray(2, 3), { dest }, cells.subarray(0, 1), { source });
  line.Sendrecv(cells.subarray(1, 2), { dest: source }, cells.subarray(3), { source: dest });
  const last = comm.size - 1;
  same([...cells], [comm.rank > 0 ? comm.rank - 1 : -1, comm.rank, comm.rank, comm.rank < last ? comm.rank + 1 : -1]);
});

behaviour("Neighbor_allgather gives the parts of the neighbours in their order", (comm) => {
  for (const dimensions of [1, 2, 3]) {
    using grid = gridOf(comm, dimensions, true);
    const whole = new Float64Array(2 * dimensions * 2).fill(-1);
    grid.Neighbor_allgather(Float64Array.of(grid.rank, 10 * grid.rank), whole);
    same(
      [...whole],
      grid.neighbors.flatMap((rank) => [rank, 10 * rank]),
    );
  }
});

behaviour("Neighbor_alltoall gives each neighbour its part", (comm) => {
  using grid = gridOf(comm, 1, false);
  const received = new Int32Array(2).fill(-1);
  grid.Neighbor_alltoall(Int32Array.of(100 * grid.rank, 100 * grid.rank + 1), received);
  // From the rank before comes what it sends after itself, and the other way round.
  const [before, after] = grid.neighbors as [number, number];
  same([...received], [before < 0 ? -1 : 100 * before + 1, after < 0 ? -1 : 100 * after]);
});

behaviour("Neighbor calls leave the parts beyond an edge as they are", (comm) => {
  using grid = gridOf(comm, 1, false);
  const whole = new Float32Array(2).fill(-5);
  grid.Neighbor_allgather(Float32Array.of(grid.rank), whole);
  same(
    [...whole],
    grid.neighbors.map((rank) => (rank < 0 ? -5 : rank)),
  );
});

behaviour("Ineighbor_allgather and Ineighbor_alltoall give the same by requests", async (comm) => {
  using grid = gridOf(comm, 2, true);
  const [whole, received] = [new Float64Array(4), new Float64Array(4)];
  await grid.Ineighbor_allgather(Float64Array.of(grid.rank), whole);
  same([...whole], grid.neighbors);
  await grid.Ineighbor_alltoall(new Float64Array(4).fill(grid.rank), received);
  same([...received], grid.neighbors);
});

behaviour("neighbor_allgather gives the neighbours' values, undefined beyond an edge", (comm) => {
  for (const periods of [true, false]) {
    using grid = gridOf(comm, 2, periods);
    same(
      grid.neighbor_allgather({ rank: grid.rank }),
      grid.neighbors.map((rank) => (rank < 0 ? undefined : { rank })),
    );
  }
});

behaviour("neighbor_alltoall gives each neighbour its value", (comm) => {
  using grid = gridOf(comm, 1, false);
  const [before, after] = grid.neighbors as [number, number];
  const received = grid.neighbor_alltoall([`${grid.rank} back`, `${grid.rank} on`]);
  same(received, [before < 0 ? undefined : `${before} on`, after < 0 ? undefined : `${after} back`]);
});
