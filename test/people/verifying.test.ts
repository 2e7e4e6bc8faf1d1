/** Runs docs/verify-approvals.sh on real statements: it proves exactly those that the sender believes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { isProblem } from "../../src/faults/index.ts";
import {
  type Credential,
  type DecisionStatement,
  heldDecision,
  invitationKey,
  type RosterChange,
  rootHash,
  rosterFrom,
  type SignedStatement,
  signByCode,
  statementHash,
  statementText,
} from "../../src/people/index.ts";
import { longTest } from "../slice.ts";
import { makeKey, signBy } from "./keys.ts";
import { securityKey, signBySecurityKey } from "./openssh.ts";
import { ecdsaPasskey, rsaPasskey, signByPasskey } from "./passkeys.ts";

type Sign = (text: string) => string;

const dave = makeKey();
const ben = ecdsaPasskey();
const carol = rsaPasskey();
const erin = securityKey("ed25519");
const frank = makeKey("ecdsa", "-b", "384");
const greg = makeKey();
const henry = makeKey();
const mallory = makeKey();
const zoe = makeKey();
const byDave: Sign = (text) => signBy(dave, text);
const byBen: Sign = (text) => signByPasskey(text, ben);
const byCarol: Sign = (text) => signByPasskey(text, carol);
const byErin: Sign = (text) => signBySecurityKey(text, erin);
const byFrank: Sign = (text) => signBy(frank, text);
const byGreg: Sign = (text) => signBy(greg, text);
const byHenry: Sign = (text) => signBy(henry, text);
const byMallory: Sign = (text) => signBy(mallory, text);

const ROOT = { installation: "acme-main", fingerprints: [dave, mallory, zoe].map((key) => key.fingerprint) };
const AT = "2026-12-01T09:00:00.000Z";
const UNTIL = "2026-12-01T17:00:00.000Z";
const CODE = "k3fd-9m2x-k3fd-9m2x-k3fd";
const byCode: Sign = (text) => signByCode(text, CODE, "henry");

type Change = Pick<RosterChange, "change" | "name" | "person"> & Partial<RosterChange>;

/** Signs a change that follows a chain, or one that differs from such a change. */
function changed(
  chain: readonly SignedStatement[],
  change: Change,
  sign: Sign,
  possession?: Sign,
): SignedStatement {
  const before = chain.at(-1);
  const text = statementText({
    statement: "paydrop roster v1",
    installation: ROOT.installation,
    root: rootHash(ROOT),
    number: chain.length + 1,
    before: before === undefined ? rootHash(ROOT) : statementHash(before.text),
    at: AT,
    ...change,
  });
  return { text, signature: sign(text), possession: possession?.(text) };
}

const invitation = { key: invitationKey(CODE, "henry"), until: UNTIL };
const henrys: Change = { change: "enroll", name: "henry", person: "henry", credential: henry.credential };
const CHANGES: readonly (readonly [Change, Sign, Sign?])[] = [
  [{ change: "add", name: "dave", person: "dave", roles: ["admin"], credential: dave.credential }, byDave],
  [added("ben", ["approver"], ben.credential), byDave],
  [added("carol", ["approver", "operator"], carol.credential), byDave],
  [added("erin", ["approver"], erin.credential), byDave],
  [added("jean frank", ["approver"], frank.credential), byDave],
  [added("greg", ["approver"], greg.credential), byDave],
  [{ ...added("henry", ["submitter"]), invitation }, byDave],
  // Henry's own signature gives him only the roles that dave gave him.
  [{ ...henrys, roles: ["admin", "approver"] }, byCode, byHenry],
  [{ change: "revoke", name: "greg", person: "dave", reason: "left" }, byDave],
  [{ ...added("henry", ["submitter"]), invitation }, byDave],
  [{ ...added("mallory", ["admin"], mallory.credential), person: "mallory" }, byMallory],
  [{ change: "revoke", name: "mallory", person: "dave" }, byDave],
];
const CHAIN: SignedStatement[] = [];
for (const [change, sign, possession] of CHANGES) CHAIN.push(changed(CHAIN, change, sign, possession));

function added(name: string, roles: NonNullable<RosterChange["roles"]>, credential?: Credential): Change {
  return { change: "add", name, person: "dave", roles, credential };
}

function approved(person: string, sign: Sign, different: Partial<DecisionStatement> = {}): SignedStatement {
  const text = statementText({
    statement: "paydrop decision v1",
    installation: ROOT.installation,
    roster: { number: 6, hash: statementHash(CHAIN[5]?.text ?? ""), root: rootHash(ROOT) },
    person,
    at: AT,
    expires: "2026-12-08T09:00:00.000Z",
    decision: "approve",
    subject: "B-000001",
    detail: { approved: { sums: "2 x BTC 1.5" }, file: "Löhne ✓.xlsx", sha256: "ab", submittedBy: "ann" },
    ...different,
  });
  return { text, signature: sign(text) };
}

const APPROVALS = [
  approved("ben", byBen),
  approved("carol", byCarol),
  approved("erin", byErin),
  approved("jean frank", byFrank),
];

