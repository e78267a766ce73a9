import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** For the run inside a test: see captures-inside-vitest.test.ts. */
export default defineConfig({
  cacheDir: fileURLToPath(new URL("../../../.cache/vite", import.meta.url)),
  test: { root: fileURLToPath(new URL("../cases", import.meta.url)), include: ["in-vitest.ts"], testTimeout: 60_000 },
});
