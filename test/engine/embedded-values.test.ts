import { values } from "./contract/values.ts";
import { openEmbedded } from "./embedded.ts";

values(openEmbedded);
