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
  const errors = [...(PAGES["errors.md"] ?? "").matchAll(/^\|([A-Z_]{3,})\|/gm)].map(([, code]) => code);
  expect(errors.sort()).toEqual(Object.keys(catalogue).sort());
  for (const command of ["submit", "pay again", "breaks settle", "audit evidence", "desk sign-in"])
    expect(PAGES["commands.md"]).toMatch(new RegExp(`^\\|\\*\\*\`${command}[^a-z]`, "m"));
  for (const key of [
    "service.baseUrl",
    "custodyAccounts[].name",
    "ledger.exports[].columns[].value",
    "routes.*.path",
  ])
    expect(PAGES["configuration.md"]).toContain(`\n|\`${key}\`|`);
});

test("every key and every command says what it means", () => {
  const keys = (PAGES["configuration.md"] ?? "").match(/^\|`.*\|\|$/gm);
  const commands = (PAGES["commands.md"] ?? "").match(/^\|\*\*`.*\|\.\|$/gm);
  expect([keys, commands]).toEqual([null, null]);
});

test("an option that commands share is described once, and named by each of them", () => {
  const text = PAGES["commands.md"] ?? "";
  expect(text.split("`--route`|")).toHaveLength(2);

  expect(text).toMatch(/^\|\*\*`payouts void .*\(`--by`, `--yes`, `--route`\)\|$/m);
});

const OPTION = /--[a-z][a-z-]*/g;

/** The options of each command, as the page of commands has them. */
function optionsOfCommands(page: string): ReadonlyMap<string, ReadonlySet<string>> {
  const [introduction = "", ...entries] = page.split(/^\|\*\*/m);
  const ofAll = [...(introduction.split("A command takes")[0] ?? "").matchAll(OPTION)].map(
    ([option]) => option,
  );
  const ofPayments = /^`payouts create` and `pilot` also take.*$/m.exec(introduction)?.[0] ?? "";
  return new Map(
    entries.flatMap((entry) => {
      const [, name = "", also] = /^`([a-z -]*[a-z])[^`]*`\*\*(?:, also `([a-z]+)`)?/.exec(entry) ?? [];
      const own = `${entry} ${name === "pilot" || name === "payouts create" ? ofPayments : ""}`.matchAll(
        OPTION,
      );
      const options = new Set(["--help", ...ofAll, ...[...own].map(([option]) => option)]);
      return [name, also ?? name].map((each) => [each, options] as const);
    }),
  );
}

const OPTIONS = optionsOfCommands(PAGES["commands.md"] ?? "");

/** "reject REF --why late: --why" of what follows `paydrop` in a text: options that the command does not have. */
function unknownOptions(text: string): readonly string[] {
  return [...text.matchAll(/\bpaydrop ([a-z][^\n`|;&#>]*)/g)].flatMap(([, line = ""]) => {
    const words = line.split(/\s+/);
    const options = [3, 2, 1]
      .map((count) => OPTIONS.get(words.slice(0, count).join(" ")))
      .find((each) => each);
    if (options === undefined) return [];
    const given = [...line.matchAll(OPTION)].map(([option]) => option);
    return given.filter((option) => !options.has(option)).map((option) => `${line}: ${option}`);
  });
}

test("every option that a document or a fix gives to a command exists", () => {
  const pages = [
    "README.md",
    ...readdirSync("docs")
      .filter((name) => name.endsWith(".md"))
      .map((name) => `docs/${name}`),
  ];
  const texts = pages.map((path) => readFileSync(path, "utf8"));
  const fixes = Object.values(catalogue).map(({ fix }) => fix);
  expect(unknownOptions("`paydrop reject REF --why late`")).toEqual(["reject REF --why late: --why"]);
  expect([...texts, ...fixes].flatMap(unknownOptions)).toEqual([]);
});
