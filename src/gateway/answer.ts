/** Parses the response to one request, without judging what it means: failure.ts and execution do that. */
import type { HttpExchange } from "../context/transport.ts";
import { present } from "../model/present.ts";
import { BYTE_ORDER_MARK } from "../model/text-encoding.ts";
import {
  asPayoutCreated,
  type ErrorObject,
  errorArray,
  mismatchText,
  parseJson,
  payoutCreated,
  RefusedJson,
} from "../wire/index.ts";
import type { CutAnswer } from "./elements.ts";
import { type OperationAnswer, type OperationName, operationOf } from "./operations.ts";

interface Answered {
  readonly status: number;
  /** The service's id for the exchange, if a response header gives one. */
  readonly requestId?: string;
  readonly retryAfter?: string;
  /** The Date header: the service's own clock. */
  readonly date?: string;
}

export type Answer<Name extends OperationName> =
  /** The operation's success status and a body that matches its schema. */
  (Answered & { readonly kind: "success"; readonly body: OperationAnswer<Name> }) | FailedAnswer;

/** Why a request could not be signed: the signer failed, or timed out. */
export type UnsignedCode = "SIGNER_FAILED" | "SIGNER_TIMEOUT";

export type FailedAnswer =
  /** Another status, with the interface's error array. */
  | (Answered & { readonly kind: "error"; readonly errors: readonly ErrorObject[] })
  /** Any other HTTP response: HTML, an unreadable success, a redirect. */
  | (Answered & { readonly kind: "unreadable"; readonly reason: string })
  /** `unsigned`: the fault code if signing failed, so that no request was made. */
  | (Extract<HttpExchange, { kind: "unanswered" }> & { readonly unsigned?: UnsignedCode });

type Response = Extract<HttpExchange, { kind: "answered" }>;

/** `cut`: the page of a search without the elements that are known; the response's own text is read if absent. */
export function readAnswer<Name extends OperationName>(
  name: Name,
  response: Response,
  cut?: CutAnswer,
): Answer<Name> {
  const { status } = response;
  const { text } = cut ?? response;
  const answered: Answered = { status, ...headerFacts(response) };
  const unreadable = (reason: string) => ({ kind: "unreadable", ...answered, reason }) as const;
  if (status >= 300 && status < 400)
    return unreadable(`a redirect${toWhere(response)}, which is not followed`);
  const { answer } = operationOf(name);
  const succeeded = isSuccess(name, status);
  if (succeeded && answer === undefined && text.trim() === "") return success(name, answered, undefined);
  const json = tryParse(text);
  if (!("refusal" in json)) cut?.place(json.value);
  if ("refusal" in json) return unreadable(encodedAs(response) ?? `${json.refusal}: ${excerpt(text)}`);
  if (!succeeded) {
    const errors = errorArray.safeParse(json.value);
    if (!errors.success) return unreadable(`not the interface's error array: ${excerpt(text)}`);
    if (isCreation(name) && errors.data.some(namesSomethingMade))
      return unreadable(`an error that names what was made: ${excerpt(text)}`);
    return { kind: "error", ...answered, errors: errors.data };
  }
  if (answer === undefined) return success(name, answered, undefined);
  const created = answer === payoutCreated ? asPayoutCreated(json.value) : undefined;
  if (created !== undefined) return success(name, answered, created);
  const body = answer.safeParse(json.value);
  return body.success ? success(name, answered, body.data) : unreadable(mismatchText(body.error));
}

/** The cast is safe because `body` was parsed with the operation's own schema, which the compiler cannot know. */
function success<Name extends OperationName>(_name: Name, answered: Answered, body: unknown): Answer<Name> {
  return { kind: "success", ...answered, body: body as OperationAnswer<Name> };
}

function isCreation(name: OperationName): boolean {
  return operationOf(name).effect.includes("creation");
}

/** Such an error does not prove that nothing was created: this request may have created what it names. */
function namesSomethingMade(error: ErrorObject): boolean {
  return "payoutId" in error || "depositId" in error;
}

export function isSuccess(name: OperationName, status: number): boolean {
  const { successStatus } = operationOf(name);
  return successStatus === undefined ? status >= 200 && status < 300 : status === successStatus;
}

/** The interface defines no request id header; these names are in use. */
const REQUEST_ID_HEADERS = ["x-request-id", "x-correlation-id", "request-id"];

function headerFacts({ headers }: Response): Pick<Answered, "requestId" | "retryAfter" | "date"> {
  const textOf = (name: string) => {
    const value = headers[name];
    return typeof value === "string" ? value : undefined;
  };
  const [requestId] = REQUEST_ID_HEADERS.flatMap((name) => textOf(name)?.slice(0, 100) ?? []);
  return present({ requestId, retryAfter: textOf("retry-after"), date: textOf("date") });
}

/**
 * Unrequested compression as the explanation for a body that is not JSON. Called only for such a body: some
 * services send a misleading "Content-Encoding: utf-8" with plain text.
 */
function encodedAs({ headers: { "content-encoding": encoding }, text }: Response): string | undefined {
  if (typeof encoding !== "string" || text === "") return undefined;
  return `encoded as ${excerpt(encoding)}, which was not asked for: its operator must switch that off`;
}

function toWhere({ headers: { location } }: Response): string {
  return typeof location === "string" ? ` to ${excerpt(location)}` : "";
}

/** Parses JSON after an optional byte order mark, which must be valid and have no duplicate members. */
function tryParse(text: string): { readonly value: unknown } | { readonly refusal: string } {
  try {
    return { value: parseJson(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text, "refused") };
  } catch (error) {
    if (error instanceof RefusedJson) return { refusal: error.message };
    if (error instanceof SyntaxError) return { refusal: "not JSON" };
    throw error;
  }
}

function excerpt(text: string): string {
  return text === "" ? "an empty body" : JSON.stringify(text.slice(0, 120));
}
