/** The page docs/verifying.md, run as it stands on what people really signed: what the sender believes, it proves. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import {
  type Credential,
  type DecisionStatement,
  fingerprintOf,
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
import { makeKey, signBy } from "./keys.ts";
import { securityKey, signBySecurityKey } from "./openssh.ts";
import { ecdsaPasskey, rsaPasskey, signByPasskey } from "./passkeys.ts";

type Sign = (text: string) => string;

const dave = makeKey();
const ben = ecdsaPasskey();
const carol = rsaPasskey();
const erin = securityKey("ed25519");
const frank = makeKey("ecdsa", "-b", "384");
const signAs = {
  dave: (text: string) => signBy(dave, text),
  ben: (text: string) => signByPasskey(text, ben),
  carol: (text: string) => signByPasskey(text, carol),
  erin: (text: string) => signBySecurityKey(text, erin),
  "jean frank": (text: string) => signBy(frank, text),
} as const;

const ROOT = { installation: "acme-main", fingerprints: [dave.fingerprint, makeKey().fingerprint] };
const AT = "2026-12-01T09:00:00.000Z";
const UNTIL = "2026-12-01T17:00:00.000Z";
const CODE = "k3fd-9m2x-k3fd-9m2x-k3fd";

type Change = Pick<RosterChange, "change" | "name" | "person"> & Partial<RosterChange>;

class Evidence {
  readonly chain: SignedStatement[] = [];
  readonly approvals: SignedStatement[] = [];

  change(change: Change, sign: Sign, possession?: Sign): void {
    const before = this.chain.at(-1);
    const text = statementText({
      statement: "paydrop roster v1",
      installation: ROOT.installation,
      root: rootHash(ROOT),
      number: this.chain.length + 1,
      before: before === undefined ? rootHash(ROOT) : statementHash(before.text),
      at: AT,
      ...change,
    });
    this.chain.push({ text, signature: sign(text), possession: possession?.(text) });
  }

  /** Invited by dave, and enrolled by their own code and key. */
  add(name: string, roles: RosterChange["roles"], credential: Credential, sign: Sign): void {
    const invitation = { key: invitationKey(CODE, name), until: UNTIL };
    this.change({ change: "add", name, person: "dave", roles, invitation }, signAs.dave);
    const enrolment = { change: "enroll", name, person: name, credential } as const;
    this.change(enrolment, (text) => signByCode(text, CODE, name), sign);
  }

  approve(person: string, sign: Sign, different: Partial<DecisionStatement> = {}): void {
    const text = statementText({
      statement: "paydrop decision v1",
      installation: ROOT.installation,
      roster: {
        number: this.chain.length,
        hash: statementHash(this.chain.at(-1)?.text ?? ""),
        root: rootHash(ROOT),
      },
      person,
      at: AT,
      expires: "2026-12-08T09:00:00.000Z",
      decision: "approve",
      subject: "B-000001",
      detail: { approved: { sums: "2 x BTC 1.5" }, file: "Löhne ✓.xlsx", sha256: "ab", submittedBy: "ann" },
      ...different,
    });
    this.approvals.push({ text, signature: sign(text) });
  }

  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), "paydrop-evidence-"));
    mkdirSync(join(folder, "statements"));
    mkdirSync(join(folder, "approvals"));
    for (const [index, statement] of this.chain.entries())
      write(join(folder, "statements", `${String(index + 1).padStart(4, "0")}.json`), statement);
    for (const [index, statement] of this.approvals.entries())
      write(join(folder, "approvals", `${index + 1}.json`), statement);
    return folder;
  }
}

function write(path: string, { text, signature, possession }: SignedStatement): void {
  writeFileSync(path, text);
  writeSignature(`${path}.sig`, signature);
  if (possession !== undefined) writeSignature(`${path}.possession.sig`, possession);
}

function writeSignature(path: string, signature: string): void {
  writeFileSync(signature.startsWith("{") ? `${path}.json` : path, signature);
}

function evidence(): Evidence {
  const made = new Evidence();
  const { credential } = dave;
  made.change({ change: "add", name: "dave", person: "dave", roles: ["admin"], credential }, signAs.dave);
  made.add("ben", ["approver"], ben.credential, signAs.ben);
  made.add("carol", ["approver", "operator"], carol.credential, signAs.carol);
  made.add("erin", ["approver"], erin.credential, signAs.erin);
  made.add("jean frank", ["approver"], frank.credential, signAs["jean frank"]);
  made.approve("ben", signAs.ben);
  made.approve("carol", signAs.carol);
  made.approve("erin", signAs.erin);
  made.approve("jean frank", signAs["jean frank"]);
  return made;
}

interface Followed {
  readonly holds: boolean;
  readonly output: string;
}

const PAGE = new URL("../../docs/verifying.md", import.meta.url);

/** Runs the page's blocks in a folder, with this root instead of the page's example. */
async function follow(folder: string, root = ROOT): Promise<Followed> {
  const found = readFileSync(PAGE, "utf8").matchAll(/^```sh\n(.*?)^```$/gms);
  const [values = "", ...blocks] = [...found].map(([, block = ""]) => block);
  expect(values).toMatch(/^INSTALLATION='[^']+'\nROOT='SHA256:[^']+'\n$/);
  const own = `INSTALLATION='${root.installation}'\nROOT='${root.fingerprints.join(" ")}'\n`;
  const ran = spawn("bash", ["-c", own + blocks.join("\n")], { cwd: folder });
  const [output, complaints, [code]] = await Promise.all([
    text(ran.stdout),
    text(ran.stderr),
    once(ran, "close"),
  ]);
  return { holds: code === 0, output: output + complaints };
}

test("whoever follows docs/verifying.md finds who approved, by each kind of key", async () => {
  const made = evidence();
  const roster = rosterFrom(ROOT, made.chain);
  const { holds, output } = await follow(made.folder());
  expect(output).toContain(`the roster after 9 changes, ${roster.head}:`);
  expect(output).toContain(`  carol: approver, operator; ${fingerprintOf(carol.credential)}`);
  for (const [index, person] of ["ben", "carol", "erin", "jean frank"].entries()) {
    expect(output).toContain(`B-000001: approved by ${person} at ${AT}`);
    const signed = made.approvals[index] ?? { text: "", signature: "" };
    expect(heldDecision(signed, roster, AT)).toMatchObject({ person: { name: person } });
  }
  expect(output.match(/Good "paydrop-approval" signature for/g)).toHaveLength(3);
  expect(holds, output).toBe(true);
});
