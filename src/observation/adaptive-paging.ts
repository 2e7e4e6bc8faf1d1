/** The page and filter size of look-ups: as configured, then halved each time the service refuses. */
import type { Log } from "../context/log.ts";
import { type FindPaging, ServiceFault } from "../gateway/index.ts";

export interface LookPaging extends FindPaging {
  /** Ids or references per request. */
  readonly idsPerRequest: number;
}

/** `pageSize` and `idsPerRequest` are the current sizes; they may shrink while a look is under way. */
export interface AdaptivePaging extends LookPaging {
  /**
   * Calls `ask`, which must read the current sizes, again with smaller ones while it is refused. Throws the first
   * refusal if even the smallest sizes are refused.
   */
  askingForLess<Result>(ask: () => Promise<Result>): Promise<Result>;
  /** The sizes that the service accepts, as configuration keys; undefined while it accepts what is configured. */
  readonly takenInstead: string | undefined;
}

/** 200 elements and 100 ids become 6 and 3. */
const HALVINGS_MAX = 5;

/** Statuses that a service may use to refuse a request as too large. */
const TOO_MUCH: ReadonlySet<number | undefined> = new Set([400, 413, 414, 422]);

/** Logs the smaller sizes when the service accepts them. */
export function adaptivePaging(configured: LookPaging, log: Log): AdaptivePaging {
  let halvings = 0;
  let taken = 0;
  let takenInstead: string | undefined;
  const halved = (size: number) => Math.max(1, size >> halvings);
  return {
    ...configured,
    get pageSize() {
      return halved(configured.pageSize);
    },
    get idsPerRequest() {
      return halved(configured.idsPerRequest);
    },
    get takenInstead() {
      return takenInstead;
    },
    async askingForLess(ask) {
      let refusal: unknown;
      for (;;) {
        const asked = halvings;
        try {
          const result = await ask();
          if (asked > taken) {
            taken = asked;
            takenInstead = `paging.size: ${this.pageSize}, paging.idsPerRequest: ${this.idsPerRequest}`;
            log.warn("the service accepts only smaller requests", { message: takenInstead });
          }
          return result;
        } catch (error) {
          if (!isTooMuch(error)) throw error;
          refusal ??= error;
          // Of several looks refused at the same time, only one halves the sizes for all.
          if (halvings === asked) halvings += 1;
          if (halvings <= HALVINGS_MAX) continue;
          // Size was not the reason: the next look starts with the sizes that were last accepted.
          halvings = taken;
          throw refusal;
        }
      }
    },
  };
}

function isTooMuch(error: unknown): boolean {
  return error instanceof ServiceFault && TOO_MUCH.has(error.failure.status);
}
