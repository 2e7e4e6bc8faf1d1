/** findPayoutFilteredV2: payouts in pages, by payoutIds, references and states. */
import { PAYOUT_STATES, payoutSearchRequest } from "../../wire/index.ts";
import { searchAnswer } from "../answers/page-answer.ts";
import { payoutAnswer } from "../answers/payout-answer.ts";
import { PAYOUT_SORTABLE } from "../state/payouts.ts";
import { lookUp } from "./operation.ts";
import { searchRequestOf } from "./search-rules.ts";

export const findPayouts = lookUp({
  name: "findPayoutFilteredV2",
  path: "/payouts/v2/find",
  successCode: 200,
  request: payoutSearchRequest,
  carryOut: (filters, call) => {
    const resource = { idsField: "payoutIds", states: PAYOUT_STATES, sortable: PAYOUT_SORTABLE };
    const request = searchRequestOf(filters, filters.payoutIds, resource, call);
    const { rows, totalElements } = call.service.payouts.search(request);
    const content = rows.map((payout) => payoutAnswer(call.service, payout));
    return searchAnswer(call.sent, request, content, totalElements);
  },
});
