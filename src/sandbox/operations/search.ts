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
import { DEPOSIT_SEARCH } from "../state/deposits.ts";
import { PAYOUT_SEARCH } from "../state/payouts.ts";
import { type Call, lookUp } from "./operation.ts";
import { checkedSearch, type Filters, filtersOfBody, type SearchedResource } from "./search-rules.ts";

export const findPayouts = lookUp({
  name: "findPayoutFilteredV2",
  path: "/payouts/v2/find",
  successCode: 200,
  request: payoutSearchRequest,
  answer: payoutSearchResponse,
  carryOut: ({ payoutIds, ...filters }, call) => {
    const { policy } = call.service;
    return foundPayouts(filtersOfBody(filters, payoutIds, policy), call, policy.firstPage);
  },
});

export const searchPayouts = lookUp({
  name: "searchPayouts",
  successCode: 200,
  request: pagedPayoutSearch,
  answer: payoutSearchResponse,
  carryOut: ({ payoutIds: ids, ...filters }, call) => foundPayouts({ ...filters, ids }, call, 0),
});

export const findDeposits = lookUp({
  name: "findDepositFilteredV2",
  path: "/deposits/v2/find",
  successCode: 200,
  request: depositSearchRequest,
  answer: depositSearchResponse,
  carryOut: ({ depositIds, ...filters }, call) => {
    const { policy } = call.service;
    return foundDeposits(filtersOfBody(filters, depositIds, policy), call, policy.firstPage);
  },
});

export const searchDeposits = lookUp({
  name: "searchDeposits",
  successCode: 200,
  request: pagedDepositSearch,
  answer: depositSearchResponse,
  carryOut: ({ depositIds: ids, ...filters }, call) => foundDeposits({ ...filters, ids }, call, 0),
});

const PAYOUTS: SearchedResource = {
  idsField: "payoutIds",
  states: PAYOUT_STATES,
  sortable: Object.keys(PAYOUT_SEARCH.sortable),
};

function foundPayouts(filters: Filters, call: Call, firstPage: number): JsonText {
  const request = checkedSearch(filters, PAYOUTS, call);
  const { rows, totalElements } = call.service.payouts.search(request);
  return searchAnswer(call.bodyText, request, rows, totalElements, firstPage);
}

const DEPOSITS: SearchedResource = {
  idsField: "depositIds",
  states: DEPOSIT_STATES,
  sortable: Object.keys(DEPOSIT_SEARCH.sortable),
};

function foundDeposits(filters: Filters, call: Call, firstPage: number): JsonText {
  const { service, bodyText } = call;
  const request = checkedSearch(filters, DEPOSITS, call);
  const { rows, totalElements } = service.deposits.search(request);
  const content = rows.map((deposit) => writeJson(depositAnswer(service, deposit)));
  return searchAnswer(bodyText, request, content, totalElements, firstPage);
}
