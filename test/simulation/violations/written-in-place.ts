/** Files are written under their own names, so that after a crash a half-written one can be taken for a whole one. */
import type * as original from "../../../src/context/files.ts";

export * from "../../../src/context/files.ts";

export const writeWhole: typeof original.writeWhole = (path, write) => write(path);

export const writeOnce: typeof original.writeOnce = (path, write) => writeWhole(path, write);
