/** The account names that plain-text journals accept: no comment or virtual-posting marks, no double spaces. */
const ACCOUNT_NAME = /^[\p{L}\p{N}][^\p{C};|"'@={}<>]*$/u;

/** Whether hledger and ledger accept this account name. */
export function canNameAccount(name: string): boolean {
  const isSound = (part: string) => part !== "" && part.trim() === part;
  const parts = [...name.split(":"), ...plainAccountName(name).split(":")];
  return ACCOUNT_NAME.test(name) && !/\s{2}/.test(name) && parts.every(isSound);
}

/** The account name in hledger and ledger. Brackets around a name have a meaning there, so they are removed. */
export function plainAccountName(name: string): string {
  return name
    .replace(/[()[\]]/g, "")
    .replace(/\s+/g, " ")
    .replace(/\s*:\s*/g, ":")
    .trim();
}
