/** The checks that all searches share: unique lists, listed states, page, size, sort and queryDate. */
import type { PagedPayoutSearch, PayoutSearchRequest } from "../../wire/index.ts";
import type { Policy } from "../options.ts";
import { type Rule, refusal, refuseBroken } from "../refusal.ts";
import type { SearchRequest } from "../state/search.ts";
import type { Call } from "./operation.ts";

export interface SearchedResource {
  readonly idsField: "payoutIds" | "depositIds";
  readonly states: readonly string[];
  readonly sortable: readonly string[];
}

/** The filters of every search in one form: page counts from 0, sort is a list. */
export type Filters = Omit<PagedPayoutSearch, "payoutIds" | "sort"> & {
  readonly ids: readonly string[] | undefined;
  readonly sort?: readonly { readonly property: string; readonly direction: string }[] | undefined;
};

/** From the body of an operation with a path: sort is a map, page counts from the policy's first page. */
export function filtersOfBody(
  { page, size, sort, ...others }: Omit<PayoutSearchRequest, "payoutIds">,
  ids: readonly string[] | undefined,
  { firstPage, pageSizeDefault }: Policy,
): Filters {
  return {
    ...others,
    ids,
    page: (page ?? firstPage) - firstPage,
    size: size ?? pageSizeDefault,
    sort: sort && Object.entries(sort).map(([property, direction]) => ({ property, direction })),
  };
}

/**
 * The search that the filters describe. An absent or empty list filters nothing; the default order is createdDate,
 * oldest first. Throws a 400 that names everything wrong, and 409 for a queryDate outside the policy's tolerance.
 */
export function checkedSearch(filters: Filters, resource: SearchedResource, call: Call): SearchRequest {
  const { ids, references, states, page, size, sort: criteria = [] } = filters;
  const { nowMs, rowsShifted, service } = call;
  const { policy } = service;
  const sort = criteria.length > 0 ? criteria : OLDEST_FIRST;
  const properties = sort.map(({ property }) => property);
  const directions = sort.map(({ direction }) => direction.toUpperCase());
  refuseBroken([
    uniqueRule(resource.idsField, ids),
    uniqueRule("references", references),
    uniqueRule("states", states),
    ...listed("states", states, resource.states),
    ...(criteria.length > 0 ? listed("sort", properties, resource.sortable) : []),
    ...listed("sort", directions, ["ASC", "DESC"]),
    [page >= 0 && page <= INT32_MAX, `page: expected an integer of at least ${policy.firstPage}`],
    [size >= 1 && size <= policy.pageSizeMax, `size: expected 1 to ${policy.pageSizeMax}`],
  ]);
  refuseStaleQueryDate(filters.queryDate, call);
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

const INT32_MAX = 2 ** 31 - 1;
const OLDEST_FIRST = [{ property: "createdDate", direction: "ASC" }];

/** 409 for a queryDate further from the clock than the policy allows. */
export function refuseStaleQueryDate(queryDate: string, { service, nowMs }: Call): void {
  if (Math.abs(Date.parse(queryDate) - nowMs) > service.policy.queryDateToleranceMs) {
    throw refusal(409, "CONFLICT_QUERY_DATE", "queryDate is not the current time");
  }
}

export function uniqueRule(field: string, items: readonly string[] = []): Rule {
  return [new Set(items).size === items.length, `${field}: expected unique items`];
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
