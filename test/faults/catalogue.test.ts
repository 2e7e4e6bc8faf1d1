import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exitCodeFor } from "../../src/cli/exit-code.ts";
import { type CatalogueEntry, catalogue, fault, invariant, problem } from "../../src/faults/index.ts";

const entries = Object.entries(catalogue);

const SOURCE = join(import.meta.dirname, "../../src");

/** All source text but the catalogue's. */
const sourceText = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !path.endsWith("-faults.ts"))
  .map((path) => readFileSync(join(SOURCE, path), "utf8"))
  .join("\n");

const faultFiles = readdirSync(join(SOURCE, "faults"))
  .filter((name) => name.endsWith("-faults.ts"))
  .map((name) => readFileSync(join(SOURCE, "faults", name), "utf8"));

describe("every entry of the catalogue", () => {
  test.each(entries)("%s says in a sentence what a person does", (code, { message, fix, next }) => {
    expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/);
    expect(message).toMatch(/^(?:[a-z0-9`{'"]|CSV|OTP)/);
    expect(message).not.toMatch(/[.!]$/);
    expect(fix).toMatch(/^(?:[A-Z`].*[.?]|\{how\})$/s);
    expect([1, 2, 3, 4, 5]).toContain(exitCodeFor(next));
  });

  const reasoned = entries.flatMap(([code, { message, reasons }]: [string, CatalogueEntry]) =>
    reasons === undefined ? [] : [{ code, message, reasons }],
  );

  test.each(reasoned)("$code words each of its reasons, which somebody gives", ({ message, reasons }) => {
    expect(message).toContain("{reason}");
    for (const [why, words] of Object.entries(reasons)) {
      expect(words).not.toMatch(/[.!]$|^[A-Z]/);
      expect(sourceText).toContain(`"${why}"`);
    }
  });

  test("a reason's words and its evidence become one sentence", () => {
    const { message } = problem("FILE_NAME_UNUSABLE", { reason: "long", bytes: 300, bytesMax: 200 });
    expect(message).toMatch(/its name has 300 bytes, and at most 200 leave room/);
  });

  test("is used: a fault that nobody raises explains nothing", () => {
    const unused = entries.map(([code]) => code).filter((code) => !sourceText.includes(`"${code}"`));
    expect(unused).toEqual([]);
  });

  test("has its placeholders in one literal: of a text put together their names have no type", () => {
    const joined = faultFiles.flatMap((text) => text.match(/(?:"[^"\n]*"\s*\+\s*)+"[^"\n]*"/g) ?? []);
    expect(joined.length).toBeGreaterThan(0);
    expect(joined.filter((text) => /\{\w+\}/.test(text))).toEqual([]);
  });

  test("no two say the same", () => {
    const messages = entries.map(([, { message, fix }]) => `${message} ${fix}`);
    expect(new Set(messages).size).toBe(messages.length);
  });
});

test.each(["PAYOUT_REFUSED", "REFUSED_IN_A_ROW", "FIRST_CREATION_REFUSED"] as const)(
  "%s tells how a payment that was refused without its own fault goes out after all",
  (code) => expect(catalogue[code].fix).toContain("`paydrop reopen REFERENCE --reason WHY`"),
);

describe("a problem", () => {
  test("has its placeholders filled, also one that is named twice", () => {
    expect(problem("APPROVAL_NOT_OPEN", { batch: "B-000007", standing: "paid" }, { file: "a.csv" })).toEqual({
      code: "APPROVAL_NOT_OPEN",
      message: "batch B-000007 is paid and cannot be approved",
      fix: "`paydrop status B-000007` shows where its payments stand.",
      next: "needs-person",
      file: "a.csv",
    });
  });

  test("does not read its parameters as templates", () => {
    const { message } = problem("FILE_NOT_FOUND", { path: "{fix} $& {path}" });
    expect(message).toBe("there is no file {fix} $& {path}");
  });

  test("thrown, keeps its cause for a debugger and says its code", () => {
    const cause = new Error("ENOENT");
    const thrown = fault("FILE_NOT_FOUND", { path: "a.csv" }, {}, { cause });
    expect(thrown.message).toBe("FILE_NOT_FOUND: there is no file a.csv");
    expect(thrown.cause).toBe(cause);
  });

  test("a broken inner rule stops the run", () => {
    expect(() => invariant(false, "sums tie")).toThrow(
      "INVARIANT_BROKEN: an internal invariant is violated: sums tie",
    );
    expect(() => invariant(true, "sums tie")).not.toThrow();
  });
});

describe("what is said about a limit", () => {
  const LIMITS = [
    "AMOUNT_OVER_LIMIT",
    "FILE_OVER_DAY_LIMIT",
    "DESTINATION_OVER_LIMIT",
    "FILE_TOO_LARGE",
    "PAYMENT_OVER_LIMIT",
    "DAY_LIMIT_REACHED",
  ] as const;

  test.each(LIMITS)("%s names the limit, its setting, and who can raise it", (code) => {
    const { message, fix } = catalogue[code];
    expect(message).toContain("{limit}");
    expect(fix).toMatch(/treasury/);
    expect(`${message} ${fix}`).toMatch(/`((files\.)?limits(\.[{}\w]+)?|\{key\})`/);
  });

  test("teaches nowhere how to get around it: not in the catalogue, and not in the documents", () => {
    const evasions =
      /\bsplit (it|them|the|a|your)\b|\bin (several|smaller|two) (files|payments|parts)\b|smaller (payment|amount|file)s?\b|below the limit/i;
    const texts = Object.entries(catalogue).map(
      ([code, { message, fix }]) => [code, `${message} ${fix}`] as const,
    );
    const folder = join(import.meta.dirname, "../../docs");
    const documents = readdirSync(folder).filter((name) => name.endsWith(".md"));
    const lines = documents.flatMap((name) =>
      readFileSync(join(folder, name), "utf8")
        .split("\n")
        .map((line) => [name, line] as const),
    );
    const ofLimits = lines.filter(([, line]) => /\blimits?\b/i.test(line));
    expect(evasions.test("Split the payment, or have treasury raise it.")).toBe(true);
    expect([...texts, ...ofLimits].filter(([, text]) => evasions.test(text))).toEqual([]);
  });
});
