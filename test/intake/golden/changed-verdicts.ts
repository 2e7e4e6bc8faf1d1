/**
 * The files of which the reader makes something else than the one whose verdicts `old-verdicts.jsonl` keeps. Each names
 * the rule of docs/files.md that explains the difference. `node test/intake/write-golden-verdicts.ts changes` prints
 * what is not listed yet.
 */
import type { ChangedVerdict } from "../golden-verdict.ts";

export const CHANGED_VERDICTS: readonly (ChangedVerdict & { readonly rule: string })[] = [];

/**
 * Faults that say the same as another did, or less exactly: a file with them that is still not accepted needs no entry
 * of its own. `now` is absent for one that goes where others stay.
 */
export const CHANGED_FAULTS: readonly { readonly was: string; readonly now?: string; readonly rule: string }[] = [];
