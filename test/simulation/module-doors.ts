/**
 * Loaded before everything else (`node --import`): puts the simulation's disk below src/store and its files below all
 * of src, and replaces a module of src by the planted violation that SIMULATION_VIOLATION names. Nothing in src is
 * changed for it.
 */
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

const planted = process.env["SIMULATION_VIOLATION"] ?? "";
/** "execution/outcome" of "execution/outcome=conflict-is-refusal". */
const [violated = "", violation = ""] = planted.split("=");
const violatedUrl = planted === "" ? undefined : `${SOURCE}${violated}.ts`;

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const importer = context.parentURL ?? "";
    if (specifier === "better-sqlite3" && importer.startsWith(STORE)) return DISK;
    if (specifier === "node:crypto" && importer === FILE_WRITER) return NAMES;
    const files = FILES.get(specifier);
    // The service is on another machine.
    if (files !== undefined && importer.startsWith(SOURCE) && !importer.startsWith(SANDBOX)) return files;
    const resolved = nextResolve(specifier, context);
    if (resolved.url !== violatedUrl || importer.startsWith(VIOLATIONS)) return resolved;
    return { ...resolved, url: `${VIOLATIONS}${violation}.ts` };
  },
});