/** The submission of the approved file. */
const SUBMISSION = approved("henry", byHenry, {
  roster: { number: 8, hash: statementHash(CHAIN[7]?.text ?? ""), root: rootHash(ROOT) },
  decision: "submit",
  subject: "ab",
  detail: { file: "Löhne ✓.xlsx" },
});

const next = (change: Change, sign: Sign, possession?: Sign) => changed(CHAIN, change, sign, possession);

/** Changes that the chain could have if its rules were others. */
const FORGED_CHANGES: Readonly<Record<string, SignedStatement>> = {
  "of another installation": next({ ...added("ivy", ["viewer"]), installation: "acme-test" }, byDave),
  "of another root": next({ ...added("ivy", ["viewer"]), root: "0".repeat(64) }, byDave),
  "that follows another one": next({ ...added("ivy", ["viewer"]), before: rootHash(ROOT) }, byDave),
  "with another number": next({ ...added("ivy", ["viewer"]), number: 3 }, byDave),
  "by somebody who is no admin": next({ ...added("ivy", ["viewer"]), person: "ben" }, byBen),
  "in an admin's name": next(added("ivy", ["viewer"]), byBen),
  "by the root, which may only add admins": next(added("ivy", ["approver"]), (text) => signBy(zoe, text)),
  "by a revoked key of the root": next({ ...added("ivy", ["admin"]), person: "mallory" }, byMallory),
  "that brings back a revoked key": next(added("ivy", ["approver"], greg.credential), byDave),
  "that gives somebody another's key": next(added("ivy", ["approver"], ben.credential), byDave),
  "without the code": next(henrys, (text) => signByCode(text, "0000", "henry"), byHenry),
  "by the code without the key": next(henrys, byCode, byMallory),
  "after the invitation expired": next({ ...henrys, at: "2026-12-02T09:00:00.000Z" }, byCode, byHenry),
  "in somebody else's name by the code": next({ ...henrys, person: "ben" }, byCode, byHenry),
  "of somebody else by the code": next({ ...henrys, name: "ben", person: "ben" }, byCode, byHenry),
  "whose text was altered": {
    ...next(added("ivy", ["viewer"]), byDave),
    text: next(added("ivy", ["admin"]), byDave).text,
  },
  "that says something twice": twice(next(added("ivy", ["viewer"]), byDave).text, byDave),
};

function twice(text: string, sign: Sign): SignedStatement {
  const both = text.replace('{"at"', '{"name":"ivan","at"');
  return { text: both, signature: sign(both) };
}

const FORGED_APPROVALS: Readonly<Record<string, SignedStatement>> = {
  "whose text was altered": { ...approved("ben", byBen), text: approved("ben", byBen, { detail: {} }).text },
  "signed by somebody else": approved("ben", byDave),
  "signed for another purpose": approved("jean frank", (text) => signBy(frank, text, "file")),
  "by a passkey that verified nobody": approved("ben", (text) => signByPasskey(text, ben, { flags: 1 })),
  "by a passkey of another text": approved("ben", (text) => byBen(`${text} `)),
  "by a passkey as by a security key": approved("ben", (text) =>
    signBySecurityKey(
      text,
      { ...ben, type: "sk-ecdsa-sha2-nistp256@openssh.com", application: "pay.example.com" },
      5,
    ),
  ),
  "by an RSA passkey that verified nobody": approved("carol", (text) =>
    signByPasskey(text, carol, { flags: 1 }),
  ),
  "by an RSA passkey for another site": approved("carol", (text) =>
    signByPasskey(text, carol, { site: "example.com" }),
  ),
  "by an RSA passkey of another text": approved("carol", (text) => byCarol(`${text} `)),
  "by a security key that nobody touched": approved("erin", (text) => signBySecurityKey(text, erin, 4)),
  "by somebody who was revoked": approved("greg", byGreg),
  "for another installation": approved("ben", byBen, { installation: "acme-test" }),
  "under another roster": approved("ben", byBen, {
    roster: { number: 6, hash: "0".repeat(64), root: rootHash(ROOT) },
  }),
  "under a roster without its person": approved("ben", byBen, {
    roster: { number: 1, hash: statementHash(CHAIN[0]?.text ?? ""), root: rootHash(ROOT) },
  }),
  "under a later roster": approved("ben", byBen, {
    roster: { number: 60, hash: "0".repeat(64), root: rootHash(ROOT) },
  }),
};

/** These are valid signatures. The sender's approval rules, and the page, decide whether they count. */
const UNCOUNTED: Readonly<Record<string, SignedStatement>> = {
  "by somebody who is no approver": approved("dave", byDave),
  "by who submitted the file": approved("ben", byBen, { detail: { submittedBy: "ben" } }),
  "that is another decision": approved("ben", byBen, { decision: "recall" }),
};

function write(path: string, { text, signature, possession }: SignedStatement): void {
  writeFileSync(path, text);
  writeSignature(`${path}.sig`, signature);
  if (possession !== undefined) writeSignature(`${path}.possession.sig`, possession);
}

