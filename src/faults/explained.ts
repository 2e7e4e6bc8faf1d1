/** The general meaning of a code of the catalogue, without the values of a case. */
import { type CatalogueCode, catalogue } from "./catalogue.ts";
import type { CatalogueEntry, Next } from "./entry.ts";

export interface ExplainedFault {
  readonly code: CatalogueCode;
  readonly means: string;
  readonly fix: string;
  readonly next: Next;
  /** The next step, and who acts, in words. */
  readonly afterwards: string;
}

const AFTERWARDS: Readonly<Record<Next, string>> = {
  "correct-file": "nothing of the file is paid until its sender corrects it and sends it in again",
  "correct-usage": "nothing was done until the command or the configuration is corrected",
  "needs-person": "it waits until a person with the right role decides",
  "will-retry": "Paydrop tries again by itself, or the command may be run again",
  "service-refused": "the service refused; it is not tried again until the cause is corrected",
  stopped: "nothing is sent until the cause is understood",
};

/** Undefined if no fault has this code. */
export function explainedFault(code: string): ExplainedFault | undefined {
  if (!isCode(code)) return undefined;
  const entry: CatalogueEntry = catalogue[code];
  const { message, fix, next, about = { message, fix } } = entry;
  return { code, means: general(about.message), fix: general(about.fix), next, afterwards: AFTERWARDS[next] };
}

/** "LIMIT", "AMOUNT_LIMIT" for "AMOUNT_OVER_LIMIT": the codes that share most words with a misspelt one. */
export function similarCodes(code: string, count: number): readonly CatalogueCode[] {
  const words = new Set(code.split("_"));
  const shared = (other: string) => other.split("_").filter((word) => words.has(word)).length;
  const known = Object.keys(catalogue).filter(isCode);
  return known
    .filter((each) => shared(each) > 0)
    .sort((one, other) => shared(other) - shared(one))
    .slice(0, count);
}

function isCode(code: string): code is CatalogueCode {
  return Object.hasOwn(catalogue, code);
}

/** "{baseUrl}" becomes "<baseUrl>": a placeholder for the values of a case. */
function general(text: string): string {
  return text.replace(/\{(\w+)\}/g, "<$1>");
}
