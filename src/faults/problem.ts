/**
 * The form of everything that can go wrong: code, message, where, fix, and what happens next. A problem in data is
 * a value and is returned with all others; a fault of the machine is thrown.
 */
import { type CatalogueCode, catalogue } from "./catalogue.ts";
import type { CatalogueEntry, Next, Placeholders } from "./entry.ts";

/** The place of a problem, as far as known. `row`: data row from 1; `line`: of the file or sheet. */
export interface Where {
  readonly file?: string;
  readonly sheet?: string;
  readonly row?: number;
  readonly line?: number;
  /** The column's header as written in the file, or the instruction field. */
  readonly column?: string;
  /** A1 reference, XLSX only. */
  readonly cell?: string;
  /** The cell's text as it may be shown: escaped, shortened, and never a secret. */
  readonly excerpt?: string;
  /** Path of a configuration key: "service.baseUrl". */
  readonly key?: string;
  readonly operation?: string;
  readonly reference?: string;
  readonly payoutId?: string;
  readonly depositId?: string;
  /** The service's id for the exchange. */
  readonly requestId?: string;
  /** `code` and `timestamp` of the service's first error object. */
  readonly serviceCode?: string;
  readonly serviceTimestamp?: string;
}

export interface Problem extends Where {
  readonly code: CatalogueCode;
  readonly message: string;
  readonly fix: string;
  readonly next: Next;
}

type Entry<Code extends CatalogueCode> = (typeof catalogue)[Code];

type PlaceholdersOf<Code extends CatalogueCode> =
  | Placeholders<Entry<Code>["message"]>
  | Placeholders<Entry<Code>["fix"]>;

type Texts<Names extends string> = { readonly [Name in Names]: string | number };

/** One of the reasons of a code, with its evidence: `{ reason: "taken", batch: "B-000001" }`. */
export type Reason<Code extends CatalogueCode> =
  Entry<Code> extends { readonly reasons: infer Words }
    ? {
        [Why in keyof Words]: { readonly reason: Why } & Texts<
          Placeholders<Words[Why] extends string ? Words[Why] : never>
        >;
      }[keyof Words]
    : never;

export type Params<Code extends CatalogueCode> =
  Entry<Code> extends { readonly reasons: unknown }
    ? Texts<Exclude<PlaceholdersOf<Code>, "reason">> & Reason<Code>
    : Texts<PlaceholdersOf<Code>>;

export function problem<Code extends CatalogueCode>(
  code: Code,
  params: Params<Code>,
  where: Where = {},
): Problem {
  const entry: CatalogueEntry = catalogue[code];
  const { reason = "" }: { readonly reason?: string | number } = params;
  const message = entry.message.replace("{reason}", (whole) => entry.reasons?.[reason] ?? whole);
  return {
    code,
    message: fill(message, params),
    fix: fill(entry.fix, params),
    next: entry.next,
    ...where,
  };
}

/** Whether a function that returns a value or a problem returned the problem. No value of ours has both members. */
export function isProblem(result: unknown): result is Problem {
  return typeof result === "object" && result !== null && "code" in result && "fix" in result;
}

/** A fault of the machine or its configuration; carries its problem, for every interface to print. */
export class Fault extends Error {
  readonly problem: Problem;

  constructor(what: Problem, options?: ErrorOptions) {
    super(`${what.code}: ${what.message}`, options);
    this.name = "Fault";
    this.problem = what;
  }
}

export function fault<Code extends CatalogueCode>(
  code: Code,
  params: Params<Code>,
  where: Where = {},
  options?: ErrorOptions,
): Fault {
  return new Fault(problem(code, params, where), options);
}

/** The result of `work`, or the problem of its fault. Faults for which `isExpected` is false are rethrown. */
export async function orProblem<Result>(
  work: () => Promise<Result>,
  isExpected: (fault: Problem) => boolean = () => true,
): Promise<Result | Problem> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault && isExpected(error.problem))) throw error;
    return error.problem;
  }
}

/** Whether the service could not be asked, or refused. */
export function isOfService({ code }: Problem): boolean {
  return code.startsWith("SERVICE_");
}

/** Asserts an invariant, also in production: a state that must not exist stops the run instead of moving money. */
export function invariant(holds: boolean, what: string): asserts holds {
  if (!holds) throw fault("INVARIANT_BROKEN", { what });
}

function fill(text: string, params: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(params[name] ?? whole));
}
