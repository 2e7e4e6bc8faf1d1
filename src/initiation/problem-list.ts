/** Collects problems in file order. All are counted; only as many are kept as people can use and memory can hold. */
import type { CatalogueCode, Problem } from "../faults/index.ts";

export type ProblemCounts = { readonly [Code in CatalogueCode]?: number };

/** For all codes together; the first few of each code are kept beyond it. */
const KEPT_MAX = 20_000;
const KEPT_OF_A_CODE_MIN = 20;

export class ProblemList {
  readonly kept: Problem[] = [];
  private readonly countsByCode = new Map<CatalogueCode, number>();

  add(problems: readonly Problem[]): void {
    for (const found of problems) {
      const count = this.count(found);
      if (this.kept.length < KEPT_MAX || count <= KEPT_OF_A_CODE_MIN) this.kept.push(found);
    }
  }

  /** Counts by code, including problems not kept. */
  counts(): ProblemCounts {
    return Object.fromEntries(this.countsByCode);
  }

  private count({ code }: Problem): number {
    const count = (this.countsByCode.get(code) ?? 0) + 1;
    this.countsByCode.set(code, count);
    return count;
  }
}
