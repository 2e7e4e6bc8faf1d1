/**
 * The planted violations: for each rule of the protocol a module of violations/ that takes the place of the module of src that keeps
 * the rule. Each must turn some seeds red, or the simulation proves nothing about the rule.
 */

export interface Violation {
  /** Name of its module in violations/. */
  readonly name: string;
  /** The module of src whose place it takes. */
  readonly violates: string;
  /** The rule, as a promise that is then broken. */
  readonly rule: string;
  /** Within how many seeds it must be caught. */
  readonly seedsMax: number;
}

export const VIOLATIONS: readonly Violation[] = [];
