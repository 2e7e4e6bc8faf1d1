/** What both find operations check alike: unique lists, listed states, page, size, sort and queryDate. */
import { Refusal, refusal } from "../refusal.ts";
import type { SearchRequest, SortCriterion } from "../state/search.ts";
import type { Call } from "./operation.ts";

export interface SearchFilters {
  readonly queryDate: string;
  readonly page?: number | undefined;
  readonly size?: number | undefined;
  readonly sort?: Readonly<Record<string, string>> | undefined;
  readonly references?: readonly string[] | undefined;
  readonly states?: readonly string[] | undefined;
}

export interface SearchedResource {
  /** Field of the ids: `payoutIds` or `depositIds`. */
  readonly idsField: string;
  readonly states: readonly string[];
  readonly sortable: Readonly<Record<string, string>>;
}

/**
 * The search that a request asks for. An absent or empty list filters nothing; the default order is createdDate, oldest first.
 * Throws 400 with everything that is wrong, and 409 for a queryDate out of tolerance where the policy sets one.
 */
export function searchRequestOf(
  filters: SearchFilters,
  ids: readonly string[] | undefined,
  resource: SearchedResource,
  { service, nowMs }: Call,
): SearchRequest {
  const { policy } = service;
  const page = filters.page ?? 0;
  const size = filters.size ?? policy.pageSizeDefault;
  const sort = Object.entries(filters.sort ?? { createdDate: "ASC" });
  refuseAll([
    ...repeated(resource.idsField, ids),
    ...repeated("references", filters.references),
    ...repeated("states", filters.states),
    ...unlisted("states", filters.states, resource.states),
    ...unlisted(
      "sort",
      sort.map(([property]) => property),
      Object.keys(resource.sortable),
    ),
    ...unlisted(
      "sort",
      sort.map(([, direction]) => direction.toUpperCase()),
      ["ASC", "DESC"],
    ),
    ...(page < 0 || page > INT32_MAX ? ["page: expected an integer of at least 0"] : []),
    ...(size < 1 || size > policy.pageSizeMax ? [`size: expected 1 to ${policy.pageSizeMax}`] : []),
  ]);
  refuseStaleQueryDate(filters.queryDate, policy.queryDateToleranceMs, nowMs);
  return {
    ids: presentOrUndefined(ids),
    references: presentOrUndefined(filters.references),
    states: presentOrUndefined(filters.states),
    sort: sort.map(
      ([property, direction]): SortCriterion => ({
        property,
        direction: direction.toUpperCase() === "DESC" ? "DESC" : "ASC",
      }),
    ),
    page,
    size,
    nowMs,
  };
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

/** One complaint when a list that must hold unique items does not. */
export function repeated(field: string, items: readonly string[] | undefined): string[] {
  return new Set(items).size === (items?.length ?? 0) ? [] : [`${field}: expected unique items`];
}

/** Throws one 400 with all complaints, if there are any. */
export function refuseAll(complaints: readonly string[]): void {
  if (complaints.length === 0) return;
  throw new Refusal(
    400,
    complaints.map((error) => ({ error, code: "INVALID_PARAMETER" })),
  );
}

const INT32_MAX = 2 ** 31 - 1;

function unlisted(field: string, items: readonly string[] | undefined, listed: readonly string[]): string[] {
  return (items ?? [])
    .filter((item) => !listed.includes(item))
    .map((item) => `${field}: ${JSON.stringify(item.slice(0, 40))} is none of ${listed.join(", ")}`);
}

function presentOrUndefined(items: readonly string[] | undefined): readonly string[] | undefined {
  return items === undefined || items.length === 0 ? undefined : items;
}
