/** An error in words, as logged, stored with a run, and shown to monitors. */
import { Fault } from "../faults/index.ts";

export function described(error: unknown): { readonly code?: string; readonly message: string } {
  if (error instanceof Fault) return { code: error.problem.code, message: error.problem.message };
  return { message: error instanceof Error ? error.message : String(error) };
}
