/** Any table of legal instructions, written as CSV or XLSX in any supported dialect, is read back equal. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type InitiationPolicy, initiate } from "../../src/files/reading/index.ts";
import { canonicalFields, type InstructionFields } from "../../src/model/index.ts";
import { runsOf } from "../slice.ts";
import { csvDialects, csvFile } from "./csv-dialects.ts";
import { instructions, POLICY } from "./legal-instructions.ts";
import { payoutSheet, wordings } from "./payout-sheet.ts";
import { read } from "./reading.ts";
import { xlsxDialects, xlsxFile } from "./xlsx-dialects.ts";

test("any table of legal instructions is read back equal from CSV of any dialect", async () => {
  await fc.assert(
    fc.asyncProperty(instructions(), wordings, csvDialects, async (wanted, wording, dialect) => {
      const bytes = csvFile(payoutSheet(wanted, wording), dialect);
      await expectReadBack(bytes, wanted, { numberFormat: dialect.numberFormat });
    }),
    runsOf(25, 100),
  );
});

test("any table of legal instructions is read back equal from XLSX of any dialect", async () => {
  await fc.assert(
    fc.asyncProperty(instructions(), wordings, xlsxDialects, async (wanted, wording, dialect) => {
      await expectReadBack(xlsxFile(payoutSheet(wanted, wording), dialect), wanted, {});
    }),
    runsOf(25, 100),
  );
});

async function expectReadBack(
  bytes: Buffer,
  wanted: readonly InstructionFields[],
  policy: Partial<InitiationPolicy>,
): Promise<void> {
  const { grid } = await read(bytes);
  const { problems, rows } = await initiate(grid, { ...POLICY, ...policy });
  expect(problems).toEqual([]);
  expect(rows.flatMap(({ draft }) => draft?.fields ?? []).map(canonicalFields)).toEqual(
    wanted.map(canonicalFields),
  );
}
