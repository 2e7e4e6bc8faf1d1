/** The types of a page, of the visit that it handles, and of its answers. */
import type { FastifyRequest } from "fastify";
import type { Hints } from "../daemon/callbacks.ts";
import type { Connections } from "../daemon/connections.ts";
import { fault } from "../faults/index.ts";
import { personKey, ROLES, type Role } from "../model/index.ts";
import type { Sessions } from "../proof/sessions.ts";
import type { Check } from "../setup/doctor-step.ts";
import type { Workplace } from "../workplace/workplace.ts";
import type { codeChecks, signedInTokens, turns } from "./guard.ts";
import type { Held } from "./held.ts";
import type { Html } from "./html.ts";
import type { sentTwice } from "./sent-twice.ts";
import type { Uploads } from "./uploads.ts";

export interface Page {
  readonly method: "GET" | "POST";
  /** A fastify path: "/batches/:id". */
  readonly path: string;
  /** A person needs one of them; "anybody" includes people who are not signed in. */
  readonly roles: readonly Role[] | "anybody";
  /** Its form may hold files, which are read from `request`. */
  readonly takesFiles?: boolean;
  /** Its place in the navigation. */
  readonly nav?: { readonly group: "Work" | "Proof" | "Run"; readonly label: string };
  /** Faults that it throws are shown as a page that says what was not done. */
  handle(visit: Visit): Promise<Answer>;
}

/** The roles that see all payments. A person who is only a submitter sees their own files. */
export const SEE = ROLES.filter((role) => role !== "submitter");

/** Shared by all requests. */
export interface Desk {
  readonly workplace: Workplace;
  /** "https://pay.example.com" */
  readonly origin: string;
  /** Its host name, to which passkeys belong. */
  readonly site: string;
  readonly sessions: Sessions;
  /** Short-lived things between two requests of one browser. */
  readonly held: Held;
  /** For pages that take a one-time code. */
  readonly checkCode: ReturnType<typeof codeChecks>;
  readonly takeTurn: ReturnType<typeof turns>;
  /** Tokens that are known to belong to signed-in people. */
  readonly signedIn: ReturnType<typeof signedInTokens>;
  readonly connections: Connections;
  readonly uploads: Uploads;
  readonly onceEach: ReturnType<typeof sentTwice<Answer>>;
  /** For the scheduled jobs, if they run in this process. */
  readonly hints: Hints | undefined;
  /**
   * The checks of `doctor` (everything that must be right before money can move), if this process has the secrets.
   */
  readonly doctor: (() => Promise<readonly Check[]>) | undefined;
}

/** The scheduled jobs of this process. Throws USAGE if none run in it; `how`: what to do instead. */
export function jobsBeside({ hints }: Desk, how: string): Hints {
  if (hints !== undefined) return hints;
  throw fault("USAGE", { what: "this desk runs without the scheduled jobs", how });
}

/** Fields of a query or form; a name may occur several times. */
export type Fields = Readonly<Record<string, string | readonly string[]>>;

export interface Visit {
  readonly desk: Desk;
  readonly workplace: Workplace;
  /** Empty before signing in. */
  readonly person: string;
  readonly roles: readonly Role[];
  /** The path with its query, as requested. */
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Fields;
  /** The form; empty for GET and for uploads, which are read from `request`. */
  readonly form: Fields;
  /** The page of that form, to which a refusal leads back; for GET `url`. */
  readonly from: string;
  /** The session's token in this browser; empty if it has none. */
  readonly token: string;
  /** The token of a browser that signs in, from which the code to sign is made; empty if it has none. */
  readonly knock: string;
  readonly request: FastifyRequest;
}

/** New tokens for the browser; an empty one deletes the cookie. */
type Tokens = Partial<Pick<Visit, "token" | "knock">>;

export interface PageAnswer extends Tokens {
  readonly title: string;
  /** The content, or a function of the link back, for pages that say what was not done. */
  readonly content: Html | ((back: Html) => Html);
  readonly status?: number;
  /** Without navigation: before signing in. */
  readonly isBare?: boolean;
}

interface Download {
  readonly fileName: string;
  readonly type: string;
  readonly bytes: Buffer | NodeJS.ReadableStream;
}

/** `goTo`: a redirect after a POST, so that reloading repeats nothing. */
export type Answer = PageAnswer | ({ readonly goTo: string } & Tokens) | Download;

/** The first value of a field; empty without one. */
export function field(fields: Fields, name: string): string {
  return fieldsOf(fields, name)[0] ?? "";
}

export function fieldsOf(fields: Fields, name: string): readonly string[] {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return value === undefined ? [] : typeof value === "string" ? [value] : value;
}

/** The reason of a decision from its form. Throws USAGE. */
export function reasonIn(form: Fields): string {
  const reason = field(form, "reason").trim();
  if (reason !== "") return reason;
  throw fault("USAGE", { what: "a reason is missing", how: "Say why: it is kept on record." });
}

export function seesAll(visit: Visit): boolean {
  return hasRole(visit, ...SEE);
}

export function hasRole({ roles }: Visit, ...wanted: readonly Role[]): boolean {
  return wanted.some((role) => roles.includes(role));
}

export function isVisitor({ person }: Visit, name = ""): boolean {
  return personKey(name) === personKey(person);
}
