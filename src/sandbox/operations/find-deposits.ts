/** findDepositFilteredV2, and the search of deposits without a path: in pages, by depositIds, references and states. */
import {
  DEPOSIT_STATES,
  depositSearchRequest,
  depositSearchResponse,
  pagedDepositSearch,
  writeJson,
} from "../../wire/index.ts";
import { depositAnswer } from "../answers/deposit-answer.ts";
import { type JsonText, searchAnswer } from "../answers/page-answer.ts";
import { DEPOSIT_SEARCH } from "../state/deposits.ts";
import type { SearchRequest } from "../state/search.ts";
import { type Call, lookUp } from "./operation.ts";
import { searchOfBody, searchOfParameters } from "./search-rules.ts";

export const findDeposits = lookUp({
  name: "findDepositFilteredV2",
  path: "/deposits/v2/find",
  successCode: 200,
  request: depositSearchRequest,
  answer: depositSearchResponse,
  carryOut: (filters, call) =>
    found(searchOfBody(filters, filters.depositIds, RESOURCE, call), call, call.service.policy.firstPage),
});

export const searchDeposits = lookUp({
  name: "searchDeposits",
  successCode: 200,
  request: pagedDepositSearch,
  answer: depositSearchResponse,
  carryOut: (filters, call) =>
    found(searchOfParameters(filters, filters.depositIds, RESOURCE, call), call, 0),
});

const RESOURCE = {
  idsField: "depositIds",
  states: DEPOSIT_STATES,
  sortable: Object.keys(DEPOSIT_SEARCH.sortable),
};

function found(request: SearchRequest, { service, bodyText }: Call, firstPage: number): JsonText {
  const { rows, totalElements } = service.deposits.search(request);
  const content = rows.map((deposit) => writeJson(depositAnswer(service, deposit)));
  return searchAnswer(bodyText, request, content, totalElements, firstPage);
}
