/**
 * Every source file with the files and packages that it imports, types included. Parsed as text, without a compiler.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";

export interface SourceFile {
  /** From the repository's root: "src/payments/sending/submit.ts". */
  readonly path: string;
  readonly text: string;
  /** Files of ours by their path, packages by their name. */
  readonly imports: readonly string[];
}

const ROOT = join(import.meta.dirname, "..", "..");

export function sourceFiles(...folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(folder, name).split(sep).join("/"))
      .map((path) => sourceFile(path, readFileSync(join(ROOT, path), "utf8"))),
  );
}

/** Makes a file from text, so that tests can plant violations. */
export function sourceFile(path: string, text: string): SourceFile {
  return {
    path,
    text,
    imports: [...text.matchAll(IMPORT)].map(([, from, bare]) => resolved(path, from ?? bare ?? "")),
  };
}

/** `import ... from "x"`, `export ... from "x"`, `import "x"` and `import("x")`. */
const IMPORT = /(?:^|\n)\s*(?:import|export)\b[^"';]*?from\s*"([^"]+)"|(?<=\bimport\s*\(?\s*)"([^"]+)"/g;

function resolved(path: string, from: string): string {
  return from.startsWith(".")
    ? normalize(join(dirname(path), from))
        .split(sep)
        .join("/")
    : from;
}
