/**
 * Requests per second of the sandbox against a bare fastify route that reads the same body and answers a body of
 * the same size: creations, and look-ups of twenty payouts out of a hundred thousand by reference and by id. Both
 * servers run in one process of their own, the client in another, in turn for several rounds; medians count.
 * Payouts stay in their first state meanwhile.
 */
import { createHmac } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fastify from "fastify";
import { generateSync } from "otplib";
import { Pool } from "undici";
import { type SandboxOptions, startSandbox } from "../src/sandbox/index.ts";
import { conclude, median, print, rounded, startChild, tell } from "./measuring.ts";

const LIMITS = { create: 0.5, findByReference: 0.5, findById: 0.5 };

const ROUNDS = 7;
/** As many as `bench:execution` has on its way. */
const CONCURRENCY = 32;
const REQUESTS_PER_ROUND = 3000;
const PAYOUTS = 100_000;
const FOUND_PER_REQUEST = 20;

const NOW_MS = Date.parse("2026-03-02T09:00:00.000Z");
const NOW = new Date(NOW_MS).toISOString();
const KEY = "bench-key";
const SECRET = "bench-secret";
const OTP_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const OTP_CODE = generateSync({ secret: OTP_SECRET, epoch: NOW_MS / 1000 });
const CUSTODY_ACCOUNT = "00000000-0000-4000-8000-00000000000a";
const CREATE = "/payouts/v2/create";
const FIND = "/payouts/v2/find";

const OPTIONS: SandboxOptions = {
  clock: () => NOW_MS,
  stepMs: 3_600_000,
  seed: {
    clients: [{ key: KEY, secret: SECRET, users: [{ username: "treasury-bot", otpSecret: OTP_SECRET }] }],
    accounts: [{ accountId: CUSTODY_ACCOUNT, openingBalance: "1000000" }],
  },
};

interface Addresses {
  readonly bare: string;
  readonly sandbox: string;
  readonly payoutIds: readonly string[];
}

interface SignedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const [, , command, database] = process.argv;
if (command === "serve" && database !== undefined) await serve(database);
else process.exitCode = await measure();

async function serve(database: string): Promise<void> {
  const sandbox = await startSandbox({ ...OPTIONS, database });
  const payoutIds: string[] = [];
  for (let number = 1; number <= PAYOUTS; number += 1) {
    const { path, headers, body } = creation(number);
    const answer = sandbox.handle({ method: "POST", path, headers, body: Buffer.from(body) });
    payoutIds.push(JSON.parse(answer.body).payoutId);
  }
  const { path, headers, body } = findByReference(1);
  const page = JSON.parse(sandbox.handle({ method: "POST", path, headers, body: Buffer.from(body) }).body);
  const bare = fastify();
  bare.post(CREATE, (_request, reply) => reply.code(202).send({ payoutId: CUSTODY_ACCOUNT }));
  bare.post(FIND, (_request, reply) => reply.send(page));
  const addresses: Addresses = {
    bare: await bare.listen({ host: "127.0.0.1", port: 0 }),
    sandbox: sandbox.url,
    payoutIds,
  };
  tell(addresses);
}

async function measure(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "bench-sandbox-"));
  const server = startChild<Addresses>(import.meta.filename, "serve", join(folder, "sandbox.sqlite"));
  const addresses = await server.answer;
  let nextNumber = PAYOUTS;
  const requests = {
    create: () => {
      nextNumber += 1;
      return creation(nextNumber);
    },
    findByReference: () => findByReference(1 + anyOf(PAYOUTS - FOUND_PER_REQUEST)),
    findById: () => findById(addresses.payoutIds, anyOf(PAYOUTS - FOUND_PER_REQUEST)),
  };
  const ratios: Record<string, number> = {};
  for (const [name, next] of Object.entries(requests)) {
    const rates = { bare: [] as number[], sandbox: [] as number[] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const load = Array.from({ length: REQUESTS_PER_ROUND }, next);
      const bare = await ratePerSecond(addresses.bare, load);
      const sandbox = await ratePerSecond(addresses.sandbox, load);
      if (round === 0) continue; // warms both up
      rates.bare.push(bare);
      rates.sandbox.push(sandbox);
    }
    const [bare, sandbox] = [median(rates.bare), median(rates.sandbox)];
    ratios[name] = rounded(sandbox / bare);
    print(`${name}: bare ${Math.round(bare)}/s, sandbox ${Math.round(sandbox)}/s, ratio ${ratios[name]}`);
  }
  server.stop();
  rmSync(folder, { recursive: true });
  const holds = Object.entries(LIMITS).every(([name, limit]) => (ratios[name] ?? 0) >= limit);
  return conclude("sandbox", ratios, LIMITS, holds);
}

/** Throws for any status that is not the operation's success. */
async function ratePerSecond(url: string, load: readonly SignedRequest[]): Promise<number> {
  const pool = new Pool(url, { connections: CONCURRENCY, pipelining: 1, allowH2: false });
  const waiting = load.values();
  const caller = async () => {
    for (const { path, headers, body } of waiting) {
      const answer = await pool.request({ method: "POST", path, headers, body });
      await answer.body.arrayBuffer();
      if (answer.statusCode >= 300) throw new Error(`${url}${path} answered ${answer.statusCode}`);
    }
  };
  const startMs = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, caller));
  const durationMs = performance.now() - startMs;
  await pool.close();
  return (load.length * 1000) / durationMs;
}

function creation(number: number): SignedRequest {
  return signed(
    CREATE,
    `{"username":"treasury-bot","accountId":"${CUSTODY_ACCOUNT}","nonce":${number},"reference":"LOAD-${number}",` +
      `"callbackUrl":"https://pay.example.com/hook/${number}","requestedAmount":{"currency":"BTC","amount":0.01000000},` +
      `"destinationAddress":"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4","feePolicy":"NORMAL","otpCode":"${OTP_CODE}",` +
      `"generalLedgerName":"5100","generalLedgerProject":"Alpha"}`,
  );
}

function findByReference(first: number): SignedRequest {
  const references = Array.from({ length: FOUND_PER_REQUEST }, (_, at) => `LOAD-${first + at}`);
  return signed(FIND, JSON.stringify({ queryDate: NOW, size: FOUND_PER_REQUEST, references }));
}

function findById(known: readonly string[], first: number): SignedRequest {
  const payoutIds = known.slice(first, first + FOUND_PER_REQUEST);
  return signed(FIND, JSON.stringify({ queryDate: NOW, size: FOUND_PER_REQUEST, payoutIds }));
}

function signed(path: string, body: string): SignedRequest {
  const signature = createHmac("sha256", SECRET).update(`POST\n${path}\n${body}`).digest("hex");
  return { path, body, headers: { key: KEY, signature, "content-type": "application/json" } };
}

function anyOf(count: number): number {
  return Math.floor(Math.random() * count);
}
