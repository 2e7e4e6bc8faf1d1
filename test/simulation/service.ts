/**
 * The service: the sandbox's core in this process, on the right clock. Its own ledger says what was paid, and nothing else does.
 */
import { createHmac } from "node:crypto";
import { generateSync } from "otplib";
import { type Delivery, type FaultEffect, openSandbox, type Sandbox } from "../../src/sandbox/index.ts";
import type { Creation } from "../../src/sandbox/index.ts";
import { Chance } from "./chance.ts";
import { ACCOUNTS, SECRETS } from "./payroll.ts";
import type { SeedPlan } from "./seed-plan.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface SimulatedService {
  /** Carries a request out, under an effect of the sandbox's own where one is given. */
  take(request: WireRequest, effect?: FaultEffect): Delivery["answer"];
  /** As `take`, for a request that the service had let in before and carries out only now: its code has been checked. */
  takeLate(request: WireRequest): Delivery["answer"];
  /** What was created, oldest first. */
  creations(): readonly Creation[];
  close(): void;
}

/** Nothing moves on after its creation: payouts stay as they were made. */
const STEP_MS = 100 * 365 * 24 * 3_600_000;

export function openService(plan: SeedPlan, time: VirtualTime): SimulatedService {
  const chance = new Chance(-plan.seed);
  const { serviceNonces: rule, nonceBurnedByRefusal: burnedByRefusal, visibilityLagMs } = plan;
  const sandbox: Sandbox = openSandbox({
    clock: () => Math.floor(time.nowMs),
    uuid: () => chance.uuid(),
    stepMs: STEP_MS,
    nonce: { rule, burnedByRefusal },
    visibilityLagMs,
    seed: {
      clients: [
        {
          key: SECRETS.key,
          secret: SECRETS.signingSecret,
          users: [{ username: "treasury-bot", otpSecret: SECRETS.otpSecret }],
        },
      ],
      accounts: ACCOUNTS.map((accountId) => ({ accountId, openingBalance: "1000" })),
    },
  });
  let known: readonly Creation[] | undefined;
  const take = (request: WireRequest, effect?: FaultEffect) => {
    known = undefined;
    if (effect === undefined) return sandbox.handle(request);
    sandbox.setFaults([{ operation: "*", effect }]);
    const { answer } = sandbox.plan(request).deliver();
    sandbox.setFaults([]);
    return answer;
  };
  return {
    take,
    takeLate: (request) => take(withFreshCode(request, time.nowMs)),
    creations: () => {
      known ??= sandbox.creations();
      return known;
    },
    close: sandbox.close,
  };
}

function withFreshCode(request: WireRequest, nowMs: number): WireRequest {
  const otpCode = generateSync({ secret: SECRETS.otpSecret, epoch: Math.floor(nowMs / 1000) });
  const text = request.body.toString("utf8").replace(/"otpCode":"\d+"/, `"otpCode":"${otpCode}"`);
  const signature = createHmac("sha256", SECRETS.signingSecret)
    .update(`${request.method}\n${request.path}\n`)
    .update(text)
    .digest("hex");
  return { ...request, headers: { ...request.headers, signature }, body: Buffer.from(text) };
}
