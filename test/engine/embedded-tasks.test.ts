import { tasks } from "./contract/tasks.ts";
import { openEmbedded } from "./embedded.ts";

tasks(openEmbedded);
