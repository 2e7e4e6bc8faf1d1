/**
 * Fault scripts: which requests of which operation meet which fault. Plain data, so that they can be sent and
 * repeated.
 */
import { z } from "zod";

const delayMs = z.int().min(0);
const reference = z.string().optional();

const faultEffect = z.discriminatedUnion("kind", [
  /** Waits before the request is carried out, or after it and before its answer is sent. */
  z.strictObject({ kind: z.literal("delay"), delayMs, when: z.enum(["before-commit", "after-commit"]) }),
  /** The connection breaks before anything is done. */
  z.strictObject({ kind: z.literal("cut-before-read") }),
  /** The request is carried out, but the connection breaks instead of an answer. */
  z.strictObject({ kind: z.literal("cut-after-commit") }),
  /** The request is carried out, but the answer breaks off in the middle. */
  z.strictObject({ kind: z.literal("half-body") }),
  /** Another answer: with `committed` after the request was carried out, otherwise instead. */
  z.strictObject({
    kind: z.literal("answer"),
    statusCode: z.int().min(200).max(599),
    body: z.string(),
    committed: z.boolean(),
  }),
  /** The error array, with the request's headers and the end of its body in the text; nothing is carried out. */
  z.strictObject({ kind: z.literal("repeat-request"), statusCode: z.int().min(400).max(599) }),
  /** The request is processed twice; the answer is the second one's. */
  z.strictObject({ kind: z.literal("duplicate") }),
  /** The payout that the request creates cannot be found for a while. */
  z.strictObject({ kind: z.literal("hide"), visibilityLagMs: delayMs }),
  /** The payout that the request creates can never be found. */
  z.strictObject({ kind: z.literal("lose") }),
  /**
   * The pages shift during a search. Above zero: as if this many rows had been inserted before, so that rows of the
   * previous page are seen again. Below zero: as if as many had been removed, so that some are never seen.
   */
  z.strictObject({ kind: z.literal("page-shift"), rows: z.int() }),
  /** A search shows another state: an unknown one, or an earlier one as if the payout had gone back. */
  z.strictObject({ kind: z.literal("show-state"), state: z.string(), reference }),
  /** A search shows another text in a field of its results, such as another callbackUrl than was sent. */
  z.strictObject({ kind: z.literal("wrong-echo"), field: z.string(), value: z.string(), reference }),
  /** A search echoes other filters than were sent. */
  z.strictObject({ kind: z.literal("wrong-filters") }),
]);

export const faultScript = z
  .strictObject({
    /** The operation's name in the interface, or `*` for all of them together. */
    operation: z.string(),
    /** Which of the operation's requests, counted from 1 since the scripts were set; all if absent. */
    nth: z.int().min(1).optional(),
    /** Probability for each matching request. The random seed decides, reproducibly. */
    chance: z.number().gt(0).max(1).optional(),
    effect: faultEffect,
  })
  .refine(({ nth, chance }) => nth === undefined || chance === undefined, "expected nth or chance, not both");

export type FaultScript = z.output<typeof faultScript>;
export type FaultEffect = FaultScript["effect"];
