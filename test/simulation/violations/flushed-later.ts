/** A commit is said to be on the disk before it is. */
import * as original from "../../../src/store/sqlite-store.ts";
import { disk } from "../disk.ts";

export * from "../../../src/store/sqlite-store.ts";

export const openSqliteStore: typeof original.openSqliteStore = (...given) => {
  disk.flushesEvery = 5;
  return original.openSqliteStore(...given);
};
