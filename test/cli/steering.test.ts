/** Texts from the service or a person cannot steer a terminal, forge a line, or forge a script's input. */
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { Output } from "../../src/cli/output.ts";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { workFolder } from "./program.ts";

/** A control of C1 that begins a colour, marks of direction, separators of lines, DEL. */
const HOSTILE = "a\u009b8m\u0085b\u202e\u2066\u061c\u200ec\u2028\u2029\u007f";
const PAYOUT = "01a2004c-de6b-7555-850c-1753d24b0e45";
const RAW = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;

test("a state with a line feed forges no line of the story of a payment", async () => {
  const folder = await workFolder();
  await paydropInTurn(folder, ["submit", "payouts.csv", "--by", "ann"]);
  const database = new Database(join(folder, "paydrop.sqlite"));
  const state = `CREATED\nbooked as E-000001${HOSTILE}`;
  const requestedAmount = { currency: "BTC", amount: 0.1 };
  const raw = JSON.stringify({ payoutId: PAYOUT, accountId: PAYOUT, requestedAmount, payoutState: state });
  database.prepare("update instruction set payout_id = ? where reference = 'PAY-2026-0001'").run(PAYOUT);
  database
    .prepare(`insert into observed (kind, id, state, raw, first_seen_at, state_seen_at, last_seen_at)
      values ('payout', ?, ?, ?, '', '', '')`)
    .run(PAYOUT, state, raw);
  database.close();
  const { stdout } = await paydropInTurn(folder, ["explain", "PAY-2026-0001"]);
  expect(stdout).toContain(
    String.raw`payout ${PAYOUT} CREATED\u000abooked as E-000001a\u009b8m\u0085b\u202e`,
  );
  expect(stdout).not.toMatch(/^booked as/m);
  expect(stdout).not.toMatch(RAW);
});

test("a problem under --json is escaped as JSON escapes it, so that a script reads what was meant", async () => {
  const folder = await workFolder();
  const { stdout } = await paydropInTurn(folder, ["--json", `no${HOSTILE}`]);
  expect(stdout).not.toMatch(RAW);
  expect(JSON.parse(stdout).problems[0].message).toContain(HOSTILE);
});

test("a colour that a value brings is shown as what it is, beside our own", () => {
  let printed = "";
  const write = process.stdout.write;
  process.stdout.write = (text) => {
    printed += text;
    return true;
  };
  try {
    const output = new Output({ json: false, quiet: false, color: true });
    const value = { state: "\u001b[8mhidden" };
    output.answer(value, ({ state }, colors) => `${colors.bold("state")} ${state}`);
  } finally {
    process.stdout.write = write;
  }
  expect(printed).toBe("\u001b[1mstate\u001b[22m \\u001b[8mhidden\n");
});
