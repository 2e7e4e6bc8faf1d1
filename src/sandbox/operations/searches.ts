/** How searches of payouts and deposits are decided: in pages, by ids, references and states. */
import {
  DEPOSIT_STATES,
  PAYOUT_STATES,
  type PagedPayoutSearch,
  type PayoutSearchRequest,
  writeJson,
} from "../../wire/index.ts";
import { depositAnswer, payoutAnswer, searchAnswer } from "../answers.ts";
import { type Rule, refusal, refuseBroken } from "../refusal.ts";
import type { Service } from "../service.ts";
import { DEPOSIT_SEARCH, PAYOUT_SEARCH, type SearchRequest } from "../state/search.ts";
import type { StoredPayout } from "../state/state.ts";
import type { Call, Decided } from "./operation.ts";

/** Something that can be searched. `find`: one page, each element as JSON text, and the number of all. */
interface Resource {
  readonly idsField: "payoutIds" | "depositIds";
  readonly states: readonly string[];
  readonly sortable: readonly string[];
  find(service: Service, request: SearchRequest): { rows: readonly string[]; totalElements: number };
}

export const PAYOUTS: Resource = {
  idsField: "payoutIds",
  states: PAYOUT_STATES,
  sortable: Object.keys(PAYOUT_SEARCH.sortable),
  find: (service, request) => {
    const { rows, totalElements } = service.findPayouts(request);
    return { rows: rows.map((payout) => shownPayout(service, payout)), totalElements };
  },
};

/** Kept until the payout or the rates change, since payouts are searched far more often than they change. */
function shownPayout(service: Service, payout: StoredPayout): string {
  const { payouts } = service.shown;
  const text = payouts.get(payout) ?? writeJson(payoutAnswer(service, payout));
  payouts.set(payout, text);
  return text;
}

export const DEPOSITS: Resource = {
  idsField: "depositIds",
  states: DEPOSIT_STATES,
  sortable: Object.keys(DEPOSIT_SEARCH.sortable),
  find: (service, request) => {
    const { rows, totalElements } = service.findDeposits(request);
    return { rows: rows.map((deposit) => writeJson(depositAnswer(service, deposit))), totalElements };
  },
};

/** The filters of every search in one form: page counts from 0, sort is a list. */
type Filters = Omit<PagedPayoutSearch, "payoutIds" | "sort"> & {
  readonly ids: readonly string[] | undefined;
  readonly sort?: readonly { readonly property: string; readonly direction: string }[] | undefined;
};

/** The body of an operation with a path: sort is a map, page counts from the policy's first page. */
type SearchBody = Omit<PayoutSearchRequest, "payoutIds">;

export function find(resource: Resource, ids: Filters["ids"], body: SearchBody, call: Call): Decided {
  const { firstPage, pageSizeDefault } = call.service.policy;
  const { page = firstPage, size = pageSizeDefault, sort, ...others } = body;
  const criteria = sort && Object.entries(sort).map(([property, direction]) => ({ property, direction }));
  return search(resource, { ...others, ids, page: page - firstPage, size, sort: criteria }, call, firstPage);
}

/** `firstPage`: the number that the answer gives the first page; 0 for the operations without a path. */
export function search(resource: Resource, filters: Filters, call: Call, firstPage = 0): Decided {
  const request = checkedSearch(filters, resource, call);
  const { rows: content, totalElements } = resource.find(call.service, request);
  return { answer: searchAnswer({ filters: call.bodyText, request, content, totalElements, firstPage }) };
}

/**
 * The search that the filters describe. An absent or empty list filters nothing; the default order is createdDate,
 * oldest first. Throws a 400 that names everything wrong, and 409 for a queryDate outside the policy's tolerance.
 */
function checkedSearch(filters: Filters, resource: Resource, call: Call): SearchRequest {
  const { ids, references, states, page, size, sort: criteria = [] } = filters;
  const { nowMs, rowsShifted, service } = call;
  const { firstPage, pageSizeMax } = service.policy;
  const properties = criteria.map(({ property }) => property);
  const directions = criteria.map(({ direction }) => direction.toUpperCase());
  refuseBroken([
    uniqueRule(resource.idsField, ids),
    uniqueRule("references", references),
    uniqueRule("states", states),
    ...listedRules("states", states, resource.states),
    ...listedRules("sort", properties, resource.sortable),
    ...listedRules("sort", directions, ["ASC", "DESC"]),
    [page >= 0 && page <= INT32_MAX, `page: expected an integer of at least ${firstPage}`],
    [size >= 1 && size <= pageSizeMax, `size: expected 1 to ${pageSizeMax}`],
  ]);
  refuseStaleQueryDate(filters.queryDate, call);
  const sort = properties.map((property, at) => ({
    property,
    direction: directions[at] === "DESC" ? ("DESC" as const) : ("ASC" as const),
  }));
  return {
    ids: undefinedIfEmpty(ids),
    references: undefinedIfEmpty(references),
    states: undefinedIfEmpty(states),
    sort: sort.length > 0 ? sort : [{ property: "createdDate", direction: "ASC" }],
    page,
    size,
    nowMs,
    rowsShifted,
  };
}

const INT32_MAX = 2 ** 31 - 1;

/** 409 for a queryDate further from the clock than the policy allows. */
export function refuseStaleQueryDate(queryDate: string, { service, nowMs }: Call): void {
  if (Math.abs(Date.parse(queryDate) - nowMs) > service.policy.queryDateToleranceMs) {
    throw refusal(409, "CONFLICT_QUERY_DATE", "queryDate is not the current time");
  }
}

export function uniqueRule(field: string, items: readonly string[] = []): Rule {
  return [new Set(items).size === items.length, `${field}: expected unique items`];
}

function listedRules(field: string, items: readonly string[] = [], known: readonly string[]): Rule[] {
  return items.map((item) => [
    known.includes(item),
    `${field}: ${JSON.stringify(item.slice(0, 40))} is none of ${known.join(", ")}`,
  ]);
}

function undefinedIfEmpty(items: readonly string[] = []): readonly string[] | undefined {
  return items.length === 0 ? undefined : items;
}
