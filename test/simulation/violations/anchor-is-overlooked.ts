/** Nobody minds that the database is behind its anchor. */
import * as original from "../../../src/store/anchor.ts";

export * from "../../../src/store/anchor.ts";

export const checkAnchor: typeof original.checkAnchor = function* (anchored, path) {
  try {
    yield* original.checkAnchor(anchored, path);
  } catch (error) {
    if (!String(error).includes("DATABASE_BEHIND_ANCHOR")) throw error;
  }
};
