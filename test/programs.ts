/**
 * Test files that need programs of the system, all of which `.ci/run` installs. If a program is missing, its test
 * files are left out and named, so that a fresh clone can be tested on any machine.
 */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const BY_OPENSSH = [
  "test/people/{passkey,roster,ssh-signature,verifying}.test.ts",
  "test/people/{altered-people,borrowed,doors,people-rules,unproven}.test.ts",
  "test/{files/repair,nights/register,books/periods,books/remap}.test.ts",
  "test/payments/{as-approved,evidence}.test.ts",
  "test/cli/{init-on-terminal,people,people-at-terminal}.test.ts",
  "test/desk/{attacks,batch,connections,files,jobs,nights,record,sessions,story,strangers}.test.ts",
  "test/desk/{uploads,whole-way}.test.ts",
];

/** By program, the patterns of the test files that need it. */
export const FILES: Readonly<Record<string, readonly string[]>> = {
  "ssh-keygen": BY_OPENSSH,
  openssl: ["test/people/{passkey,ssh-signature,verifying}.test.ts", "test/desk/{process,proxy}.test.ts"],
  nginx: ["test/desk/proxy.test.ts"],
  jq: ["test/people/verifying.test.ts", "test/cli/people.test.ts"],
  soffice: ["test/nights/workbook.test.ts", "test/books/spreadsheets.test.ts"],
  "bean-check": ["test/books/beancount.test.ts"],
  "systemd-analyze": ["test/deploy/units.test.ts"],
  promtool: ["test/deploy/alerts.test.ts"],
  chromium: [
    "test/{people/passkey,nights/report-page,books/spreadsheets}.test.ts",
    "test/desk/{endless-names,every-page,expected,large-batch,whole-way}.test.ts",
  ],
};

export function filesWithoutTheirProgram(): string[] {
  const missing = Object.entries(FILES).filter(([program]) => !isInstalled(program));
  for (const [program, files] of missing)
    process.stderr.write(`left out, since ${program} is not installed: ${files.join(", ")}\n`);
  return missing.flatMap(([, files]) => files);
}

function isInstalled(program: string): boolean {
  return program === "chromium" ? pathOfChromium() !== undefined : pathOf(program) !== undefined;
}

/** Headless Chromium if there is one, since it takes half the time of the whole browser; CHROMIUM overrides it. */
export function pathOfChromium(): string | undefined {
  const { CHROMIUM } = process.env;
  if (CHROMIUM !== undefined) return existsSync(CHROMIUM) ? CHROMIUM : undefined;
  return pathOf("chromium-headless-shell") ?? pathOf("chromium");
}

function pathOf(program: string): string | undefined {
  const { PATH = "" } = process.env;
  const paths = PATH.split(delimiter).map((folder) => join(folder, program));
  return paths.find((path) => existsSync(path));
}
