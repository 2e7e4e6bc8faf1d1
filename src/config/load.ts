/**
 * Loads paydrop.yaml: file, then environment, then schema. Every refusal names the key and the fix; relative paths
 * are relative to the file's folder.
 */
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { z } from "zod";
import { fault, type Problem, problem, readFailure, yamlOf } from "../faults/index.ts";
import { suggestion } from "../model/words.ts";
import { type Config, withAbsolutePaths } from "./absolute-paths.ts";
import { ConfigFault } from "./config-fault.ts";
import { knownKeys, overrideFrom } from "./environment.ts";
import type { Environment } from "./environment-variables.ts";
import { withoutGoneKeys } from "./gone-keys.ts";
import { configSchema } from "./schema.ts";
import { sharedPlaces } from "./shared-places.ts";

/** Throws a Fault naming the first key to correct; a ConfigFault has the rest in `otherProblems`. */
export function loadConfig(path: string, environment: Environment): Config {
  const { document, variables } = overrideFrom(environment, yamlOf(readText(path), path));
  if (typeof (document ?? {}) !== "object" || Array.isArray(document))
    throw fault("CONFIG_UNREADABLE", { path, reason: "it holds no keys" }, { file: path });
  const { document: known, remarks } = withoutGoneKeys(document ?? {}, path);
  // Compiling a faster check would take longer than checking this one document.
  const parsed = configSchema.safeParse(known, { reportInput: true, jitless: true });
  if (!parsed.success) {
    const { issues } = parsed.error;
    throw new ConfigFault(
      issues.flatMap((issue) =>
        issue.code === "unrecognized_keys"
          ? issue.keys.map((key) => unknownKey(issue.path, key, path, variables))
          : [problemOf(issue, path, variables)],
      ),
    );
  }
  const config = {
    ...withAbsolutePaths(parsed.data, dirname(resolve(path))),
    remarks: [...remarks, ...replacedKeys(parsed.data, path)],
  };
  const shared = sharedPlaces(config);
  if (shared.length > 0) throw new ConfigFault(shared.map((issue) => problemOf(issue, path, variables)));
  return config;
}

/** Notices about keys that still work but that a command replaces. */
function replacedKeys({ ledger }: z.infer<typeof configSchema>, file: string): Problem[] {
  const path = "ledger.closedThrough";
  const how = "`paydrop ledger close` closes a month with a checklist and a signature";
  return ledger.closedThrough === undefined
    ? []
    : [problem("CONFIG_KEY_REPLACED", { path, how }, { file, key: path })];
}

function readText(path: string): string {
  const bytes = readBytes(path);
  // Other bytes would become replacement characters, and an account's name a different one.
  if (!isUtf8(bytes))
    throw fault(
      "CONFIG_UNREADABLE",
      { path, reason: "it is not in UTF-8; save it as UTF-8" },
      { file: path },
    );
  return bytes.toString("utf8");
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT")
      throw fault("CONFIG_NOT_FOUND", { path }, { file: path }, { cause });
    throw fault("CONFIG_UNREADABLE", { path, reason: readFailure(cause) }, { file: path }, { cause });
  }
}

function problemOf(issue: z.core.$ZodIssue, file: string, variables: ReadonlyMap<string, string>): Problem {
  const path = issue.path.join(".");
  const variable = variableBehind(path, variables);
  const reason = reasonOf(issue);
  if (variable !== undefined) return problem("ENVIRONMENT_INVALID", { variable, reason }, { key: variable });
  const isMissing = issue.input === undefined && issue.code !== "custom";
  const params = {
    path,
    reason: `the key \`${path}\` is ${isMissing ? "missing" : `wrong: ${reason}`}`,
    hint: "; samples/paydrop.yaml shows each key",
  };
  return problem("CONFIG_KEY_INVALID", params, { file, key: path });
}

function unknownKey(
  place: readonly PropertyKey[],
  unknown: string,
  file: string,
  variables: ReadonlyMap<string, string>,
): Problem {
  const key = [...place, unknown].join(".");
  const variable = variableBehind(key, variables);
  if (variable !== undefined) {
    const reason = `there is no configuration key \`${key}\``;
    return problem("ENVIRONMENT_INVALID", { variable, reason }, { key: variable });
  }
  const spelling = suggestion(unknown, knownKeys(place));
  const hint = SECRET_NAME.test(unknown) ? SECRETS_ELSEWHERE : `, or correct its spelling${spelling}`;
  return problem("CONFIG_KEY_UNKNOWN", { path: key, hint }, { file, key });
}

/** Names that people give to secrets they put into the file. */
const SECRET_NAME = /secret|password|passphrase|token|^(?:api|client|private|signing)?_?key$/i;

const SECRETS_ELSEWHERE =
  ": secrets come from the environment only (PAYDROP_KEY, PAYDROP_SIGNING_SECRET, PAYDROP_OTP_SECRET), and a " +
  "secret that was in a file is known to all who could read the file";

/** The expected value, for a person who does not know the schema. */
function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type" && issue.expected === "boolean") return "expected true or false";
  if (issue.code === "invalid_type" && issue.expected === "string" && issue.input !== undefined)
    return "expected a text, in quotes";
  if (issue.code === "too_small" && issue.origin === "string") return "expected a text that is not empty";
  if (issue.code === "too_small") return `expected at least ${issue.minimum}`;
  if (issue.code === "too_big") return `expected at most ${issue.maximum}`;
  return issue.message.replace(/^Invalid (input|option): /, "");
}

/** The last variable that set this key, or the map or list containing it. */
function variableBehind(path: string, variables: ReadonlyMap<string, string>): string | undefined {
  return [...variables].findLast(([key]) => path === key || path.startsWith(`${key}.`))?.[1];
}
