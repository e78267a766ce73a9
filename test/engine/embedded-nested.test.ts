import { nested } from "./contract/nested.ts";
import { openEmbedded } from "./embedded.ts";

nested(openEmbedded);
