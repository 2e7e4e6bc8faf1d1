import { describe, expect, test } from "vitest";
import { cycles, doorViolations, layerViolations, purityViolations, shapeViolations } from "./rules.ts";
import { sourceFile, sourceFiles } from "./source-files.ts";

const files = sourceFiles("src", "jobs");

describe("the rules bite", () => {
  test("a stage that imports a stage, by value or by type", () => {
    const planted = [
      sourceFile("src/books/a.ts", 'import { reconcileStep } from "../nights/index.ts";'),
      sourceFile("src/people/b.ts", 'import type {\n  Chart,\n} from "../books/index.ts";'),
      sourceFile("src/files/reading/c.ts", 'export { deriveFacts } from "../../books/index.ts";'),
    ];
    expect(layerViolations(planted)).toEqual([
      "src/books/a.ts imports nights",
      "src/people/b.ts imports books",
      "src/files/reading/c.ts imports books",
    ]);
  });

  test("a sandbox that borrows from the client, and a stage that mixes store and gateway", () => {
    const planted = [
      sourceFile("src/sandbox/a.ts", 'import { hmacSigner } from "../gateway/index.ts";'),
      sourceFile("src/people/b.ts", 'import { listBatches } from "../store/batches.ts";'),
      sourceFile("src/money/c.ts", 'import { fault } from "../faults/index.ts";'),
      sourceFile("src/views/d.ts", 'const { main } = await import("../cli/main.ts");'),
    ];
    expect(layerViolations(planted)).toEqual([
      "src/sandbox/a.ts imports gateway",
      "src/people/b.ts imports store",
      "src/money/c.ts imports faults",
      "src/views/d.ts imports cli",
    ]);
  });

  test("a cycle, also of types only", () => {
    const planted = [
      sourceFile("src/model/a.ts", 'import type { B } from "./b.ts";'),
      sourceFile("src/model/b.ts", 'import type { C } from "./c.ts";'),
      sourceFile("src/model/c.ts", 'import type { A } from "./a.ts";'),
    ];
    expect(cycles(planted)).toEqual(["src/model/a.ts -> src/model/b.ts -> src/model/c.ts"]);
  });

  test.each([
    ["src/payments/sending/a.ts", "const now = Date.now();", "the clock"],
    ["src/payments/sending/a.ts", "setTimeout(send, 10);", "timers"],
    ["src/gateway/a.ts", 'import { Pool } from "undici";', "the network"],
    ["src/gateway/a.ts", 'const { Pool } = await import("undici");', "the network"],
    ["src/files/reading/a.ts", 'import { randomUUID } from "node:crypto";', "randomness"],
    ["src/views/a.ts", "const key = process.env.PAYDROP_KEY;", "the environment"],
    ["src/people/a.ts", 'import { readFile } from "node:fs/promises";', "files"],
    ["src/payments/sending/a.ts", 'import Database from "better-sqlite3";', "a database"],
    ["src/views/a.ts", "process.stdout.write(text);", "the terminal"],
  ])("a door used from outside: %s", (path, text, what) => {
    expect(doorViolations([sourceFile(path, text)])).toEqual([`${path} touches ${what}`]);
  });

  test("a rule that reaches into the store", () => {
    const planted = [
      sourceFile("src/nights/rules/a.ts", 'import type { Store } from "../../store/store.ts";'),
      sourceFile("src/nights/b.ts", 'import type { Store } from "../store/store.ts";'),
      sourceFile("src/books/formats/c.ts", 'import type { Workplace } from "../../workplace/workplace.ts";'),
      sourceFile("src/books/rules/d.ts", 'import { listEntriesOf } from "../../store/ledger-entries.ts";'),
    ];
    expect(purityViolations(planted)).toEqual([
      "src/nights/rules/a.ts imports src/store/store.ts",
      "src/books/formats/c.ts imports src/workplace/workplace.ts",
      "src/books/rules/d.ts imports src/store/ledger-entries.ts",
    ]);
  });

  test("a file that is badly named, or says nothing of itself", () => {
    expect(shapeViolations([sourceFile("src/money/utils.ts", "/** Things. */")])).toHaveLength(1);
    expect(shapeViolations([sourceFile("src/money/a.ts", "export const a = 1;")])).toHaveLength(1);
  });
});

describe("the house", () => {
  test("is read whole", () => {
    expect(files.length).toBeGreaterThan(200);
    expect(files.find(({ path }) => path === "src/payments/sending/submit.ts")?.imports).toContain(
      "src/payments/sending/intent.ts",
    );
  });

  test("imports only downwards", () => expect(layerViolations(files)).toEqual([]));
  test("keeps its rules and formats pure", () => expect(purityViolations(files)).toEqual([]));
  test("has no cycles, types included", () => expect(cycles(files)).toEqual([]));
  test("touches the world only through its doors", () => expect(doorViolations(files)).toEqual([]));
  test("keeps its files named and introduced", () => expect(shapeViolations(files)).toEqual([]));
});
