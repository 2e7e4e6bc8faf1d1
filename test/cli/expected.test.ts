/** `paydrop deposits expect` and what belongs to it, as a person at a terminal sees them. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { csv, row } from "../expected/place.ts";
import { openSite, TREASURY } from "../site/service.ts";
import { paydropInTurn } from "./paydrop-in-turn.ts";

test("a file is taken in, what is due is listed with sums, and a receipt is matched and taken back", async () => {
  const site = await openSite();
  const { folder, sandbox, environment } = site;
  await site.workplace.close();
  const run = (...args: string[]) => paydropInTurn(folder, args, environment);
  writeFileSync(join(folder, "bad.csv"), csv(row("INV-1", "Ada", "half")));
  const bad = await run("deposits", "expect", "bad.csv", "--by", "ann");
  expect(bad).toMatchObject({ exitCode: 3 });
  expect(bad.stdout + bad.stderr).toContain('the amount "half"');

  const create = "INV-3,Cleo,treasury-btc,0.1,BTC,2099-01-01,,yes";
  writeFileSync(
    join(folder, "good.csv"),
    csv(row("INV-1", "Ada", "0.5", "2026-01-15"), row("INV-2", "Bert", "0.25", "2099-01-01"), create),
  );
  const taken = await run("deposits", "expect", "good.csv", "--by", "ann");
  expect(taken).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("3 receipts are expected") });
  expect(await run("deposits", "expect", "--by", "ann")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("1 deposit made"),
  });

  const depositId = "0d5d6e8a-0000-4000-8000-0000000000c1";
  sandbox.operator.openDeposit({
    depositId,
    accountId: TREASURY,
    reference: "elsewhere",
    callbackUrl: "https://elsewhere.example/hook",
    listsOriginal: false,
    parts: [{ amount: "0.25", afterMs: 0, confirmAfterMs: 1, confirmations: 6 }],
  });
  sandbox.operator.passTime(60_000);
  await run("reconcile");
  const listed = await run("deposits", "expected");
  expect(listed.exitCode).toBe(4);
  for (const words of [
    /INV-1 +Ada +0\.5 +BTC +2026-01-15 +overdue/,
    /Ada +1 +0\.5/,
    /may be INV-2: amount exact/,
  ])
    expect(listed.stdout).toMatch(words);
  const asData = await run("--json", "deposits", "expected", "--customer", "Bert");
  expect(JSON.parse(asData.stdout)).toMatchObject({
    expected: [{ reference: "INV-2", state: "due", amount: { currency: "BTC" } }],
    open: [{ depositId, candidates: [{ references: ["INV-2"] }] }],
  });

  const matched = await run("deposits", "match", depositId, "INV-2", "--by", "carla");
  expect(matched).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("matched to INV-2 (amount exact"),
  });
  const story = await run("explain", "INV-2");
  expect(story.stdout).toMatch(/expectation INV-2[\s\S]*received[\s\S]*matched by a person/);
  const back = await run("deposits", "unmatch", depositId, "--reason", "it was another's", "--by", "carla");
  expect(back).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("taken back from INV-2") });
  const short = await run("deposits", "settle", "INV-1", "--reason", "agreed", "--by", "carla");
  expect(short).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("withdraw it instead") });
  const withdrawn = await run("deposits", "withdraw", "INV-1", "--reason", "cancelled", "--by", "carla");
  expect(withdrawn).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("is expected no more") });
  const kept = await run("deposits", "withdraw", "INV-3", "--reason", "cancelled", "--by", "carla");
  expect(kept).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("EXPECTED_VOID_NOT_ALLOWED") });
});
