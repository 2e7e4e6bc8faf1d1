/** The service: the sandbox's core in this process, with the true clock. Its own ledger alone says what was paid. */
import { createHmac } from "node:crypto";
import { generateSync } from "otplib";
import {
  type Creation,
  type Delivery,
  type FaultEffect,
  openSandbox,
  type Sandbox,
} from "../../src/sandbox/index.ts";
import { Chance } from "./chance.ts";
import { type ClientKey, clientKeysOf } from "./client-keys.ts";
import { NonceMemory } from "./nonce-memory.ts";
import { payrollOf } from "./payroll.ts";
import type { SeedPlan } from "./seed-plan.ts";
import { partsOf } from "./sent-creations.ts";
import { pageWithout } from "./untrue-finds.ts";
import type { VirtualTime } from "./virtual-time.ts";

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface SimulatedService {
  /** Carries a request out, with one of the sandbox's own fault effects if given. */
  take(request: WireRequest, effect?: FaultEffect): Delivery["answer"];
  /**
   * As `take`, for a request that the service had let in earlier and carries out only now: its code has been checked.
   */
  takeLate(request: WireRequest): Delivery["answer"];
  /** Answers a find as if some payouts did not exist; reports them to `onLeftOut`. */
  takeWithout(
    request: WireRequest,
    isLeftOut: IsLeftOut,
    onLeftOut: (what: LeftOut) => void,
  ): Delivery["answer"];
  /** Somebody else creates a payout with another amount under the reference of this creation. */
  takeTwin(request: WireRequest): void;
  /** What our requests created, oldest first. */
  creations(): readonly Creation[];
  /** The bodies that arrived under each key and nonce, without one-time codes, whether or not they were carried out. */
  readonly arrivals: ReadonlyMap<string, ReadonlySet<string>>;
  close(): void;
}

type IsLeftOut = Parameters<typeof pageWithout>[2];

/** What a find left out. */
export interface LeftOut {
  /** The references that it asked for. */
  readonly asked: readonly string[];
  readonly leftOut: readonly string[];
  /** How many payouts it still found. */
  readonly shown: number;
}

/** Payouts stay in their first state. */
const STANDING_STILL_MS = 100 * 365 * 24 * 3_600_000;

/**
 * `stepMs`: how long a payout stays in each of its states. Each client key has a separate side, which sees nothing of
 * the other.
 */
export function openService(plan: SeedPlan, time: VirtualTime, stepMs = STANDING_STILL_MS): SimulatedService {
  const sides = clientKeysOf(plan).map((clientKey, index) => ({
    key: clientKey.secrets.key,
    ...openSide(plan, clientKey, time, stepMs, new Chance(-plan.seed - index * SIDES_APART)),
  }));
  const arrivals = new Map<string, Set<string>>();
  const arrived = (request: WireRequest) => {
    const { key, nonce, businessFields } = partsOf(request);
    if (nonce === undefined) return;
    const bodies = arrivals.get(`${key} ${nonce}`) ?? new Set();
    arrivals.set(`${key} ${nonce}`, bodies.add(businessFields));
  };
  const [first] = sides;
  if (first === undefined) throw new Error("a service without a client key");
  const sideOf = ({ headers }: WireRequest) => sides.find(({ key }) => key === headers["key"]) ?? first;
  return {
    take: (request, effect) => {
      arrived(request);
      return sideOf(request).take(request, effect);
    },
    takeLate: (request) => {
      arrived(request);
      return sideOf(request).takeLate(request);
    },
    takeWithout: (request, ...how) => sideOf(request).takeWithout(request, ...how),
    takeTwin: (request) => sideOf(request).takeTwin(request),
    creations: () => (sides.length === 1 ? first.creations() : sides.flatMap((side) => side.creations())),
    arrivals,
    close: () => {
      for (const side of sides) side.close();
    },
  };
}

