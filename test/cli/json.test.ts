import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { paydrop, SANDBOX_SECRETS, workFolder } from "./program.ts";

/** Nothing answers at this address: the local discard port. */
const NOBODY = { ...SANDBOX_SECRETS, PAYDROP_SERVICE_BASE_URL: "http://127.0.0.1:9" };

describe("--json prints exactly one document on stdout, and nothing on stderr", () => {
  const commands: [command: string, exitCode: number][] = [
    ["validate payouts.xlsx", 0],
    ["submit payouts.csv --by alice", 4],
    ["status", 0],
    ["jobs", 0],
    ["status PAY-1", 2],
    ["balances", 5],
    ["pay", 0],
    ["track", 0],
    ["reconcile", 5],
    ["ledger export", 0],
    ["ledger report trial-balance", 0],
    ["ledger report tie-out", 2],
    ["ledger report journal --from 2026-12-01 --to 2026-11-01", 2],
    ["ledger periods", 0],
    ["ledger close 2020-01", 4],
    ["ledger", 2],
    ["nonsense", 2],
  ];
  test.concurrent.each(commands)("%s", async (command, exitCode) => {
    const folder = await workFolder();
    const ended = await paydropInTurn(folder, [...command.split(" "), "--json"], NOBODY);
    expect(ended.exitCode).toBe(exitCode);
    const document: unknown = JSON.parse(ended.stdout);
    // Always an object, so that a script can look for `problems` after every command.
    expect(Object.prototype.toString.call(document)).toBe("[object Object]");
    const isFailure = exitCode === 2 || exitCode === 5;
    if (isFailure)
      expect(document).toEqual({
        problems: [
          expect.objectContaining({
            code: expect.stringMatching(/^[A-Z_]+$/),
            message: expect.any(String),
            fix: expect.any(String),
            next: expect.any(String),
          }),
        ],
      });
    // A command without its second word still prints help for people.
    if (command !== "ledger") expect(ended.stderr).toBe("");
  });
});

describe("validate", () => {
  test("--rows --json has the documented shape", async () => {
    const folder = await workFolder();
    const { stdout } = await paydropInTurn(folder, ["validate", "payouts.csv", "--rows", "--json"]);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      file: "payouts.csv",
      format: "csv",
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      verdict: "accepted",
      rowsRead: 40,
      rowsAccepted: 40,
      rowsRejected: 0,
      controlTotals: [{ currency: "BTC", count: 40, amount: "1.81168548" }],
      problems: [],
      warnings: [{ row: 33, column: "generalLedgerName", code: "LEDGER_FIELDS_UNMAPPED" }],
    });
    expect(document.instructions).toHaveLength(40);
    expect(document.instructions[3]).toMatchObject({
      row: 4,
      reference: "PAY-2026-0004",
      currency: "BTC",
      amount: "0.00000546",
      destinationAddress: "bc1qjkevdyze3k79wz0yzkegnhngvwa6zva9jgdkddrvyfwzcdhufqusy98z8e",
    });
  });

  test("every planted mistake of the broken sample has its line, column, code and fix", async () => {
    const folder = await workFolder();
    const { stdout, exitCode } = await paydropInTurn(folder, ["validate", "broken.csv", "--json"]);
    expect(exitCode).toBe(3);
    const { problems, rowsRead, rowsAccepted, rowsRejected, verdict } = JSON.parse(stdout);
    expect({ verdict, rowsRead, rowsAccepted, rowsRejected }).toEqual({
      verdict: "rejected",
      rowsRead: 41,
      rowsAccepted: 4,
      rowsRejected: 37,
    });
    const lines = (await readFile(join(folder, "broken.csv"), "utf8")).trimEnd().split("\n");
    const planted = lines.flatMap((text, index) => {
      const mistake = /^BROKEN-([A-Z -]+)/.exec(text)?.[1] ?? "GOOD";
      // Of two rows with one reference, the second is the repetition.
      const isFirst = !lines.slice(0, index).some((line) => line.startsWith(`BROKEN-${mistake},`));
      const isGood = mistake === "GOOD" || (mistake === "REFERENCE-REPEATED" && isFirst);
      const code = mistake.replace(/[- ]+$/, "").replaceAll("-", "_");
      return isGood ? [] : [{ line: index + 1, code }];
    });
    expect(planted).toHaveLength(37);
    expect(problems).toMatchObject(
      planted.map((place) => ({
        ...place,
        ...(place.code === "CSV_MALFORMED" ? {} : { column: expect.any(String) }),
        message: expect.any(String),
        fix: expect.stringMatching(/\S/),
      })),
    );
  });
});

describe("what a person may switch off", () => {
  test("--quiet leaves the answer, --no-color and a pipe leave no escapes", async () => {
    const folder = await workFolder();
    const loud = await paydropInTurn(folder, ["submit", "payouts.csv", "--by", "alice"]);
    expect(loud.stdout).toContain("next: another person runs");
    const quiet = await paydropInTurn(folder, [
      "--quiet",
      "--no-color",
      "submit",
      "payouts.xlsx",
      "--by",
      "alice",
    ]);
    expect(quiet.stdout).toContain("payouts.xlsx (xlsx, Excel workbook): accepted");
    expect(quiet.stdout).not.toContain("next:");
    for (const { stdout, stderr } of [loud, quiet]) expect(stdout + stderr).not.toContain("\u001b");
  });

  test.each([[["--help"]], [["pay", "--help"]], [["help", "validate"]]])(
    "%j explains itself and ends with 0, without a configuration",
    async (args) => {
      const { exitCode, stdout, stderr } = await paydrop(import.meta.dirname, args);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout).toMatch(/^Usage: paydrop /);
    },
  );
});
