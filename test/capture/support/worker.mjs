// The other process: revives what it gets, calls it, and answers with the result.
import { revive, userStack } from "../../../dist/capture/worker.js";

process.on("message", async ({ id, portable, args, calls }) => {
  const answer = { id };
  try {
    const { value, classes } = await revive(portable, { large: portable.large, external: portable.external });
    answer.classes = classes.map((one) => one?.name);
    if (calls) {
      const actor = new value(...args);
      for (const [method, ...rest] of calls) answer.result = await actor[method](...rest);
    } else {
      const result = await value(...args);
      if (typeof result?.next === "function") {
        answer.result = [];
        for await (const item of result) answer.result.push(item);
      } else answer.result = result;
    }
  } catch (error) {
    answer.error = {
      name: error?.name,
      message: String(error?.message ?? error),
      stack: userStack(String(error?.stack)),
    };
  }
  process.send(answer);
});
