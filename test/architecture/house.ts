/**
 * Prints the size of the house: its rooms with files, lines and lines over 120 characters, its long functions, and
 * how many faults, configuration keys, commands and imports of tests past the faces of rooms it has. A measure, not
 * a limit.
 */
import { configJsonSchema } from "../../src/config/json-schema.ts";
import { catalogue } from "../../src/faults/index.ts";
import { longFunctions } from "./long-functions.ts";
import { importsPastFaces, LINE_CHARACTERS } from "./shrinking.ts";
import { type SourceFile, sourceFiles } from "./source-files.ts";

const FUNCTION_LINES = 60;

const source = sourceFiles("src", "jobs");
const tests = sourceFiles("test");

/** "src/store" of src/store/engines/flush.ts; "src" of src/index.ts. */
function roomOf({ path }: SourceFile): string {
  const [top = "", room = ""] = path.split("/");
  return room.endsWith(".ts") || room === "" ? top : `${top}/${room}`;
}

function size(files: readonly SourceFile[]) {
  const lines = files.flatMap(({ text }) => text.split("\n").slice(0, -1));
  const long = lines.filter((line) => line.length > LINE_CHARACTERS);
  return { files: files.length, lines: lines.length, long: long.length };
}

function printSize(name: string, files: readonly SourceFile[]): void {
  const columns = Object.values(size(files)).map((count) => String(count).padStart(8));
  process.stdout.write(`${name.padEnd(24)}${columns.join("")}\n`);
}

/** The keys that a JSON schema describes, at every depth. */
function countKeys(schema: unknown): number {
  if (typeof schema !== "object" || schema === null) return 0;
  const own = "properties" in schema ? Object.keys(schema.properties ?? {}).length : 0;
  return Object.values(schema).reduce((sum: number, part) => sum + countKeys(part), own);
}

/** Commands are declared with commander's `.command("name ...")`, groups of commands included. */
function countCommands(): number {
  const declarations = source.filter(({ path }) => path.startsWith("src/cli/"));
  return declarations.reduce((sum, { text }) => sum + [...text.matchAll(/\.command\(/g)].length, 0);
}

process.stdout.write(
  `${"room".padEnd(24)}${"files".padStart(8)}${"lines".padStart(8)}${">120".padStart(8)}\n`,
);
for (const [room, files] of [...Map.groupBy(source, roomOf)].sort(([left], [right]) =>
  left.localeCompare(right),
))
  printSize(room, files);
printSize("src and jobs", source);
printSize("test", tests);

const figures: Readonly<Record<string, number>> = {
  "functions over 60 lines": Object.keys(
    longFunctions(
      source.map(({ path }) => path),
      FUNCTION_LINES,
    ),
  ).length,
  faults: Object.keys(catalogue).length,
  "configuration keys": countKeys(configJsonSchema()),
  commands: countCommands(),
  "imports of tests past faces": [...importsPastFaces(tests).values()].reduce((sum, count) => sum + count, 0),
};
for (const [name, count] of Object.entries(figures))
  process.stdout.write(`${name.padEnd(32)}${String(count).padStart(8)}\n`);
