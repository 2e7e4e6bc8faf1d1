/**
 * Lists of exceptions that may only shrink, each a file of data beside this one: what breaks a rule today, with how
 * often. More than listed breaks the rule; less than listed is to be taken out of the list.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CatalogueEntry } from "../../src/faults/index.ts";
import type { SourceFile } from "./source-files.ts";

/** How often a rule is broken, by place. */
export type Exceptions = ReadonlyMap<string, number>;

/**
 * "test/books -> src/store/sql.ts" of each import that goes past the face of a room, its index.ts: how many files of
 * that folder have it.
 */
export function importsPastFaces(tests: readonly SourceFile[]): Exceptions {
  return countedBy(
    tests.flatMap(({ path, imports }) =>
      [...new Set(imports)]
        .filter((other) => other.startsWith("src/") && !other.endsWith("/index.ts"))
        .map((other) => `${folderOf(path)} -> ${other}`),
    ),
  );
}

export const LINE_CHARACTERS = 120;

/** How many lines of a file, comments and templates included, are longer than a reader's window is wide. */
export function longLines(files: readonly Pick<SourceFile, "path" | "text">[]): Exceptions {
  return countedBy(
    files.flatMap(({ path, text }) =>
      text
        .split("\n")
        .filter((line) => line.length > LINE_CHARACTERS)
        .map(() => path),
    ),
  );
}

const COMPOSED = /\{(?:reason|why|what|how|more)\}/g;

/**
 * "CHART_UNUSABLE {reason}" of each message or fix whose placeholder takes a sentence, unless the catalogue words its
 * reasons. What another program says, such as an operating system, stays such a sentence.
 */
export function composedMessages(catalogue: Readonly<Record<string, CatalogueEntry>>): Exceptions {
  return countedBy(
    Object.entries(catalogue).flatMap(([code, { message, fix, reasons }]) =>
      [...new Set(`${message} ${fix}`.match(COMPOSED))]
        .filter((placeholder) => placeholder !== "{reason}" || reasons === undefined)
        .map((placeholder) => `${code} ${placeholder}`),
    ),
  );
}

/** "test/books" of test/books/settle/a.test.ts, "test" of test/cleanup.ts. */
function folderOf(path: string): string {
  return path.split("/").slice(0, -1).slice(0, 2).join("/");
}

function countedBy(places: readonly string[]): Exceptions {
  const counts = [...Map.groupBy(places, (place) => place)].map(
    ([place, all]) => [place, all.length] as const,
  );
  return new Map(counts.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** What is found beyond the list, and what the list has beyond what is found. */
export function changesOf(found: Exceptions, listed: Exceptions): string[] {
  const places = [...new Set([...found.keys(), ...listed.keys()])].sort();
  return places.flatMap((place) => {
    const [now, allowed] = [found.get(place) ?? 0, listed.get(place) ?? 0];
    if (now > allowed) return [`${place}: ${now}, but only ${allowed} listed`];
    return now < allowed ? [`${place}: ${now}, so the list must not say ${allowed}`] : [];
  });
}

/** A line is "3 test/books -> src/store/sql.ts". */
export function readExceptions(list: string): Exceptions {
  const lines = readFileSync(pathOf(list), "utf8").split("\n").filter(Boolean);
  return new Map(
    lines.map((line) => {
      const [, count = "", place = ""] = /^(\d+) (.+)$/.exec(line) ?? [];
      return [place, Number(count)];
    }),
  );
}

/** Takes out of a list what is no longer found. Never adds. */
export function shrink(list: string, found: Exceptions): void {
  const left = [...readExceptions(list)].map(
    ([place, count]) => [place, Math.min(count, found.get(place) ?? 0)] as const,
  );
  const lines = left.filter(([, count]) => count > 0).map(([place, count]) => `${count} ${place}\n`);
  writeFileSync(pathOf(list), lines.join(""));
}

function pathOf(list: string): string {
  return join(import.meta.dirname, list);
}