/** Seeds closer together than this draw no identifiers of each other's sides. */
const SIDES_APART = 1_000_000_000;

function openSide(
  plan: SeedPlan,
  { secrets, accounts }: ClientKey,
  time: VirtualTime,
  stepMs: number,
  chance: Chance,
): Omit<SimulatedService, "arrivals"> {
  const { serviceNonces, nonceBurnedByRefusal: burnedByRefusal, visibilityLagMs, serviceClockOffMs } = plan;
  const rule = serviceNonces === "any" ? "unique" : serviceNonces;
  let freshNonce = 0;
  const serviceNowMs = () => Math.floor(time.nowMs) + serviceClockOffMs;
  const sandbox: Sandbox = openSandbox({
    clock: serviceNowMs,
    uuid: () => chance.uuid(),
    stepMs,
    nonce: { rule, burnedByRefusal, ...(plan.nonceWindow === undefined ? {} : { window: plan.nonceWindow }) },
    visibilityLagMs,
    seed: {
      clients: [
        {
          key: secrets.key,
          secret: secrets.signingSecret,
          users: [{ username: "treasury-bot", otpSecret: secrets.otpSecret }],
        },
        {
          key: OTHER_KEY,
          secret: OTHER_SECRET,
          users: [{ username: "treasury-bot", otpSecret: secrets.otpSecret }],
        },
      ],
      accounts: accounts.map((accountId) => ({ accountId, openingBalance: "1000" })),
      rates: [{ fromCurrency: "BTC", toCurrency: "EUR", rate: "81234.56" }],
    },
  });
  const memory = new NonceMemory(plan, time);
  let known: readonly Creation[] | undefined;
  const foreign = plan.foreignLookUps === "refused" ? referencesElsewhere(plan, accounts) : new Set<string>();
  const isForeignLookUp = ({ path, body }: WireRequest) =>
    foreign.size > 0 && path.endsWith("/find") && referencesIn(body).some((one) => foreign.has(one));
  // Codes are checked against a correct clock; the wrong one only dates what is created.
  const withCodeOfItsClock = (request: WireRequest) => {
    if (serviceClockOffMs === 0 && plan.codesTellTime) return request;
    const isGood = !plan.codesTellTime || hasCodeOf(request, time.nowMs, secrets);
    return isGood ? withFreshCode(request, serviceNowMs(), secrets) : request;
  };
  const answerTo = (request: WireRequest, effect?: FaultEffect) => {
    if (effect === undefined) return sandbox.handle(request);
    sandbox.setFaults([{ operation: "*", effect }]);
    const { answer } = sandbox.plan(request).deliver();
    sandbox.setFaults([]);
    return answer;
  };
  const take = (sent: WireRequest, effect?: FaultEffect) => {
    known = undefined;
    freshNonce += 1;
    // To a service that checks no nonces every nonce is new, and so is each that it has forgotten.
    const isNew = serviceNonces === "any" || memory.hasForgotten(sent);
    const request = isNew ? changed(sent, NONCE, `"nonce":${freshNonce}`, secrets) : sent;
    if (isForeignLookUp(request)) return FOREIGN_LOOK_UP;
    const answer = answerTo(withCodeOfItsClock(request), effect);
    if (answer.statusCode === 202) memory.remember(sent);
    return answer;
  };
  return {
    take,
    takeLate: (request) => take(withFreshCode(request, serviceNowMs(), secrets)),
    takeWithout: (request, isLeftOut, onLeftOut) => {
      if (!request.path.endsWith("/find")) return take(request);
      const { page, size } = JSON.parse(request.body.toString("utf8")) as { page: number; size: number };
      const [paged, whole] = [`"page":${page},"size":${size}`, `"page":0,"size":${PAGE_SIZE_MAX}`];
      const all = take(changed(request, paged, whole, secrets));
      const leftOut: string[] = [];
      let shown = 0;
      const answer = pageWithout(
        { ...all, body: all.body.replace(whole, paged) },
        { page, size },
        (payout, place) => {
          const isOut = isLeftOut(payout, place);
          if (isOut) leftOut.push(payout.reference);
          else shown += 1;
          return isOut;
        },
      );
      onLeftOut({ asked: referencesIn(request.body), leftOut, shown });
      return answer;
    },
    takeTwin: (request) => {
      const elsewhere = changed(request, /"callbackUrl":"[^"]*"/, `"callbackUrl":"${ELSEWHERE}"`, secrets);
      const fresh = withFreshCode(elsewhere, serviceNowMs(), secrets);
      const another = changed(fresh, /"amount":[0-9.]+/, `"amount":0.5`, secrets);
      sandbox.handle(signedBy({ key: OTHER_KEY, signingSecret: OTHER_SECRET }, another));
      known = undefined;
    },
    creations: () => {
      known ??= sandbox.creations().filter(({ body }) => !body.includes(ELSEWHERE));
      return known;
    },
    close: sandbox.close,
  };
}

