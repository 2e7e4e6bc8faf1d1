/** Files are written under their own names, so that a half one can be seen, and is taken for a whole one after a crash. */
import type * as original from "../../../src/context/files.ts";

export * from "../../../src/context/files.ts";

const inPlace: typeof original.writeWhole = (path, write) => write(path);

export { inPlace as writeOnce, inPlace as writeWhole };
