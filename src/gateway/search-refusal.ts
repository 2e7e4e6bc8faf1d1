/** What a refused search is about: nearly always the form of its page or filter, which the interface leaves open and the configuration states. */
import { type Problem, problem } from "../faults/index.ts";
import { type ServiceFailure, whereOf } from "./failure.ts";
import type { LookUpName, OperationBodies } from "./operations.ts";

/** The problem of a search that the service refused, with the keys that say how it asks; undefined for any other failure. */
export function searchRefusal(
  body: OperationBodies[LookUpName],
  failure: ServiceFailure,
): Problem | undefined {
  const { operation, condition, status = 0, serviceText: text } = failure;
  const isRefused = ["parameter wrong", "not found", "conflict", "refused"].includes(condition);
  if (!isRefused || !("page" in body || "size" in body)) return undefined;
  const { page = "not given", size = "not given", sort = {} } = body;
  const items = Math.max(0, ...Object.values(body).map(countOfIds));
  const params = { operation, status, text, page, size, items, sort: sortText(sort) };
  return problem("SERVICE_REFUSED_SEARCH", params, whereOf(failure));
}

function sortText(sort: Readonly<Record<string, string>> | readonly string[]): string {
  const criteria = Array.isArray(sort) ? sort : Object.entries(sort).map((criterion) => criterion.join(" "));
  return criteria.join(", ") || "nothing";
}

/** A list, or the one text with commas of the searches without a path. */
function countOfIds(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === "string" && value !== "" ? value.split(",").length : 0;
}
