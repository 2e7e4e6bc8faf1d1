/** The options shared by all searches, converted for the pipeline; and `--route`, which others have too. */
import { type Command, InvalidArgumentError } from "commander";
import type { SortCriterion } from "../gateway/index.ts";
import { present } from "../model/present.ts";
import type { SearchRequest } from "../views/search-step.ts";
import { integerFrom, listOf, oneOf, readId } from "./options.ts";

export interface SearchOptions {
  readonly id?: readonly string[];
  readonly reference?: readonly string[];
  readonly state?: readonly string[];
  readonly sort?: readonly SortCriterion[];
  readonly limit: number;
  readonly route?: boolean;
}

const SHOWN_BY_DEFAULT = 50;

export const BY_ROUTE = "use the operation configured under `routes`";

/** `--route` as the steps take it. */
export function routeOrPath({ route = false }: { readonly route?: boolean }): "route" | "path" {
  return route ? "route" : "path";
}

export function withSearchOptions(command: Command, idName: string, states: readonly string[]): Command {
  return command
    .option("--id <id...>", `only these (${idName})`, listOf(readId))
    .option("--reference <reference...>", "only these references", listOf(String))
    .option("--state <state...>", "only these of the interface's states", listOf(oneOf(states)))
    .option(
      "--sort <property,direction...>",
      "for instance createdDate,desc; may be given several times",
      readSort,
    )
    .option("--limit <count>", "how many at most", integerFrom(1, 1_000_000), SHOWN_BY_DEFAULT)
    .option("--route", BY_ROUTE);
}

export function searchRequest(options: SearchOptions): SearchRequest {
  const { id, reference, state, sort, limit } = options;
  return {
    ...present({ ids: id, references: reference, states: state, sort }),
    limit,
    by: routeOrPath(options),
  };
}

/** "property,(asc|desc)", ascending without a direction (interface section Operations without a path). */
function readSort(text: string, earlier: readonly SortCriterion[] = []): SortCriterion[] {
  const [, property, direction = "asc"] = /^([A-Za-z][\w.]*)(?:,(asc|desc))?$/i.exec(text) ?? [];
  if (property === undefined) throw new InvalidArgumentError("expected property,asc or property,desc");
  return [...earlier, { property, direction: direction.toLowerCase() === "desc" ? "DESC" : "ASC" }];
}
