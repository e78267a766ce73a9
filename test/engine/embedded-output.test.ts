import { output } from "./contract/output.ts";

output();
