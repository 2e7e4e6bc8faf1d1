/**
 * One page of payouts or deposits by filters and sort. Searches by id or reference look only at those rows; the
 * result of any other search is kept for its next pages until something changes.
 */
import type { Entry, Rows } from "./rows.ts";
import type { StoredDeposit, StoredPayout } from "./state.ts";

export interface SearchRequest {
  /** Filters; absent ones filter nothing. */
  readonly ids: readonly string[] | undefined;
  readonly references: readonly string[] | undefined;
  readonly states: readonly string[] | undefined;
  readonly sort: readonly SortCriterion[];
  /** From 0. */
  readonly page: number;
  readonly size: number;
  readonly nowMs: number;
  /** Shift, as if this many rows had been inserted before the page between two requests; negative: removed. */
  readonly rowsShifted: number;
}

interface SortCriterion {
  /** One of the `sortable` names. */
  readonly property: string;
  readonly direction: "ASC" | "DESC";
}

/** Rows that can be searched, and their properties that searches use. */
interface Searched<Row> {
  readonly rows: Pick<Rows<Row, "reference">, "entry" | "entries" | "sharing" | "version">;
  referenceOf(row: Row): string;
  stateOf(row: Row): string;
  readonly sortable: Readonly<Record<string, (row: Row) => string | number>>;
}

export const PAYOUT_SEARCH: Omit<Searched<StoredPayout>, "rows"> = {
  referenceOf: ({ creation }) => creation.reference,
  stateOf: ({ payoutState }) => payoutState,
  sortable: {
    createdDate: ({ createdAt }) => createdAt,
    reference: ({ creation }) => creation.reference,
    payoutState: ({ payoutState }) => payoutState,
    payoutId: ({ payoutId }) => payoutId,
    accountId: ({ creation }) => creation.accountId,
  },
};

export const DEPOSIT_SEARCH: Omit<Searched<StoredDeposit>, "rows"> = {
  referenceOf: ({ reference }) => reference,
  stateOf: ({ depositState }) => depositState,
  sortable: {
    createdDate: ({ createdAt }) => createdAt,
    reference: ({ reference }) => reference,
    depositState: ({ depositState }) => depositState,
    depositId: ({ depositId }) => depositId,
    accountId: ({ accountId }) => accountId,
  },
};

interface Dated {
  /** The instant from which searches can find the row. */
  readonly visibleAt: number;
}

export function pagesOf<Row extends Dated>(searched: Searched<Row>) {
  let kept: Kept<Row> | undefined;
  const foundAmongAll = (request: SearchRequest) => {
    const filters = JSON.stringify([request.states, request.sort]);
    const version = searched.rows.version();
    const { nowMs } = request;
    if (
      kept?.filters !== filters ||
      kept.version !== version ||
      nowMs < kept.fromMs ||
      nowMs >= kept.untilMs
    ) {
      kept = { filters, version, fromMs: nowMs, ...foundEntries(searched, request) };
    }
    return kept.entries;
  };
  return (request: SearchRequest) => {
    const isNarrow = request.ids !== undefined || request.references !== undefined;
    const entries = isNarrow ? foundEntries(searched, request).entries : foundAmongAll(request);
    const offset = Math.max(0, request.page * request.size - request.rowsShifted);
    return {
      rows: entries.slice(offset, offset + request.size).map(({ row }) => row),
      totalElements: entries.length,
    };
  };
}

interface Found<Row> {
  readonly entries: readonly Entry<Row>[];
  /** The instant at which the next row becomes visible. */
  readonly untilMs: number;
}

interface Kept<Row> extends Found<Row> {
  readonly filters: string;
  readonly version: number;
  readonly fromMs: number;
}

function foundEntries<Row extends Dated>(searched: Searched<Row>, request: SearchRequest): Found<Row> {
  const { referenceOf, stateOf } = searched;
  const references = request.references && new Set(request.references);
  const states = request.states && new Set(request.states);
  const entries: Entry<Row>[] = [];
  let untilMs = Number.POSITIVE_INFINITY;
  for (const entry of candidates(searched, request.ids, references)) {
    const { row } = entry;
    if (references !== undefined && !references.has(referenceOf(row))) continue;
    if (states !== undefined && !states.has(stateOf(row))) continue;
    if (row.visibleAt <= request.nowMs) entries.push(entry);
    else untilMs = Math.min(untilMs, row.visibleAt);
  }
  entries.sort(orderOf(searched, request.sort));
  return { entries, untilMs };
}

/** The rows to examine: only a few if ids or references are given. */
function candidates<Row>(
  { rows }: Searched<Row>,
  ids: readonly string[] | undefined,
  references: ReadonlySet<string> | undefined,
): Iterable<Entry<Row>> {
  if (ids !== undefined) return [...new Set(ids)].flatMap((id) => rows.entry(id) ?? []);
  if (references !== undefined)
    return [...references].flatMap((reference) => rows.sharing("reference", reference));
  return rows.entries();
}

/** `seq` as the last criterion makes every order total. */
function orderOf<Row>({ sortable }: Searched<Row>, sort: readonly SortCriterion[]) {
  const criteria = sort.flatMap(({ property, direction }) => {
    const propertyOf = sortable[property];
    return propertyOf === undefined ? [] : [{ propertyOf, sign: signOf(direction) }];
  });
  const seqSign = signOf(sort[0]?.direction ?? "ASC");
  return (left: Entry<Row>, right: Entry<Row>): number => {
    for (const { propertyOf, sign } of criteria) {
      const one = propertyOf(left.row);
      const other = propertyOf(right.row);
      if (one !== other) return one < other ? -sign : sign;
    }
    return (left.seq - right.seq) * seqSign;
  };
}

function signOf(direction: SortCriterion["direction"]): 1 | -1 {
  return direction === "ASC" ? 1 : -1;
}
