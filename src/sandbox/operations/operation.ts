/**
 * An operation of the interface is a row: its name, path, success status, request and answer tables, and how a
 * request is decided. All take and return JSON bodies; handle.ts does what they have in common.
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

/** Everything is decided before the first change, so that nothing has to be undone. */
export interface Decided {
  /** The answer's body as JSON text or a value; undefined for none. */
  readonly answer?: unknown;
  /** Makes the changes that were decided; cannot be refused any more. */
  carryOut?(): void;
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

interface Row<Schema extends z.ZodType> extends Described<Schema> {
  /** Throws a Refusal. */
  decide(body: z.output<Schema>, call: Call): Decided;
}

export interface Operation extends Described<z.ZodType> {
  /** Reads a request's body. Throws a 400 that names every wrong parameter. */
  read(sent: unknown): ReadRequest;
}

export interface ReadRequest {
  /** Present if the operation changes something. */
  readonly nonce: bigint | undefined;
  decide(call: Call): Decided;
}

/** An operation that only reads, without a nonce. */
export function lookUp<Schema extends z.ZodType>(row: Row<Schema>): Operation {
  return operation(row, () => undefined);
}

/** An operation that changes something, with a nonce. */
export function mutation<Schema extends z.ZodType<{ readonly nonce: bigint }>>(row: Row<Schema>): Operation {
  return operation(row, (body) => body.nonce);
}

function operation<Schema extends z.ZodType>(
  { decide, ...described }: Row<Schema>,
  nonceOf: (body: z.output<Schema>) => bigint | undefined,
): Operation {
  return {
    ...described,
    read: (sent) => {
      const read = described.request.safeParse(sent);
      if (!read.success) throw wrongParameters(read.error);
      return { nonce: nonceOf(read.data), decide: (call) => decide(read.data, call) };
    },
  };
}
