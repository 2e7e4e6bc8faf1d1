/** The party of a posting: most ERPs require one for receivables and payables. */
export interface Party {
  /** The ERP's name for the kind: "Customer". */
  readonly type: string;
  readonly id: string;
}
