/** The schema of a sandbox's options in a file, including rules that involve several options. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { fault, type Problem, problem, readFailure, yamlOf } from "../faults/index.ts";
import { faultScript } from "./fault-scripts.ts";
import { brokenRoutes } from "./operations/route-table.ts";
import { routesSchema } from "./operations/routes.ts";
import { operationNames } from "./operations/table.ts";
import { switches, type WrittenOptions } from "./options.ts";
import { type SandboxSeed, sandboxSeed } from "./seed.ts";

const routes = routesSchema.superRefine((routes, context) => {
  for (const { name, reason } of brokenRoutes(routes)) {
    context.addIssue({ code: "custom", path: [name], message: reason });
  }
});

/** Fault scripts must name existing operations: a misspelt name would silently never match. */
export const faultScripts = z.array(
  faultScript.refine(({ operation }) => operation === "*" || operationNames.includes(operation), {
    path: ["operation"],
    error: "expected * or an operation's name in the interface document, such as createPayoutV2",
  }),
);

const seed = sandboxSeed.superRefine(refuseUnfittingParts);

export const writtenOptions = z.strictObject({
  ...switches,
  seed: seed.prefault({}),
  routes: routes.prefault({}),
  faults: faultScripts.default([]),
});

/** Names must be unique, and what is referred to must exist. */
function refuseUnfittingParts(seed: SandboxSeed, context: z.RefinementCtx): void {
  const { clients, accounts, deposits, foreignPayouts } = seed;
  const refuse = (path: (string | number)[], message: string) =>
    context.addIssue({ code: "custom", path, message });
  const refuseRepetitions = (list: string, key: string, names: readonly string[]) => {
    for (const [at, name] of names.entries()) {
      const first = names.indexOf(name);
      if (first < at) refuse([list, at, key], `${list}.${first} has it already`);
    }
  };
  const accountIds = accounts.map(({ accountId }) => accountId);
  const depositIds = deposits.map(({ depositId }) => depositId);
  const keys = clients.map(({ key }) => key);
  refuseRepetitions("clients", "key", keys);
  refuseRepetitions("accounts", "accountId", accountIds);
  refuseRepetitions("deposits", "depositId", depositIds);
  for (const [list, members] of Object.entries({ deposits, foreignPayouts })) {
    for (const [at, { accountId }] of members.entries()) {
      if (!accountIds.includes(accountId))
        refuse([list, at, "accountId"], `none of the accounts is ${accountId}`);
    }
  }
  for (const [at, { duplicatedFromDepositId, parts }] of deposits.entries()) {
    for (const named of [duplicatedFromDepositId, ...parts.map(({ movesTo }) => movesTo?.depositId)]) {
      if (named !== undefined && !depositIds.includes(named))
        refuse(["deposits", at], `none of the deposits is ${named}`);
    }
  }
}

interface OptionsFile {
  /** As written, without defaults; undefined if there are problems. */
  readonly options: WrittenOptions | undefined;
  readonly problems: readonly Problem[];
}

/**
 * Reads a file of sandbox options, YAML or JSON. Every problem names the file, the key and the fix. Throws USAGE
 * for an unreadable file and CONFIG_NOT_YAML for one that is not YAML (which includes JSON).
 */
export function readOptionsFile(path: string): OptionsFile {
  const written = yamlOf(textOf(path), path) ?? {};
  const read = writtenOptions.safeParse(written, { reportInput: true });
  if (read.success) return { options: written, problems: [] };
  return { options: undefined, problems: read.error.issues.flatMap((issue) => problemsOf(issue, path)) };
}

const SAMPLE = "samples/sandbox.yaml";

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const what = `the sandbox's options ${path} cannot be read: ${readFailure(cause)}`;
    const how = `Name a YAML or JSON file by --seed; ${SAMPLE} is one.`;
    throw fault("USAGE", { what, how }, { file: path }, { cause });
  }
}

function problemsOf(issue: z.core.$ZodIssue, file: string): Problem[] {
  if (issue.code === "unrecognized_keys") {
    const hint = `, or correct its spelling; ${SAMPLE} shows each key`;
    return issue.keys.map((unknown) => {
      const key = [...issue.path, unknown].join(".");
      return problem("CONFIG_KEY_UNKNOWN", { path: key, hint }, { file, key });
    });
  }
  const path = issue.path.join(".");
  const hint = `; ${SAMPLE} shows each key`;
  if (path === "") {
    const what = `the sandbox's options ${file} are no map of keys`;
    return [problem("USAGE", { what, how: `Compare the file with ${SAMPLE}.` }, { file })];
  }
  const reason = `the key \`${path}\` ${reasonOf(issue)}`;
  return [problem("CONFIG_KEY_INVALID", { path, reason, hint }, { file, key: path })];
}

function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type" && issue.expected === "string" && typeof issue.input === "number") {
    return "is wrong: expected a text in quotes, since a number may lose digits";
  }
  if (issue.input === undefined && issue.code !== "custom") return "is missing";
  if (issue.code === "invalid_format" && issue.format === "guid") return "is wrong: expected a UUID";
  return `is wrong: ${issue.message.replace(/^Invalid (?:input|option): /, "")}`;
}
