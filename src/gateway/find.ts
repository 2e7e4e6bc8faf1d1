/** Searches of payouts and deposits, by the find operations with a path or by the ones that the configuration's `routes` place. */
import type { Clock } from "../context/clock.ts";
import { type Deposit, deposit, type Payout, payout } from "../wire/index.ts";
import { type AskedFilters, unlikeEchoes } from "./filter-echo.ts";
import type { Gateway } from "./gateway.ts";
import { lookUp } from "./look-up.ts";
import {
  type FindPaging,
  type Found,
  type PageRequest,
  type PageSource,
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

/** The elements that a filter finds, one after the other. The iteration throws a ServiceFault when a page stays unanswered. */
export type FindPages<Element> = (
  gateway: Gateway,
  clock: Clock,
  filter: FindFilter,
  paging: FindPaging,
  by?: SearchOperation,
) => Pages<Element>;

/** The same, in memory. Rejects with a ServiceFault when a page stays unanswered. */
export type Find<Element> = (...asked: Parameters<FindPages<Element>>) => Promise<Reading<Element>>;

export const payoutPages = pagesBy<Payout>({
  operations: { path: "findPayoutFilteredV2", route: "searchPayouts" },
  idsField: "payoutIds",
  schema: payout,
  idOf: ({ payoutId }) => payoutId,
});

export const depositPages = pagesBy<Deposit>({
  operations: { path: "findDepositFilteredV2", route: "searchDeposits" },
  idsField: "depositIds",
  schema: deposit,
  idOf: ({ depositId }) => depositId,
});

export const findPayouts = readingBy(payoutPages);
export const findDeposits = readingBy(depositPages);

/** What is particular about payouts, or about deposits. */
interface Searched<Element> extends Pick<PageSource<Element>, "schema" | "idOf"> {
  readonly operations: {
    readonly path: "findPayoutFilteredV2" | "findDepositFilteredV2";
    readonly route: "searchPayouts" | "searchDeposits";
  };
  readonly idsField: "payoutIds" | "depositIds";
}

function pagesBy<Element extends { readonly createdDate?: string | undefined }>(
  searched: Searched<Element>,
): FindPages<Element> {
  const { operations, idsField, schema, idOf } = searched;
  return (gateway, clock, { ids, ...others }, paging, by = "path") => {
    const fetchBy = {
      path: (page: PageRequest) =>
        lookUp(gateway, clock, operations.path, { [idsField]: ids?.slice(), ...searchBody(others, page) }),
      route: (page: PageRequest) =>
        lookUp(gateway, clock, operations.route, {
          [idsField]: ids?.join(","),
          ...searchParameters(others, page),
        }),
    };
    const asked: AskedFilters = { [idsField]: ids, ...others };
    const source: PageSource<Element> = {
      operation: operations[by],
      schema,
      idOf,
      createdDateOf: ({ createdDate }) => createdDate,
      fetchPage: async (page) => {
        const { results, filters } = await fetchBy[by](page);
        return { ...results, unlikeEchoes: unlikeEchoes(asked, filters) };
      },
    };
    return distrusting(gateway, readPages(source, paging));
  };
}

function readingBy<Element>(pagesOf: FindPages<Element>): Find<Element> {
  return async (...asked) => {
    const pages = pagesOf(...asked);
    const found: Found<Element>[] = [];
    for await (const one of pages) found.push(one);
    return { found, ...pages.report() };
  };
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
