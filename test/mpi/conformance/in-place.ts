import { MPI } from "../../../src/mpi/index.ts";
import { arrayOf, filled, groupOf, isRefused, kinds, numbersOf, range, same, sum, turns } from "./behaviour.ts";
import { groupsOf } from "./both-forms.ts";

const behaviour = groupsOf("collective calls in place", "collective requests in place");
const alone = groupOf("collective calls in place");

behaviour("Gather", "in place takes the root's part from where it belongs", async (comm) => {
  const { rank, size } = comm;
  for (const [root, kind] of turns(comm, kinds)) {
    if (rank !== root) {
      await comm.Gather(filled(kind, 2, rank), null, { root });
      continue;
    }
    const whole = filled(kind, 2 * size, 99);
    whole.set(filled(kind, 2, rank) as never, 2 * rank);
    await comm.Gather(MPI.IN_PLACE, whole, { root });
    same(
      numbersOf(whole),
      range(2 * size, (i) => Math.floor(i / 2)),
    );
  }
});

behaviour("Scatter", "in place leaves the root's part where it is", async (comm) => {
  const { rank, size } = comm;
  for (const [root, kind] of turns(comm, kinds)) {
    const whole = arrayOf(
      kind,
      range(size * 2, (i) => Math.floor(i / 2)),
    );
    if (rank === root) {
      await comm.Scatter(whole, MPI.IN_PLACE, { root });
      same(
        numbersOf(whole),
        range(size * 2, (i) => Math.floor(i / 2)),
      );
    } else {
      const part = filled(kind, 2, 99);
      await comm.Scatter(null, part, { root });
      same(numbersOf(part), [rank, rank]);
    }
  }
});

behaviour("Gatherv", "in place joins parts of unequal lengths", async (comm) => {
  const { rank, size } = comm;
  const counts = range(size, (i) => i + 1);
  const root = size - 1;
  if (rank !== root) return await comm.Gatherv(new Float64Array(rank + 1).fill(rank), null, { root, counts });
  const whole = new Float64Array(sum(counts)).fill(-1).fill(rank, sum(counts.slice(0, rank)));
  await comm.Gatherv(MPI.IN_PLACE, whole, { root, counts });
  same(
    [...whole],
    counts.flatMap((count, i) => range(count, () => i)),
  );
});

behaviour("Scatterv", "in place leaves the root's part where it is", async (comm) => {
  const { rank, size } = comm;
  const counts = range(size, (i) => i + 1);
  const values = counts.flatMap((count, i) => range(count, () => i));
  if (rank === 0) {
    const whole = Int32Array.from(values);
    await comm.Scatterv(whole, MPI.IN_PLACE, { counts });
    same([...whole], values);
  } else {
    const part = new Int32Array(rank + 1);
    await comm.Scatterv(null, part, { counts });
    same(
      [...part],
      range(rank + 1, () => rank),
    );
  }
});

behaviour("Allgather", "in place takes each part from where it belongs, of every kind", async (comm) => {
  for (const kind of kinds) {
    const whole = filled(kind, comm.size * 3, 99);
    whole.set(filled(kind, 3, comm.rank) as never, 3 * comm.rank);
    await comm.Allgather(MPI.IN_PLACE, whole);
    same(
      numbersOf(whole),
      range(comm.size * 3, (i) => Math.floor(i / 3)),
    );
  }
});

behaviour("Allgatherv", "in place joins parts of unequal lengths on every rank", async (comm) => {
  const counts = range(comm.size, (i) => i + 1);
  const start = sum(counts.slice(0, comm.rank));
  const whole = new Float32Array(sum(counts)).fill(-1).fill(comm.rank, start, start + comm.rank + 1);
  await comm.Allgatherv(MPI.IN_PLACE, whole, { counts });
  same(
    [...whole],
    counts.flatMap((count, i) => range(count, () => i)),
  );
});

behaviour("Alltoall", "in place exchanges the parts of one array", async (comm) => {
  const { rank, size } = comm;
  const both = Int32Array.from(range(size, (dest) => 10 * rank + dest));
  await comm.Alltoall(MPI.IN_PLACE, both);
  same(
    [...both],
    range(size, (source) => 10 * source + rank),
  );
});

