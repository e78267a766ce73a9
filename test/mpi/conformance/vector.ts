import { filled, groupOf, kinds, numbersOf, range, same, sum, turns } from "./behaviour.ts";
import { groupsOf } from "./both-forms.ts";

const behaviour = groupsOf("collective calls with parts of any length", "collective requests with parts of any length");
const alone = groupOf("collective calls with parts of any length");

/** Rank r has r + 1 elements, each of value r. */
const countsOf = (size: number): number[] => range(size, (rank) => rank + 1);
const inParts = (counts: readonly number[]): number[] => counts.flatMap((count, rank) => range(count, () => rank));

behaviour(
  "Gatherv",
  "with named counts joins parts of unequal lengths, of every kind, for every root",
  async (comm) => {
    const counts = countsOf(comm.size);
    for (const kind of kinds)
      for (let root = 0; root < comm.size; root++) {
        const whole = comm.rank === root ? filled(kind, sum(counts), 99) : null;
        await comm.Gatherv(filled(kind, comm.rank + 1, comm.rank), whole, { root, counts });
        if (whole) same(numbersOf(whole), inParts(counts));
      }
  },
);

behaviour("Gatherv", "with displacements leaves the gaps between the parts", async (comm) => {
  const { size } = comm;
  for (let count = 0; count < size; count++) {
    const whole = comm.rank === 0 ? new Int32Array(size * size).fill(-1) : null;
    const displacements = range(size, (i) => i * size);
    await comm.Gatherv(new Int32Array(count).fill(comm.rank), whole, {
      counts: range(size, () => count),
      displacements,
    });
    if (whole)
      same(
        [...whole],
        range(size * size, (i) => (i % size < count ? Math.floor(i / size) : -1)),
      );
  }
});

behaviour("Gatherv", "may put the parts in another order", async (comm) => {
  const { size } = comm;
  const whole = comm.rank === 0 ? new Float64Array(size * 2) : null;
  await comm.Gatherv(Float64Array.of(comm.rank, comm.rank), whole, {
    counts: range(size, () => 2),
    displacements: range(size, (i) => 2 * (size - 1 - i)),
  });
  if (whole)
    same(
      [...whole],
      range(size * 2, (i) => size - 1 - Math.floor(i / 2)),
    );
});

behaviour("Gatherv", "takes ranks that have nothing", async (comm) => {
  const counts = range(comm.size, (rank) => rank % 2);
  const whole = comm.rank === 0 ? new Float64Array(sum(counts)) : null;
  await comm.Gatherv(new Float64Array(comm.rank % 2).fill(comm.rank), whole, { counts });
  if (whole)
    same(
      [...whole],
      range(comm.size).filter((rank) => rank % 2 === 1),
    );
});

behaviour("Scatterv", "with unequal counts gives each rank its part, of every kind, for every root", async (comm) => {
  const counts = countsOf(comm.size);
  for (const [root, kind] of turns(comm, kinds)) {
    const whole = comm.rank === root ? filled(kind, sum(counts), 0) : null;
    if (whole) for (const [i, value] of inParts(counts).entries()) whole.set(filled(kind, 1, value) as never, i);
    const part = filled(kind, comm.rank + 1, 99);
    await comm.Scatterv(whole, part, { root, counts });
    same(
      numbersOf(part),
      range(comm.rank + 1, () => comm.rank),
    );
  }
});

behaviour("Scatterv", "with displacements takes each part from its place", async (comm) => {
  const { size } = comm;
  for (let count = 0; count < size; count++) {
    const whole = comm.rank === 0 ? Float32Array.from(range(size * size, (i) => Math.floor(i / size))) : null;
    const part = new Float32Array(count).fill(-1);
    await comm.Scatterv(whole, part, { counts: range(size, () => count), displacements: range(size, (i) => i * size) });
    same(
      [...part],
      range(count, () => comm.rank),
    );
  }
});

behaviour("Scatterv", "may give the same elements to several ranks", async (comm) => {
  const whole = comm.rank === 0 ? Float64Array.of(1, 2, 3) : null;
  const part = new Float64Array(3);
  await comm.Scatterv(whole, part, { counts: range(comm.size, () => 3), displacements: range(comm.size, () => 0) });
  same([...part], [1, 2, 3]);
});

behaviour("Scatterv", "takes ranks that get nothing", async (comm) => {
  const counts = range(comm.size, (rank) => (rank === comm.size - 1 ? 2 : 0));
  const whole = comm.rank === 0 ? Int16Array.of(5, 6) : null;
  const part = new Int16Array(counts[comm.rank]!);
  await comm.Scatterv(whole, part, { counts });
  same([...part], comm.rank === comm.size - 1 ? [5, 6] : []);
});

behaviour("Allgatherv", "with named counts gives every rank all parts, of every kind", async (comm) => {
  const counts = countsOf(comm.size);
  for (const kind of kinds) {
    const whole = filled(kind, sum(counts), 99);
    await comm.Allgatherv(filled(kind, comm.rank + 1, comm.rank), whole, { counts });
    same(numbersOf(whole), inParts(counts));
  }
});

