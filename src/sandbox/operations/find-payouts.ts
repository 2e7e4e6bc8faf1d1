/** findPayoutFilteredV2, and the search of payouts without a path: in pages, by payoutIds, references and states. */
import {
  PAYOUT_STATES,
  pagedPayoutSearch,
  payoutSearchRequest,
  payoutSearchResponse,
} from "../../wire/index.ts";
import { type JsonText, searchAnswer } from "../answers/page-answer.ts";
import { PAYOUT_SEARCH } from "../state/payouts.ts";
import type { SearchRequest } from "../state/search.ts";
import { type Call, lookUp } from "./operation.ts";
import { searchOfBody, searchOfParameters } from "./search-rules.ts";

export const findPayouts = lookUp({
  name: "findPayoutFilteredV2",
  path: "/payouts/v2/find",
  successCode: 200,
  request: payoutSearchRequest,
  answer: payoutSearchResponse,
  carryOut: (filters, call) =>
    found(searchOfBody(filters, filters.payoutIds, RESOURCE, call), call, call.service.policy.firstPage),
});

export const searchPayouts = lookUp({
  name: "searchPayouts",
  successCode: 200,
  request: pagedPayoutSearch,
  answer: payoutSearchResponse,
  carryOut: (filters, call) => found(searchOfParameters(filters, filters.payoutIds, RESOURCE, call), call, 0),
});

const RESOURCE = {
  idsField: "payoutIds",
  states: PAYOUT_STATES,
  sortable: Object.keys(PAYOUT_SEARCH.sortable),
};

function found(request: SearchRequest, { service, bodyText }: Call, firstPage: number): JsonText {
  const { rows, totalElements } = service.payouts.search(request);
  return searchAnswer(bodyText, request, rows, totalElements, firstPage);
}
