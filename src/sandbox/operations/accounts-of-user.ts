/**
 * Accounts of a user: the enabled ones in which the user belongs to an approver user group. The interface does not show
 * the answer's body; here it repeats the request and lists each account with its currency and the user's groups. An
 * unknown user has none.
 */
import { z } from "zod";
import { accountsOfUserRequest, text, uuid } from "../../wire/index.ts";
import { lookUp } from "./operation.ts";
import { refuseStaleQueryDate } from "./search-rules.ts";

const accountsOfUserResponse = z.looseObject({
  filters: z.looseObject({ username: text, queryDate: text }),
  accounts: z.array(z.looseObject({ accountId: uuid, currency: text, userGroupNames: z.array(text) })),
});

export const accountsOfUser = lookUp({
  name: "accountsOfUser",
  successCode: 200,
  request: accountsOfUserRequest,
  answer: accountsOfUserResponse,
  carryOut: ({ username, queryDate }, call) => {
    refuseStaleQueryDate(queryDate, call);
    return {
      filters: call.sent,
      accounts: call.service.accounts.ofCosigner(username).map(({ accountId, currency, cosigners }) => ({
        accountId,
        currency,
        userGroupNames: cosigners
          .filter((cosigner) => cosigner.username === username)
          .map(({ userGroupName }) => userGroupName),
      })),
    };
  },
});
