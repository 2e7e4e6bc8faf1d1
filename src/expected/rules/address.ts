/**
 * Whether a deposit's address may be shown. The deposit must be the one that was requested; the address must be
 * well-formed, of the account's network, and never have changed, since a changed address may be another owner's.
 */
import { type Problem, problem, type Reason } from "../../faults/index.ts";
import {
  depositDifferences,
  depositStateMeaning,
  type ExpectationRow,
  type ObservedDeposit,
} from "../../model/index.ts";
import { present } from "../../model/present.ts";
import { escapedText } from "../../model/shown-text.ts";
import { networkOf, recognizeAddress } from "../../readers/index.ts";

export interface AddressPolicy {
  readonly network: "main" | "test";
  /** The custody account's currency. */
  readonly currencyOf: (custodyAccountId: string) => string | undefined;
}

export type AddressFound =
  /** It may be shown. */
  | { readonly address: string }
  /** The service does not show one yet. */
  | { readonly waits: true }
  | { readonly trouble: Problem };

/** `deposit`: as looked up by its id. */
export function addressOf(
  expectation: ExpectationRow,
  deposit: ObservedDeposit | undefined,
  policy: AddressPolicy,
): AddressFound {
  const { reference } = expectation;
  const unfit = (why: Reason<"EXPECTED_ADDRESS_UNFIT">): AddressFound => ({
    trouble: problem(
      "EXPECTED_ADDRESS_UNFIT",
      { reference, ...why },
      { reference, ...present({ depositId: deposit?.depositId }) },
    ),
  });
  if (deposit === undefined) return { waits: true };
  const { receiverAddress, state, depositId } = deposit;
  const changed = changedAddress(expectation, receiverAddress);
  if (changed !== undefined) return { trouble: { ...changed, reference, depositId } };
  const different = differencesOf(expectation, deposit);
  if (different !== undefined) return unfit({ reason: "differs", differences: different });
  if (depositStateMeaning(state) === "closed" && state !== "COMPLETED")
    return { trouble: problem("EXPECTED_DEPOSIT_CLOSED", { reference, state }, { reference, depositId }) };
  if (receiverAddress === undefined) return { waits: true };
  const currency = policy.currencyOf(expectation.custodyAccountId) ?? "";
  const network = networkOf(currency, policy.network);
  const recognized = recognizeAddress(receiverAddress);
  const text = escapedText(receiverAddress);
  if (network === undefined) return unfit({ reason: "unchecked", currency: currency || "its account" });
  if ("malformed" in recognized)
    return unfit({ reason: "malformed", address: text, flaw: recognized.malformed });
  if (!recognized.networks.includes(network)) {
    const found = recognized.networks.map(({ name }) => name).join(" or ");
    return unfit({ reason: "network", address: text, found, network: network.name });
  }
  return { address: receiverAddress };
}

/** The address in the answer to the creation, or shown earlier, must never change. */
function changedAddress(
  { reference, address, answeredAddress }: ExpectationRow,
  now: string | undefined,
): Problem | undefined {
  const before = address ?? answeredAddress;
  if (before === undefined || before === now) return undefined;
  // If the creation's answer had an address, "not shown yet" is no change.
  if (now === undefined && address === undefined) return undefined;
  const params = {
    reference,
    before: escapedText(before),
    now: now === undefined ? "none" : escapedText(now),
  };
  return problem("EXPECTED_ADDRESS_CHANGED", params);
}

function differencesOf(
  { custodyAccountId, reference, amount, customerId, rateAsked }: ExpectationRow,
  deposit: ObservedDeposit,
): string | undefined {
  const found = depositDifferences({ custodyAccountId, reference, amount }, deposit).map(
    ({ field, expected, found: shown }) => `${field} ${shown} instead of ${expected}`,
  );
  const isOthers =
    customerId !== undefined && deposit.customerId !== undefined && customerId !== deposit.customerId;
  if (isOthers) found.push(`customerId ${deposit.customerId} instead of ${customerId}`);
  if (rateAsked !== undefined && deposit.expiresAt !== undefined && deposit.expiresAt !== rateAsked)
    found.push(`expiryDate ${deposit.expiresAt} instead of ${rateAsked}`);
  return found.length === 0 ? undefined : found.join(", ");
}
