/**
 * Keys that earlier versions had. A configuration that still has one is accepted, so that an upgrade stops nobody,
 * but the key is ignored: a notice says what to write instead.
 */
import { type Problem, problem } from "../faults/index.ts";

/** By path, the key or command to use instead. */
const GONE: Readonly<Record<string, string>> = {
  "approval.identity":
    "every decision is signed now; for a trial at the sandbox write `people: { trialKeys: trial-keys }`, " +
    "otherwise see docs/people.md for `people.root`",
};

export function isGoneKey(path: string): boolean {
  return Object.hasOwn(GONE, path);
}

interface WithoutGoneKeys {
  readonly document: unknown;
  readonly remarks: readonly Problem[];
}

/** The configuration without keys of earlier versions, and a notice for each that it has. */
export function withoutGoneKeys(document: unknown, file: string): WithoutGoneKeys {
  let left = document;
  const remarks: Problem[] = [];
  for (const [path, instead] of Object.entries(GONE)) {
    const without = withoutKey(left, path.split("."));
    if (without === undefined) continue;
    left = without;
    remarks.push(problem("CONFIG_KEY_GONE", { path, how: instead }, { file, key: path }));
  }
  return { document: left, remarks };
}

/** Undefined if the document does not have the key. */
function withoutKey(document: unknown, [key = "", ...rest]: readonly string[]): unknown {
  if (typeof document !== "object" || document === null || !Object.hasOwn(document, key)) return undefined;
  const { [key]: member, ...others } = document as Readonly<Record<string, unknown>>;
  if (rest.length === 0) return others;
  const inner = withoutKey(member, rest);
  return inner === undefined ? undefined : { ...others, [key]: inner };
}
