/**
 * The service: the sandbox's core in this process, on the right clock. Its own ledger says what was paid, and nothing else does.
 */
import { createHmac } from "node:crypto";
import { generateSync } from "otplib";
import type { Creation } from "../../src/sandbox/index.ts";
import { type Delivery, type FaultEffect, openSandbox, type Sandbox } from "../../src/sandbox/index.ts";
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
  /** Somebody else creates a payout of another amount under the reference of this creation. */
  takeTwin(request: WireRequest): void;
  /** What our requests created, oldest first. */
  creations(): readonly Creation[];
  close(): void;
}

/** Nothing moves on after its creation: payouts stay as they were made. */
const STANDING_STILL_MS = 100 * 365 * 24 * 3_600_000;

/** `stepMs`: how long a payout stays in each of its states. */
export function openService(plan: SeedPlan, time: VirtualTime, stepMs = STANDING_STILL_MS): SimulatedService {
  const chance = new Chance(-plan.seed);
  const { serviceNonces, nonceBurnedByRefusal: burnedByRefusal, visibilityLagMs } = plan;
  const rule = serviceNonces === "any" ? "unique" : serviceNonces;
  let freshNonce = 0;
  const sandbox: Sandbox = openSandbox({
    clock: () => Math.floor(time.nowMs),
    uuid: () => chance.uuid(),
    stepMs,
    nonce: { rule, burnedByRefusal },
    visibilityLagMs,
    seed: {
      clients: [
        {
          key: SECRETS.key,
          secret: SECRETS.signingSecret,
          users: [{ username: "treasury-bot", otpSecret: SECRETS.otpSecret }],
        },
        {
          key: OTHER_KEY,
          secret: OTHER_SECRET,
          users: [{ username: "treasury-bot", otpSecret: SECRETS.otpSecret }],
        },
      ],
      accounts: ACCOUNTS.map((accountId) => ({ accountId, openingBalance: "1000" })),
      rates: [{ fromCurrency: "BTC", toCurrency: "EUR", rate: "81234.56" }],
    },
  });
  let known: readonly Creation[] | undefined;
  const take = (sent: WireRequest, effect?: FaultEffect) => {
    known = undefined;
    freshNonce += 1;
    // A service that looks at no nonce is one to which every nonce is new.
    const request = serviceNonces === "any" ? changed(sent, NONCE, `"nonce":${freshNonce}`) : sent;
    if (effect === undefined) return sandbox.handle(request);
    sandbox.setFaults([{ operation: "*", effect }]);
    const { answer } = sandbox.plan(request).deliver();
    sandbox.setFaults([]);
    return answer;
  };
  return {
    take,
    takeLate: (request) => take(withFreshCode(request, time.nowMs)),
    takeTwin: (request) => {
      const elsewhere = changed(request, /"callbackUrl":"[^"]*"/, `"callbackUrl":"${ELSEWHERE}"`);
      const another = changed(withFreshCode(elsewhere, time.nowMs), /"amount":[0-9.]+/, `"amount":0.5`);
      sandbox.handle(signedBy(OTHER_KEY, OTHER_SECRET, another));
      known = undefined;
    },
    creations: () => {
      known ??= sandbox.creations().filter(({ body }) => !body.includes(ELSEWHERE));
      return known;
    },
    close: sandbox.close,
  };
}

const ELSEWHERE = "https://elsewhere.example.com/hook";
const OTHER_KEY = "another-client";
const OTHER_SECRET = "another-signing-secret";
const NONCE = /"nonce":\d+/;

function withFreshCode(request: WireRequest, nowMs: number): WireRequest {
  const otpCode = generateSync({ secret: SECRETS.otpSecret, epoch: Math.floor(nowMs / 1000) });
  return changed(request, /"otpCode":"\d+"/, `"otpCode":"${otpCode}"`);
}

/** The request with another text in its body, signed anew. */
function changed(request: WireRequest, pattern: RegExp, replacement: string): WireRequest {
  const body = Buffer.from(request.body.toString("utf8").replace(pattern, replacement));
  return signedBy(SECRETS.key, SECRETS.signingSecret, { ...request, body });
}

function signedBy(key: string, secret: string, request: WireRequest): WireRequest {
  const { method, path, body } = request;
  const signature = createHmac("sha256", secret).update(`${method}\n${path}\n`).update(body).digest("hex");
  return { ...request, headers: { ...request.headers, key, signature } };
}
