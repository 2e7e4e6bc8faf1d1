/** Searches for payouts and deposits, through the find operations or the pathless ones in `routes`. */
import type { Clock } from "../context/clock.ts";
import { type Deposit, deposit, type Payout, payout, readDeposit, readPayout } from "../wire/index.ts";
import type { Recognise } from "./elements.ts";
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

/** `path`: findPayoutFilteredV2 and findDepositFilteredV2. `route`: the pathless searches. */
export type SearchOperation = "path" | "route";

/** The result of reading all pages. */
export interface Reading<Element> extends PagingReport {
  /** Each element once, by id. */
  readonly found: readonly Found<Element>[];
}

/**
 * Streams the elements that match a filter; those that `recognise` knows are counted and not streamed. The
 * iteration throws a ServiceFault when a page stays unanswered.
 */
export type FindPages<Element> = (
  gateway: Gateway,
  clock: Clock,
  filter: FindFilter,
  paging: FindPaging,
  by?: SearchOperation,
  recognise?: Recognise,
) => Pages<Element>;

/** As `FindPages`, collected in memory, all parsed. Rejects with a ServiceFault when a page stays unanswered. */
export type Find<Element> = (
  gateway: Gateway,
  clock: Clock,
  filter: FindFilter,
  paging: FindPaging,
) => Promise<Reading<Element>>;

export const payoutPages = pagesBy<Payout>({
  operations: { path: "findPayoutFilteredV2", route: "searchPayouts" },
  idsField: "payoutIds",
  schema: payout,
  readUsual: readPayout,
  idOf: ({ payoutId }) => payoutId,
});

export const depositPages = pagesBy<Deposit>({
  operations: { path: "findDepositFilteredV2", route: "searchDeposits" },
  idsField: "depositIds",
  schema: deposit,
  readUsual: readDeposit,
  idOf: ({ depositId }) => depositId,
});

export const findPayouts = readingBy(payoutPages);
export const findDeposits = readingBy(depositPages);

interface Searched<Element> extends Required<Pick<PageSource<Element>, "schema" | "readUsual" | "idOf">> {
  readonly operations: {
    readonly path: "findPayoutFilteredV2" | "findDepositFilteredV2";
    readonly route: "searchPayouts" | "searchDeposits";
  };
  readonly idsField: "payoutIds" | "depositIds";
}

function pagesBy<Element extends { readonly createdDate?: string | undefined }>(
  searched: Searched<Element>,
): FindPages<Element> {
  const { operations, idsField, schema, readUsual, idOf } = searched;
  return (gateway, clock, { ids, ...others }, paging, by = "path", recognise) => {
    const lists = { references: others.references?.slice(), states: others.states?.slice() };
    const fetchBy = {
      path: ({ sort, ...page }: PageRequest) =>
        lookUp(
          gateway,
          clock,
          operations.path,
          {
            [idsField]: ids?.slice(),
            ...lists,
            ...page,
            sort: Object.fromEntries(sort.map(({ property, direction }) => [property, direction])),
          },
          { recognise },
        ),
      // UUIDs are joined by commas, and a sort criterion is `property,(asc|desc)`.
      route: ({ sort, ...page }: PageRequest) =>
        lookUp(
          gateway,
          clock,
          operations.route,
          {
            [idsField]: ids?.join(","),
            ...lists,
            ...page,
            sort: sort.map(({ property, direction }) => `${property},${direction.toLowerCase()}`),
          },
          { recognise },
        ),
    };
    const askedFilters: AskedFilters = { [idsField]: ids, ...others };
    const source: PageSource<Element> = {
      operation: operations[by],
      named: (ids ?? others.references ?? []).length,
      schema,
      readUsual,
      idOf,
      createdDateOf: ({ createdDate }) => createdDate,
      fetchPage: async (page) => {
        const { results, filters } = await fetchBy[by](page);
        return { ...results, unlikeEchoes: unlikeEchoes(askedFilters, filters) };
      },
    };
    return renewingIfInconsistent(gateway, readPages(source, paging));
  };
}

function readingBy<Element>(pagesOf: FindPages<Element>): Find<Element> {
  return async (...search) => {
    const pages = pagesOf(...search);
    const found: Found<Element>[] = [];
    for await (const element of pages) found.push(element);
    return { found, ...pages.report() };
  };
}

/** Renews the connections when pages disagree, because they may be answers to other requests. */
function renewingIfInconsistent<Element>(gateway: Gateway, pages: Pages<Element>): Pages<Element> {
  return {
    async *[Symbol.asyncIterator]() {
      yield* pages;
      if (!pages.report().complete) gateway.renewConnections();
    },
    report: () => pages.report(),
    shown: () => pages.shown(),
  };
}

/** Filter lists by the interface's names; an empty or absent list does not filter. */
type AskedFilters = Readonly<Record<string, readonly string[] | undefined>>;

/**
 * The names of filters whose echo in a search response differs from the request (`filters` of the envelope;
 * interface section Resources): then the service searched for something else. An echo that is not a list is
 * ignored.
 */
export function unlikeEchoes(
  filters: AskedFilters,
  echoed: Readonly<Record<string, unknown>> | undefined,
): string[] {
  return Object.entries(filters)
    .filter(([name, items = []]) => {
      const back = echoed?.[name];
      return Array.isArray(back) && !haveSameItems(items, back, name.endsWith("Ids"));
    })
    .map(([name]) => name);
}

/** Compares as sets; UUIDs are compared case-insensitively. */
function haveSameItems(items: readonly string[], others: readonly unknown[], areIds: boolean): boolean {
  const known = (item: unknown) => (areIds ? String(item).toLowerCase() : item);
  const left = new Set<unknown>(items.map(known));
  const right = new Set<unknown>(others.map(known));
  return left.size === right.size && [...left].every((item) => right.has(item));
}
