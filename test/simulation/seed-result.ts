/** The result of one seed. */

export interface SeedResult {
  readonly seed: number;
  /** What was broken; empty if everything held. */
  readonly broken: readonly string[];
  /** What happened that no client can prevent, counted separately. */
  readonly apart: readonly string[];
  readonly lives: number;
  readonly rows: number;
  readonly sent: number;
  readonly created: number;
  readonly faultsMet: number;
  readonly faultsByKind: Readonly<Record<string, number>>;
  readonly standings: Readonly<Record<string, number>>;
  readonly trace: readonly string[];
}
