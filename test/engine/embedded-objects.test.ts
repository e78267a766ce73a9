import { objects } from "./contract/objects.ts";
import { openEmbedded } from "./embedded.ts";

objects(openEmbedded);
