/** Requests leave under a stop order. */
import type * as original from "../../../src/pipeline/sending/stop-order.ts";

export * from "../../../src/pipeline/sending/stop-order.ts";

export const localStopOrder: typeof original.localStopOrder = () => undefined;
