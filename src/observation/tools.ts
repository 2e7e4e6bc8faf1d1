/** What every look at the service needs. */
import type { Context } from "../context/context.ts";
import type { Gateway } from "../gateway/index.ts";
import type { Store } from "../store/store.ts";
import type { AdaptivePaging } from "./adaptive-paging.ts";

export interface ObservationTools {
  readonly context: Context;
  readonly gateway: Gateway;
  readonly store: Store;
  readonly paging: AdaptivePaging;
  /** With so many confirmations a movement counts as final; default 1. What more are added is no change. */
  readonly confirmationsMin?: number;
}
