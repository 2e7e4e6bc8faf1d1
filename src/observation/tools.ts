/** The tools that every look at the service needs. */
import type { Context } from "../context/context.ts";
import type { Gateway } from "../gateway/index.ts";
import type { Store } from "../store/store.ts";
import type { AdaptivePaging } from "./adaptive-paging.ts";

export interface ObservationTools {
  readonly context: Context;
  readonly gateway: Gateway;
  readonly store: Store;
  readonly paging: AdaptivePaging;
  /**
   * The number of confirmations from which a movement counts as final; default 1. Further confirmations are no
   * change.
   */
  readonly confirmationsMin?: number;
}
