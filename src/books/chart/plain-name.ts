/** What plain-text journals accept as an account name: no comment or virtual-posting marks, no double spaces. */
const ACCOUNT_NAME = /^[\p{L}\p{N}][^\p{C};|"'@={}<>]*$/u;

/** Whether hledger and ledger can call an account so. */
export function canNameAccount(name: string): boolean {
  const isSound = (part: string) => part !== "" && part.trim() === part;
  const parts = [...name.split(":"), ...plainAccountName(name).split(":")];
  return ACCOUNT_NAME.test(name) && !/\s{2}/.test(name) && parts.every(isSound);
}

/**
 * What hledger and ledger call an account: brackets around a name mean something else to them, so it goes without
 * them.
 */
export function plainAccountName(name: string): string {
  return name
    .replace(/[()[\]]/g, "")
    .replace(/\s+/g, " ")
    .replace(/\s*:\s*/g, ":")
    .trim();
}
