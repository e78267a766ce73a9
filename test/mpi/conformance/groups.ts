import { MPI } from "../../../src/mpi/index.ts";
import { failsWith, groupOf, holds, range, same } from "./behaviour.ts";

const behaviour = groupOf("groups");

behaviour("the group of a communicator has its size and this rank", (comm) => {
  using group = comm.group;
  same([group.size, group.rank], [comm.size, comm.rank]);
});

behaviour("a group compares as identical to itself and to that of the same communicator", (comm) => {
  using a = comm.group;
  using b = comm.group;
  same([a.compare(a), a.compare(b)], ["identical", "identical"]);
});

behaviour("a group in another order is similar, another group unequal", (comm) => {
  using group = comm.group;
  using reversed = group.include(range(comm.size).reverse());
  using none = group.include([]);
  same(group.compare(reversed), comm.size === 1 ? "identical" : "similar");
  same(group.compare(none), "unequal");
});

behaviour("include takes ranks in the given order", (comm) => {
  using group = comm.group;
  using reversed = group.include(range(comm.size).reverse());
  same([reversed.size, reversed.rank], [comm.size, comm.size - 1 - comm.rank]);
});

behaviour("include of no ranks is empty, and has no rank", (comm) => {
  using group = comm.group;
  using none = group.include([]);
  same([none.size, none.rank], [0, undefined]);
});

behaviour("exclude of no ranks is the same, of all ranks is empty", (comm) => {
  using group = comm.group;
  using same_ = group.exclude([]);
  using none = group.exclude(range(comm.size));
  same([group.compare(same_), none.size], ["identical", 0]);
});

behaviour("exclude keeps the order of the rest", (comm) => {
  using group = comm.group;
  using rest = group.exclude([0]);
  same([rest.size, rest.rank], [comm.size - 1, comm.rank === 0 ? undefined : comm.rank - 1]);
});

behaviour("union with an empty group, or with itself, changes nothing", (comm) => {
  using group = comm.group;
  using none = group.include([]);
  using a = none.union(group);
  using b = group.union(none);
  using c = group.union(group);
  same(
    [a, b, c].map((one) => one.compare(group)),
    ["identical", "identical", "identical"],
  );
});

behaviour("union has those of the first, then those of the second that are new", (comm) => {
  using group = comm.group;
  using last = group.include([comm.size - 1]);
  using all = last.union(group);
  same(all.size, comm.size);
  same(all.translate([0], group), [comm.size - 1]);
  if (comm.size > 1) same(all.translate([1], group), [0]);
});

behaviour("intersection with an empty group is empty, with itself the same", (comm) => {
  using group = comm.group;
  using none = group.include([]);
  using a = none.intersection(group);
  using b = group.intersection(none);
  using c = group.intersection(group);
  same([a.size, b.size, c.compare(group)], [0, 0, "identical"]);
});

behaviour("intersection keeps the order of the first", (comm) => {
  using group = comm.group;
  using reversed = group.include(range(comm.size).reverse());
  using both = reversed.intersection(group);
  same(both.compare(reversed), "identical");
});

behaviour("difference from itself is empty, from an empty group the same", (comm) => {
  using group = comm.group;
  using none = group.include([]);
  using a = group.difference(group);
  using b = group.difference(none);
  using c = none.difference(group);
  same([a.size, b.compare(group), c.size], [0, "identical", 0]);
});

behaviour("difference leaves those that the other has not", (comm) => {
  using group = comm.group;
  using first = group.include([0]);
  using rest = group.difference(first);
  same([rest.size, rest.rank], [comm.size - 1, comm.rank === 0 ? undefined : comm.rank - 1]);
});

behaviour("translate gives each rank its rank in the other group", (comm) => {
  using group = comm.group;
  using reversed = group.include(range(comm.size).reverse());
  same(group.translate(range(comm.size), reversed), range(comm.size).reverse());
  same(group.translate([...range(comm.size), ...range(comm.size)], group), [...range(comm.size), ...range(comm.size)]);
});

behaviour("translate gives undefined for ranks that are not in the other group", (comm) => {
  using group = comm.group;
  using none = group.include([]);
  same(
    group.translate(range(comm.size), none),
    range(comm.size).map(() => undefined),
  );
  same(group.translate([], group), []);
});

behaviour("translate keeps PROC_NULL", (comm) => {
  using group = comm.group;
  same(group.translate([MPI.PROC_NULL, MPI.PROC_NULL], group), [MPI.PROC_NULL, MPI.PROC_NULL]);
});

behaviour("translate to the world says which process a rank is", (comm) => {
  using group = comm.group;
  using world = MPI.COMM_WORLD.group;
  same(group.translate([comm.rank], world), [MPI.COMM_WORLD.rank]);
});

behaviour("include and exclude of a rank that is not there are MPI_ERR_RANK", (comm) => {
  using group = comm.group;
  failsWith("RANK", () => group.include([comm.size]));
  failsWith("RANK", () => group.exclude([-1]));
});

behaviour("include and exclude of a rank twice are MPI_ERR_RANK", (comm) => {
  using group = comm.group;
  failsWith("RANK", () => group.include([0, 0]));
  failsWith("RANK", () => group.exclude([0, 0]));
});

behaviour("after free every call on a group is MPI_ERR_GROUP", (comm) => {
  const group = comm.group;
  using other = comm.group;
  group.free();
  failsWith("GROUP", () => group.include([0]));
  failsWith("GROUP", () => group.union(other));
  failsWith("GROUP", () => other.union(group));
  failsWith("GROUP", () => group.compare(other));
  failsWith("GROUP", () => comm.create(group));
});

behaviour("a group outlives its communicator", (comm) => {
  const copy = comm.dup();
  using group = copy.group;
  copy.free();
  same([group.size, group.rank], [comm.size, comm.rank]);
  using other = comm.group;
  same(group.compare(other), "identical");
});

behaviour("hundreds of groups may be made", (comm) => {
  using group = comm.group;
  for (let i = 0; i < 300; i++) {
    using one = group.include([comm.rank]);
    if (i % 100 === 0) holds(one.size === 1 && one.rank === 0);
  }
});
