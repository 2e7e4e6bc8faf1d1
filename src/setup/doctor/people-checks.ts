/**
 * Checks whether anything can be paid: limits, approval rules, and whether the roster has the people that the rules
 * need.
 */

import type { Config } from "../../config/index.ts";
import { type Problem, problem } from "../../faults/index.ts";
import { type ApprovalRule, mayApprove } from "../../people/decide.ts";
import { MAY_DECIDE, type People, type Person } from "../../people/index.ts";
import { readRoster } from "../../proof/identity.ts";
import { isTrial, rootOf } from "../../workplace/root.ts";
import type { Workplace } from "../../workplace/workplace.ts";
import { type Check, checked, good, wrong } from "./check.ts";

/** A limit of each of these is needed before anything in a currency may be paid. */
const LIMITS_NEEDED = ["perRow", "perFile", "perDay"] as const;

/** A problem only if no currency of any custody account can be paid: an account may exist just to receive. */
export function checkLimits(config: Config): Check {
  const currencies = [...new Set(config.custodyAccounts.map(({ currency }) => currency))];
  const closed = new Map(currencies.map((currency) => [currency, closedBy(config, currency)] as const));
  const payable = currencies.filter((currency) => closed.get(currency)?.length === 0);
  const others = currencies.filter((currency) => !payable.includes(currency));
  if (payable.length === 0)
    return wrong("limits", ...others.map((currency) => nothingPayable(currency, closed.get(currency) ?? [])));
  const unruled = payable.filter((currency) => !config.approval.rules.some(coversSome(currency)));
  if (unruled.length > 0) return wrong("limits", ...unruled.map(withoutRule));
  const rest =
    others.length === 0 ? "" : `; nothing in ${others.join(", ")}, which has no limits or one of 0`;
  return good(
    "limits",
    `${payable.join(", ")} can be paid within limits, each sum under an approval rule${rest}`,
  );
}

/** The keys that prevent every payment in a currency. */
function closedBy({ limits }: Config, currency: string): string[] {
  const missing = LIMITS_NEEDED.filter((name) => limits[name][currency] === undefined);
  const zero = [...LIMITS_NEEDED, "perDestination" as const].filter((name) =>
    limits[name][currency]?.isZero(),
  );
  return [...missing, ...zero].map((name) => `limits.${name}.${currency}`);
}

function nothingPayable(currency: string, keys: readonly string[]): Problem {
  const [key = "limits"] = keys;
  const listed = keys.map((each) => `\`${each}\``).join(", ");
  return problem("LIMITS_ALLOW_NOTHING", { currency, keys: listed }, { key });
}

function coversSome(currency: string) {
  return ({ upTo }: ApprovalRule) => upTo === undefined || upTo[currency]?.isZero() === false;
}

function withoutRule(currency: string): Problem {
  return problem("APPROVAL_RULE_MISSING", { amount: `any amount of ${currency}` }, { key: "approval.rules" });
}

export async function checkPeople({ config, store }: Pick<Workplace, "config" | "store">): Promise<Check> {
  const { rules } = config.approval;
  let problems: Problem[] = [];
  const check = await checked("people", async () => {
    if (isTrial(config))
      return "a trial: its keys sign for any person named, and nobody's identity is proven";
    const { people, number } = await store.read(() => readRoster(config, rootOf(config, "approve")));
    problems = rules.flatMap((rule, index) => unfulfillable(config, people, rule, index) ?? []);
    const tight = rules.findIndex((rule) => approversUnder(rule, people).length === rule.people);
    const inbox =
      tight < 0
        ? ""
        : `; under approval.rules.${tight} nobody is left for a file whose submitter is not proven, which ` +
          `takes one more`;
    return `${people.size} on the roster, whose newest change is ${number}${inbox}`;
  });
  return problems.length === 0 ? check : wrong("people", ...problems);
}

function approversUnder(rule: ApprovalRule, people: People): string[] {
  const able = [...people.values()].filter(hasKey);
  return able.flatMap(({ name, roles }) => (mayApprove({ person: name, roles }, rule) ? [name] : []));
}

function hasKey({ credentials }: Person): boolean {
  return credentials.size > 0;
}

/**
 * Why no file can be approved under a rule. A submitter never approves their own file, and a file whose submitter
 * is not proven takes one person more. So an approver may submit only if there are more approvers than the rule
 * takes.
 */
function unfulfillable(
  config: Config,
  people: People,
  rule: ApprovalRule,
  index: number,
): Problem | undefined {
  const approvers = approversUnder(rule, people);
  const { people: needed } = rule;
  const shown = { index, needed, names: approvers.join(", ") || "nobody" };
  const where = { key: `approval.rules.${index}` };
  if (approvers.length < needed)
    return problem("RULE_UNFULFILLABLE", { ...shown, count: approvers.length }, where);
  const hasOther = provenSubmitters(config, people).some((name) => !approvers.includes(name));
  return approvers.length > needed || hasOther ? undefined : problem("SUBMITTER_MISSING", shown, where);
}

/** People who can sign the files that they submit, and people who alone fill the folder of a sender. */
function provenSubmitters({ files: { senders } }: Config, people: People): string[] {
  const may: readonly string[] = MAY_DECIDE.submit;
  const signing = [...people.values()].filter(
    (each) => hasKey(each) && each.roles.some((role) => may.includes(role)),
  );
  const filling = senders.flatMap(({ submitter = "" }) => (people.has(submitter) ? [submitter] : []));
  return [...signing.map(({ name }) => name), ...filling];
}
