/** Searches of payouts and deposits, by the find operations with a path or by the ones that the configuration's `routes` place. */
import type { z } from "zod";
import type { Clock } from "../context/clock.ts";
import { type Deposit, deposit, type Payout, payout, type searchEnvelope } from "../wire/index.ts";
import { type AskedFilters, unlikeEchoes } from "./filter-echo.ts";
import type { Gateway } from "./gateway.ts";
import { lookUp } from "./look-up.ts";
import {
  type FindPaging,
  type Found,
  type Page,
  type PageRequest,
  type Pages,
  type PagingReport,
  readPages,
} from "./pages.ts";

export interface FindFilter {
  readonly ids?: readonly string[];
  readonly references?: readonly string[];
  readonly states?: readonly string[];
}

/** `path`: findPayoutFilteredV2 and findDepositFilteredV2. `route`: the searches to which the interface gives no path. */
export type SearchOperation = "path" | "route";

/** All pages, read. */
export interface Reading<Element> extends PagingReport {
  /** Each element once, by id. */
  readonly found: readonly Found<Element>[];
}

/** Everything that the filter finds, in memory. Throws a ServiceFault when a page stays unanswered. */
export function findPayouts(
  gateway: Gateway,
  clock: Clock,
  filter: FindFilter,
  paging: FindPaging,
): Promise<Reading<Payout>> {
  return readingOf(payoutPages(gateway, clock, filter, paging));
}

/** Everything that the filter finds, in memory. Throws a ServiceFault when a page stays unanswered. */
export function findDeposits(
  gateway: Gateway,
  clock: Clock,
  filter: FindFilter,
  paging: FindPaging,
): Promise<Reading<Deposit>> {
  return readingOf(depositPages(gateway, clock, filter, paging));
}

/** The payouts that the filter finds, one after the other. The iteration throws a ServiceFault when a page stays unanswered. */
export function payoutPages(
  gateway: Gateway,
  clock: Clock,
  { ids, ...others }: FindFilter,
  paging: FindPaging,
  by: SearchOperation = "path",
): Pages<Payout> {
  const fetchBy = {
    path: (page: PageRequest) =>
      lookUp(gateway, clock, "findPayoutFilteredV2", {
        payoutIds: ids?.slice(),
        ...searchBody(others, page),
      }),
    route: (page: PageRequest) =>
      lookUp(gateway, clock, "searchPayouts", {
        payoutIds: ids?.join(","),
        ...searchParameters(others, page),
      }),
  };
  const source = {
    operation: by === "path" ? "findPayoutFilteredV2" : "searchPayouts",
    schema: payout,
    idOf: ({ payoutId }: Payout) => payoutId,
    createdDateOf: ({ createdDate }: Payout) => createdDate,
    fetchPage: async (page: PageRequest) => pageOf(await fetchBy[by](page), { payoutIds: ids, ...others }),
  } as const;
  return distrusting(gateway, readPages(source, paging));
}

/** The deposits that the filter finds, one after the other. The iteration throws a ServiceFault when a page stays unanswered. */
export function depositPages(
  gateway: Gateway,
  clock: Clock,
  { ids, ...others }: FindFilter,
  paging: FindPaging,
  by: SearchOperation = "path",
): Pages<Deposit> {
  const fetchBy = {
    path: (page: PageRequest) =>
      lookUp(gateway, clock, "findDepositFilteredV2", {
        depositIds: ids?.slice(),
        ...searchBody(others, page),
      }),
    route: (page: PageRequest) =>
      lookUp(gateway, clock, "searchDeposits", {
        depositIds: ids?.join(","),
        ...searchParameters(others, page),
      }),
  };
  const source = {
    operation: by === "path" ? "findDepositFilteredV2" : "searchDeposits",
    schema: deposit,
    idOf: ({ depositId }: Deposit) => depositId,
    createdDateOf: ({ createdDate }: Deposit) => createdDate,
    fetchPage: async (page: PageRequest) => pageOf(await fetchBy[by](page), { depositIds: ids, ...others }),
  } as const;
  return distrusting(gateway, readPages(source, paging));
}

/** Pages that disagree may be answers to other requests, so the next requests go over new connections. */
function distrusting<Element>(gateway: Gateway, pages: Pages<Element>): Pages<Element> {
  return {
    async *[Symbol.asyncIterator]() {
      yield* pages;
      if (!pages.report().complete) gateway.renewConnections();
    },
    report: () => pages.report(),
  };
}

async function readingOf<Element>(pages: Pages<Element>): Promise<Reading<Element>> {
  const found: Found<Element>[] = [];
  for await (const one of pages) found.push(one);
  return { found, ...pages.report() };
}

function pageOf({ results, filters }: z.output<typeof searchEnvelope>, asked: AskedFilters): Page {
  return { ...results, unlikeEchoes: unlikeEchoes(asked, filters) };
}

type OtherFilters = Omit<FindFilter, "ids">;

/** The body of the find operations: sort is a map of property to direction. */
function searchBody({ references, states }: OtherFilters, { page, size, sort }: PageRequest) {
  return {
    references: references?.slice(),
    states: states?.slice(),
    page,
    size,
    sort: Object.fromEntries(sort.map(({ property, direction }) => [property, direction])),
  };
}

/** The parameters of the searches without a path: a criterion is `property,(asc|desc)`. */
function searchParameters({ references, states }: OtherFilters, { page, size, sort }: PageRequest) {
  return {
    references,
    states,
    page,
    size,
    sort: sort.map(({ property, direction }) => `${property},${direction.toLowerCase()}`),
  };
}
