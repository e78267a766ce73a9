import { events } from "./contract/events.ts";
import { openEmbedded } from "./embedded.ts";

events(openEmbedded);
