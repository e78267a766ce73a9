/** Opens clusters on the embedded engine, for the contract. */
import { cluster } from "girona";
import type { Open } from "./contract/open.ts";

export const openEmbedded: Open = (options) =>
  cluster({ workers: 2, dashboard: false, engine: "embedded", ...options });
