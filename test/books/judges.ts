/**
 * hledger and ledger as independent judges of a journal. Under CI they must be installed; elsewhere their tests are
 * skipped with a note.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Judge {
  readonly name: string;
  readonly commands: readonly (readonly string[])[];
}

export const judges: readonly Judge[] = [
  {
    name: "hledger",
    commands: [
      ["check", "--strict"],
      ["check", "ordereddates"],
    ],
  },
  { name: "ledger", commands: [["--strict", "--pedantic", "bal"]] },
];

/** hledger reads files by the locale, and without one it would refuse every non-ASCII letter. */
const UTF8 = { encoding: "utf8", env: { ...process.env, LC_ALL: "C.UTF-8" } } as const;

/** Whether a test that needs the judge runs: always under CI, where a missing judge is a failure. */
export function judgeRuns(name: string): boolean {
  return Boolean(process.env["CI"]) || spawnSync(name, ["--version"]).status === 0;
}

/** The judge's complaint about the journal; undefined if it accepts. Throws if it cannot be run. */
export function verdict({ name, commands }: Judge, journal: string): string | undefined {
  return withFile(journal, (path) => {
    for (const command of commands) {
      const { status, stderr, error } = spawnSync(name, ["-f", path, ...command], UTF8);
      if (error !== undefined) throw error;
      if (status !== 0 || stderr !== "") return `${command.join(" ")}: ${stderr}`;
    }
    return undefined;
  });
}

/** bean-check's complaint; undefined if it accepts. Throws if it cannot be run. */
export function beancountVerdict(journal: string): string | undefined {
  return withFile(journal, (path) => {
    const { status, stderr, error } = spawnSync("bean-check", [path], UTF8);
    if (error !== undefined) throw error;
    return status === 0 && stderr === "" ? undefined : stderr;
  });
}

/** One of hledger's reports on the journal. */
export function hledger(journal: string, ...command: readonly string[]): string {
  return withFile(journal, (path) => {
    const { status, stdout, stderr } = spawnSync("hledger", ["-f", path, ...command], UTF8);
    if (status !== 0) throw new Error(stderr);
    return stdout;
  });
}

/** The sum of rows of day and amount (or debit and credit), read by hledger's own CSV import: "0", "0.01". */
export function balanceByImport(rows: readonly (readonly string[])[], days: string): string {
  const [first = []] = rows;
  const day = days.replace("yyyy", "%Y").replace("yy", "%y").replace("mm", "%m").replace("dd", "%d");
  const amounts = first.length > 2 ? "amount-in,amount-out" : "amount";
  const rules = `fields date,${amounts}\ndate-format ${day}\naccount1 balancing:check\naccount2 rest\n`;
  const csv = rows.map((row) => row.join(",")).join("\n");
  return withFile(rules, (path) => {
    const input = `${path}.csv`;
    writeFileSync(input, csv);
    const asked = [
      "-f",
      input,
      "--rules-file",
      path,
      "balance",
      "balancing:check",
      "--format",
      "%(total)",
      "-N",
    ];
    const { status, stdout, stderr } = spawnSync("hledger", asked, UTF8);
    if (status !== 0) throw new Error(stderr);
    return stdout.trim() === "" ? "0" : stdout.trim();
  });
}

function withFile<Result>(text: string, use: (path: string) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), "paydrop-journal-"));
  try {
    const path = join(folder, "x.journal");
    writeFileSync(path, text);
    return use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
