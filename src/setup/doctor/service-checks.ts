/**
 * One harmless read of the service under each client key: does it answer, accept the key, show the configured
 * accounts, and agree on the time?
 */
import type { Config } from "../../config/index.ts";
import { isThisMachine } from "../../context/machine.ts";
import { problem } from "../../faults/index.ts";
import { failureOf, problemOf } from "../../gateway/index.ts";
import { dayIn } from "../../model/index.ts";
import type { AccountBalance } from "../../wire/index.ts";
import { notShownAsConfigured } from "../../workplace/custody-accounts.ts";
import { refusePlainHttp } from "../../workplace/service.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { type Check, checked, good, wrong } from "./check.ts";

/** One-time codes are valid for 30 s, and a service may refuse a queryDate that is further off. */
const CLOCK_OFF_MAX_MS = 20_000;

/** Without encryption, the key, signature and one-time code of each request can be read in transit. */
export function checkEncryption({ service }: Config): Promise<Check> {
  return checked("encryption", () => {
    refusePlainHttp({ service });
    const { protocol, hostname } = new URL(service.baseUrl);
    if (protocol === "https:") return "https";
    return isThisMachine(hostname)
      ? "none; requests do not leave this machine"
      : "none, as `service.allowPlainHttp` permits";
  });
}

/** `view` is the workplace under one key. */
export async function checkService(view: Workplace, what: string): Promise<Check[]> {
  const { config, context } = view;
  const { gateway } = view.service().tools;
  const startMs = context.clock.monotonicMs();
  const answer = await balancesOf(view, config.custodyAccounts);
  const tookMs = Math.round(context.clock.monotonicMs() - startMs);
  const clock = clockCheck(view, answer.kind === "unanswered" ? undefined : answer.date, tookMs);
  const found = answer.kind === "error" ? await balancesOneByOne(view) : undefined;
  if (answer.kind !== "success" && (found === undefined || found.length === 0)) {
    const failure = failureOf("getAccountsBalance", answer);
    // The clock may be the reason for the refusal.
    return [wrong(what, problemOf(failure, answer, gateway)), ...(clock.isGood ? [] : [clock])];
  }
  const balances = answer.kind === "success" ? answer.body.balances : (found ?? []);
  return [
    good(what, `${gateway.baseUrl} answered a signed request in ${tookMs} ms`),
    accountsCheck(view, `custody accounts at ${what}`, balances),
    clock,
  ];
}

function balancesOf(view: Workplace, accounts: readonly { readonly id: string }[]) {
  const { gateway } = view.service().tools;
  return gateway.call("getAccountsBalance", { accountIds: accounts.map(({ id }) => id) });
}

/** Asks for each account separately, because a service may refuse a whole request for one unknown account. */
async function balancesOneByOne(view: Workplace): Promise<AccountBalance[]> {
  const balances: AccountBalance[] = [];
  for (const account of view.config.custodyAccounts) {
    const answer = await balancesOf(view, [account]);
    if (answer.kind === "success") balances.push(...answer.body.balances);
  }
  return balances;
}

function accountsCheck(
  { config: { custodyAccounts } }: Workplace,
  what: string,
  balances: readonly AccountBalance[],
): Check {
  const shown = new Map(balances.map((balance) => [balance.accountId, balance.btcBalance.total.currency]));
  const problems = notShownAsConfigured({ custodyAccounts }, shown);
  const names = custodyAccounts.map(({ name }) => name).join(", ");
  return problems.length === 0 ? good(what, names) : wrong(what, ...problems);
}

/** `date` is the answer's own header (RFC 9110, section 6.6.1), in whole seconds. */
function clockCheck({ config, context }: Workplace, date: string | undefined, tookMs: number): Check {
  const now = context.clock.now();
  const local = `${now}, and today is ${dayIn(config.ledger.timeZone, now)} in ${config.ledger.timeZone}`;
  const theirs = Date.parse(date ?? "");
  if (Number.isNaN(theirs)) return good("clock", `${local}; the service does not say what time it has`);
  const offMs = Date.parse(now) - tookMs / 2 - theirs;
  if (Math.abs(offMs) <= CLOCK_OFF_MAX_MS) return good("clock", `${local}; the service has the same time`);
  const seconds = Math.round(Math.abs(offMs) / 1000);
  return wrong("clock", problem("CLOCK_OFF", { seconds, direction: offMs > 0 ? "ahead of" : "behind" }));
}
