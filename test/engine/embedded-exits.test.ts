import { exits } from "./contract/exits.ts";

exits();
