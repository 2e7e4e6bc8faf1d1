/**
 * The yardstick of `bench:execution`: a minimal program that is durable. It stores the same intents and outcomes:
 * each payout has an intent on the disk before it leaves and an outcome after, an entry in an audit record chained
 * by hashes, a signature and exact JSON. Nothing is approved, compared, counted or looked up.
 */
import { createHmac, hash } from "node:crypto";
import Database from "better-sqlite3";
import { generateSync } from "otplib";
import { Pool } from "undici";
import { systemRandom } from "../src/context/random.ts";
import { Decimal } from "../src/index.ts";
import { parseJson, writeJson } from "../src/wire/index.ts";

export interface Client {
  readonly key: string;
  readonly secret: string;
  readonly otpSecret: string;
  readonly custodyAccount: string;
  readonly concurrency: number;
  /** "treasury-bot" by default. */
  readonly username?: string;
}

export interface Payment {
  readonly number: number;
  readonly reference: string;
  readonly amount: string;
  readonly destination: string;
}

const CREATE = "/payouts/v2/create";
const CODE_MS = 30_000;
/** Payments read at a time. */
const WINDOW = 100;

const LAYOUT = `
  create table payment (id text primary key, row integer not null unique, reference text not null unique,
    fields text not null, standing text not null, payout_id text unique, changed_at text not null) strict;
  create index payment_by_standing on payment (standing, row);
  create table intent (id integer primary key, payment_id text not null, key_id text not null, nonce text not null,
    operation text not null, base_url text not null, body_hash text not null, intended_at text not null, outcome text,
    ended_at text, http_status integer, evidence text, payout_id text) strict;
  create unique index intent_live on intent (payment_id) where outcome is null or outcome = 'accepted';
  create index intent_open on intent (outcome) where outcome is null;
  create table audit (seq integer primary key, at text not null, person text not null, action text not null,
    subject text not null, detail text not null, hash text not null) strict;
`;

/** Makes the database at `path`, with payments that wait. */
export function writePayments(path: string, payments: Iterable<Payment>): void {
  const database = new Database(path);
  database.pragma("journal_mode = WAL");
  database.exec(LAYOUT);
  const insert = database.prepare("insert into payment values (?, ?, ?, ?, 'approved', null, '')");
  database.transaction(() => {
    for (const payment of payments)
      insert.run(systemRandom.uuid(), payment.number, payment.reference, JSON.stringify(payment));
  })();
  database.close();
}

/** Returns a function that sends the next payments of the database at `path`, at most so many. */
export function minimalSender(path: string, address: string, client: Client) {
  const database = new Database(path);
  database.pragma("synchronous = FULL");
  const { due, intend, end, write } = recordIn(database, client, address);
  const pool = new Pool(address, { connections: client.concurrency, pipelining: 1, allowH2: false });
  const codeNow = oneTimeCodes(client.otpSecret);
  let nonce = 0n;

  /** `ended` resolves when the outcome is on the disk, for which the next payment does not wait. */
  const post = async (due: Due) => {
    nonce += 1n;
    const fields = fieldsOf(due, client);
    const [bodyHash, own, at] = [hash("sha256", writeJson(fields)), nonce, new Date().toISOString()];
    const intent = await write(() => intend(due, own.toString(), bodyHash, at));
    const body = writeJson({ ...fields, nonce: own, otpCode: codeNow() });
    const signature = createHmac("sha256", client.secret).update(`POST\n${CREATE}\n${body}`).digest("hex");
    const headers = {
      key: client.key,
      signature,
      "content-type": "application/json",
      accept: "application/json",
    };
    const { statusCode, body: answer } = await pool.request({ method: "POST", path: CREATE, headers, body });
    const { payoutId } = parseJson(await answer.text()) as { readonly payoutId?: unknown };
    if (statusCode !== 202 || typeof payoutId !== "string") throw new Error(`answered ${statusCode}`);
    return { ended: write(() => end(intent, due, payoutId, new Date().toISOString())) };
  };

  return async (count: number): Promise<void> => {
    const payments = due(count);
    const outcomes: Promise<void>[] = [];
    const caller = async () => {
      for (const payment of payments) outcomes.push((await post(payment)).ended);
    };
    await Promise.all(Array.from({ length: client.concurrency }, caller));
    await Promise.all(outcomes);
  };
}

