/** Which accounts' payouts and deposits can be voided. The interface names "one Bitcoin custody kind"; here it is `vault`. */
import { refusal } from "../refusal.ts";
import type { Service } from "../service.ts";

/** Throws 409 for an account of another kind; the interface lists no status for it. */
export function checkVoidable(service: Service, accountId: string): void {
  if (service.accounts.find(accountId)?.kind === "vault") return;
  throw refusal(409, "CONFLICT_STATE", `nothing of the account ${accountId} can be voided`);
}
