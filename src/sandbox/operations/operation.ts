/**
 * What an operation of the interface is: its name, path, success status, request table and what it does. Every operation is a
 * POST with JSON bodies; core.ts does for all of them what they have in common.
 */
import type { z } from "zod";
import { Refusal } from "../refusal.ts";
import type { SeededClient } from "../seed.ts";
import type { Service } from "../service.ts";

export interface Call {
  readonly service: Service;
  readonly client: SeededClient;
  readonly nowMs: number;
  /** The request's body as text, and read as JSON with its numbers unread. */
  readonly bodyText: string;
  readonly sent: unknown;
  /** How long what this call creates cannot be found. */
  readonly visibilityLagMs: number;
}

export interface Operation {
  readonly name: string;
  readonly path: string;
  readonly successCode: 200 | 201 | 202;
  /** Reads a request's body; throws the 400 with every parameter that is wrong. */
  read(sent: unknown): ReadRequest;
}

export interface ReadRequest {
  /** Present on requests that change something. */
  readonly nonce: bigint | undefined;
  /** Does it, inside a transaction of its own; returns the answer's body, or undefined for none. */
  carryOut(call: Call): unknown;
}

interface Definition<Schema extends z.ZodType> {
  readonly name: string;
  readonly path: string;
  readonly successCode: 200 | 201 | 202;
  readonly request: Schema;
  carryOut(body: z.output<Schema>, call: Call): unknown;
}

/** A look-up: no nonce. */
export function lookUp<Schema extends z.ZodType>(definition: Definition<Schema>): Operation {
  return operation(definition, () => undefined);
}

/** An operation that changes something and therefore carries a nonce. */
export function mutation<Schema extends z.ZodType<{ readonly nonce: bigint }>>(
  definition: Definition<Schema>,
): Operation {
  return operation(definition, (body) => body.nonce);
}

function operation<Schema extends z.ZodType>(
  { name, path, successCode, request, carryOut }: Definition<Schema>,
  nonceOf: (body: z.output<Schema>) => bigint | undefined,
): Operation {
  return {
    name,
    path,
    successCode,
    read: (sent) => {
      const read = request.safeParse(sent);
      if (!read.success) throw wrongParameters(read.error);
      return { nonce: nonceOf(read.data), carryOut: (call) => carryOut(read.data, call) };
    },
  };
}

function wrongParameters(error: z.ZodError): Refusal {
  return new Refusal(
    400,
    error.issues.map((issue) => ({
      error: `${issue.path.join(".") || "the body"}: ${issue.message}`,
      code: "INVALID_PARAMETER",
    })),
  );
}
