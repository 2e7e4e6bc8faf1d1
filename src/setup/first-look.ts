/**
 * The first look at a service, before there is a configuration: whether it accepts this key, and which accounts it
 * shows. It lists the accounts of its newest payouts and deposits, because the interface has no list of accounts;
 * others are asked for by their ids. Writes only a configuration without secrets in its own folder, which it
 * removes.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Environment, loadConfig } from "../config/index.ts";
import { startingConfiguration } from "../config/starting-configuration.ts";
import { inTemporaryFolder } from "../context/files.ts";
import { stderrLog } from "../context/log.ts";
import { isProblem, orProblem, type Problem } from "../faults/index.ts";
import { lookUp } from "../gateway/index.ts";
import { openEmptyStore } from "../store/engines/sqlite-store.ts";
import { searchDeposits, searchPayouts } from "../views/search-step.ts";
import { systemContext, type Workplace, workplaceIn } from "../workplace/workplace.ts";
import { configValues, type InitAnswers } from "./init-answers.ts";

export interface ShownAccount {
  readonly id: string;
  readonly currency: string;
  /** Its balance, in its currency. */
  readonly total: string;
}

type Needed = "baseUrl" | "username" | "callbackUrl" | "hasOtpSeed";

/** The accounts of the newest movements, and of `named`, that the service shows; or why it shows none. */
export async function firstLook(
  sample: string,
  answers: Pick<InitAnswers, Needed>,
  named: readonly string[] | undefined,
  environment: Environment,
  signal: AbortSignal,
): Promise<readonly ShownAccount[] | Problem> {
  return inTemporaryFolder("init", async (folder) => {
    const path = join(folder, "paydrop.yaml");
    await writeFile(path, startingConfiguration(sample, configValues({ ...PLACEHOLDERS, ...answers })), {
      mode: 0o600,
    });
    return orProblem<readonly ShownAccount[]>(async () => {
      const config = loadConfig(path, environment);
      const context = systemContext(config, environment, stderrLog("silent"), signal);
      const workplace = workplaceIn(config, environment, context, openEmptyStore());
      try {
        return await accountsShown(workplace, named ?? (await accountsOfMovements(workplace)));
      } finally {
        await workplace.close();
      }
    });
  });
}

/** Keys that the schema requires and this look does not use. */
const PLACEHOLDERS: Omit<InitAnswers, Needed> = {
  accounts: [{ name: "first", id: "00000000-0000-4000-8000-000000000000", currency: "BTC" }],
  limits: [{ currency: "BTC", perRow: "1", perDay: "1" }],
  installation: "first-look",
  rootFingerprints: [`SHA256:${"A".repeat(43)}`],
  peopleNeeded: 1,
  functionalCurrency: "EUR",
  timeZone: "UTC",
  secrets: [],
};

const MOVEMENTS = 100;

/** Throws a ServiceFault if a search fails, for example because the key or its signature is not accepted. */
async function accountsOfMovements(workplace: Workplace): Promise<string[]> {
  const newest = {
    limit: MOVEMENTS,
    by: "path",
    sort: [{ property: "createdDate", direction: "DESC" }],
  } as const;
  const payouts = await searchPayouts(workplace, newest);
  const deposits = await searchDeposits(workplace, newest);
  return [...new Set([...payouts.found, ...deposits.found].flatMap(({ accountId }) => accountId ?? []))];
}

/** Each by itself, because a service may refuse a whole request for one unknown account. */
async function accountsShown(workplace: Workplace, ids: readonly string[]): Promise<ShownAccount[]> {
  const { gateway, context } = workplace.service().tools;
  const shown: ShownAccount[] = [];
  for (const id of ids) {
    const asked = await orProblem(() =>
      lookUp(gateway, context.clock, "getAccountsBalance", { accountIds: [id] }),
    );
    const balance = isProblem(asked) ? undefined : asked.balances.find(({ accountId }) => accountId === id);
    if (balance === undefined) continue;
    const { currency, amount } = balance.btcBalance.total;
    shown.push({ id, currency, total: amount.normalized().toString() });
  }
  return shown;
}
