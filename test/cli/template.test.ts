/** `paydrop template` at the command line: with a configuration, without one, and never over a file. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { emptyFolder, workFolder } from "./program.ts";

test("says what each column holds, and writes nothing but the template", async () => {
  const [withOne, without] = await Promise.all([workFolder(), emptyFolder()]);
  const before = readdirSync(withOne);
  const [knowing, bare] = await Promise.all([
    paydropInTurn(withOne, ["template", "new.xlsx"]),
    paydropInTurn(without, ["template", "new.csv"]),
  ]);
  expect([knowing.exitCode, bare.exitCode, knowing.stderr, bare.stderr]).toEqual([0, 0, "", ""]);
  expect(knowing.stdout).toContain(
    "generalLedgerName: What it is booked to; a name of the chart of accounts. Known: Con",
  );
  expect(knowing.stdout).toContain("Known: treasury-btc, savings-btc");
  expect(bare.stdout).toContain("without paydrop.yaml it offers neither custody accounts nor ledger fields");
  expect(readdirSync(withOne).sort()).toEqual([...before, "new.xlsx"].sort());
  expect(readdirSync(without)).toEqual(["new.csv"]);
});

test("ends with 2 for a file that is there, another format, and a named configuration that is not there", async () => {
  const folder = await workFolder();
  const before = readFileSync(join(folder, "payouts.csv"));
  const ended = await Promise.all([
    paydropInTurn(folder, ["template", "payouts.csv"]),
    paydropInTurn(folder, ["template", "new.ods"]),
    paydropInTurn(folder, ["--config", "no.yaml", "template", "new.csv"]),
  ]);
  expect(ended.map(({ exitCode, stderr }) => [exitCode, stderr.split(/[ \n]/, 1)[0]])).toEqual([
    [2, "OUTPUT_EXISTS"],
    [2, "USAGE"],
    [2, "CONFIG_NOT_FOUND"],
  ]);
  expect(readFileSync(join(folder, "payouts.csv")).equals(before)).toBe(true);
});
