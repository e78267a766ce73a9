import { MPI } from "../../../src/mpi/index.ts";
import { failsWith, groupOf, holds, isRefused, range, same, sum } from "./behaviour.ts";

const behaviour = groupOf("communicators");

behaviour("rank is one of 0 to size - 1, and each is there once", (comm) => {
  holds(Number.isInteger(comm.rank) && comm.rank >= 0 && comm.rank < comm.size);
  same(comm.allgather(comm.rank), range(comm.size));
});

behaviour("COMM_SELF is this rank alone, and COMM_WORLD holds every communicator", (comm) => {
  same([MPI.COMM_SELF.rank, MPI.COMM_SELF.size], [0, 1]);
  holds(comm.size <= MPI.COMM_WORLD.size);
});

behaviour("COMM_WORLD and COMM_SELF are the same objects each time", (_comm) => {
  const [world, self] = [MPI.COMM_WORLD, MPI.COMM_SELF];
  holds(world === MPI.COMM_WORLD);
  holds(self === MPI.COMM_SELF);
});

behaviour("dup has the same ranks in the same order", (comm) => {
  using copy = comm.dup();
  same([copy.rank, copy.size, comm.compare(copy)], [comm.rank, comm.size, "congruent"]);
});

behaviour("dup takes settings, as an object or as info", (comm) => {
  using first = comm.dup({ info: { mpi_assert_no_any_tag: "true" } });
  using info = MPI.info({ a: "b" });
  using second = first.dup({ info });
  same(second.allgather(1).length, comm.size);
});

behaviour("a communicator compares as identical to itself alone", (comm) => {
  same(comm.compare(comm), "identical");
  using copy = comm.dup();
  same(copy.compare(comm), "congruent");
});

behaviour("other ranks compare as unequal, another order as similar", (comm) => {
  using reversed = comm.split(0, -comm.rank);
  same(comm.compare(reversed), comm.size === 1 ? "congruent" : "similar");
  if (comm.size > 1) same(comm.compare(MPI.COMM_SELF), "unequal");
});

behaviour("split with one color for all and rising keys is the same in the same order", (comm) => {
  using parts = comm.split(42, comm.rank);
  same([parts.rank, parts.size], [comm.rank, comm.size]);
});

behaviour("split with a color for each rank leaves each alone", (comm) => {
  using own = comm.split(comm.rank, 42);
  same([own.rank, own.size], [0, 1]);
});

behaviour("split orders ranks by key, and ranks of equal key by their old rank", (comm) => {
  using reversed = comm.split(0, -comm.rank);
  same(reversed.allgather(comm.rank), range(comm.size).reverse());
  using halves = comm.split(0, comm.rank % 2);
  const even = range(comm.size).filter((rank) => rank % 2 === 0);
  same(halves.allgather(comm.rank), [...even, ...range(comm.size).filter((rank) => rank % 2 === 1)]);
});

behaviour("split without a key keeps the order", (comm) => {
  using parts = comm.split(7);
  same(parts.allgather(comm.rank), range(comm.size));
});

behaviour("split by odd and even makes two that work at the same time", (comm) => {
  using half = comm.split(comm.rank % 2);
  same(half.allreduce(comm.rank, { op: MPI.SUM }), sum(range(comm.size).filter((rank) => rank % 2 === comm.rank % 2)));
});

behaviour("split with undefined leaves the caller out", (comm) => {
  const others = comm.split(comm.rank === 0 ? undefined : 1);
  if (comm.rank === 0) return same(others, undefined);
  same([others?.rank, others?.size], [comm.rank - 1, comm.size - 1]);
  others?.free();
});

behaviour("split with undefined on all ranks gives nobody a communicator", (comm) => {
  same(comm.split(undefined), undefined);
});

behaviour("split with a negative color, or one that is no integer, is refused or an MPI error", (comm) => {
  let said = false;
  try {
    comm.split(-7);
  } catch {
    said = true;
  }
  holds(said);
  isRefused(() => comm.split(1.5));
  isRefused(() => comm.split("1" as never));
});

behaviour("splitShared holds the ranks of this machine, which here are all", (comm) => {
  using shared = comm.splitShared();
  same([shared.rank, shared.size], [comm.rank, comm.size]);
  using reversed = comm.splitShared(-comm.rank);
  same(reversed.rank, comm.size - 1 - comm.rank);
});

behaviour("create of the whole group is congruent", (comm) => {
  using group = comm.group;
  using made = comm.create(group);
  same(made && comm.compare(made), "congruent");
});

behaviour("create of some ranks gives the others undefined", (comm) => {
  using group = comm.group;
  using some = group.include(range(comm.size).filter((rank) => rank % 2 === 0));
  using made = comm.create(some);
  if (comm.rank % 2 === 1) return same(made, undefined);
  same([made?.rank, made?.size], [comm.rank / 2, Math.ceil(comm.size / 2)]);
});

