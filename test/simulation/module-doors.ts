/**
 * Loaded before everything else (`node --import`): puts the simulation's disk below src/store and its files below all
 * of src, and doors before the modules of src that the violations in SIMULATION_VIOLATIONS replace. Nothing in src is
 * changed for it.
 */
import { readFileSync } from "node:fs";
import module, { registerHooks } from "node:module";

// Many short processes load the same modules; only the first one compiles them.
module.enableCompileCache();

const door = (name: string) => ({
  url: new URL(name, import.meta.url).href,
  format: "module-typescript",
  shortCircuit: true,
});
const DISK = door("./disk.ts");
const FILES = new Map([
  ["node:fs", door("./counted-fs.ts")],
  ["node:fs/promises", door("./counted-fs-promises.ts")],
]);
const NAMES = door("./temporary-names.ts");
const STORE = new URL("../../src/store/", import.meta.url).href;
const SOURCE = new URL("../../src/", import.meta.url).href;
const FILE_WRITER = new URL("../../src/context/files.ts", import.meta.url).href;
const SANDBOX = new URL("../../src/sandbox/", import.meta.url).href;
const VIOLATIONS = new URL("./violations/", import.meta.url).href;

/**
 * "execution/outcome=conflict-is-a-refusal store/looks=absence-is-not-sent": what may be planted, before which
 * modules.
 */
const violations = (process.env["SIMULATION_VIOLATIONS"] ?? "").split(" ").filter((text) => text !== "");
const byModule = Map.groupBy(
  violations.map((text) => text.split("=")),
  ([violated]) => `${SOURCE}${violated}.ts`,
);

const DOOR = "?door";

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const importer = context.parentURL ?? "";
    if (specifier === "better-sqlite3" && importer.startsWith(STORE)) return DISK;
    if (specifier === "node:crypto" && importer === FILE_WRITER) return NAMES;
    const files = FILES.get(specifier);
    // The service is on another machine.
    if (files !== undefined && importer.startsWith(SOURCE) && !importer.startsWith(SANDBOX)) return files;
    const resolved = nextResolve(specifier, context);
    if (!byModule.has(resolved.url) || importer.startsWith(VIOLATIONS) || importer.endsWith(DOOR))
      return resolved;
    return { url: `${resolved.url}${DOOR}`, format: "module", shortCircuit: true };
  },
  load: (url, context, nextLoad) => {
    if (!url.endsWith(DOOR)) return nextLoad(url, context);
    return { format: "module", source: doorBefore(url.slice(0, -DOOR.length)), shortCircuit: true };
  },
});

/** The source of a module that exports what the original does, and doors for what violations replace. */
function doorBefore(original: string): string {
  const names = (byModule.get(original) ?? []).flatMap(([, name]) => name ?? []);
  const imports = names.map(
    (name, index) => `import * as planted${index} from ${JSON.stringify(moduleOf(name).href)};`,
  );
  const doors = [...new Set(names.flatMap(replacedBy))].map((replaced) => {
    const planted = names
      .map((name, index) => ({ name, index }))
      .filter(({ name }) => replacedBy(name).includes(replaced))
      .map(({ name, index }) => `${JSON.stringify(name)}: planted${index}.${replaced}`);
    return `export const ${replaced} = door(original.${replaced}, { ${planted.join(", ")} });`;
  });
  return [
    `import * as original from ${JSON.stringify(original)};`,
    `export * from ${JSON.stringify(original)};`,
    `import { door } from ${JSON.stringify(new URL("./planted.ts", import.meta.url).href)};`,
    ...imports,
    ...doors,
  ].join("\n");
}

function moduleOf(violation: string): URL {
  return new URL(`./violations/${violation}.ts`, import.meta.url);
}

/** What a violation's module exports by itself. */
function replacedBy(violation: string): string[] {
  const source = readFileSync(moduleOf(violation), "utf8");
  return [...source.matchAll(/^export (?:const|class) (\w+)/gm)].map(([, name = ""]) => name);
}
