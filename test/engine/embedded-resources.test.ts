import { resources } from "./contract/resources.ts";
import { openEmbedded } from "./embedded.ts";

resources(openEmbedded);
