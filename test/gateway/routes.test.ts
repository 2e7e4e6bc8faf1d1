/** Operations without a path go where `routes` says, and only there. */
import { describe, expect, test } from "vitest";
import { Fault, type Problem } from "../../src/faults/index.ts";
import type { Route } from "../../src/gateway/index.ts";
import { operations } from "../../src/gateway/operations.ts";
import { requireFillablePaths, routeOf, targetOf } from "../../src/gateway/routes.ts";
import type { Routes } from "../../src/index.ts";
import { Decimal } from "../../src/money/index.ts";
import { PATHLESS_OPERATIONS } from "../../src/wire/index.ts";
import { gatewayTo } from "./trial-gateway.ts";
import { requiredHeaders, startWrittenService } from "./written-service.ts";

function problemFrom(action: () => unknown): Problem {
  try {
    action();
  } catch (error) {
    if (error instanceof Fault) return error.problem;
    throw error;
  }
  throw new Error("nothing was thrown");
}

const GET: Route = { method: "GET", path: "/p" };

const target = (
  members: Readonly<Record<string, unknown>>,
  { method, path }: Route,
  basePath = "",
): string => {
  const made = targetOf("searchPayouts", members, basePath, { searchPayouts: { method, path } });
  return `${made.method} ${made.path} ${made.body.toString("utf8")}`.trimEnd();
};

describe("an operation with a path", () => {
  test.each(Object.entries(operations).flatMap(([name, row]) => ("path" in row ? [[name, row.path]] : [])))(
    "%s goes to %s by POST, whatever the routes say",
    (name, path) => {
      const routes = { [name]: { method: "GET", path: "/elsewhere" } } as Routes;
      expect(routeOf(name as keyof typeof operations, routes)).toEqual({ method: "POST", path });
    },
  );
});

describe("an operation without a path and without a route", () => {
  test.each(PATHLESS_OPERATIONS)("%s is refused with exactly the keys to set", (name) => {
    const problem = problemFrom(() => routeOf(name, {}));
    expect(problem).toEqual({
      code: "INTERFACE_GAP",
      operation: name,
      next: "correct-usage",
      message: `the interface does not define method and path of ${name}, and \`routes.${name}\` is not configured`,
      fix: `Ask the service's operator, then set \`routes.${name}.method\` (GET, POST, ...) and \`routes.${name}.path\` (/...); docs/policies.md shows an example.`,
    });
  });

  test("is refused when it is called and when a caller asks beforehand, and nothing arrives", async () => {
    const { gateway, arrivals } = await startWrittenService({ status: 200, body: "{}" });
    const missing = { problem: { code: "INTERFACE_GAP", operation: "accountsOfUser" } };
    await expect(gateway.call("accountsOfUser", { username: "ada" })).rejects.toMatchObject(missing);
    expect(problemFrom(() => gateway.requireRoute("accountsOfUser"))).toMatchObject(missing.problem);
    expect(() => gateway.requireRoute("voidPayout")).not.toThrow();
    expect(arrivals).toEqual([]);
  });
});

describe("a body", () => {
  test.each(["POST", "PUT", "PATCH"] as const)(
    "carries the members of a %s, numbers as numbers",
    (method) => {
      const members = { a: "x y", n: 7n, amount: Decimal.of("0.10"), list: ["1", "2"], none: undefined };
      expect(target(members, { method, path: "/p" })).toBe(
        `${method} /p {"a":"x y","n":7,"amount":0.10,"list":["1","2"]}`,
      );
    },
  );
});

describe("a query", () => {
  test.each([
    ["texts, encoded", { a: "x y&z=ü/+?#%", b: "" }, "a=x+y%26z%3D%C3%BC%2F%2B%3F%23%25&b="],
    [
      "numbers with their digits",
      { n: 9_223_372_036_854_775_807n, amount: Decimal.of("0.10"), page: 0 },
      "n=9223372036854775807&amount=0.10&page=0",
    ],
    ["truth values", { authorize: false, verify: true }, "authorize=false&verify=true"],
    ["a list by its name, repeated, in its order", { s: ["b", "a,c", "b"] }, "s=b&s=a%2Cc&s=b"],
    [
      "an offset, whose plus is no blank",
      { at: "2026-11-20T09:30:00.000+0000" },
      "at=2026-11-20T09%3A30%3A00.000%2B0000",
    ],
  ])("carries %s", (_what, members, query) => {
    expect(target(members, GET)).toBe(`GET /p?${query}`);
    expect(target(members, { method: "DELETE", path: "/p" })).toBe(`DELETE /p?${query}`);
  });

  test.each([
    ["nothing", {}],
    ["what is absent", { a: undefined }],
    ["an empty list", { a: [] }],
  ])("is left out when it would carry %s", (_what, members) => {
    expect(target(members, GET)).toBe("GET /p");
  });
});

