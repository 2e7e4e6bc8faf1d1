/**
 * Checks every file of a ledger folder: whether programs can read it, and whether together they contain each entry
 * once.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import type { Workplace } from "../../src/index.ts";
import { listEntriesAfter } from "../../src/store/ledger-entries.ts";
import { judgeRuns, judges, verdict } from "./judges.ts";

/** What is wrong with the files. */
export async function faultsOfFiles({ config, store }: Workplace): Promise<string[]> {
  const folder = config.folders.ledger;
  const files = readdirSync(folder)
    .toSorted()
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8").replace(/^\uFEFF/, "") }));
  const exported = files.filter(({ name }) => name.endsWith("-journal.csv")).flatMap(entryIdsIn);
  const entries = (await store.read(() => listEntriesAfter(0, 100_000))).map(({ entry }) => entry.entryId);
  return [
    ...(exported.toSorted().join() === entries.toSorted().join() ? [] : ["not every entry is in one file"]),
    ...files
      .filter(({ name }) => name.endsWith(".manifest.json"))
      .flatMap(({ text }) => [...notAsStated(folder, text)]),
    ...files
      .filter(({ name }) => !name.endsWith(".json"))
      .flatMap(({ name, text }) => [...faultsOf(name, text)].map((fault) => `${name}: ${fault}`)),
  ];
}

interface Stated {
  readonly files: readonly { readonly name: string; readonly sha256: string; readonly bytes: number }[];
}

function* notAsStated(folder: string, manifest: string): Generator<string> {
  for (const { name, sha256, bytes } of (JSON.parse(manifest) as Stated).files) {
    const found = readFileSync(join(folder, name));
    const isAsStated = found.length === bytes && createHash("sha256").update(found).digest("hex") === sha256;
    if (!isAsStated) yield `${name} is not what its manifest says`;
  }
}

type Row = Readonly<Record<string, string>>;

function rowsIn(text: string): Row[] {
  return parse(text, { columns: true }) as Row[];
}

function entryIdsIn({ text }: { readonly text: string }): string[] {
  return [...new Set(rowsIn(text).map(({ entryId = "" }) => entryId))];
}

function* faultsOf(name: string, text: string): Generator<string> {
  const [character] = /[\p{C}\u2028\u2029]/u.exec(text.replaceAll(/[\r\n]/g, "")) ?? [];
  if (character !== undefined) yield `holds ${JSON.stringify(character)}`;
  if (name.endsWith(".hledger")) {
    for (const judge of judges.filter((one) => judgeRuns(one.name))) {
      const refusal = verdict(judge, text);
      if (refusal !== undefined) yield `${judge.name} says ${refusal.slice(0, 500)}`;
    }
    return;
  }
  for (const [column, cell] of rowsIn(text).flatMap((row) => Object.entries(row))) {
    if (/^\s*[=+@]|^\s*-(?!\d+(?:\.\d+)?$)/.test(cell)) yield `${column} may be taken for a formula: ${cell}`;
    if (column.endsWith("Date") && !/^\d{4}-\d\d-\d\d$/.test(cell)) yield `${column} is no day: ${cell}`;
  }
}
