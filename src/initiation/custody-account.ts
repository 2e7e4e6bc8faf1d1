/** Chooses the custody account that pays a row: the one it names, the default, or the only one of its currency. */
import { type Problem, problem } from "../faults/index.ts";
import { findCustodyAccount } from "../model/index.ts";
import { shownText } from "../model/shown-text.ts";
import { suggestion } from "../model/words.ts";
import type { CustodyAccount, InitiationPolicy } from "./policy.ts";

/** `named` is the row's accountId (a name or a UUID), `currency` its currency; either may be empty. */
export function chooseCustodyAccount(
  named: string | undefined,
  currency: string | undefined,
  { custodyAccounts, defaults }: InitiationPolicy,
): CustodyAccount | Problem {
  if (named !== undefined)
    return findCustodyAccount(named, custodyAccounts) ?? unknown(named, custodyAccounts);
  const { custodyAccount: given } = defaults;
  const defaultName = typeof given === "object" ? given[currency ?? onlyCurrency(custodyAccounts)] : given;
  const byDefault = defaultName === undefined ? undefined : findCustodyAccount(defaultName, custodyAccounts);
  if (byDefault !== undefined && (currency === undefined || byDefault.currency === currency))
    return byDefault;
  const candidates = custodyAccounts.filter(
    (account) => currency === undefined || account.currency === currency,
  );
  const [only, another] = candidates;
  if (only === undefined) return unknownCurrency(currency ?? "", custodyAccounts);
  if (another === undefined) return only;
  const currencies = listed(candidates.map((account) => account.currency));
  return problem("CUSTODY_ACCOUNT_AMBIGUOUS", { currency: currencies, allowed: names(candidates) });
}

/** The currency, if all custody accounts have the same one; otherwise "". */
function onlyCurrency(custodyAccounts: readonly CustodyAccount[]): string {
  const [only = "", another] = new Set(custodyAccounts.map(({ currency }) => currency));
  return another === undefined ? only : "";
}

function unknown(text: string, custodyAccounts: readonly CustodyAccount[]): Problem {
  return problem("CUSTODY_ACCOUNT_UNKNOWN", {
    text: shownText(text),
    allowed: names(custodyAccounts),
    suggestion: suggestion(
      text,
      custodyAccounts.map(({ name }) => name),
    ),
  });
}

export function unknownCurrency(text: string, custodyAccounts: readonly CustodyAccount[]): Problem {
  const allowed = listed(custodyAccounts.map((account) => account.currency));
  return problem("CURRENCY_UNKNOWN", { text: shownText(text), allowed });
}

function names(custodyAccounts: readonly CustodyAccount[]): string {
  return listed(custodyAccounts.map((account) => account.name));
}

function listed(words: readonly string[]): string {
  return [...new Set(words)].join(", ");
}
