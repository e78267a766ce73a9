/**
 * Ends in the way of its first argument; the second says whether girona is at work meanwhile. It says `ready` first.
 */
const [, , how, withGirona] = process.argv;
let session;
// A handler that is gone when it runs, and was there before the cluster.
if (how === "early") {
  process.once("SIGINT", async () => {
    console.log("closing");
    await session?.close();
    console.log("closed");
    process.exit(4);
  });
}
if (withGirona === "girona") {
  const { cluster, distribute, get } = await import("girona");
  session = await cluster({ workers: 2, dashboard: false });
  const spin = distribute(() => {
    process.getBuiltinModule("node:child_process").spawn("sleep", ["1000"], { stdio: "ignore" });
    for (;;);
  });
  void get([spin(), spin()]).catch(() => {});
}
const forEver = setInterval(() => {}, 1000);

switch (how) {
  case "close":
    process.once("SIGINT", async () => {
      console.log("closing");
      await session?.close();
      clearInterval(forEver);
      process.exitCode = 4;
    });
    break;
  case "second":
    process.on("SIGINT", () => {
      // Before the words, after which the key is pressed again.
      process.removeAllListeners("SIGINT");
      console.log("once more to end");
    });
    break;
  case "ignore":
    process.on("SIGINT", () => console.log("ignored"));
    break;
  case "throw":
    setTimeout(() => {
      throw new RangeError("the program's own");
    }, 0);
    break;
  case "reject":
    void Promise.reject(new RangeError("the program's own"));
    break;
  case "caught":
    process.on("uncaughtException", () => {
      console.log("caught");
      process.exit(9);
    });
    setTimeout(() => {
      throw new RangeError("the program's own");
    }, 0);
    break;
  case "exit":
    process.exit(7);
    break;
  case "abort":
    process.abort();
    break;
}
console.log("ready");
// No turn of the event loop comes any more.
if (how === "busy") for (;;);
