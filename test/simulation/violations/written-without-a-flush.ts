/** Files appear under their names before their content is on disk. */
import type * as original from "../../../src/context/files.ts";
import { rename } from "../counted-fs-promises.ts";

export * from "../../../src/context/files.ts";

export const writeWhole: typeof original.writeWhole = async (path, write) => {
  await write(`${path}.part`);
  await rename(`${path}.part`, path);
};

export const writeOnce: typeof original.writeOnce = (path, write) => writeWhole(path, write);
