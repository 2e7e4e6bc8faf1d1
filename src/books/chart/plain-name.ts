/** What hledger and ledger call an account: brackets around a name mean something else to them, so it goes without them. */
export function plainAccountName(name: string): string {
  return name
    .replace(/[()[\]]/g, "")
    .replace(/\s+/g, " ")
    .replace(/\s*:\s*/g, ":")
    .trim();
}
