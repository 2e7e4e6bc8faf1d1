/** The result of a request for its caller, and when it comes. */
import type { HttpExchange } from "../../src/context/transport.ts";
import { SANDBOX_HEADERS, type SandboxAnswer } from "../../src/sandbox/index.ts";
import type { AnswerForm } from "./faults.ts";
import type { WireRequest } from "./service.ts";

/** `takesMs` counts from the moment at which the result is certain. */
export type Result = HttpExchange & { readonly takesMs: number };

export function notWritten(reason: string, takesMs: number, isTimeout = false): Result {
  return { kind: "unanswered", headWritten: false, timedOut: isTimeout, reason, takesMs };
}

export function reset(reason: string, takesMs: number): Result {
  return { kind: "unanswered", headWritten: true, timedOut: false, reason, takesMs };
}

export function timedOut(timeoutMs: number): Result {
  const reason = `no answer within ${timeoutMs} ms`;
  return { kind: "unanswered", headWritten: true, timedOut: true, reason, takesMs: timeoutMs };
}

export function answered({ statusCode, body, headers = {} }: TransportAnswer, takesMs: number): Result {
  return {
    kind: "answered",
    status: statusCode,
    headers: { ...SANDBOX_HEADERS, ...headers },
    text: body,
    takesMs,
  };
}

export type TransportAnswer = SandboxAnswer & { readonly headers?: Readonly<Record<string, string>> };

export function bodyOf(form: AnswerForm, { body, path }: WireRequest): string {
  const error = { error: "scripted", code: "SCRIPTED", timestamp: "2026-11-20T09:30:00.000Z" };
  switch (form) {
    case "errors":
      return JSON.stringify([error]);
    case "echo":
      return JSON.stringify([{ ...error, error: `cannot take ${body.toString("utf8")}` }]);
    case "html":
      return `<html><body>Bad gateway: ${path}</body></html>`;
    case "empty":
      return "";
    case "half-json":
      return `{"payoutId":"`;
  }
}
