/** A sample request for a route: its parameters in the body, the query or the path. */
import { parseJson, writeJson } from "../../wire/index.ts";
import { NUMBER_MARK } from "../../wire/json.ts";
import { hasQuery, parametersIn, type Route } from "../operations/routes.ts";

/**
 * `json`: the sample's parameters as one object; path parameters that it lacks stay in braces. Returns the path
 * with its query, and the body as JSON text if there is one.
 */
export function sampleRequest(route: Route, json: string) {
  const names = parametersIn(route.path);
  const members = parseJson(json) as Readonly<Record<string, unknown>>;
  const path = names
    .filter((name) => name in members)
    .reduce(
      (filled, name) => filled.replace(`{${name}}`, encodeURIComponent(plainText(members[name]))),
      route.path,
    );
  const others = Object.entries(members).filter(([name]) => !names.includes(name));
  if (!hasQuery(route)) {
    return { address: path, body: names.length === 0 ? json : writeJson(Object.fromEntries(others)) };
  }
  const query = others.flatMap(([name, value]) =>
    [value].flat().map((item) => `${name}=${encodeURIComponent(plainText(item))}`),
  );
  return { address: `${path}?${query.join("&")}`, body: undefined };
}

function plainText(value: unknown): string {
  const text = String(value);
  return text.startsWith(NUMBER_MARK) ? text.slice(NUMBER_MARK.length) : text;
}
