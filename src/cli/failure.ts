/** Turns an error that a command threw into catalogue problems, for people or as one document for machines. */
import { basename } from "node:path";
import { CommanderError } from "commander";
import { ConfigFault } from "../config/config-fault.ts";
import { Fault, type Problem, problem } from "../faults/index.ts";
import { holdsPrivateKey } from "../model/private-key.ts";
import { SECRET_NOT_SHOWN } from "../model/shown-text.ts";
import { type ExitCode, exitCodeFor } from "./exit-code.ts";
import type { Output } from "./output.ts";
import { problemText } from "./render/problem-text.ts";

/** Prints the problems and returns the exit code of the first. */
export function reportFailure(error: unknown, output: Output): ExitCode {
  const [first, ...others] = problemsOf(error);
  const problems = [first, ...others].map(withoutKeys);
  if (output.json) output.answer({ problems }, String);
  else for (const found of problems) output.complain(problemText(found, output.colors));
  return exitCodeFor(first.next);
}

/** Removes private keys: messages repeat command-line arguments, where one may have been pasted. */
function withoutKeys(original: Problem): Problem {
  const withoutKey = ([name, value]: [string, unknown]) =>
    [name, typeof value === "string" && holdsPrivateKey(value) ? SECRET_NOT_SHOWN : value] as const;
  return { ...original, ...Object.fromEntries(Object.entries(original).map(withoutKey)) };
}

function problemsOf(error: unknown): readonly [Problem, ...Problem[]] {
  if (error instanceof ConfigFault) return [error.problem, ...error.otherProblems];
  if (error instanceof Fault) return [error.problem];
  if (error instanceof CommanderError) return [usageProblem(error)];
  return [problem("UNEXPECTED", { reason: unexpectedReason(error) })];
}

const HOW = "`paydrop --help` lists the commands, `paydrop COMMAND --help` says what each one takes.";

/** Parses commander's "error: unknown command 'stat'", and "(Did you mean status?)" if it follows. */
function usageProblem({ code, message }: CommanderError): Problem {
  if (code === "commander.help") return problem("USAGE", { what: "no command was given", how: HOW });
  const [what = "", suggestion] = message.replace(/^error: /, "").split("\n");
  const how = suggestion === undefined ? HOW : `${suggestion.replace(/^\(|\)$/g, "")} ${HOW}`;
  return problem("USAGE", { what, how });
}

/** The message and its origin, so that a report of it can be traced. */
function unexpectedReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const place = /\(?(?:file:\/\/)?([^()\s]+):(\d+):\d+\)?$/m.exec(error.stack ?? "");
  const [, path, line] = place ?? [];
  return path === undefined
    ? `${error.name}: ${error.message}`
    : `${error.name}: ${error.message} (${basename(path)}, line ${line})`;
}
