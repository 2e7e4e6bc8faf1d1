/** Whom a posting is about: most ERPs ask it of receivables and payables. */
export interface Party {
  /** What the ERP calls the kind: "Customer". */
  readonly type: string;
  readonly id: string;
}
