import { faults } from "./contract/faults.ts";
import { openEmbedded } from "./embedded.ts";

faults(openEmbedded);
