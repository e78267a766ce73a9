import { maps } from "./contract/maps.ts";
import { openEmbedded } from "./embedded.ts";

maps(openEmbedded);
