/**
 * Planted violations that the count-up crash must notice, each with stops that reveal it; ../violations.ts has the
 * other rules.
 */
import type { CrashOrder } from "./crash-run.ts";

export interface CrashViolation {
  /** Name of its module in ../violations/. */
  readonly name: string;
  /** The module of src that it replaces. */
  readonly violates: string;
  /** The promise that is broken. */
  readonly rule: string;
  readonly order: Omit<CrashOrder, "stops">;
  /** A stop that is known to turn red, and how far to search from there. */
  readonly from: number;
  readonly to: number;
}

export const CRASH_VIOLATIONS: readonly CrashViolation[] = [
  {
    name: "written-in-place",
    violates: "context/files",
    rule: "a file appears whole or not at all",
    order: { nonceRule: "unique", withMachine: false },
    from: 17,
    to: 24,
  },
  {
    name: "written-without-a-flush",
    violates: "context/files",
    rule: "a file is on the disk before anybody is told of it",
    order: { nonceRule: "unique", withMachine: true },
    from: 180,
    to: 190,
  },
];
