/** Files appear under their names before their content is on disk. */
import type * as original from "../../../src/context/files.ts";
import { rename } from "../counted-fs-promises.ts";

export * from "../../../src/context/files.ts";

const unflushed: typeof original.writeWhole = async (path, write) => {
  await write(`${path}.part`);
  await rename(`${path}.part`, path);
};

export { unflushed as writeWhole, unflushed as writeOnce };
