/** Reads a file of sandbox options, YAML or JSON. Every problem names the file, the key and the fix. */
import { readFileSync } from "node:fs";
import type { z } from "zod";
import { fault, type Problem, problem, readFailure, yamlOf } from "../faults/index.ts";
import type { WrittenOptions } from "./options.ts";
import { writtenOptions } from "./options-schema.ts";

export interface OptionsFile {
  /** As written, without defaults; undefined if there are problems. */
  readonly options: WrittenOptions | undefined;
  readonly problems: readonly Problem[];
}

/** Throws USAGE for an unreadable file and CONFIG_NOT_YAML for one that is not YAML (which includes JSON). */
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
