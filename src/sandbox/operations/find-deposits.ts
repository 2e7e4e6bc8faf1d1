/** findDepositFilteredV2: deposits in pages, by depositIds, references and states. */
import { DEPOSIT_STATES, depositSearchRequest } from "../../wire/index.ts";
import { depositAnswer } from "../answers/deposit-answer.ts";
import { searchAnswer } from "../answers/page-answer.ts";
import { DEPOSIT_SORTABLE } from "../state/deposits.ts";
import { lookUp } from "./operation.ts";
import { searchRequestOf } from "./search-rules.ts";

export const findDeposits = lookUp({
  name: "findDepositFilteredV2",
  path: "/deposits/v2/find",
  successCode: 200,
  request: depositSearchRequest,
  carryOut: (filters, call) => {
    const resource = { idsField: "depositIds", states: DEPOSIT_STATES, sortable: DEPOSIT_SORTABLE };
    const request = searchRequestOf(filters, filters.depositIds, resource, call);
    const { rows, totalElements } = call.service.deposits.search(request);
    const content = rows.map((deposit) => depositAnswer(call.service, deposit));
    return searchAnswer(call.sent, request, content, totalElements);
  },
});
