/** The meaning of a fault's code, for a person who has only the code: no configuration, database or case. */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type CatalogueCode, catalogue, explainedFault } from "../../src/faults/index.ts";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { emptyFolder } from "./program.ts";

const CODES = Object.keys(catalogue) as CatalogueCode[];

describe("explain CODE", () => {
  test("says what it means, what to do and what happens next, in an empty folder, and makes nothing there", async () => {
    const folder = await emptyFolder();
    const { exitCode, stdout, stderr } = await paydropInTurn(folder, ["explain", "PAYOUT_IN_DOUBT"]);
    expect([exitCode, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^PAYOUT_IN_DOUBT\n {2}it is not known whether/);
    expect(stdout).toContain("fix: Do not pay it in another way.");
    expect(stdout).toContain("then: it waits until a person with the right role decides");
    expect(stdout).toContain("exit code 4");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is the same for machines", async () => {
    const { stdout } = await paydropInTurn(await emptyFolder(), ["--json", "explain", "LANE_TAKEN"]);
    expect(JSON.parse(stdout)).toMatchObject({ code: "LANE_TAKEN", next: "will-retry" });
  });

  test.each(CODES)("has words of its own for %s", (code) => {
    const { means = "", fix = "", afterwards = "" } = explainedFault(code) ?? {};
    for (const text of [means, fix, afterwards]) {
      const own = text.replaceAll(/<\w+>/g, "").match(/[A-Za-z]{2,}/g) ?? [];
      expect([text, own.length]).toEqual([text, Math.max(2, own.length)]);
    }
  });

  test("names the codes that a misspelt one may be", async () => {
    const { exitCode, stderr } = await paydropInTurn(await emptyFolder(), ["explain", "PAYOUT_DOUBT"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("NAME_UNKNOWN");
    expect(stderr).toContain("PAYOUT_IN_DOUBT");
  });
});
