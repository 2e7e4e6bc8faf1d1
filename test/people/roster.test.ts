/** The roster follows from its root, change by change, or it is not believed. */
import { describe, expect, test } from "vitest";
import {
  type RosterChange,
  rootHash,
  rosterFrom,
  type SignedStatement,
  statementHash,
  statementText,
} from "../../src/people/index.ts";
import { makeKey, signBy } from "./keys.ts";

const dave = makeKey();
const root = { installation: "acme-main", fingerprints: [dave.fingerprint] };

/** A chain of changes that dave signs, each following the one before unless it says otherwise. */
function chainOf(...changes: readonly Partial<RosterChange>[]): SignedStatement[] {
  const chain: SignedStatement[] = [];
  let before = rootHash(root);
  for (const [index, change] of changes.entries()) {
    const text = statementText({
      statement: "paydrop roster v1",
      installation: root.installation,
      root: rootHash(root),
      number: index + 1,
      before,
      at: "2026-12-01T09:00:00.000Z",
      person: "dave",
      change: "add",
      name: "dave",
      roles: ["admin"],
      ...(index === 0 && { credential: dave.credential }),
      ...change,
    });
    chain.push({ text, signature: signBy(dave, text) });
    before = statementHash(text);
  }
  return chain;
}

test("has who was added, with the roles of the newest change", () => {
  const roster = rosterFrom(
    root,
    chainOf({}, { name: "ann", roles: ["viewer"] }, { name: "ann", roles: ["submitter"] }),
  );
  expect([...roster.people.values()].map(({ name, roles }) => [name, roles])).toEqual([
    ["dave", ["admin"]],
    ["ann", ["submitter"]],
  ]);
  expect(roster.number).toBe(3);
});

describe("is broken by a change that", () => {
  test.each<[string, Partial<RosterChange>]>([
    ["is dated before the change before it, as with an expired code", { at: "2026-12-01T08:59:59.999Z" }],
    ["leaves a number out", { number: 3 }],
    ["comes twice", { number: 1 }],
    ["names another change before it", { before: "0".repeat(64) }],
    ["was made for another installation", { installation: "acme-trial" }],
    ["was made under another root", { root: "0".repeat(64) }],
    ["names a person by letters that look like others", { name: "\u0430nn" }],
    ["gives no role", { roles: [] }],
    ["revokes nobody", { change: "revoke" }],
  ])("%s", (_, change) => {
    expect(() => rosterFrom(root, chainOf({}, { name: "ann", ...change }))).toThrow("ROSTER_BROKEN");
  });

  test("a key of the root signs for anybody but its own person", () => {
    expect(() => rosterFrom(root, chainOf({ person: "carol" }))).toThrow(
      "may only add the person whose it is",
    );
  });

  test("takes a member of every object for a name", () => {
    for (const name of ["constructor", "prototype"])
      expect(rosterFrom(root, chainOf({}, { name })).people.get(name)?.roles).toEqual(["admin"]);
    expect(() => rosterFrom(root, chainOf({}, { name: "__proto__" }))).toThrow("ROSTER_BROKEN");
  });
});
