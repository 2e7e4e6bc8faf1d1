/** The sample files, through the real reader. */
import { describe, expect, test } from "vitest";
import { type InitiationPolicy, payoutTableSigns } from "../../src/initiation/index.ts";
import { DEFAULT_FILE_LIMITS, openTable } from "../../src/intake/index.ts";
import { rowsOf } from "../rows-of.ts";
import { initiate } from "./initiated.ts";
import { policyWith, SAVINGS } from "./payout-table.ts";

function check(name: string, policy: Partial<InitiationPolicy> = {}) {
  const layout = { isHeader: payoutTableSigns({}).isHeader, limits: DEFAULT_FILE_LIMITS };
  return openTable(`samples/${name}`, layout).then((table) => initiate(table, policyWith(policy)));
}

describe("samples/payouts.csv", () => {
  test("is accepted whole, without a warning", async () => {
    const result = await check("payouts.csv");
    expect(result.problems).toEqual([]);
    expect(result.warnings).toEqual([]);
    expect(result).toMatchObject({ verdict: "accepted", rowsRead: 40, rowsAccepted: 40, unknownColumns: [] });
    expect(result.controlTotals.map(({ amount }) => amount.toString())).toEqual(["1.81168548"]);
  });

  test("shows everything that a payout can say", async () => {
    const { drafts } = await check("payouts.csv");
    const fields = drafts.map((draft) => draft.fields);
    const starts = new Set(
      fields.map(({ destinationAddress }) => destinationAddress?.replace(/^(bc1q|1|3).*/, "$1")),
    );
    expect(starts).toEqual(new Set(["bc1q", "1", "3", undefined]));
    expect(new Set(fields.map(({ feePolicy }) => feePolicy))).toEqual(
      new Set(["SLOW", "NORMAL", "FAST", "CUSTOM", undefined]),
    );
    expect(fields.some(({ destinationAccountId }) => destinationAccountId === SAVINGS)).toBe(true);
    expect(fields.some(({ subtractFee }) => subtractFee === true)).toBe(true);
    expect(fields.some(({ customerId }) => customerId?.includes("\n"))).toBe(true);
    expect(fields.filter(({ generalLedgerName }) => generalLedgerName === "misc")).toHaveLength(1);
    expect(fields.some((each) => each.generalLedgerProject !== undefined)).toBe(true);
    expect(fields.some((each) => each.generalLedgerDistribution !== undefined)).toBe(true);
  });
});

describe("samples/payouts.xlsx", () => {
  test("is accepted with its text, number and formula cells, dates and the sender's own columns", async () => {
    const result = await check("payouts.xlsx");
    expect(result.problems).toEqual([]);
    expect(result).toMatchObject({ verdict: "accepted", rowsRead: 20, rowsAccepted: 20 });
    expect(result.unknownColumns).toEqual(["Invoice date", "Cost approver"]);
    expect(result.drafts.filter(({ fields }) => fields.payOn === "2099-12-31")).toHaveLength(2);
    expect(result.warnings.map(({ code }) => code).toSorted()).toEqual([
      "FORMULA_RESULT_USED",
      "PAY_ON_PAST",
    ]);
    const amounts = result.drafts.map(({ fields }) => fields.amount.value.toString());
    expect(amounts.slice(0, 4)).toEqual(["0.001", "0.002", "0.003", "0.004"]);
    expect(amounts[13]).toBe("0.026");
  });
});

describe("samples/broken.csv", () => {
  /** A row's reference is the code of its mistake, sometimes with a suffix. */
  const codeOf = (reference: string) =>
    reference
      .replace(/^BROKEN[- ]/, "")
      .replace("-LOOK-ALIKE", "")
      .replace(/[- ]/g, "_");

  test("is told every planted mistake with its line, column, code and fix, and nothing about the good rows", async () => {
    const table = await openTable("samples/broken.csv", {
      isHeader: payoutTableSigns({}).isHeader,
      limits: DEFAULT_FILE_LIMITS,
    });
    const expected: string[] = [];
    const seen = new Set<string>();
    for (const { line, cells } of await rowsOf(table)) {
      const reference = cells[0]?.text ?? "";
      const isFirstOfPair = codeOf(reference) === "REFERENCE_REPEATED" && !seen.has(reference);
      if (reference.startsWith("BROKEN") && !isFirstOfPair) expected.push(`${line} ${codeOf(reference)}`);
      seen.add(reference);
    }
    const result = await check("broken.csv");
    expect(result.problems.map(({ line, code }) => `${line} ${code}`)).toEqual(expected);
    expect(expected.length).toBeGreaterThanOrEqual(35);
    for (const { row, column, fix, message, code } of result.problems) {
      expect(row).toBeGreaterThan(0);
      expect(message + fix).not.toMatch(/\{\w+\}/);
      expect(code === "CSV_MALFORMED" || table.header.includes(column ?? "")).toBe(true);
    }
    expect(result).toMatchObject({ verdict: "rejected", drafts: [], rowsAccepted: 4 });
  });
});
