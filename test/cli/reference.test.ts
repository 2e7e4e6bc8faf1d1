/** docs/reference is what `npm run reference` writes: the commands, keys and codes of this version. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { referencePages } from "../../src/cli/reference/pages.ts";
import { catalogue } from "../../src/faults/index.ts";

const FOLDER = join(import.meta.dirname, "../../docs/reference");
const PAGES = referencePages();

test.each(Object.keys(PAGES))("docs/reference/%s is current; `npm run reference` renews it", (name) => {
  expect(readFileSync(join(FOLDER, name), "utf8")).toBe(PAGES[name]);
});

test("no other page lies there, which nothing would keep current", () => {
  expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(PAGES).sort());
});

test("every code of the catalogue, every command and every key has its place", () => {
  const errors = [...(PAGES["errors.md"] ?? "").matchAll(/^### (\w+)$/gm)].map(([, code]) => code);
  expect(errors.sort()).toEqual(Object.keys(catalogue).sort());
  for (const command of ["submit", "pay again", "breaks settle", "audit evidence", "desk sign-in"])
    expect(PAGES["commands.md"]).toContain(`\n### ${command}\n`);
  for (const key of ["service.baseUrl", "custodyAccounts[].name", "ledger.exports[].columns[].value"])
    expect(PAGES["configuration.md"]).toContain(`\n| \`${key}\` |`);
});

test("every key and every command says what it means", () => {
  const keys = (PAGES["configuration.md"] ?? "").match(/^\| `.*\| {2}\|$/gm);
  const commands = (PAGES["commands.md"] ?? "").match(/^`paydrop .*: \.$/gm);
  expect([keys, commands]).toEqual([null, null]);
});
