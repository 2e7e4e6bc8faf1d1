/**
 * How much a look asks for at a time: as configured, and half as much each time the service refuses that, because the interface
 * states no limit of pages and filters.
 */
import type { Log } from "../context/log.ts";
import { type FindPaging, ServiceFault } from "../gateway/index.ts";

/** Pages, and the length of filters. */
export interface LookPaging extends FindPaging {
  /** Ids or references in one request. */
  readonly idsPerRequest: number;
}

/** `pageSize` and `idsPerRequest` are what is asked for now; each may become smaller while a look is under way. */
export interface AdaptivePaging extends LookPaging {
  /** What `ask` returns, which reads the sizes each time. Throws its first refusal when the smallest sizes are refused too. */
  askingForLess<Result>(ask: () => Promise<Result>): Promise<Result>;
  /** The keys of the configuration with what the service has taken instead; undefined while it takes what is configured. */
  readonly takenInstead: string | undefined;
}

/** 200 elements and 100 ids become 6 and 3. */
const HALVINGS_MAX = 5;

/** What a service answers that does not take so much. */
const TOO_MUCH: ReadonlySet<number | undefined> = new Set([400, 413, 414, 422]);

/** What the service has taken instead is logged. */
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
            log.warn("the service takes less at a time than it was asked for", { message: takenInstead });
          }
          return result;
        } catch (error) {
          if (!isTooMuch(error)) throw error;
          refusal ??= error;
          // Of several looks that are refused at the same time one makes the sizes smaller, for all of them.
          if (halvings === asked) halvings += 1;
          if (halvings <= HALVINGS_MAX) continue;
          // The size was not the reason: the next look begins with the sizes that were last accepted.
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