/** The sandbox's own limit; more than a seed has rows. */
const PAGE_SIZE_MAX = 500;
const ELSEWHERE = "https://elsewhere.example.com/hook";
const OTHER_KEY = "another-client";
const OTHER_SECRET = "another-signing-secret";
const NONCE = /"nonce":\d+/;

const FOREIGN_LOOK_UP = {
  statusCode: 403,
  body: '[{"error":"access denied","code":"FORBIDDEN","timestamp":"2026-11-20T09:30:00.000Z"}]',
};

function referencesElsewhere({ payroll, rows }: SeedPlan, accounts: readonly string[]): ReadonlySet<string> {
  const elsewhere = payrollOf(payroll, rows).rows.filter(({ accountId }) => !accounts.includes(accountId));
  return new Set(elsewhere.map(({ reference }) => reference));
}

/** The references that a look-up filters by. */
export function referencesIn(body: Buffer): readonly string[] {
  const { references = [] } = JSON.parse(body.toString("utf8")) as { references?: readonly string[] };
  return references;
}

type Secrets = ClientKey["secrets"];

/** With the service's own tolerance. */
function hasCodeOf(request: WireRequest, nowMs: number, { otpSecret: secret }: Secrets): boolean {
  const { otpCode } = partsOf(request);
  return [-STEP_S, 0, STEP_S].some((off) => codeAt(secret, Math.floor(nowMs / 1000) + off) === otpCode);
}

const STEP_S = 30;
const codes = new Map<string, string>();

/** Computed once per time step. */
function codeAt(secret: string, epoch: number): string {
  const step = `${secret} ${Math.floor(epoch / STEP_S)}`;
  const known = codes.get(step);
  if (known !== undefined) return known;
  if (codes.size > 1000) codes.clear();
  const code = generateSync({ secret, epoch });
  codes.set(step, code);
  return code;
}

function withFreshCode(request: WireRequest, nowMs: number, secrets: Secrets): WireRequest {
  const otpCode = codeAt(secrets.otpSecret, Math.floor(nowMs / 1000));
  return changed(request, /"otpCode":"\d+"/, `"otpCode":"${otpCode}"`, secrets);
}

/** The request with a text in its body replaced, signed again. */
function changed(
  request: WireRequest,
  pattern: RegExp | string,
  replacement: string,
  secrets: Secrets,
): WireRequest {
  const body = Buffer.from(request.body.toString("utf8").replace(pattern, replacement));
  return signedBy(secrets, { ...request, body });
}

function signedBy(
  { key, signingSecret }: Pick<Secrets, "key" | "signingSecret">,
  request: WireRequest,
): WireRequest {
  const { method, path, body } = request;
  const signature = createHmac("sha256", signingSecret)
    .update(`${method}\n${path}\n`)
    .update(body)
    .digest("hex");
  return { ...request, headers: { ...request.headers, key, signature } };
}
