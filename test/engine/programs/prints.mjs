/** Its tasks print in several ways. */
import { cluster, distribute, get, kill } from "girona";

const session = await cluster({ workers: 2, dashboard: false });
const speak = distribute(function speak() {
  console.log("to stdout");
  console.error("to stderr");
  console.log("two\nlines");
  process.stdout.write("in ");
  process.stdout.write("pieces\n");
  process.stdout.write("without an end");
});
await get(speak());
const last = distribute(
  function last() {
    for (let i = 0; i < 200; i++) console.log(`line ${i} before the end`);
    process.stdout.write("the very last words");
    process.kill(process.pid, "SIGKILL");
  },
  { retries: 0 },
);
await get(last()).catch((error) => console.log(`caught ${error.code}`));
class Parrot {
  say(words) {
    console.log(words);
  }
}
const RemoteParrot = distribute(Parrot);
const parrot = new RemoteParrot();
await get(parrot.say("hello"));
await kill(parrot);
const child = distribute(function child() {
  process.getBuiltinModule("node:child_process").execFileSync("echo", ["from a child"], { stdio: "inherit" });
  process.getBuiltinModule("node:fs").writeSync(1, "written past the streams\n");
});
await get(child());
const many = distribute(function many() {
  for (let i = 0; i < 2000; i++) console.log(`many ${i} ${"x".repeat(100)}`);
});
await get(many());
await get(distribute(() => console.log("with a name"), { name: "christened" })());
console.log("the program's own");
await session.close();
