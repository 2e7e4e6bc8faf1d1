/** A commit is reported as flushed before it is. */
import * as original from "../../../src/store/engines/sqlite-store.ts";

export * from "../../../src/store/engines/sqlite-store.ts";

export const openSqliteStore: typeof original.openSqliteStore = (path, options = {}) => {
  const { flush } = options;
  if (flush === undefined) return original.openSqliteStore(path, options);
  let asked = 0;
  const seldom = async () => {
    asked += 1;
    if (asked % 5 === 0) await flush.flush();
  };
  return original.openSqliteStore(path, { ...options, flush: { ...flush, flush: seldom } });
};
