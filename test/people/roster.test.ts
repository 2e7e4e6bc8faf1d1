/** The roster follows from its root, change by change; otherwise it is refused. */
import { describe, expect, test } from "vitest";
import {
  heldDecision,
  type RosterChange,
  rootHash,
  rosterFrom,
  SIGNATURE_NAMESPACE,
  type SignedStatement,
  statementHash,
  statementText,
  TRIAL_NAMESPACE,
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

test("says where somebody gets mail, until another change does or they are revoked", () => {
  const mailAt = (...changes: readonly Partial<RosterChange>[]) =>
    rosterFrom(root, chainOf({}, ...changes)).people.get("ann")?.mail;
  const ann = { name: "ann", roles: ["viewer"] } as const;
  const mail = (address: string) =>
    ({ change: "mail", name: "ann", roles: undefined, mail: address }) as const;
  expect(mailAt({ ...ann, roles: ["viewer"], mail: "ann@example.com" })).toBe("ann@example.com");
  expect(mailAt({ ...ann, roles: ["viewer"] }, mail("a@b.example"), { ...ann, roles: ["approver"] })).toBe(
    "a@b.example",
  );
  expect(mailAt({ ...ann, roles: ["viewer"] }, mail("a@b.example"), mail(""))).toBeUndefined();
  const left = { change: "revoke", name: "ann", roles: undefined } as const;
  expect(mailAt({ ...ann, roles: ["viewer"] }, mail("a@b.example"), left)).toBeUndefined();
  for (const address of ["ann", "ann@example.com, eve@example.com", "Ann <ann@example.com>", "a@b\nBcc: c@d"])
    expect(() => mailAt({ ...ann, roles: ["viewer"] }, mail(address))).toThrow("is no mail address");
  expect(() => mailAt(mail("a@b.example"))).toThrow("there is no ann");
});

describe("of a real installation takes nothing that the keys of a trial signed, and the other way round:", () => {
  const trial = { ...root, isTrial: true };
  const signedIn = (namespace: string, { text }: Pick<SignedStatement, "text">) => ({
    text,
    signature: signBy(dave, text, namespace),
  });

  test("no change of the roster", () => {
    const [change = { text: "" }] = chainOf({});
    expect(rosterFrom(root, [signedIn(SIGNATURE_NAMESPACE, change)]).number).toBe(1);
    expect(() => rosterFrom(root, [signedIn(TRIAL_NAMESPACE, change)])).toThrow(
      "its signature does not hold",
    );
    const named = { ...JSON.parse(change.text), root: rootHash(trial), before: rootHash(trial) };
    const ofTrial = { text: statementText(named) };
    expect(rosterFrom(trial, [signedIn(TRIAL_NAMESPACE, ofTrial)]).number).toBe(1);
    expect(() => rosterFrom(trial, [signedIn(SIGNATURE_NAMESPACE, ofTrial)])).toThrow(
      "its signature does not hold",
    );
    expect(() => rosterFrom(root, [signedIn(SIGNATURE_NAMESPACE, ofTrial)])).toThrow(
      "another installation or root",
    );
  });

  test("no decision", () => {
    const roster = rosterFrom(root, chainOf({}));
    const at = "2026-12-01T09:00:00.000Z";
    const decided = {
      text: statementText({
        statement: "paydrop decision v1",
        installation: root.installation,
        roster: { number: 1, hash: roster.head, root: roster.root },
        ...{ person: "dave", at, expires: "2026-12-01T09:10:00.000Z" },
        ...{ decision: "go", subject: "all payments", detail: {} },
      }),
    };
    expect(heldDecision(signedIn(SIGNATURE_NAMESPACE, decided), roster)).toMatchObject({ roles: ["admin"] });
    expect(heldDecision(signedIn(TRIAL_NAMESPACE, decided), roster)).toMatchObject({
      code: "SIGNATURE_INVALID",
    });
  });
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
