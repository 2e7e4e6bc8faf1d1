/**
 * Rules that are still broken in places. `SHRINK_LISTS=1 npx vitest run test/architecture` takes out of their lists
 * what was repaired; nothing adds to them.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { catalogue } from "../../src/faults/index.ts";
import {
  changesOf,
  composedMessages,
  importsPastFaces,
  longLines,
  readExceptions,
  shrink,
} from "./shrinking.ts";
import { sourceFile, sourceFiles } from "./source-files.ts";

const tests = sourceFiles("test");
const source = sourceFiles("src", "jobs");
const assets = ["desk.css", "passkey.js"].map((name) => {
  const path = `src/desk/assets/${name}`;
  return { path, text: readFileSync(path, "utf8") };
});

describe("the rules bite", () => {
  const planted = importsPastFaces([
    sourceFile("test/books/a.test.ts", 'import { sql } from "../../src/store/sql.ts";'),
    sourceFile("test/books/b/c.test.ts", 'import { sql } from "../../../src/store/sql.ts";'),
    sourceFile("test/books/d.test.ts", 'import { deriveFacts } from "../../src/books/index.ts";'),
    sourceFile("test/e.ts", 'const { main } = await import("../src/cli/main.ts");'),
  ]);

  test("a test that imports a room past its face, where none did", () => {
    expect(changesOf(planted, new Map([["test/books -> src/store/sql.ts", 2]]))).toEqual([
      "test -> src/cli/main.ts: 1, but only 0 listed",
    ]);
  });

  test("one more of a folder that has some", () => {
    const listed = new Map([
      ["test -> src/cli/main.ts", 1],
      ["test/books -> src/store/sql.ts", 1],
    ]);
    expect(changesOf(planted, listed)).toEqual(["test/books -> src/store/sql.ts: 2, but only 1 listed"]);
  });

  test("an exception that is no longer needed", () => {
    const listed = new Map([
      ["test -> src/cli/main.ts", 2],
      ["test/books -> src/store/sql.ts", 2],
      ["test/nights -> src/store/sql.ts", 1],
    ]);
    expect(changesOf(planted, listed)).toEqual([
      "test -> src/cli/main.ts: 1, so the list must not say 2",
      "test/nights -> src/store/sql.ts: 0, so the list must not say 1",
    ]);
  });
});

test("a line of 121 characters, in a comment too, is counted", () => {
  const [whole, beyond] = ["x".repeat(120), `// ${"x".repeat(118)}`];
  expect(longLines([sourceFile("src/books/a.ts", `${whole}\n${beyond}\n${whole}`)])).toEqual(
    new Map([["src/books/a.ts", 1]]),
  );
});

test("a reason that is composed elsewhere is counted, and one that the catalogue words is not", () => {
  const entry = { fix: "Look.", next: "stopped" } as const;
  const planted = {
    HELD: { ...entry, message: "it is held: {reason}" },
    LOST: { ...entry, message: "it is lost: {reason}", reasons: { sea: "at sea" } },
  };
  expect([...composedMessages(planted).keys()]).toEqual(["HELD {reason}"]);
});

test.each([
  ["composed-messages.txt", "a message stands in the catalogue", composedMessages(catalogue)],
  ["past-faces.txt", "tests import rooms by their faces", importsPastFaces(tests)],
  ["long-lines.txt", "no line is over 120 characters", longLines([...source, ...assets, ...tests])],
] as const)("%s: %s, but for what is listed", (list, _, found) => {
  if (process.env["SHRINK_LISTS"] === "1") shrink(list, found);
  expect(changesOf(found, readExceptions(list))).toEqual([]);
});
