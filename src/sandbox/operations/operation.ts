/**
 * An operation of the interface: its name, success status, request and answer tables, and what it does. All of them
 * take and return JSON bodies. The table in operations.ts says where each is served; core.ts does what they have in
 * common.
 */
import type { z } from "zod";
import { wrongParameters } from "../refusal.ts";
import type { SeededClient } from "../seed.ts";
import type { Service } from "../service.ts";

export interface Call {
  readonly service: Service;
  readonly client: SeededClient;
  readonly nowMs: number;
  /** The request's body as text, and parsed with its numbers kept as text. */
  readonly bodyText: string;
  readonly sent: unknown;
  /** How long the result of this call stays invisible. */
  readonly visibilityLagMs: number;
  /** Shifts the rows that a search finds; 0 without a fault. */
  readonly rowsShifted: number;
}

interface Described<Schema extends z.ZodType> {
  readonly name: string;
  /** Absent if the interface gives the operation no path. */
  readonly path?: string;
  readonly successCode: 200 | 201 | 202;
  /** The request's table, and the answer's; absent for an answer without a body. */
  readonly request: Schema;
  readonly answer?: z.ZodType;
}

export interface Operation extends Described<z.ZodType> {
  /** Reads a request's body. Throws a 400 that names every wrong parameter. */
  read(sent: unknown): ReadRequest;
}

export interface ReadRequest {
  /** Present if the operation changes something. */
  readonly nonce: bigint | undefined;
  /** Runs in its own transaction. Returns the answer's body as JSON text or a value; undefined for none. */
  carryOut(call: Call): unknown;
}

interface Definition<Schema extends z.ZodType> extends Described<Schema> {
  carryOut(body: z.output<Schema>, call: Call): unknown;
}

/** An operation that only reads, without a nonce. */
export function lookUp<Schema extends z.ZodType>(definition: Definition<Schema>): Operation {
  return operation(definition, () => undefined);
}

/** An operation that changes something, with a nonce. */
export function mutation<Schema extends z.ZodType<{ readonly nonce: bigint }>>(
  definition: Definition<Schema>,
): Operation {
  return operation(definition, (body) => body.nonce);
}

function operation<Schema extends z.ZodType>(
  { carryOut, ...described }: Definition<Schema>,
  nonceOf: (body: z.output<Schema>) => bigint | undefined,
): Operation {
  return {
    ...described,
    read: (sent) => {
      const read = described.request.safeParse(sent);
      if (!read.success) throw wrongParameters(read.error);
      return { nonce: nonceOf(read.data), carryOut: (call) => carryOut(read.data, call) };
    },
  };
}
