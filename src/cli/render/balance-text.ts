/** Balances and accounts as the service shows them, for people. */
import { z } from "zod";
import type { NamedBalance } from "../../views/balances-step.ts";
import { text, writeJson } from "../../wire/index.ts";
import { figures, textTable } from "./text-table.ts";
import { moneyText, type NameOf, rateText, yesNo } from "./wire-text.ts";

export function balancesText(balances: readonly NamedBalance[]): string {
  if (balances.length === 0) return "The service shows no balance of these accounts.";
  const columns = [
    "account",
    figures("total"),
    figures("available"),
    figures("locked"),
    figures("unconfirmed"),
    figures("in fiat"),
    "rate",
    "can be spent",
  ] as const;
  const rows = balances.map(({ accountId, name, btcBalance, fiatBalance, exchangeRate, fundsCanBeSpent }) => [
    name ?? accountId,
    moneyText(btcBalance.total),
    moneyText(btcBalance.available),
    moneyText(btcBalance.locked),
    moneyText(btcBalance.unconfirmedReceived),
    moneyText(fiatBalance?.total),
    rateText(exchangeRate),
    yesNo(fundsCanBeSpent) ?? "",
  ]);
  return textTable(columns, rows);
}

/** Lower case, as in the configuration. */
const id = text.transform((accountId) => accountId.toLowerCase());

/**
 * The interface does not define it. Accepts accounts, or an object containing them, as UUIDs or objects with one.
 */
const accountList = z.array(
  z.union([
    id.transform((accountId) => ({ accountId })),
    z.looseObject({ accountId: id }),
    z.looseObject({ id }).transform(({ id: accountId, ...others }) => ({ accountId, ...others })),
  ]),
);

export function accountsText(answer: unknown, nameOf: NameOf): string {
  const list = listIn(answer);
  if (list === undefined) return "The service's answer has an unknown form; `--json` shows it.";
  if (list.length === 0) return "The user is in no approver group of an active account.";
  const rows = list.map(({ accountId, ...others }) => [
    accountId,
    nameOf(accountId) === accountId ? "" : nameOf(accountId),
    Object.entries(others)
      .map(([name, value]) => `${name} ${[value].flat().map(shown).join(", ")}`)
      .join("; "),
  ]);
  return textTable(["account", "name", ""], rows);
}

/** A text as it is, anything else as the JSON that the service sent. */
function shown(value: unknown): string {
  return text.safeParse(value).data ?? writeJson(value);
}

function listIn(answer: unknown): z.output<typeof accountList> | undefined {
  const candidates =
    typeof answer === "object" && answer !== null && !Array.isArray(answer)
      ? Object.values(answer)
      : [answer];
  const lists = candidates
    .map((candidate) => accountList.safeParse(candidate))
    .flatMap(({ success, data }) => (success ? [data] : []));
  // An empty list may belong to something else, such as `errors`.
  return lists.find(({ length }) => length > 0) ?? lists[0];
}
