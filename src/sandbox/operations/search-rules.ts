/** What all searches check alike: unique lists, listed states, page, size, sort and queryDate. */
import type { Policy } from "../options.ts";
import { refusal } from "../refusal.ts";
import { type Rule, refuseBroken } from "../rules/complaints.ts";
import type { SearchRequest, SortCriterion } from "../state/search.ts";
import type { Call } from "./operation.ts";

/** A search body of an operation with a path: sort is a map, page counts from the policy's first page. */
export interface BodyFilters extends ListFilters {
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  readonly sort?: Readonly<Record<string, string>> | undefined;
}

/** The parameters of a search without a path: sort is a list, page counts from 0. */
export interface ParameterFilters extends ListFilters {
  readonly page: number;
  readonly size: number;
  readonly sort?: readonly SortCriterion[] | undefined;
}

interface ListFilters {
  readonly queryDate: string;
  readonly references?: readonly string[] | undefined;
  readonly states?: readonly string[] | undefined;
}

export interface SearchedResource {
  /** Field of the ids: `payoutIds` or `depositIds`. */
  readonly idsField: string;
  readonly states: readonly string[];
  /** The properties by which it can be sorted. */
  readonly sortable: readonly string[];
}

/**
 * The search that a body asks for. An absent or empty list filters nothing; the default order is createdDate, oldest first.
 * Throws 400 with everything that is wrong, and 409 for a queryDate out of tolerance where the policy sets one.
 */
export function searchOfBody(
  filters: BodyFilters,
  ids: readonly string[] | undefined,
  resource: SearchedResource,
  call: Call,
): SearchRequest {
  const { firstPage, pageSizeDefault } = call.service.policy;
  const page = (filters.page ?? firstPage) - firstPage;
  const sort = Object.entries(filters.sort ?? {}).map(([property, direction]) => ({ property, direction }));
  return checkedSearch(
    { ...filters, page, size: filters.size ?? pageSizeDefault, sort },
    ids,
    resource,
    call,
  );
}

/** The search that parameters ask for; their page, size and sort have the document's own defaults. Throws as `searchOfBody`. */
export function searchOfParameters(
  filters: ParameterFilters,
  ids: readonly string[] | undefined,
  resource: SearchedResource,
  call: Call,
): SearchRequest {
  return checkedSearch({ ...filters, sort: filters.sort ?? [] }, ids, resource, call);
}

/** 409 for a queryDate further from the clock than the policy allows; undefined allows any. */
export function refuseStaleQueryDate(
  queryDate: string,
  toleranceMs: number | undefined,
  nowMs: number,
): void {
  if (toleranceMs === undefined) return;
  if (Math.abs(Date.parse(queryDate) - nowMs) > toleranceMs) {
    throw refusal(409, "CONFLICT_QUERY_DATE", "queryDate is not the current time");
  }
}

/** A list of unique items: within the policy's limit, and without repetition unless the policy lets it count once. */
export function listRules(field: string, items: readonly string[] | undefined, policy: Policy): Rule[] {
  const count = items?.length ?? 0;
  const { filterItemsMax, repeatedItems } = policy;
  return [
    [count <= filterItemsMax, `${field}: expected at most ${filterItemsMax} items`],
    [repeatedItems === "counted-once" || new Set(items).size === count, `${field}: expected unique items`],
  ];
}

const INT32_MAX = 2 ** 31 - 1;
const OLDEST_FIRST = [{ property: "createdDate", direction: "ASC" }];

interface UncheckedSearch extends ListFilters {
  readonly page: number;
  readonly size: number;
  readonly sort: readonly { readonly property: string; readonly direction: string }[];
}

function checkedSearch(
  filters: UncheckedSearch,
  ids: readonly string[] | undefined,
  resource: SearchedResource,
  { service: { policy }, nowMs, rowsShifted }: Call,
): SearchRequest {
  const { references, states, page, size, queryDate } = filters;
  const sort = filters.sort.length > 0 ? filters.sort : OLDEST_FIRST;
  const properties = sort.map(({ property }) => property);
  const directions = sort.map(({ direction }) => direction.toUpperCase());
  const sortable = resource.sortable.filter((property) => policy.sortProperties?.includes(property) ?? true);
  refuseBroken([
    ...listRules(resource.idsField, ids, policy),
    ...listRules("references", references, policy),
    ...listRules("states", states, policy),
    ...listed("states", states, resource.states),
    ...(filters.sort.length > 0 ? listed("sort", properties, sortable) : []),
    ...listed("sort", directions, ["ASC", "DESC"]),
    [page >= 0 && page <= INT32_MAX, `page: expected an integer of at least ${policy.firstPage}`],
    [size >= 1 && size <= policy.pageSizeMax, `size: expected 1 to ${policy.pageSizeMax}`],
  ]);
  refuseStaleQueryDate(queryDate, policy.queryDateToleranceMs, nowMs);
  return {
    ids: presentOrUndefined(ids),
    references: presentOrUndefined(references),
    states: presentOrUndefined(states),
    sort: properties.map((property, at) => ({
      property,
      direction: directions[at] === "DESC" ? "DESC" : "ASC",
    })),
    page,
    size,
    nowMs,
    rowsShifted,
  };
}

function listed(field: string, items: readonly string[] | undefined, known: readonly string[]): Rule[] {
  return (items ?? []).map((item) => [
    known.includes(item),
    `${field}: ${JSON.stringify(item.slice(0, 40))} is none of ${known.join(", ")}`,
  ]);
}

function presentOrUndefined(items: readonly string[] | undefined): readonly string[] | undefined {
  return items === undefined || items.length === 0 ? undefined : items;
}
