/** What every look at the service needs. */
import type { Clock } from "../context/clock.ts";
import type { Context } from "../context/context.ts";
import type { FindFilter, FindPaging, Gateway, Reading } from "../gateway/index.ts";
import type { Store } from "../store/store.ts";
import type { AdaptivePaging } from "./adaptive-paging.ts";

export interface ObservationTools {
  readonly context: Context;
  readonly gateway: Gateway;
  readonly store: Store;
  readonly paging: AdaptivePaging;
}

/** What reads all that a filter finds: `findPayouts` or `findDeposits` of the gateway. */
export type Find<Element> = (
  gateway: Gateway,
  clock: Clock,
  filter: FindFilter,
  paging: FindPaging,
) => Promise<Reading<Element>>;