function writeSignature(path: string, signature: string): void {
  writeFileSync(signature.startsWith("{") ? `${path}.json` : path, signature);
}

/** A folder as `paydrop audit evidence` writes it, with the forgeries. */
function evidenceFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "paydrop-evidence-"));
  for (const name of ["statements", "submissions", "approvals", "change", "approval"])
    mkdirSync(join(folder, name));
  for (const [index, statement] of CHAIN.entries())
    write(join(folder, "statements", `${String(index + 1).padStart(4, "0")}.json`), statement);
  for (const [index, statement] of APPROVALS.entries())
    write(join(folder, "approvals", `${index + 1}.json`), statement);
  write(join(folder, "submissions", "1.json"), SUBMISSION);
  write(join(folder, "change", "that holds"), next(added("ivy", ["viewer"]), byDave));
  write(join(folder, "approval", "that holds"), approved("ben", byBen));
  for (const [name, forged] of Object.entries(FORGED_CHANGES)) write(join(folder, "change", name), forged);
  for (const [name, forged] of Object.entries({ ...FORGED_APPROVALS, ...UNCOUNTED }))
    write(join(folder, "approval", name), forged);
  return folder;
}

const SCRIPT = new URL("../../docs/verify-approvals.sh", import.meta.url);

/** Tries each forgery with the script's own functions: as the next change, or as an approval. */
const TRY_FORGERIES = `
set +e
shopt -s extglob
try() { work=$(mktemp -d); (set -e; "$@"); echo "$? $2"; }
number=$((number + 1))
for file in change/!(*.sig|*.json); do try change "$file" & done
wait
number=$((number - 1))
for file in approval/!(*.sig|*.json); do try decision "$file" approve approver & done
wait`;

/** Runs the auditor's script unchanged, with our installation and root. */
async function follow(folder: string): Promise<string> {
  const script = readFileSync(SCRIPT, "utf8") + TRY_FORGERIES;
  const ours = [ROOT.installation, ROOT.fingerprints.join(" ")];
  const ran = spawn("bash", ["-c", script, "verify-approvals.sh", ...ours], { cwd: folder });
  const [output, complaints] = await Promise.all([text(ran.stdout), text(ran.stderr), once(ran, "close")]);
  expect(output, complaints).toContain("approval/");
  return output;
}

longTest("docs/verify-approvals.sh finds who approved by which key, and believes no forgery", async () => {
  const output = await follow(evidenceFolder());
  const roster = rosterFrom(ROOT, CHAIN);
  expect(output).toContain(`the roster after ${CHAIN.length} changes, ${roster.head}:`);
  for (const { name, roles, credentials } of roster.people.values())
    expect(output).toContain(`  ${name}: ${roles.join(", ")}; ${[...credentials.keys()].join(", ")}\n`);
  for (const person of ["ben", "carol", "erin", "jean frank"])
    expect(output).toContain(`B-000001: approve by ${person} at ${AT}`);
  expect(output).toContain(`ab: submit by henry at ${AT}`);
  expect(output.match(/Good "paydrop-approval" signature for/g)).toHaveLength(3);
  const judged = [...output.matchAll(/^(\d+) ((?:change|approval)\/.*)$/gm)];
  const believed = judged.filter(([, code]) => code === "0").map(([, , name]) => name);
  expect(believed).toEqual(["change/that holds", "approval/that holds"]);
  const forgeries = [FORGED_CHANGES, FORGED_APPROVALS, UNCOUNTED].flatMap((forged) => Object.keys(forged));
  expect(judged).toHaveLength(forgeries.length + believed.length);
});

test.each(Object.entries(FORGED_CHANGES))("the sender believes no change %s", (_, forged) => {
  const broken = /ROSTER_BROKEN: .* from change 13/;
  expect(() => rosterFrom(ROOT, [...CHAIN, forged])).toThrow(broken);
  expect(() => rosterFrom(ROOT, [forged], rosterFrom(ROOT, CHAIN))).toThrow(broken);
});

test.each(CHAIN.map((_, at) => at))(
  "a roster that goes on after change %i is the one from the root",
  (at) => {
    const before = rosterFrom(ROOT, CHAIN.slice(0, at));
    expect(rosterFrom(ROOT, CHAIN.slice(at), before)).toEqual(rosterFrom(ROOT, CHAIN));
  },
);

test.each(Object.entries(FORGED_APPROVALS))("the sender believes no approval %s", (_, forged) => {
  expect(heldDecision(forged, rosterFrom(ROOT, CHAIN), AT)).toMatchObject({ fix: expect.any(String) });
});

test("the sender believes what holds", () => {
  const roster = rosterFrom(ROOT, CHAIN);
  for (const approval of [...APPROVALS, SUBMISSION])
    expect(isProblem(heldDecision(approval, roster, AT))).toBe(false);
  for (const approval of Object.values(UNCOUNTED))
    expect(isProblem(heldDecision(approval, roster, AT))).toBe(false);
});
