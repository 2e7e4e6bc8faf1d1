/**
 * Checks the lines of the chart together: shares add up, names and codes correspond, and no movement fits two lines
 * equally well.
 */
import { type Problem, problem } from "../../faults/index.ts";
import { type ChartRole, type ChartRow, foldedKey, splitKey } from "./chart.ts";
import { canBothMatch, isPattern, prefixOf, suffixOf } from "./glob.ts";
import { referenceWeight } from "./look-up.ts";
import { canNameAccount, plainAccountName } from "./plain-name.ts";
import { isWhole, shareText, sumOfShares } from "./share.ts";

/** `areAll`: every line could be read. Otherwise missing lines are not reported. */
export function checkRows(rows: readonly ChartRow[], areAll: boolean): Problem[] {
  return [
    ...(areAll ? checkShares(rows) : []),
    ...checkNames(rows),
    ...checkTargetNames(rows),
    ...checkReferences(rows),
    ...(areAll ? checkRoles(rows) : []),
  ];
}

/** Every settlement needs these roles; without a row for any key, money could go to suspense unnoticed. */
const ROLES_FOR_ANY_KEY: readonly ChartRole[] = [
  "network-fees",
  "deposits-clearing",
  "receivable",
  "overpayments",
  "suspense",
];

function checkShares(rows: readonly ChartRow[]): Problem[] {
  return [...Map.groupBy(rows, splitKey).values()].flatMap((group) => {
    const [first] = group;
    const total = sumOfShares(group.map(({ share }) => share));
    if (first === undefined || isWhole(total)) return [];
    const { role, key, line } = first;
    const what = `${role} "${key}"`;
    const orShare = role === "gl" ? ", or give each its share" : "";
    const isSplit = role === "gl" && !group.every(({ share }) => isWhole(share));
    const reason = isSplit
      ? `the shares of ${what}${linesOf(group)} add up to ${shareText(total)}, not to 1`
      : `${what} is mapped ${group.length} times${linesOf(group)}; leave one line${orShare}`;
    return [invalid(reason, line)];
  });
}

function linesOf(group: readonly ChartRow[]): string {
  return group.length < 2 ? "" : ` (lines ${group.map(({ line }) => line).join(", ")})`;
}

/** Journals identify an account by name, ERPs by code, so the two must correspond one to one. */
function checkNames(rows: readonly ChartRow[]): Problem[] {
  const nameOf = new Map<string, string>();
  const codeOf = new Map<string, string>();
  const inJournal = new Map(
    rows.flatMap(({ account, accountNames: { hledger } }) =>
      hledger ? [[account.code, hledger] as const] : [],
    ),
  );
  return rows.flatMap(({ account, line }) => {
    const own = inJournal.get(account.code);
    if (own === undefined && !canNameAccount(account.name)) {
      const how = "write it like expenses:contractors, or fill `account.hledger`";
      return [invalid(`"${account.name}" cannot name a ledger account; ${how}`, line, "name")];
    }
    const plain = plainAccountName(own ?? account.name);
    const name = nameOf.get(account.code) ?? account.name;
    const code = codeOf.get(plain) ?? account.code;
    nameOf.set(account.code, name);
    codeOf.set(plain, code);
    if (name !== account.name)
      return [invalid(`code ${account.code} is named ${name} and ${account.name}`, line, "name")];
    return code === account.code
      ? []
      : [invalid(`${own ?? account.name} has the codes ${code} and ${account.code}`, line, "code")];
  });
}

/** A target has one name for an account, whichever line gives it. */
function checkTargetNames(rows: readonly ChartRow[]): Problem[] {
  const known = new Map<string, { readonly name: string; readonly line: number }>();
  return rows.flatMap(({ account: { code }, accountNames, line }) =>
    Object.entries(accountNames).flatMap(([target, name]) => {
      const key = JSON.stringify([target, code]);
      const before = known.get(key) ?? { name, line };
      known.set(key, before);
      if (before.name === name) return [];
      const reason = `${target} has two names for code ${code}: ${before.name} (line ${before.line}) and ${name}`;
      return [invalid(reason, line, `account.${target}`)];
    }),
  );
}

/** If two patterns have the same number of characters and can fit one reference, neither is the closer one. */
function checkReferences(rows: readonly ChartRow[]): Problem[] {
  const withPattern = rows
    .filter(({ reference }) => isPattern(reference))
    .map((row) => {
      const pattern = foldedKey(row.reference);
      return { row, pattern, ends: [prefixOf(pattern), suffixOf(pattern)] as const };
    });
  const groups = Map.groupBy(withPattern, ({ row: { role, key, customer }, pattern }) =>
    JSON.stringify([role, key, foldedKey(customer), referenceWeight(pattern)]),
  );
  return [...groups.values()].flatMap((group) =>
    group.flatMap(({ row, pattern, ends }, index) => {
      const other = group.find(
        (each, before) =>
          before < index && canEndAlike(each.ends, ends) && canBothMatch(each.pattern, pattern),
      );
      if (other === undefined || other.pattern === pattern) return [];
      const reason =
        `a reference can fit both ${row.reference} and ${other.row.reference} (line ` +
        `${other.row.line}), and neither says more; write more characters in one of them`;
      return [invalid(reason, row.line, "reference")];
    }),
  );
}

type Ends = readonly [prefix: string, suffix: string];

/**
 * Most patterns of a long chart have different beginnings or ends. This check is faster than comparing whole
 * patterns.
 */
function canEndAlike([prefix, suffix]: Ends, [otherPrefix, otherSuffix]: Ends): boolean {
  return (
    (prefix.startsWith(otherPrefix) || otherPrefix.startsWith(prefix)) &&
    (suffix.endsWith(otherSuffix) || otherSuffix.endsWith(suffix))
  );
}

function checkRoles(rows: readonly ChartRow[]): Problem[] {
  const isForAny = ({ key, customer, reference }: ChartRow) => key + customer + reference === "";
  const anyKey = ROLES_FOR_ANY_KEY.filter(
    (role) => !rows.some((row) => row.role === role && isForAny(row)),
  ).map((role) => invalid(`no row with an empty key maps ${role}`));
  const treasury = rows.some((row) => row.role === "treasury") ? [] : [invalid("no row maps treasury")];
  return [...treasury, ...anyKey];
}

function invalid(reason: string, line?: number, column?: string): Problem {
  return problem("CHART_UNUSABLE", { reason }, { ...(line && { line }), ...(column && { column }) });
}
