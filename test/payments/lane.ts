/** One lane as the pay step opens it: real store, real HTTP, and every policy settable by the test. */
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { systemRandom } from "../../src/context/random.ts";
import { problem } from "../../src/faults/index.ts";
import { hmacSigner, oneTimeCodes, openGateway, type Routes } from "../../src/gateway/index.ts";
import { type Clock, type Log, systemClock, undiciTransport } from "../../src/index.ts";
import {
  type DraftInstruction,
  dayIn,
  type Instant,
  type Instruction,
  type InstructionFields,
  type Submission,
} from "../../src/model/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { adaptivePaging } from "../../src/observation/index.ts";
import {
  type ExecutionOptions,
  type ExecutionPolicy,
  type ExecutionReport,
  type ExecutionTools,
  execute,
} from "../../src/payments/sending/index.ts";
import { type RunningSandbox, type ServerOptions, startSandbox } from "../../src/sandbox/index.ts";
import { getByReference } from "../../src/store/instructions.ts";
import { listLooks } from "../../src/store/looks.ts";
import type { Transaction } from "../../src/store/sql.ts";
import type { Store } from "../../src/store/store.ts";
import { findLastSubmission } from "../../src/store/submissions.ts";
import { NOBODY_ELSE } from "../quiet-seed.ts";
import { listInstructions } from "../read-all.ts";
import { drafts, openStore, storeApproved, temporaryFolder, WITHOUT_WAITING } from "../store/stored-batch.ts";

export const OTP_SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";

export interface LaneOptions {
  readonly policy?: Partial<ExecutionPolicy>;
  readonly clock?: Clock;
  readonly timeoutMs?: number;
  readonly connections?: number;
  readonly ratePerSecond?: number;
  readonly routes?: Routes;
  readonly otpSingleUse?: boolean;
  readonly otpSecret?: string;
  /** A database that another lane has left behind. */
  readonly path?: string;
  readonly log?: Log;
}

export interface Lane {
  readonly tools: ExecutionTools;
  readonly store: Store;
  readonly path: string;
  /** Rows PAY-1, PAY-2, ... that are approved. */
  approve(count: number, changes?: (row: number) => Partial<InstructionFields>): Promise<Instruction[]>;
  approveRows(rows: readonly DraftInstruction[]): Promise<Instruction[]>;
  pay(options?: ExecutionOptions): Promise<ExecutionReport>;
  /** "PAY-1 accepted", in the order of the file. */
  standings(): Promise<string[]>;
  /** The last submission of every instruction that has one, in file order. */
  submissions(): Promise<Submission[]>;
  /** The last look for a payment in doubt: what it showed, and why it was not sent again. */
  lastLook(reference: string): Promise<string>;
}

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

export function openLane(baseUrl: string, options: LaneOptions = {}): Lane {
  const path = options.path ?? join(temporaryFolder(), "paydrop.sqlite");
  const store = openStore(path, options.clock === undefined ? {} : WITHOUT_WAITING);
  const clock = options.clock ?? systemClock;
  const transport = undiciTransport({ connections: options.connections ?? 8, answerBytesMax: 1_000_000 });
  onTestFinished(() => transport.close());
  const context = { clock, random: systemRandom, transport, log: options.log ?? SILENT };
  const gateway = openGateway(context, {
    baseUrl,
    timeoutMs: options.timeoutMs ?? 5000,
    ratePerSecond: options.ratePerSecond ?? 100_000,
    dateStyle: "Z",
    signer: hmacSigner("demo-key", "demo-signing-secret-0001"),
    routes: options.routes ?? {},
  });
  const policy: ExecutionPolicy = {
    keyId: "key-1",
    nonceRule: "unknown",
    nonceFloor: 0n,
    openedAt: clock.now(),
    concurrency: 4,
    settleMs: 15 * 60_000,
    outageMs: 0,
    elsewhere: { keyIds: [], custodyAccounts: [] },
    whyLaneClosed: () => undefined,
    stopOrder: () => undefined,
    whyResting: () => undefined,
    creationOf: () => ({ operation: "createPayoutV2", authorize: false }),
    recognition: { correlation: "callbackUrl", clockSkewMs: 60_000 },
    limitPerRow: { BTC: Decimal.of("1000") },
    limitPerDay: { BTC: Decimal.of("1000") },
    limitPerDestination: {},
    dayOf: (instant) => dayIn("UTC", instant),
    prepare: async () => undefined,
    whyNotReleased: until("9999-12-31T00:00:00.000Z"),
    ...options.policy,
  };
  const source = { source: "totp", secret: options.otpSecret ?? OTP_SECRET } as const;
  const codes = oneTimeCodes(clock, source, options.otpSingleUse ?? false);
  const paging = adaptivePaging({ pageSize: 50, firstPage: 0, idsPerRequest: 40 }, context.log);
  const approveRows = (rows: readonly DraftInstruction[]) => storeApproved(store, rows, clock.now());
  const tools = { context, store, gateway, paging, codes, policy };
  return {
    tools,
    store,
    path,
    approveRows,
    approve: (count, changes) => approveRows(drafts(count, changes)),
    pay: (run) => execute(tools, run),
    standings: async () =>
      (await store.read(() => listInstructions())).map(
        ({ fields, standing }) => `${fields.reference} ${standing}`,
      ),
    submissions: () => store.read(() => lastSubmissions()),
    lastLook: (reference) => store.read(() => lastLook(reference)),
  };
}

/** Approvals of any batch, valid until `ends`. */
export function until(ends: Instant | undefined): ExecutionPolicy["whyNotReleased"] {
  return function* ({ batchId: batch }, _call, at) {
    yield* [];
    if (ends === undefined) return problem("APPROVAL_LACKING", { batch });
    return ends <= at ? problem("APPROVAL_EXPIRED", { batch }) : undefined;
  };
}

function* lastLook(reference: string): Transaction<string> {
  const { id } = yield* getByReference(reference);
  const submission = yield* findLastSubmission(id);
  const look = submission && (yield* listLooks(submission.id)).at(-1);
  return look === undefined ? "" : `${look.saw} (not sent again: ${look.notSent})`;
}

function* lastSubmissions(): Transaction<Submission[]> {
  const found: Submission[] = [];
  for (const { id } of yield* listInstructions()) {
    const last = yield* findLastSubmission(id);
    if (last !== undefined) found.push(last);
  }
  return found;
}

export async function sandbox(options: ServerOptions = {}): Promise<RunningSandbox> {
  const running = await startSandbox({ seed: NOBODY_ELSE, ...options });
  onTestFinished(() => running.close());
  return running;
}

/** References of the payouts created at the sandbox, in order of creation. */
export function createdAt(running: Pick<RunningSandbox, "creations">): string[] {
  return running.creations().map(({ reference }) => reference);
}

/** How many creations reached the sandbox, refused and cut ones included. */
export function creationArrivals(running: Pick<RunningSandbox, "arrivals">): number {
  return running.arrivals().filter(({ operation }) => operation === "createPayoutV2").length;
}
