import { cancels } from "./contract/cancels.ts";
import { openEmbedded } from "./embedded.ts";

cancels(openEmbedded);