interface Due {
  readonly id: string;
  readonly row: number;
  readonly fields: string;
}

/** What is stored, and `write`, which commits together what is handed over in one turn of the event loop. */
function recordIn(database: Database.Database, { key }: Client, address: string) {
  const listDue = database.prepare<[number, number], Due>(
    "select id, row, fields from payment where standing = 'approved' and row > ? order by row limit ?",
  );
  const begin = database.prepare(
    "update payment set standing = 'sending', changed_at = ? where id = ? and standing = 'approved' and fields = ?",
  );
  const insertIntent =
    database.prepare(`insert into intent (payment_id, key_id, nonce, operation, base_url, body_hash, intended_at)
    values (?, ?, ?, 'createPayoutV2', ?, ?, ?)`);
  const endIntent =
    database.prepare(`update intent set outcome = 'accepted', ended_at = ?, http_status = 202, evidence = 'answered 202',
    payout_id = ? where id = ? and outcome is null`);
  const accept = database.prepare(
    "update payment set standing = 'accepted', payout_id = ?, changed_at = ? where id = ? and standing = 'sending'",
  );
  const insertAudit = database.prepare("insert into audit values (?, ?, 'minimal', ?, ?, ?, ?)");
  let [seq, before] = [0, ""];
  return { due, intend, end, write: gatheredIn(database) };

  function* due(count: number): Generator<Due> {
    let [after, left] = [-1, count];
    while (left > 0) {
      const window = listDue.all(after, Math.min(WINDOW, left));
      if (window.length === 0) return;
      after = window.at(-1)?.row ?? after;
      left -= window.length;
      yield* window;
    }
  }

  function intend({ id, fields }: Due, nonce: string, bodyHash: string, at: string): number | bigint {
    if (begin.run(at, id, fields).changes !== 1) throw new Error(`payment ${id} is not due`);
    return insertIntent.run(id, key, nonce, address, bodyHash, at).lastInsertRowid;
  }

  function end(intent: number | bigint, { id }: Due, payoutId: string, at: string): void {
    const changes = endIntent.run(at, payoutId, intent).changes + accept.run(payoutId, at, id).changes;
    if (changes !== 2) throw new Error(`payment ${id} is not being sent`);
    const [action, detail] = ["payout accepted", JSON.stringify({ payoutId })];
    seq += 1;
    before = hash("sha256", JSON.stringify([before, seq, at, "minimal", action, id, detail]));
    insertAudit.run(seq, at, action, id, detail, before);
  }
}

function gatheredIn(database: Database.Database) {
  let waiting: (() => () => void)[] = [];
  const commit = database.transaction((works: typeof waiting) => works.map((work) => work()));
  const commitWaiting = () => {
    const works = waiting;
    waiting = [];
    for (const resolve of commit(works)) resolve();
  };
  return <Result>(work: () => Result): Promise<Result> =>
    new Promise((resolve) => {
      if (waiting.length === 0) setImmediate(() => setImmediate(commitWaiting));
      waiting.push(() => {
        const result = work();
        return () => resolve(result);
      });
    });
}

function oneTimeCodes(secret: string): () => string {
  let made = { step: -1, code: "" };
  return () => {
    const step = Math.floor(Date.now() / CODE_MS);
    if (made.step !== step) made = { step, code: generateSync({ secret }) };
    return made.code;
  };
}

function fieldsOf({ id, fields }: Due, { custodyAccount: accountId, username = "treasury-bot" }: Client) {
  const { reference, amount, destination }: Payment = JSON.parse(fields);
  return {
    username,
    accountId,
    reference,
    callbackUrl: `https://pay.example.com/hook/${id}`,
    requestedAmount: { currency: "BTC", amount: Decimal.of(amount) },
    destinationAddress: destination,
  };
}
