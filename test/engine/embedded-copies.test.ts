import { copies } from "./contract/copies.ts";
import { openEmbedded } from "./embedded.ts";

copies(openEmbedded);
