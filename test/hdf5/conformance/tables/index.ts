/** All tables. */
import type { Table } from "../behaviour.ts";
import { attributes } from "./attributes.ts";
import { broken } from "./broken.ts";
import { datasets } from "./datasets.ts";
import { elements } from "./elements.ts";
import { files } from "./files.ts";
import { groups } from "./groups.ts";
import { hostile } from "./hostile.ts";
import { links } from "./links.ts";
import { reads } from "./reads.ts";
import { selections } from "./selections.ts";
import { storage } from "./storage.ts";
import { virtual } from "./virtual.ts";

export const tables: readonly Table[] = [
  files,
  groups,
  links,
  datasets,
  storage,
  selections,
  attributes,
  elements,
  virtual,
  broken,
  reads,
  hostile,
];
