/**
 * A workplace and a sandbox in this process whose behaviour a test controls, with a record of the requests that
 * arrived.
 */
import { onTestFinished } from "vitest";
import type { DepositRequest, Environment, Workplace } from "../../src/index.ts";
import { custodyAccountId, type Instant, shifted } from "../../src/model/index.ts";
import { type RunningSandbox, type ServerOptions, startSandbox } from "../../src/sandbox/index.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { NOBODY_ELSE } from "../quiet-seed.ts";
import { openOther, openPlace } from "./workplace.ts";

export const TREASURY = "6f1cbb7e-0000-4000-8000-000000000001";
export const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

/** A deposit for the treasury. */
export const DEPOSIT: DepositRequest = {
  custodyAccountId: custodyAccountId(TREASURY),
  reference: "DEP-1",
  by: "path",
  person: "alice",
};

export interface Site {
  readonly folder: string;
  readonly sandbox: RunningSandbox;
  readonly workplace: Workplace;
  readonly environment: Environment;
  /** How many requests of an operation arrived, refused and cut ones included. */
  arrived(operation: string): number;
  /** Opens the same folder again, as another process would. */
  openAgain(changes?: Environment): Workplace;
}

/** `database`: as `openPlace` takes it. */
export async function openSite(
  options: ServerOptions = {},
  changes: Environment = {},
  database?: string,
): Promise<Site> {
  const sandbox = await startSandbox({ seed: NOBODY_ELSE, stepMs: 5, ...options });
  onTestFinished(() => sandbox.close());
  const given = { ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: sandbox.url, ...changes };
  const { folder, workplace, environment } = openPlace(given, database);
  return {
    folder,
    sandbox,
    workplace,
    environment,
    arrived: (operation) => sandbox.arrivals().filter((arrival) => arrival.operation === operation).length,
    openAgain: (more = {}) => {
      const again = openOther(folder, environment, more);
      onTestFinished(() => again.close());
      return again;
    },
  };
}

/** The same place by another wall clock. */
export function byClock(workplace: Workplace, now: () => Instant): Workplace {
  const context = { ...workplace.context, clock: { ...workplace.context.clock, now } };
  const service = workplace.service();
  const view = {
    ...workplace,
    context,
    service: () => ({ ...service, tools: { ...service.tools, context } }),
  };
  return { ...view, underKeys: [view] };
}

/** The same place once the settle window has passed: what was accepted before and does not show is missing. */
export function settled(workplace: Workplace): Workplace {
  const { context, config } = workplace;
  return byClock(workplace, () => shifted(context.clock.now(), (config.doubt.settleMinutes + 1) * 60_000));
}
