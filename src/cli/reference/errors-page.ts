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
    `The ${all.length} codes of messages, answers and \`problems\`; \`<name>\` stands for a value of the case.`,
    "`next` says what happens then:",
    "",
    ...table(["next", "means", "exit code"], [...afterwards.values()].map(nextRow)),
    "The `next` of most codes stands above their table, any other beside the code. Every message comes with its fix,",
    "which `paydrop explain CODE` prints too; it stands here where a person has to decide.",
    "",
    ...areas.flatMap(({ area, faults }) => section(area, faults)),
  ]);
}

function nextRow({ next, afterwards }: ExplainedFault): readonly string[] {
  return [`\`${next}\``, afterwards, `${exitCodeFor(next)}`];
}

/** Fixes that people weigh before they act. The others are read where they apply: beside a row, or on the terminal. */
const SHOWN: ReadonlySet<string> = new Set(["needs-person", "service-refused"]);

/** A fix that two codes in a row share is said once. */
function section(area: string, faults: readonly ExplainedFault[]): readonly string[] {
  const usual = [...Map.groupBy(faults, ({ next }) => next)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  )[0]?.[0];
  const rows = faults.map(({ code, means, fix, next }, index) => {
    const before = faults[index - 1];
    const isShared = before?.fix === fix && before.next === next;
    const parts = [
      !SHOWN.has(next) ? "" : isShared ? "As above." : prose(fix),
      next === usual ? "" : `\`${next}\``,
    ];
    return [code, prose(means.replace(/: <\w+>$/, "")), parts.filter((part) => part !== "").join(" ")];
  });
  const columns = rows.some(([, , fix]) => fix !== "") ? 3 : 2;
  return [
    `## ${area}`,
    "",
    `Next: \`${usual}\``,
    "",
    ...table(
      ["code", "means", "fix, other next"].slice(0, columns),
      rows.map((row) => row.slice(0, columns)),
    ),
  ];
}
