/**
 * Loaded before everything else (`node --import`): puts the simulation's disk below src/store, and the planted violation that
 * SIMULATION_VIOLATION names in the place of the module that it violates. Nothing of src is changed for it.
 */
import { registerHooks } from "node:module";

const DISK = new URL("./disk.ts", import.meta.url).href;
const STORE = new URL("../../src/store/", import.meta.url).href;
const SOURCE = new URL("../../src/", import.meta.url).href;
const VIOLATIONS = new URL("./violations/", import.meta.url).href;

const planted = process.env["SIMULATION_VIOLATION"] ?? "";
/** "execution/outcome" of "execution/outcome=conflict-is-refusal". */
const [violated = "", violation = ""] = planted.split("=");
const violatedUrl = planted === "" ? undefined : `${SOURCE}${violated}.ts`;

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const importer = context.parentURL ?? "";
    if (specifier === "better-sqlite3" && importer.startsWith(STORE)) {
      return { url: DISK, format: "module-typescript", shortCircuit: true };
    }
    const resolved = nextResolve(specifier, context);
    if (resolved.url !== violatedUrl || importer.startsWith(VIOLATIONS)) return resolved;
    return { ...resolved, url: `${VIOLATIONS}${violation}.ts` };
  },
});
