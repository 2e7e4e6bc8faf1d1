/** The reader against the verdicts of an earlier one: the result for a file changes only if a rule says so. */
import { expect, test } from "vitest";
import { sliceOf } from "../slice.ts";
import { PAYING_RULES, RULES } from "./golden/rules.ts";
import { goldenFiles } from "./golden-files.ts";
import { changesFrom, listedChanges, oldVerdicts, verdictsOf } from "./golden-verdict.ts";

const files = sliceOf(goldenFiles(), 12);
const names = new Set(files.map(({ name }) => name));
const ofFiles = <Verdict extends { file: string }>(all: readonly Verdict[]) =>
  all.filter(({ file }) => names.has(file));
const old = ofFiles(oldVerdicts());
const listed = ofFiles(listedChanges());
const today = await verdictsOf(files);

test("every file has a verdict, and every verdict its file", () => {
  const all = goldenFiles().map(({ name }) => name);
  expect(all).toEqual(oldVerdicts().map(({ file }) => file));
  expect(new Set(all).size).toBe(all.length);
});

test("no verdict, payment or place of a fault differs from what it was, but for those that are listed", () => {
  expect(changesFrom(old, today)).toEqual(listed.map(({ rule: _, ...change }) => change));
});

test("each change names its rule, and each rule explains one", () => {
  expect(new Set(listedChanges().map(({ rule }) => rule))).toEqual(new Set(Object.keys(RULES)));
});

test("what came back is paid without a question only where a rule takes more than the old reader did", () => {
  const accepted = new Set(old.filter(({ verdict }) => verdict === "accepted").map(({ file }) => file));
  const paying = listed.filter(
    ({ file, verdict, questions }) =>
      verdict === "accepted" && questions === undefined && !accepted.has(file),
  );
  expect(paying.filter(({ rule }) => !PAYING_RULES.has(rule)).map(({ file }) => file)).toEqual([]);
});

test.each([
  ["another digit of an amount", (text: string) => text.replace('"0.05","BTC"', '"0.5","BTC"')],
  ["another verdict", (text: string) => text.replace('"verdict":"rejected"', '"verdict":"accepted"')],
  ["another place", (text: string) => text.replace('"line 2, amount', '"line 3, amount')],
])("sees %s", (_, change) => {
  const text = JSON.stringify(today);
  expect(change(text)).not.toBe(text);
  expect(changesFrom(JSON.parse(change(text)), today)).toHaveLength(1);
});
