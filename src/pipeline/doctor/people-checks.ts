/** Whether people are proven, and whether the roster has enough of them for each approval rule. */
import { type ApprovalRule, mayApprove } from "../../approval/index.ts";
import { type Problem, problem } from "../../faults/index.ts";
import type { People } from "../../people/index.ts";
import { readRoster } from "../people/identity.ts";
import { isTrial, rootOf } from "../people/root.ts";
import type { Workplace } from "../workplace/workplace.ts";
import { type Check, checked, wrong } from "./check.ts";

const WHAT = "people";

export async function checkPeople({ config, store }: Pick<Workplace, "config" | "store">): Promise<Check> {
  const { rules } = config.approval;
  let problems: Problem[] = [];
  const check = await checked(WHAT, async () => {
    if (isTrial(config)) return "a trial: its keys sign for whoever is named, and nobody proves who they are";
    const { people, number } = await store.read(() => readRoster(config, rootOf(config, "approve")));
    const approvers = rules.map((rule) => mayApproveUnder(rule, people));
    problems = rules.flatMap((rule, index) => unfulfillable(index, rule.people, approvers[index] ?? []));
    const tight = rules.findIndex(({ people: needed }, index) => approvers[index]?.length === needed);
    const inbox =
      tight < 0
        ? ""
        : `; under approval.rules.${tight} nobody is left for a file whose submitter is not proven, which takes one more`;
    return `${people.size} on the roster, whose newest change is ${number}${inbox}`;
  });
  return problems.length === 0 ? check : wrong(WHAT, ...problems);
}

function mayApproveUnder(rule: ApprovalRule, people: People): string[] {
  return [...people.values()]
    .filter(
      ({ name, roles, credentials }) => credentials.size > 0 && mayApprove({ person: name, roles }, rule),
    )
    .map(({ name }) => name);
}

function unfulfillable(index: number, needed: number, names: readonly string[]): Problem[] {
  if (names.length >= needed) return [];
  const shown = { index, needed, count: names.length, names: names.join(", ") || "nobody" };
  return [problem("RULE_UNFULFILLABLE", shown, { key: `approval.rules.${index}` })];
}
