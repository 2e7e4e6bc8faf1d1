/** A service that answers look-ups with what a frozen installation's service last showed, and creates nothing. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface RecordedService {
  /** The paths of all requests but look-ups: what would have moved money. */
  readonly changes: readonly string[];
}

type Element = Readonly<Record<string, unknown>>;

interface Search {
  readonly page?: number;
  readonly size?: number;
  readonly payoutIds?: readonly string[];
  readonly depositIds?: readonly string[];
  readonly references?: readonly string[];
  readonly states?: readonly string[];
}

/**
 * `folder` has payouts.json, deposits.json and balances.json: one answer of each operation. It listens where the
 * installation's configuration says, since payments in doubt belong to that address.
 */
export async function recordedService(folder: string, port: number): Promise<RecordedService> {
  const recorded = (name: string) => exactJson(readFileSync(join(folder, name), "utf8"));
  const searches: Readonly<Record<string, readonly Element[]>> = {
    "/payouts/v2/find": recorded("payouts.json").results.content,
    "/deposits/v2/find": recorded("deposits.json").results.content,
  };
  const { balances } = recorded("balances.json");
  const changes: string[] = [];
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const path = request.url ?? "";
    const body = JSON.parse(await text(request));
    const elements = searches[path];
    if (elements !== undefined) return pageOf(elements, body);
    if (path === "/accounts/balance") return { accountBalanceFiltersDto: body, balances };
    changes.push(path);
    return undefined;
  };
  const server = createServer((request, response) => {
    const send = (found: unknown) =>
      response
        .writeHead(found === undefined ? 503 : 200, {
          "content-type": "application/json",
          server: "paydrop-sandbox",
        })
        .end(JSON.stringify(found ?? []));
    void answer(request).then(send);
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  onTestFinished(async () => {
    server.close().closeAllConnections();
    await once(server, "close");
  });
  return { changes };
}

/** `JSON.rawJSON` (Node 22 and later), which TypeScript's library does not declare yet. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

/** Numbers stay as they are written: `0.00000705`, not `7.05e-6`. */
function exactJson(json: string) {
  const exact = (_: string, value: unknown, context?: { source: string }) =>
    typeof value === "number" ? rawJson(context?.source ?? "") : value;
  return JSON.parse(json, exact as (key: string, value: unknown) => unknown);
}

function pageOf(elements: readonly Element[], filters: Search) {
  const [number, size] = [filters.page ?? 0, filters.size ?? 20];
  const isAsked = (name: string, values: readonly string[] | undefined) => (element: Element) =>
    values === undefined || values.includes(String(element[name]));
  const found = elements
    .filter(isAsked("payoutId", filters.payoutIds))
    .filter(isAsked("depositId", filters.depositIds))
    .filter(isAsked("reference", filters.references));
  const content = found.slice(number * size, (number + 1) * size);
  const totalPages = Math.ceil(found.length / size);
  const [first, last] = [number === 0, number >= totalPages - 1];
  const counts = { totalPages, totalElements: found.length, numberOfElements: content.length };
  return {
    filters,
    results: { content, ...counts, size, number, first, last, empty: content.length === 0 },
  };
}
