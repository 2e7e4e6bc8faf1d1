/**
 * Creates an initial configuration from the sample's text: comments stay, the sandbox's values are removed. Values
 * that only the owner knows stay empty, so that nothing runs on a guess: every command names the keys to fill in.
 */
import { parseDocument } from "yaml";
import { invariant } from "../faults/index.ts";

/** Keys of the sample with their initial values for a real service. Without limits nothing can be paid. */
const BEGINNINGS: readonly (readonly [path: readonly string[], written: string])[] = [
  [["service", "baseUrl"], '""'],
  [["service", "username"], '""'],
  [["service", "callbackUrl"], '""'],
  [["nonce"], "{ rule: unknown }"],
  [["otp"], "{ source: totp, singleUse: true }"],
  [["http"], "{ concurrency: 8, ratePerSecond: 20, timeoutMs: 15000 }"],
  [["custodyAccounts"], '- { name: treasury-btc, id: "", currency: BTC }'],
  [["files", "quietSeconds"], "5"],
  [["limits", "perRow"], "{}"],
  [["limits", "perFile"], "{}"],
  [["limits", "perDay"], "{}"],
  [["approval", "rules"], "- { people: 2 }"],
  [["people"], "{}"],
  [["ledger", "functionalCurrency"], '""'],
  [["ledger", "timeZone"], '""'],
];

/**
 * The text of paydrop.yaml for a real service, from the text of samples/paydrop.yaml. `values`: the owner's answers
 * as YAML, by key such as `service.baseUrl`.
 */
export function startingConfiguration(
  sample: string,
  values: ReadonlyMap<string, string> = new Map(),
): string {
  const document = parseDocument(sample);
  const given = [...values].map(([key, written]) => [key.split("."), written] as const);
  const places = [...BEGINNINGS.filter(([path]) => !values.has(path.join("."))), ...given].map(
    ([path, written]) => {
      const node = document.getIn(path, true);
      const range = isRanged(node) ? node.range : undefined;
      invariant(range !== undefined, `the sample configuration has no ${path.join(".")}`);
      const [start, end] = range;
      return { start, end: start + sample.slice(start, end).trimEnd().length, written };
    },
  );
  // From last to first, so that earlier offsets stay valid.
  return places
    .sort((key, other) => other.start - key.start)
    .reduce((text, { start, end, written }) => text.slice(0, start) + written + text.slice(end), sample);
}

/** Points editors to the JSON Schema, which is installed with the program. */
export function withSchemaPath(text: string, schemaPath: string): string {
  return text.replace(
    /^# yaml-language-server: \$schema=.*$/m,
    () => `# yaml-language-server: $schema=${schemaPath}`,
  );
}

function isRanged(node: unknown): node is { readonly range: readonly [number, number, number] } {
  return typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range);
}
