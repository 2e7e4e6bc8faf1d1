/** The searches of payouts and deposits, with and without a path: in pages, by ids, references and states. */
import {
  DEPOSIT_STATES,
  depositSearchRequest,
  depositSearchResponse,
  PAYOUT_STATES,
  pagedDepositSearch,
  pagedPayoutSearch,
  payoutSearchRequest,
  payoutSearchResponse,
  writeJson,
} from "../../wire/index.ts";
import { depositAnswer } from "../answers/deposit-answer.ts";
import { type JsonText, searchAnswer } from "../answers/page-answer.ts";
import type { Service } from "../service.ts";
import { DEPOSIT_SEARCH } from "../state/deposits.ts";
import { PAYOUT_SEARCH } from "../state/payouts.ts";
import type { SearchRequest } from "../state/search.ts";
import { type Call, lookUp } from "./operation.ts";
import { checkedSearch, type Filters, filtersOfBody, type SearchedResource } from "./search-rules.ts";

/** `found`: the elements of one page as JSON text, and the number of all. */
interface Searched extends SearchedResource {
  found(service: Service, request: SearchRequest): { rows: readonly string[]; totalElements: number };
}

const PAYOUTS: Searched = {
  idsField: "payoutIds",
  states: PAYOUT_STATES,
  sortable: Object.keys(PAYOUT_SEARCH.sortable),
  found: ({ payouts }, request) => payouts.search(request),
};

const DEPOSITS: Searched = {
  idsField: "depositIds",
  states: DEPOSIT_STATES,
  sortable: Object.keys(DEPOSIT_SEARCH.sortable),
  found: (service, request) => {
    const { rows, totalElements } = service.deposits.search(request);
    return { rows: rows.map((deposit) => writeJson(depositAnswer(service, deposit))), totalElements };
  },
};

export const findPayouts = lookUp({
  name: "findPayoutFilteredV2",
  path: "/payouts/v2/find",
  successCode: 200,
  request: payoutSearchRequest,
  answer: payoutSearchResponse,
  carryOut: ({ payoutIds, ...filters }, call) =>
    answered(PAYOUTS, filtersOfBody(filters, payoutIds, call.service.policy), call, call.service.policy),
});

export const searchPayouts = lookUp({
  name: "searchPayouts",
  successCode: 200,
  request: pagedPayoutSearch,
  answer: payoutSearchResponse,
  carryOut: ({ payoutIds: ids, ...filters }, call) => answered(PAYOUTS, { ...filters, ids }, call),
});

export const findDeposits = lookUp({
  name: "findDepositFilteredV2",
  path: "/deposits/v2/find",
  successCode: 200,
  request: depositSearchRequest,
  answer: depositSearchResponse,
  carryOut: ({ depositIds, ...filters }, call) =>
    answered(DEPOSITS, filtersOfBody(filters, depositIds, call.service.policy), call, call.service.policy),
});

export const searchDeposits = lookUp({
  name: "searchDeposits",
  successCode: 200,
  request: pagedDepositSearch,
  answer: depositSearchResponse,
  carryOut: ({ depositIds: ids, ...filters }, call) => answered(DEPOSITS, { ...filters, ids }, call),
});

/**
 * Pages of operations without a path in the interface count from 0; for others the policy gives the first number.
 */
function answered(
  resource: Searched,
  filters: Filters,
  call: Call,
  { firstPage } = { firstPage: 0 },
): JsonText {
  const request = checkedSearch(filters, resource, call);
  const { rows, totalElements } = resource.found(call.service, request);
  return searchAnswer(call.bodyText, request, rows, totalElements, firstPage);
}
