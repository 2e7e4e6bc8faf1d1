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
    `The ${all.length} codes of messages, answers and \`problems\`; \`paydrop explain CODE\` prints one of them.`,
    "`<name>` stands for a value of the case. `next` says what happens then:",
    "",
    ...table(["next", "means", "exit code"], [...afterwards.values()].map(nextRow)),
    ...areas.flatMap(({ area, faults }) => section(area, faults)),
  ]);
}

function nextRow({ next, afterwards }: ExplainedFault): readonly string[] {
  return [`\`${next}\``, afterwards, `${exitCodeFor(next)}`];
}

/** The `next` of most codes stands above their table, the others beside their fixes. */
function section(area: string, faults: readonly ExplainedFault[]): readonly string[] {
  const usual = [...Map.groupBy(faults, ({ next }) => next)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )[0]?.[0];
  const row = ({ code, means, fix, next }: ExplainedFault) => [
    code,
    prose(means.replace(/: <\w+>$/, "")),
    next === usual ? prose(fix) : `${prose(fix)} \`${next}\``,
  ];
  return [
    `## ${area}`,
    "",
    `Next is \`${usual}\`, unless a fix ends with another:`,
    "",
    ...table(["code", "means", "fix"], faults.map(row)),
  ];
}
