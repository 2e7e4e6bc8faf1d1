/** A machine without a program runs no test file that needs it: test/programs.ts names them all. */
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { FILES } from "../programs.ts";
import { type SourceFile, sourceFiles } from "./source-files.ts";

const files = new Map(sourceFiles("test").map((file) => [file.path, file]));

/** The files of tests that a file imports, directly or through others. */
function reached({ imports }: SourceFile, seen = new Set<string>()): ReadonlySet<string> {
  for (const path of imports) {
    const file = files.get(path);
    if (file === undefined || seen.has(path)) continue;
    seen.add(path);
    reached(file, seen);
  }
  return seen;
}

test.each([
  ["ssh-keygen", "test/site/proven-desk.ts"],
  ["chromium", "test/people/virtual-authenticator.ts"],
])("%s: what imports %s", (program, needing) => {
  const named = new Set(globSync([...(FILES[program] ?? [])]));
  const tests = [...files.values()].filter(({ path }) => path.endsWith(".test.ts"));
  const need = tests.filter((file) => reached(file).has(needing)).map(({ path }) => path);
  expect(need.length).toBeGreaterThan(5);
  expect(need.filter((path) => !named.has(path))).toEqual([]);
});

test("each pattern finds a file", () => {
  const patterns = Object.values(FILES).flat();
  expect(patterns.filter((pattern) => globSync(pattern).length === 0)).toEqual([]);
});
