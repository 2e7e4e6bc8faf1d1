/** The options of every search, and what they mean for the pipeline. */
import { type Command, InvalidArgumentError } from "commander";
import type { SortCriterion } from "../gateway/index.ts";
import { present } from "../model/present.ts";
import type { SearchRequest } from "../pipeline/search-step.ts";

export interface SearchOptions {
  readonly id?: readonly string[];
  readonly reference?: readonly string[];
  readonly state?: readonly string[];
  readonly sort?: readonly SortCriterion[];
  readonly limit: number;
  readonly route?: boolean;
}

const SHOWN_BY_DEFAULT = 50;

export const BY_ROUTE =
  "use the operation that the interface gives no path, by `routes` of the configuration";

export function withSearchOptions(command: Command, idName: string, states: readonly string[]): Command {
  return command
    .option("--id <id...>", `only these (${idName})`)
    .option("--reference <reference...>", "only these references")
    .option("--state <state...>", `only these states: ${states.join(", ")}`)
    .option("--sort <property,direction>", "for instance createdDate,desc; several in turn", readSort)
    .option("--limit <count>", "how many at most", integerFrom(1, 1_000_000), SHOWN_BY_DEFAULT)
    .option("--route", BY_ROUTE);
}

export function searchRequest({ id, reference, state, sort, limit, route }: SearchOptions): SearchRequest {
  return {
    ...present({
      ids: id && unique(id.map((one) => one.toLowerCase())),
      references: reference && unique(reference),
      states: state && unique(state.map((one) => one.toUpperCase())),
      sort,
    }),
    limit,
    by: route === true ? "route" : "path",
  };
}

export function integerFrom(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number.parseInt(text, 10) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`expected a whole number from ${minimum} to ${maximum}`);
  };
}

/** "property,(asc|desc)", ascending where the direction is left out (interface section Operations without a path). */
function readSort(text: string, earlier: readonly SortCriterion[] = []): SortCriterion[] {
  const [, property, direction = "asc"] = /^([A-Za-z][\w.]*)(?:,(asc|desc))?$/i.exec(text) ?? [];
  if (property === undefined) throw new InvalidArgumentError("expected property,asc or property,desc");
  return [...earlier, { property, direction: direction.toLowerCase() === "desc" ? "DESC" : "ASC" }];
}

/** The interface wants unique lists. */
function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