describe("a path with places", () => {
  test("takes its members from query and body, each encoded as one segment", () => {
    const members = { a: "x/y ?#%ü", b: "2", c: "3" };
    const taken = "/p/x%2Fy%20%3F%23%25%C3%BC/by/2";
    expect(target(members, { method: "GET", path: "/p/{a}/by/{b}" })).toBe(`GET ${taken}?c=3`);
    expect(target(members, { method: "POST", path: "/p/{a}/by/{b}" })).toBe(`POST ${taken} {"c":"3"}`);
  });

  test("takes a member twice", () => {
    expect(target({ a: "1" }, { method: "GET", path: "/{a}/{a}" })).toBe("GET /1/1");
  });

  test.each([
    ["is not there", { b: "1" }],
    ["is absent", { a: undefined }],
    ["is no text", { a: 7n }],
  ])("is never sent when the member %s", (_what, members) => {
    expect(problemFrom(() => target(members, { method: "GET", path: "/p/{a}" }))).toMatchObject({
      code: "CONFIG_KEY_INVALID",
      key: "routes.searchPayouts.path",
    });
  });
});

describe("routes whose path asks for what the operation does not always have", () => {
  test.each([
    ["voidPayoutPathless", "/p/{depositId}", "{depositId}", "it can have {payoutId}"],
    ["voidPayoutPathless", "/p/{payoutID}", "{payoutID}", "it can have {payoutId}"],
    ["voidPayoutPathless", "/p/{payoutId}/{nonce}", "{nonce}", "it can have {payoutId}"],
    ["voidDepositPathless", "/d/{}", "{}", "it can have {depositId}"],
    ["voidDepositPathless", "/d/{deposit-id}", "{deposit-id}", "it can have {depositId}"],
    ["searchPayouts", "/p/{payoutIds}", "{payoutIds}", "it can have no {...}"],
    ["createDepositPathless", "/{customerId}/d", "{customerId}", "it can have {accountId} and {reference}"],
  ] as const)("%s to %s are refused before anything is tried", async (name, path, asked, possible) => {
    const problem = problemFrom(() => requireFillablePaths({ [name]: { method: "POST", path } }));
    expect(problem).toMatchObject({
      code: "CONFIG_KEY_INVALID",
      key: `routes.${name}.path`,
      message: `the key \`routes.${name}.path\` asks for ${asked}, which ${name} does not always have`,
      fix: `Correct \`routes.${name}.path\` in the configuration: ${possible}.`,
    });
    const opening = startWrittenService({ status: 200 }, { routes: { [name]: { method: "POST", path } } });
    await expect(opening).rejects.toMatchObject({ problem: { key: `routes.${name}.path` } });
  });

  test("are not refused for what it always has", () => {
    const post = (path: string) => ({ method: "POST", path }) as const;
    const routes: Routes = {
      createPayoutWithFirstAuthorization: post("/{username}/{accountId}/{reference}"),
      createDepositPathless: post("/{accountId}/{reference}"),
      voidPayoutPathless: post("/{payoutId}"),
      voidDepositPathless: post("/{depositId}"),
      accountBalances: post("/{accountIds}"),
      accountsOfUser: post("/{username}"),
    };
    expect(() => requireFillablePaths(routes)).not.toThrow();
  });
});

describe("a request", () => {
  const routes = { voidPayoutPathless: { method: "DELETE", path: "/p/{payoutId}" } } as const;

  test.each(["/api/v1", "/api/v1/", "/api/v1//"])(
    "below a base URL with the path %s goes below it, signed as it arrives",
    async (basePath) => {
      const { url, arrivals } = await startWrittenService({ status: 202 });
      const gateway = gatewayTo(`${url}${basePath}`, { routes });
      await gateway.call("voidPayout", { payoutId: "1", nonce: 1n });
      await gateway.call("voidPayoutPathless", { payoutId: "1", nonce: 1n });
      expect(arrivals.map(({ path }) => path)).toEqual(["/api/v1/payouts/void", "/api/v1/p/1?nonce=1"]);
      for (const arrival of arrivals) expect(arrival.headers).toMatchObject(requiredHeaders(arrival));
    },
  );

  test.each([
    ["/búsqueda/<a>", "/b%C3%BAsqueda/%3Ca%3E"],
    ["/a/../b", "/b"],
    ["/a\\b", "/a/b"],
    ["//evil.example.com/p", "//evil.example.com/p"],
  ])(
    "by the route %s is signed over the path as it arrives, at this host and no other",
    async (path, arrivesAt) => {
      const { gateway, arrivals } = await startWrittenService(
        { status: 202 },
        { routes: { voidPayoutPathless: { method: "POST", path } } },
      );
      await gateway.call("voidPayoutPathless", { payoutId: "1", nonce: 1n });
      expect(arrivals.map((arrival) => arrival.path)).toEqual([arrivesAt]);
      for (const arrival of arrivals) expect(arrival.headers).toMatchObject(requiredHeaders(arrival));
    },
  );
});
