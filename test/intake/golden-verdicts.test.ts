/** The reader against the verdicts of an earlier one: what it makes of a file changes only where a rule says so. */
import { expect, test } from "vitest";
import { CHANGED_FAULTS, CHANGED_VERDICTS } from "./golden/changed-verdicts.ts";
import { goldenFiles } from "./golden-files.ts";
import { differencesFrom, oldVerdicts, verdictsOf } from "./golden-verdict.ts";

const old = oldVerdicts();
const today = await verdictsOf(goldenFiles());

test("every file has a verdict, and every verdict its file", () => {
  expect(today.map(({ file }) => file)).toEqual(old.map(({ file }) => file));
  expect(new Set(today.map(({ file }) => file)).size).toBe(today.length);
});

test("no verdict, payment or place of a fault differs from what it was, unless a rule explains it", () => {
  const listed = new Set(CHANGED_VERDICTS.map(({ file }) => file));
  const found = differencesFrom(old, today, CHANGED_FAULTS);
  expect(found.filter(({ file }) => !listed.has(file))).toEqual([]);
});

test("each change that is listed has happened as it is listed, and names its rule", () => {
  const byFile = new Map(differencesFrom(old, today).map((change) => [change.file, change]));
  for (const { rule, ...listed } of CHANGED_VERDICTS) {
    expect(byFile.get(listed.file), listed.file).toEqual(listed);
    expect(rule, listed.file).toMatch(/\w+ \w+/);
  }
});

test("each fault that is listed as changed was one, and names its rule", () => {
  const codes = new Set(old.flatMap(({ faults = [] }) => faults.map((each) => each.split(": ").at(-1))));
  for (const { was, rule } of CHANGED_FAULTS) {
    expect(codes, was).toContain(was);
    expect(rule, was).toMatch(/\w+ \w+/);
  }
});

test.each([
  ["another digit of an amount", (text: string) => text.replace('"0.05","BTC"', '"0.5","BTC"')],
  ["another verdict", (text: string) => text.replace('"verdict":"rejected"', '"verdict":"accepted"')],
  ["another place", (text: string) => text.replace('"line 2, amount', '"line 3, amount')],
])("sees %s", (_, change) => {
  const text = JSON.stringify(today);
  expect(change(text)).not.toBe(text);
  expect(differencesFrom(JSON.parse(change(text)), today)).toHaveLength(1);
});