behaviour("create of a group in another order gives ranks that order", (comm) => {
  using group = comm.group;
  using reversed = group.include(range(comm.size).reverse());
  using made = comm.create(reversed);
  same(made?.rank, comm.size - 1 - comm.rank);
});

behaviour("create of an empty group gives everybody undefined", (comm) => {
  using group = comm.group;
  using nobody = group.include([]);
  same(comm.create(nobody), undefined);
});

behaviour("createGroup is called by its ranks alone", (comm) => {
  using group = comm.group;
  using last = group.include([comm.size - 1]);
  if (comm.rank !== comm.size - 1) return;
  using made = comm.createGroup(last, { tag: 3 });
  same([made?.rank, made?.size], [0, 1]);
});

behaviour("createGroup of all ranks is congruent", (comm) => {
  using group = comm.group;
  using made = comm.createGroup(group);
  same(made && comm.compare(made), "congruent");
});

behaviour("a name can be set and read, and COMM_WORLD has MPI's", (comm) => {
  same(MPI.COMM_WORLD.name, "MPI_COMM_WORLD");
  same(MPI.COMM_SELF.name, "MPI_COMM_SELF");
  using copy = comm.dup();
  copy.name = "mycomm";
  same(copy.name, "mycomm");
  copy.name = "";
  same(copy.name, "");
});

behaviour("a name with letters of any language is kept", (comm) => {
  using copy = comm.dup();
  copy.name = "Rånge ⌘ 世界";
  same(copy.name, "Rånge ⌘ 世界");
});

behaviour("a name too long for MPI is cut off or refused, not a crash", (comm) => {
  using copy = comm.dup();
  try {
    copy.name = "n".repeat(10_000);
  } catch (error) {
    holds(error instanceof Error);
  }
  holds(copy.name.length <= 10_000);
});

behaviour("after free every call is MPI_ERR_COMM", (comm) => {
  const copy = comm.dup();
  copy.free();
  const one = new Int32Array(1);
  failsWith("COMM", () => copy.Send(one, { dest: 0 }));
  failsWith("COMM", () => copy.Recv(one));
  failsWith("COMM", () => copy.Barrier());
  failsWith("COMM", () => copy.Allreduce(one, one.slice()));
  failsWith("COMM", () => copy.bcast(1));
  failsWith("COMM", () => copy.recv());
  failsWith("COMM", () => copy.dup());
  failsWith("COMM", () => copy.split(0));
  failsWith("COMM", () => copy.Iprobe());
});

behaviour("free twice is MPI_ERR_COMM, and by using once is enough", (comm) => {
  const copy = comm.dup();
  copy.free();
  failsWith("COMM", () => copy.free());
  const other = comm.dup();
  {
    using held = other;
    same(held.size, comm.size);
  }
  failsWith("COMM", () => other.Barrier());
});

behaviour("using after free does not throw", (comm) => {
  using copy = comm.dup();
  copy.free();
});

behaviour("COMM_WORLD and COMM_SELF cannot be freed", (_comm) => {
  failsWith("COMM", () => MPI.COMM_WORLD.free());
  failsWith("COMM", () => MPI.COMM_SELF.free());
  same(MPI.COMM_SELF.allgather(1), [1]);
});

behaviour("a request outlives the free of its communicator", async (comm) => {
  const copy = comm.dup();
  const received = new Int32Array(1);
  const receive = copy.Irecv(received, { source: comm.rank });
  const send = copy.Isend(Int32Array.of(5), { dest: comm.rank });
  copy.free();
  await MPI.waitAll([receive, send]);
  same(received[0], 5);
});

behaviour("dozens of communicators may be made and freed", (comm) => {
  for (let i = 0; i < 40; i++) {
    using copy = comm.dup();
    if (i % 10 === 0) same(copy.allreduce(1, { op: MPI.SUM }), comm.size);
  }
});

behaviour("thirty communicators may be there at once, each with its own messages", (comm) => {
  const copies = range(30).map(() => comm.dup());
  for (const [i, copy] of copies.entries()) copy.Isend(Int32Array.of(i), { dest: comm.rank });
  for (const [i, copy] of [...copies.entries()].reverse()) {
    const received = new Int32Array(1);
    copy.Recv(received, { source: comm.rank });
    same(received[0], i);
  }
  for (const copy of copies) copy.free();
});

behaviour("a communicator of a communicator of a communicator works", (comm) => {
  using a = comm.dup();
  using b = a.split(0, -a.rank);
  using c = b.dup();
  same(c.allgather(comm.rank), range(comm.size).reverse());
});
