/**
 * What an operation of the interface is: its name, success status, tables of request and answer, and what it does. All of them take
 * and give JSON bodies; where each is served is the table operations.ts, and core.ts does what they have in common.
 */
import type { z } from "zod";
import { wrongParameters } from "../refusal.ts";
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
  /** What a search finds is shifted by so many rows; 0 where no fault says otherwise. */
  readonly rowsShifted: number;
}

interface Described<Schema extends z.ZodType> {
  readonly name: string;
  /** Absent for an operation to which the interface gives no path. */
  readonly path?: string;
  readonly successCode: 200 | 201 | 202;
  /** The tables of the request's and of the answer's body; absent for an answer without one. */
  readonly request: Schema;
  readonly answer?: z.ZodType;
}

export interface Operation extends Described<z.ZodType> {
  /** Whether it changes something, and so carries a nonce. */
  readonly mutating: boolean;
  /** Reads a request's body; throws the 400 with every parameter that is wrong. */
  read(sent: unknown): ReadRequest;
}

export interface ReadRequest {
  /** Present on requests that change something. */
  readonly nonce: bigint | undefined;
  /** Does it, inside a transaction of its own; returns the answer's body, JSON text or a value, or undefined for none. */
  carryOut(call: Call): unknown;
}

interface Definition<Schema extends z.ZodType> extends Described<Schema> {
  carryOut(body: z.output<Schema>, call: Call): unknown;
}

/** A look-up: no nonce. */
export function lookUp<Schema extends z.ZodType>(definition: Definition<Schema>): Operation {
  return operation(definition, false, () => undefined);
}

/** An operation that changes something and therefore carries a nonce. */
export function mutation<Schema extends z.ZodType<{ readonly nonce: bigint }>>(
  definition: Definition<Schema>,
): Operation {
  return operation(definition, true, (body) => body.nonce);
}

function operation<Schema extends z.ZodType>(
  { carryOut, ...described }: Definition<Schema>,
  mutating: boolean,
  nonceOf: (body: z.output<Schema>) => bigint | undefined,
): Operation {
  return {
    ...described,
    mutating,
    read: (sent) => {
      const read = described.request.safeParse(sent);
      if (!read.success) throw wrongParameters(read.error);
      return { nonce: nonceOf(read.data), carryOut: (call) => carryOut(read.data, call) };
    },
  };
}
