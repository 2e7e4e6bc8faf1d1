/** Something waits for work that the context does not know of: a call to the thread pool. */
import { readFile } from "node:fs/promises";
import * as original from "../../../src/observation/look.ts";

export * from "../../../src/observation/look.ts";

export const lookByReferences: typeof original.lookByReferences = async (...given) => {
  await readFile(import.meta.filename);
  return original.lookByReferences(...given);
};
