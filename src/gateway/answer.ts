/** What came back for one request, told exactly; what it means for a creation or a look-up is failure.ts's and execution's business. */
import type { TlsFailure } from "../context/tls-failure.ts";
import type { HttpExchange } from "../context/transport.ts";
import { present } from "../model/present.ts";
import { type ErrorObject, errorArray, mismatchText, parseJson } from "../wire/index.ts";
import { type OperationAnswer, type OperationName, operationOf } from "./operations.ts";

interface Answered {
  readonly status: number;
  /** The service's own name for the exchange, where a header of the answer gives one. */
  readonly requestId?: string;
  readonly retryAfter?: string;
  /** When the service made it, by its own clock. */
  readonly date?: string;
}

export type Answer<Name extends OperationName> =
  /** The operation's success status with the body that the interface shows. */
  (Answered & { readonly kind: "success"; readonly body: OperationAnswer<Name> }) | FailedAnswer;

/** Why a request has no signature: the signer failed, or did not end in time. */
export type UnsignedCode = "SIGNER_FAILED" | "SIGNER_TIMEOUT";

export type FailedAnswer =
  /** Another status with the interface's error array. */
  | (Answered & { readonly kind: "error"; readonly errors: readonly ErrorObject[] })
  /** Anything else that is HTTP: HTML, an unreadable success, a redirect. */
  | (Answered & { readonly kind: "unreadable"; readonly reason: string })
  | {
      readonly kind: "unanswered";
      readonly headWritten: boolean;
      readonly timedOut: boolean;
      readonly reason: string;
      /** The signer gave no headers, so the request was never made: its entry of the catalogue. */
      readonly unsigned?: UnsignedCode;
      /** There was no secure connection, so the request never left. */
      readonly tls?: TlsFailure;
    };

type Response = Extract<HttpExchange, { kind: "answered" }>;

export function readAnswer<Name extends OperationName>(name: Name, response: Response): Answer<Name> {
  const { status, text } = response;
  const answered: Answered = { status, ...told(response) };
  const unreadable = (reason: string) => ({ kind: "unreadable", ...answered, reason }) as const;
  if (status >= 300 && status < 400)
    return unreadable(`a redirect${toWhere(response)}, which is not followed`);
  const { answer } = operationOf(name);
  const succeeded = isSuccess(name, status);
  if (succeeded && answer === undefined && text.trim() === "") return success(name, answered, undefined);
  const json = tryParse(text);
  if (json === undefined) return unreadable(encodedAs(response) ?? `not JSON: ${excerpt(text)}`);
  if (!succeeded) {
    const errors = errorArray.safeParse(json.value);
    if (!errors.success) return unreadable(`not the interface's error array: ${excerpt(text)}`);
    if (isCreation(name) && errors.data.some(namesSomethingMade))
      return unreadable(`an error that names what was made: ${excerpt(text)}`);
    return { kind: "error", ...answered, errors: errors.data };
  }
  if (answer === undefined) return success(name, answered, undefined);
  const body = answer.safeParse(json.value);
  return body.success ? success(name, answered, body.data) : unreadable(mismatchText(body.error));
}

/** The cast is right because `body` was read with the schema that the table gives the operation; the compiler cannot know that. */
function success<Name extends OperationName>(_name: Name, answered: Answered, body: unknown): Answer<Name> {
  return { kind: "success", ...answered, body: body as OperationAnswer<Name> };
}

function isCreation(name: OperationName): boolean {
  return operationOf(name).effect.includes("creation");
}

/** Such an error does not prove that nothing was made: perhaps this request has made what it names. */
function namesSomethingMade(error: ErrorObject): boolean {
  return "payoutId" in error || "depositId" in error;
}

function isSuccess(name: OperationName, status: number): boolean {
  const { successStatus } = operationOf(name);
  return successStatus === undefined ? status >= 200 && status < 300 : status === successStatus;
}

/** The interface shows no such header; these are the names in use. */
const REQUEST_ID_HEADERS = ["x-request-id", "x-correlation-id", "request-id"];

function told({ headers }: Response): Pick<Answered, "requestId" | "retryAfter" | "date"> {
  const textOf = (name: string) => {
    const value = headers[name];
    return typeof value === "string" ? value : undefined;
  };
  const [requestId] = REQUEST_ID_HEADERS.flatMap((name) => textOf(name)?.slice(0, 100) ?? []);
  return present({ requestId, retryAfter: textOf("retry-after"), date: textOf("date") });
}

/**
 * Compression, which was not asked for, explains why a body is not JSON. Only the body proves it: some services call their text encoded
 * where it is not ("Content-Encoding: utf-8").
 */
function encodedAs({ headers: { "content-encoding": encoding }, text }: Response): string | undefined {
  if (typeof encoding !== "string" || text === "") return undefined;
  return `encoded as ${excerpt(encoding)}, which was not asked for: its operator must switch that off`;
}

function toWhere({ headers: { location } }: Response): string {
  return typeof location === "string" ? ` to ${excerpt(location)}` : "";
}

const BYTE_ORDER_MARK = "\uFEFF";

/** Refuses an object in which a member comes twice, for instance two amounts. Some services put a byte order mark before the text. */
function tryParse(text: string): { value: unknown } | undefined {
  try {
    return { value: parseJson(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text, "refused") };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function excerpt(text: string): string {
  return text === "" ? "an empty body" : JSON.stringify(text.slice(0, 120));
}
