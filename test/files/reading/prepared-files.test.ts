/**
 * Files as their senders have them, through the reader of files: some must be taken at once, others never. They are
 * those that their scripts and manifests describe.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Fault, isProblem, type Problem } from "../../../src/faults/index.ts";
import { chooseSheet, countKnownNames, initiate } from "../../../src/files/reading/index.ts";
import { Decimal } from "../../../src/money/index.ts";
import { DEFAULT_FILE_LIMITS, openSentFile } from "../../../src/readers/index.ts";
import { sliceOf } from "../../slice.ts";
import { addressOf } from "../bitcoin-addresses.ts";
import { HEADINGS } from "../headings/headings.ts";
import { csvOf, meantBy } from "../headings/rows.ts";
import { HONEST_FOLDER, honestFiles } from "../honest/manifest.ts";
import { MISTAKES, withOneMistake } from "../honest/one-mistake.ts";
import { WRONG_PAYMENTS } from "../wrong-payments/cases.ts";
import { policyWith } from "./grids.ts";

const WRONG_FOLDER = join(import.meta.dirname, "../wrong-payments/files");
const folder = mkdtempSync(join(tmpdir(), "paydrop-prepared-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function readPath(path: string) {
  try {
    const limits = DEFAULT_FILE_LIMITS;
    const sent = await openSentFile(path, { limits, knownNames: (cells) => countKnownNames(cells, {}) });
    const chosen = chooseSheet(sent.sheets, { columns: {} });
    if (isProblem(chosen)) return refused(chosen);
    const grid = await sent.readSheet(chosen.sheet);
    await sent.close();
    const otherSheets = chosen.otherSheets;
    const result = await initiate(
      grid,
      policyWith({ otherSheets, ownDestinations: new Set([addressOf(99)]) }),
    );
    const rows = result.verdict === "accepted" ? result.rows : [];
    const drafts = rows.flatMap(({ draft }) => draft?.fields ?? []);
    const questions = (result.reading?.questions ?? []).map(({ text }) => text);
    const paid = drafts.map(({ reference, amount, destinationAddress = "" }) =>
      paymentText(reference, amount.value, destinationAddress),
    );
    return { problems: result.problems, questions, drafts, paid };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return refused(error.problem);
  }
}

function refused(what: Problem) {
  return { problems: [what], questions: [], drafts: [], paid: [] };
}

function paymentText(reference: string, amount: Decimal, destination: string): string {
  return `${reference} ${amount.normalized()} ${destination}`;
}

/** The first problems, for the message of a failed test. */
function textOf(problems: readonly Problem[]): string {
  return problems
    .slice(0, 3)
    .map(({ line, code, message }) => `${line} ${code} ${message}`)
    .join("; ");
}

function pathOf(name: string, bytes: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

test("at least 55 of 60 heading rows in eight languages are understood, by name or content", async () => {
  const missed: string[] = [];
  for (const [number, row] of HEADINGS.entries()) {
    const { paid } = await readPath(pathOf(`${number}.csv`, csvOf(row, number)));
    const meant = meantBy(row, number).map(({ reference, amount, destination }) =>
      paymentText(reference, Decimal.of(amount), destination),
    );
    if (paid.join() !== meant.join()) missed.push(row.columns.map(([heading]) => heading).join(" | "));
  }
  expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(5);
});

describe("honest files", () => {
  test("at least 27 of 30 are taken without configuration, as they are meant", async () => {
    const missed: string[] = [];
    for (const { file, payments } of honestFiles()) {
      const { paid, problems } = await readPath(join(HONEST_FOLDER, file));
      const meant = payments.map(([, reference, destination, amount]) =>
        paymentText(reference, Decimal.of(amount), destination),
      );
      if (paid.join() !== meant.join()) missed.push(`${file}: ${textOf(problems)}`);
    }
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(3);
  });

  test.each(MISTAKES)(
    "with one mistake, a %s, are answered with that cell and nothing else",
    async (mistake) => {
      const others: string[] = [];
      for (const file of sliceOf(honestFiles(), 5)) {
        const { bytes, line } = await withOneMistake(file, mistake);
        const { problems } = await readPath(pathOf(file.file, bytes));
        if (problems.length !== 1 || problems[0]?.line !== line)
          others.push(`${file.file}, line ${line}: ${textOf(problems)}`);
      }
      expect(others).toEqual([]);
    },
  );
});

test.each(sliceOf(WRONG_PAYMENTS, 2).map((wrong) => [wrong.file, wrong] as const))(
  "%s is not paid as it stands",
  async (file, { never, must }) => {
    const { drafts, questions, problems } = await readPath(join(WRONG_FOLDER, file));
    const wouldPay = drafts.filter(({ reference, amount }) =>
      never.some(([name, value]) => name === reference && amount.value.equals(Decimal.of(value))),
    );
    const isAsked = questions.length > 0;
    // A preview shows the payee beside its payment.
    const isShown =
      must.includes("shown") && wouldPay.every(({ customerId = "" }) => /hold/.test(customerId));
    expect(
      wouldPay.length === 0 || isAsked || isShown,
      `${must.join()}: ${problems.map(({ code }) => code).join()} ${questions.join("; ")}`,
    ).toBe(true);
  },
);

test("sixty heading rows in eight languages, twenty with names that no table has, each over five payments", () => {
  expect(HEADINGS).toHaveLength(60);
  expect(new Set(HEADINGS.map(({ language }) => language)).size).toBe(8);
  expect(HEADINGS.filter(({ isOdd }) => isOdd)).toHaveLength(20);
  const files = HEADINGS.map(csvOf);
  expect(new Set(files).size).toBe(60);
  for (const payment of HEADINGS.flatMap(meantBy))
    expect(payment).toEqual({
      reference: expect.stringMatching(/^INV-/),
      destination: expect.stringMatching(/^(bc1|1|3)/),
      amount: expect.stringMatching(/^0\.\d{5}$/),
    });
});

test("thirty honest files, at least twenty-seven of them without a question", () => {
  const files = honestFiles();
  expect(files.map(({ file }) => file).toSorted()).toEqual(readdirSync(HONEST_FOLDER).toSorted());
  expect(files).toHaveLength(30);
  expect(files.filter(({ question }) => question === undefined).length).toBeGreaterThanOrEqual(27);
  for (const { file, payments } of files) {
    expect(payments.length, file).toBeGreaterThanOrEqual(20);
    expect(new Set(payments.map(([, reference]) => reference)).size, file).toBe(payments.length);
  }
});

test("each file that would pay the wrong thing is what its case makes", () => {
  expect(readdirSync(WRONG_FOLDER).toSorted()).toEqual(WRONG_PAYMENTS.map(({ file }) => file).toSorted());
  for (const { file, bytes } of WRONG_PAYMENTS)
    expect(readFileSync(join(WRONG_FOLDER, file)).equals(Buffer.from(bytes())), file).toBe(true);
});
