/** A code that may be used once is used as often as its time step lasts. */
import * as original from "../../../src/gateway/one-time-codes.ts";

export * from "../../../src/gateway/one-time-codes.ts";

export const oneTimeCodes: typeof original.oneTimeCodes = (clock, from) =>
  original.oneTimeCodes(clock, from, false);
