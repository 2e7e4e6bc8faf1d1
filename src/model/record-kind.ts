/** The kinds of entries of the audit record, by which people search. */

/** By kind, patterns of its actions. */
export const ACTIONS_OF = {
  files: [
    "submit",
    "repair",
    "keep aside",
    "remove what was kept aside",
    "accept layout",
    "expect",
    "retention",
  ],
  approvals: ["approve%", "recall payment", "pay again%"],
  sending: ["payout %", "send payout again", "% intended", "% accepted", "% refused", "pilot%"],
  doubts: [
    "accept payout",
    "accept create%",
    "accept void%",
    "accept authorize%",
    "abandon %",
    "re-open payout",
    "% in doubt",
  ],
  nights: ["baseline", "%break%"],
  books: ["% period", "settle held", "excuse export", "remap suspense", "erp answer read"],
  receipts: ["match receipt", "unmatch receipt", "end expected"],
  people: ["roster", "sign", "sign in", "hand over"],
  "stop and go": ["stop", "go", "accept", "another server", "move database"],
  evidence: ["evidence"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type RecordKind = keyof typeof ACTIONS_OF;

export const RECORD_KINDS = Object.keys(ACTIONS_OF) as readonly RecordKind[];