behaviour("Allgatherv", "with displacements leaves the gaps between the parts", async (comm) => {
  const { size } = comm;
  for (let count = 0; count < size; count++) {
    const whole = new Int8Array(size * size).fill(-1);
    await comm.Allgatherv(new Int8Array(count).fill(comm.rank), whole, {
      counts: range(size, () => count),
      displacements: range(size, (i) => i * size),
    });
    same(
      [...whole],
      range(size * size, (i) => (i % size < count ? Math.floor(i / size) : -1)),
    );
  }
});

behaviour("Alltoallv", "exchanges parts of every length between all ranks, of every kind", async (comm) => {
  const { rank, size } = comm;
  // Rank s has s + d elements for rank d.
  const sendCounts = range(size, (dest) => rank + dest);
  const receiveCounts = range(size, (source) => source + rank);
  for (const kind of kinds) {
    const received = filled(kind, sum(receiveCounts), 99);
    await comm.Alltoallv(filled(kind, sum(sendCounts), rank), received, { sendCounts, receiveCounts });
    same(numbersOf(received), inParts(receiveCounts));
  }
});

behaviour("Alltoallv", "with displacements takes and puts each part at its place", async (comm) => {
  const { rank, size } = comm;
  for (let count = 0; count < size; count++) {
    const received = new Float64Array(size * size).fill(-1);
    const counts = range(size, () => count);
    const displacements = range(size, (i) => i * size);
    await comm.Alltoallv(new Float64Array(size * size).fill(rank), received, {
      ...{ sendCounts: counts, receiveCounts: counts },
      ...{ sendDisplacements: displacements, receiveDisplacements: displacements },
    });
    same(
      [...received],
      range(size * size, (i) => (i % size < count ? Math.floor(i / size) : -1)),
    );
  }
});

behaviour("Alltoallv", "of nothing to anybody ends well", async (comm) => {
  const none = range(comm.size, () => 0);
  await comm.Alltoallv(new Float64Array(0), new Float64Array(0), { sendCounts: none, receiveCounts: none });
});

behaviour("Alltoallv", "to oneself alone is a copy", async (comm) => {
  const counts = range(comm.size, (rank) => (rank === comm.rank ? 3 : 0));
  const received = new Uint32Array(3);
  await comm.Alltoallv(Uint32Array.of(1, 2, comm.rank), received, { sendCounts: counts, receiveCounts: counts });
  same([...received], [1, 2, comm.rank]);
});

alone("Gatherv without counts finds the lengths of the parts itself", (comm) => {
  const counts = countsOf(comm.size);
  for (let root = 0; root < comm.size; root++) {
    const whole = comm.rank === root ? new Float64Array(sum(counts)) : null;
    comm.Gatherv(new Float64Array(comm.rank + 1).fill(comm.rank), whole, { root });
    if (whole) same([...whole], inParts(counts));
  }
});

alone("Scatterv without counts gives each rank as much as its part is long", (comm) => {
  const counts = countsOf(comm.size);
  for (let root = 0; root < comm.size; root++) {
    const whole = comm.rank === root ? Float64Array.from(inParts(counts)) : null;
    const part = new Float64Array(comm.rank + 1).fill(-1);
    comm.Scatterv(whole, part, { root });
    same(
      [...part],
      range(comm.rank + 1, () => comm.rank),
    );
  }
});

alone("Allgatherv without counts finds the lengths of the parts itself", (comm) => {
  const counts = range(comm.size, (rank) => (rank * 2) % 3);
  const whole = new Int32Array(sum(counts));
  comm.Allgatherv(new Int32Array(counts[comm.rank]!).fill(comm.rank), whole);
  same([...whole], inParts(counts));
});

alone("Gatherv and Scatterv by share bring an array out and back unchanged", (comm) => {
  const length = 103;
  const whole = comm.rank === 0 ? Float64Array.from(range(length)) : null;
  const part = new Float64Array(comm.share(length).count);
  comm.Scatterv(whole, part);
  same(
    [...part],
    range(part.length, (i) => comm.share(length).start + i),
  );
  for (let i = 0; i < part.length; i++) part[i]! *= 2;
  comm.Gatherv(part, whole);
  if (whole)
    same(
      [...whole],
      range(length, (i) => 2 * i),
    );
});

alone("Gatherv with null for the whole on other ranks and an array of the exact length at the root", (comm) => {
  const root = comm.size - 1;
  const whole = comm.rank === root ? new BigInt64Array(comm.size) : null;
  comm.Gatherv(BigInt64Array.of(BigInt(comm.rank) ** 2n), whole, { root });
  if (whole)
    same(
      [...whole],
      range(comm.size).map((rank) => BigInt(rank * rank)),
    );
});

alone("Alltoallv gives the transpose of a matrix spread by rows", (comm) => {
  const { rank, size } = comm;
  const row = Float64Array.from(range(size, (column) => rank * size + column));
  const column = new Float64Array(size);
  const ones = range(size, () => 1);
  comm.Alltoallv(row, column, { sendCounts: ones, receiveCounts: ones });
  same(
    [...column],
    range(size, (i) => i * size + rank),
  );
});
