/** What every look at the service needs. */
import type { Context } from "../context/context.ts";
import type { FindPaging, Gateway } from "../gateway/index.ts";
import type { Store } from "../store/store.ts";

export interface ObservationTools {
  readonly context: Context;
  readonly gateway: Gateway;
  readonly store: Store;
  readonly paging: FindPaging & {
    /** Ids or references in one request. */
    readonly idsPerRequest: number;
  };
}
