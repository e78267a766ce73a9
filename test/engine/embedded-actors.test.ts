import { actors } from "./contract/actors.ts";
import { openEmbedded } from "./embedded.ts";

actors(openEmbedded);