behaviour("Reduce", "in place replaces the root's values by the result", async (comm) => {
  for (const [root, kind] of turns(comm, kinds)) {
    const values = arrayOf(kind, range(comm.size));
    if (comm.rank === root) {
      await comm.Reduce(MPI.IN_PLACE, values, { root });
      same(
        numbersOf(values),
        range(comm.size, (i) => i * comm.size),
      );
    } else {
      await comm.Reduce(values, null, { root });
      same(numbersOf(values), range(comm.size));
    }
  }
});

behaviour(
  "Allreduce",
  "in place replaces the values by the result, of every kind and by each operation",
  async (comm) => {
    const { rank, size } = comm;
    for (const kind of kinds)
      for (const [op, expected] of [
        [MPI.SUM, sum(range(size, (i) => i + 1))],
        [MPI.MAX, size],
        [MPI.MIN, 1],
        [MPI.PROD, range(size, (i) => i + 1).reduce((a, b) => a * b, 1)],
      ] as const) {
        const values = filled(kind, 2, rank + 1);
        await comm.Allreduce(MPI.IN_PLACE, values, { op });
        same(numbersOf(values), [expected, expected]);
      }
  },
);

behaviour("Allreduce", "in place with an operation of one's own", async (comm) => {
  const values = Float64Array.of(comm.rank, 1);
  await comm.Allreduce(MPI.IN_PLACE, values, { op: MPI.op((a: number, b: number) => a + b) });
  same([...values], [sum(range(comm.size)), comm.size]);
});

behaviour("Reduce_scatter", "in place leaves each rank its part at the front", async (comm) => {
  const { rank, size } = comm;
  const counts = range(size, (i) => i + 1);
  const values = new Int32Array(sum(counts)).fill(rank + 1);
  await comm.Reduce_scatter(MPI.IN_PLACE, values, { counts });
  same(
    [...values.subarray(0, rank + 1)],
    range(rank + 1, () => sum(counts)),
  );
});

behaviour("Reduce_scatter_block", "in place leaves each rank its part at the front", async (comm) => {
  const { rank, size } = comm;
  const values = Float64Array.from(range(2 * size, (i) => i + rank));
  await comm.Reduce_scatter_block(MPI.IN_PLACE, values);
  same(
    [...values.subarray(0, 2)],
    range(2, (i) => size * (2 * rank + i) + sum(range(size))),
  );
});

behaviour("Scan", "in place replaces the values by the sum up to this rank", async (comm) => {
  for (const kind of kinds) {
    const values = filled(kind, 2, 1);
    await comm.Scan(MPI.IN_PLACE, values);
    same(numbersOf(values), [comm.rank + 1, comm.rank + 1]);
  }
});

behaviour(
  "Exscan",
  "in place replaces the values by the sum before this rank, and leaves those of rank 0",
  async (comm) => {
    const values = Float64Array.of(comm.rank + 1);
    await comm.Exscan(MPI.IN_PLACE, values);
    same(values[0], comm.rank === 0 ? 1 : sum(range(comm.rank, (i) => i + 1)));
  },
);

alone("a send buffer that overlaps the receive buffer is refused, or the result is right", (comm) => {
  // MPI forbids it and checks it in some calls only. A wrong result without a word is what must not be.
  const both = Float64Array.of(comm.rank + 1, 0);
  let said = false;
  try {
    comm.Allreduce(both.subarray(0, 1), both.subarray(0, 1));
  } catch {
    said = true;
  }
  const total = sum(range(comm.size, (i) => i + 1));
  same([both[0], said], said ? [comm.rank + 1, true] : [total, false]);
});

alone("IN_PLACE is refused where MPI has no meaning for it", (comm) => {
  isRefused(() => comm.Send(MPI.IN_PLACE as never, { dest: comm.rank }));
  isRefused(() => comm.Bcast(MPI.IN_PLACE as never));
  isRefused(() => comm.Allreduce(Float64Array.of(1), MPI.IN_PLACE as never));
});
