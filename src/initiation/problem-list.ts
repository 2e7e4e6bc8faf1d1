/** Collects problems in file order. All are counted; only as many are kept as people can use and memory can hold. */
import type { CatalogueCode, Problem } from "../faults/index.ts";

export type ProblemCounts = { readonly [Code in CatalogueCode]?: number };

/** For all codes together; the first few of each code are kept beyond it. */
const KEPT_MAX = 20_000;
const KEPT_OF_A_CODE_MIN = 20;

export function problemList() {
  const kept: Problem[] = [];
  const countsByCode = new Map<CatalogueCode, number>();
  return { kept, add, counts };

  function add(problems: readonly Problem[]): void {
    for (const found of problems) {
      const count = (countsByCode.get(found.code) ?? 0) + 1;
      countsByCode.set(found.code, count);
      if (kept.length < KEPT_MAX || count <= KEPT_OF_A_CODE_MIN) kept.push(found);
    }
  }

  /** Counts by code, including problems not kept. */
  function counts(): ProblemCounts {
    return Object.fromEntries(countsByCode);
  }
}
