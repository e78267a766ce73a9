/** The tables that ranks run together. */
import type { Table } from "../behaviour.ts";
import { attributes } from "./attributes.ts";
import { elements } from "./elements.ts";
import { groups } from "./groups.ts";
import { links } from "./links.ts";
import { parallel } from "./parallel.ts";
import { selections } from "./selections.ts";
import { storage } from "./storage.ts";
import { virtual } from "./virtual.ts";

export const parallelTables: readonly Table[] = [
  parallel,
  groups,
  links,
  storage,
  selections,
  attributes,
  elements,
  virtual,
];
