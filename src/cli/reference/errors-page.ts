/** docs/reference/errors.md: every code of the catalogue, in the words of `paydrop explain CODE`. */
import { catalogueAreas, type ExplainedFault, explainedFault } from "../../faults/index.ts";
import { exitCodeFor } from "../exit-code.ts";
import { page, prose, table } from "./markdown.ts";

export function errorsPage(): string {
  const areas = Object.entries(catalogueAreas).map(([area, entries]) => ({
    area,
    faults: Object.keys(entries)
      .map(explainedFault)
      .filter((fault) => fault !== undefined)
      .toSorted((one, other) => (one.code < other.code ? -1 : 1)),
  }));
  const all = areas.flatMap(({ faults }) => faults);
  const afterwards = new Map(all.map((fault) => [fault.next, fault]));
  return page([
    "# Errors",
    "",
    `The ${all.length} codes of messages, answers and \`problems\`. \`paydrop explain CODE\` prints one of them.`,
    "`<name>` stands for a value of the case. `next` says who acts, and the exit code of a command that ends with it:",
    "",
    ...table(["next", "means", "exit code"], [...afterwards.values()].map(nextRow)),
    ...areas.flatMap(({ area, faults }) => [`## ${area}`, "", ...faults.flatMap(section)]),
  ]);
}

function nextRow({ next, afterwards }: ExplainedFault): readonly string[] {
  return [`\`${next}\``, afterwards, `${exitCodeFor(next)}`];
}

function section({ code, means, fix, next }: ExplainedFault): readonly string[] {
  return [`### ${code}`, "", `${prose(means)}.`, "", `**Fix:** ${prose(fix)} **Next:** \`${next}\`.`, ""];
}
