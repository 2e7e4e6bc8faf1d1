/**
 * The yardstick of `bench:execution`: a minimal program that is durable. Each payout has an intent on the disk before it
 * leaves and an outcome after, a hash in an audit record, a signature and exact JSON; nothing is checked or looked up.
 */
import { createHmac, hash, randomUUID } from "node:crypto";
import Database from "better-sqlite3";
import { generateSync } from "otplib";
import { Pool } from "undici";
import { Decimal } from "../src/index.ts";
import { parseJson, writeJson } from "../src/wire/index.ts";

export interface Client {
  readonly key: string;
  readonly secret: string;
  readonly otpSecret: string;
  readonly custodyAccount: string;
  readonly concurrency: number;
}

export interface Payment {
  readonly id: number;
  readonly reference: string;
  readonly amount: string;
  readonly destination: string;
}

const CREATE = "/payouts/v2/create";
const CODE_MS = 30_000;
/** Payments read at a time. */
const WINDOW = 100;

const LAYOUT = `
  create table payment (id integer primary key, reference text not null unique, amount text not null,
    destination text not null, standing text not null, payout_id text unique) strict;
  create index payment_by_standing on payment (standing, id);
  create table intent (id integer primary key, payment_id integer not null, nonce text not null, body_hash text not null,
    intended_at text not null, outcome text, ended_at text, payout_id text) strict;
  create table audit (seq integer primary key, at text not null, action text not null, subject text not null,
    detail text not null, hash text not null) strict;
`;

/** Makes the database at `path`, with payments that wait. */
export function writePayments(path: string, payments: Iterable<Payment>): void {
  const database = new Database(path);
  database.pragma("journal_mode = WAL");
  database.exec(LAYOUT);
  const insert = database.prepare("insert into payment values (?, ?, ?, ?, 'approved', null)");
  database.transaction(() => {
    for (const { id, reference, amount, destination } of payments)
      insert.run(id, reference, amount, destination);
  })();
  database.close();
}

/** Returns a function that sends the next payments of the database at `path`, at most so many. */
export function minimalSender(path: string, address: string, client: Client) {
  const database = new Database(path);
  database.pragma("synchronous = FULL");
  const { due, intend, end, write } = recordIn(database);
  const pool = new Pool(address, { connections: client.concurrency, pipelining: 1, allowH2: false });
  const codeNow = oneTimeCodes(client.otpSecret);
  let nonce = 0n;

  /** `ended` resolves when the outcome is on the disk, for which the next payment does not wait. */
  const post = async (payment: Payment) => {
    nonce += 1n;
    const fields = fieldsOf(payment, client.custodyAccount);
    const [bodyHash, own, at] = [hash("sha256", writeJson(fields)), nonce, new Date().toISOString()];
    const intent = await write(() => intend(payment.id, own.toString(), bodyHash, at));
    const body = writeJson({ ...fields, nonce: own, otpCode: codeNow() });
    const signature = createHmac("sha256", client.secret).update(`POST\n${CREATE}\n${body}`).digest("hex");
    const headers = {
      key: client.key,
      signature,
      "content-type": "application/json",
      accept: "application/json",
    };
    const answer = await pool.request({ method: "POST", path: CREATE, headers, body });
    const { payoutId } = parseJson(await answer.body.text()) as { readonly payoutId?: unknown };
    if (answer.statusCode !== 202 || typeof payoutId !== "string")
      throw new Error(`answered ${answer.statusCode}`);
    return { ended: write(() => end(intent, payment, payoutId, new Date().toISOString())) };
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

/** The statements, and `write`, which commits together what is handed over in one turn of the event loop. */
function recordIn(database: Database.Database) {
  const listDue = database.prepare<[number, number], Payment>(
    "select id, reference, amount, destination from payment where standing = 'approved' and id > ? order by id limit ?",
  );
  const insertIntent = database.prepare(
    "insert into intent (payment_id, nonce, body_hash, intended_at) values (?, ?, ?, ?)",
  );
  const begin = database.prepare(
    "update payment set standing = 'sending' where id = ? and standing = 'approved'",
  );
  const endIntent = database.prepare(
    "update intent set outcome = 'accepted', ended_at = ?, payout_id = ? where id = ? and outcome is null",
  );
  const accept = database.prepare(
    "update payment set standing = 'accepted', payout_id = ? where id = ? and standing = 'sending'",
  );
  const insertAudit = database.prepare("insert into audit values (?, ?, 'payout accepted', ?, ?, ?)");
  let [seq, before] = [0, ""];
  return { due, intend, end, write: gatheredIn(database) };

  function* due(count: number): Generator<Payment> {
    let [after, left] = [-1, count];
    while (left > 0) {
      const window = listDue.all(after, Math.min(WINDOW, left));
      if (window.length === 0) return;
      after = window.at(-1)?.id ?? after;
      left -= window.length;
      yield* window;
    }
  }

  function intend(payment: number, nonce: string, bodyHash: string, at: string): number | bigint {
    if (begin.run(payment).changes !== 1) throw new Error(`payment ${payment} is not due`);
    return insertIntent.run(payment, nonce, bodyHash, at).lastInsertRowid;
  }

  function end(intent: number | bigint, { id, reference }: Payment, payoutId: string, at: string): void {
    const changes = endIntent.run(at, payoutId, intent).changes + accept.run(payoutId, id).changes;
    if (changes !== 2) throw new Error(`payment ${id} is not being sent`);
    const detail = JSON.stringify({ payoutId });
    seq += 1;
    before = hash("sha256", JSON.stringify([before, seq, at, "payout accepted", reference, detail]));
    insertAudit.run(seq, at, reference, detail, before);
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

function fieldsOf({ reference, amount, destination }: Payment, accountId: string) {
  return {
    username: "treasury-bot",
    accountId,
    reference,
    callbackUrl: `https://pay.example.com/hook/${randomUUID()}`,
    requestedAmount: { currency: "BTC", amount: Decimal.of(amount) },
    destinationAddress: destination,
  };
}
