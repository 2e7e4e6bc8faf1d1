/** Three people and an admin at the terminal sign with keys of OpenSSH: from an empty roster to a paid batch. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addPersonStep, openWorkplace, type Sign, stderrLog } from "../../src/index.ts";
import { shifted } from "../../src/model/index.ts";
import { run, sql } from "../../src/store/sql.ts";
import { makeKey, signBy } from "../people/keys.ts";
import { paydropInTurn } from "./paydrop-in-turn.ts";
import { agentWith, type PeoplePlace, peoplePlace } from "./people-place.ts";
import {
  emptyFolder,
  intoFile,
  SAMPLES,
  type SandboxProcess,
  startSandboxProcess,
  workFolder,
} from "./program.ts";

const ann = makeKey();
const ben = makeKey("ecdsa");
const carol = makeKey();
const stranger = makeKey();

let place: PeoplePlace;
let sandbox: SandboxProcess;
beforeAll(async () => {
  sandbox = await startSandboxProcess(await emptyFolder(), "--random-seed", "1");
  place = await peoplePlace(sandbox.variables);
  const code = await place.invite("ann", "submitter");
  await place.by(ann, "people", "enroll", "ann", "--key", `${ann.path}.pub`, "--code", code);
  await place.add("ben", ben, "approver");
  await place.add("carol", carol, "approver", "operator");
});
afterAll(() => sandbox.stop());

const approve = ["approve", "B-000001", "--by"];

describe("a batch at the terminal", () => {
  test("is paid after its submitter and two others have signed, by key file and by agent, and by nobody else", async () => {
    const unsigned = await place.run(["submit", "payouts.csv", "--by", "ann"]);
    expect(unsigned).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("PROOF_MISSING") });
    expect(unsigned.stderr).toContain(ann.fingerprint);
    expect(unsigned.stderr).toContain(join(place.variables["HOME"] ?? "", ".ssh"));
    const submitted = await place.by(ann, "submit", "payouts.csv", "--by", "ann");
    expect(submitted).toMatchObject({ exitCode: 4, stdout: expect.stringContaining("B-000001") });

    for (const [key, name, code] of [
      [stranger, "ben", "PROOF_MISSING"],
      [carol, "ben", "PROOF_MISSING"],
      [ann, "ann", "APPROVER_IS_SUBMITTER"],
      [stranger, "mallory", "PERSON_UNKNOWN"],
    ] as const) {
      const refused = await place.by(key, ...approve, name);
      expect(refused).toMatchObject({ exitCode: 4, stdout: "", stderr: expect.stringContaining(code) });
    }
    expect(await place.by(ben, ...approve, "ben")).toMatchObject({
      exitCode: 4,
      stdout: expect.stringContaining("1 more person must approve"),
    });
    await place.run(["pay"]);
    expect(await sandbox.creations()).toEqual([]);
    const agent = await agentWith(stranger, carol);
    expect(await place.run([...approve, "carol"], agent)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining("in the SSH agent"),
    });
    expect((await place.run(["pay"])).stdout).toContain("40 due: 40 accepted");
    expect(await sandbox.creations()).toHaveLength(40);
  });

  test("leaves evidence that an auditor verifies by the page about it, and does not overwrite any", async () => {
    const mail = ["people", "mail", "ben", "ben@example.com", "--by", "dave"];
    expect(await place.by(place.dave, ...mail)).toMatchObject({
      stdout: "ben gets mail at ben@example.com from now on\n",
    });
    const folder = join(place.folder, "evidence");
    const { exitCode, stdout } = await place.run(["--json", "audit", "evidence", "B-000001", folder]);
    expect([exitCode, JSON.parse(stdout).folders]).toEqual([
      0,
      [expect.objectContaining({ folder, changes: 6, submissions: 1, approvals: 2 })],
    ]);
    expect(readdirSync(join(folder, "statements"))).toEqual([
      ...["0001.json", "0001.json.sig", "0002.json", "0002.json.sig"],
      ...["0003.json", "0003.json.possession.sig", "0003.json.sig"],
      ...["0004.json", "0004.json.sig", "0005.json", "0005.json.sig", "0006.json", "0006.json.sig"],
    ]);
    const script = fileURLToPath(new URL("../../docs/verify-approvals.sh", import.meta.url));
    const verified = execFileSync("bash", [script, "acme-main", place.dave.fingerprint], {
      cwd: folder,
      encoding: "utf8",
    });
    for (const person of ["ben", "carol"]) {
      expect(verified).toContain(`B-000001: approve by ${person} at `);
      expect(verified).toContain(`Good "paydrop-approval" signature for ${person}`);
    }
    const again = await place.run(["audit", "evidence", "B-000001", folder]);
    expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("OUTPUT_EXISTS") });
  });

  test("shows all of a statement before it is signed, also with --json and --quiet", async () => {
    const payment = ["--amount", "0.0071", "--destination-address", ADDRESS, "--reference"];
    await place.by(ann, "payouts", "create", ...payment, "SEEN-1", "--by", "ann");
    const { stderr } = await place.by(ben, "--json", "--quiet", "approve", "B-000002", "--by", "ben");
    const folder = join(place.folder, "seen");
    await place.run(["audit", "evidence", "B-000002", folder]);
    const signed: unknown = JSON.parse(readFileSync(join(folder, "approvals", "1.json"), "utf8"));
    const values = leaves(signed);
    expect(values.length).toBeGreaterThan(15);
    for (const value of values) expect(stderr).toContain(`: ${value}\n`);
  });
});

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

function leaves(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  const inner = Object.values(value);
  return inner.length === 0 ? ["none"] : inner.flatMap(leaves);
}

describe("the roster", () => {
  test("lists people, roles, keys, invitations, its root and its head", async () => {
    await place.invite("erin", "viewer");
    const { stdout } = await place.run(["people", "list"]);
    expect(stdout).toMatch(/ben +approver +SHA256:\S+ +ecdsa-sha2-nistp256/);
    expect(stdout).toContain(ben.fingerprint);
    expect(stdout).toMatch(/erin +viewer +invited until 20/);
    expect(stdout).toContain(`root, as \`people.root\` has it: ${place.dave.fingerprint}`);
    const { head } = JSON.parse((await place.run(["--json", "people", "list"])).stdout);
    expect(head).toMatch(/^7:[0-9a-f]{64}$/);
    intoFile(place.folder, { PAYDROP_PEOPLE_HEAD: head }, "with-head.yaml");
    const withHead = await place.run(["--config", "with-head.yaml", "people", "list"]);
    expect(withHead).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(head) });
  });

  test("takes a code once, from its person, in its time, also after wrong ones", async () => {
    const key = makeKey();
    const enroll = (name: string, code: string, own = key) =>
      place.by(own, "people", "enroll", name, "--key", `${own.path}.pub`, "--code", code);
    const refused = { exitCode: 4, stderr: expect.stringContaining("ENROLMENT_REFUSED") };
    const code = await place.invite("finn", "viewer");
    expect(await enroll("gail", code)).toMatchObject(refused);
    expect(await enroll("finn", code.toUpperCase())).toMatchObject({ exitCode: 0 });
    expect(await enroll("finn", code)).toMatchObject(refused);
    const late = await inviteNineHoursAgo("hugo");
    expect((await enroll("hugo", late)).stderr).toContain("the code expired at");
    const good = await place.invite("ines", "viewer");
    for (const _ of Array(5)) expect(await enroll("ines", "0000-0000")).toMatchObject(refused);
    expect(await enroll("ines", good, makeKey())).toMatchObject({ exitCode: 0 });
  });

  test("does not lose its last admin, and voids by a revocation what was approved", async () => {
    const revoke = (name: string) =>
      place.by(place.dave, "people", "revoke", name, "--reason", "left us", "--by", "dave");
    expect(await revoke("dave")).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining("no admin with a key would be left"),
    });
    const payment = ["--amount", "0.0081", "--destination-address", ADDRESS, "--accept-repeats", "1"];
    await place.by(ann, "payouts", "create", ...payment, "--reference", "VOID-1", "--by", "ann");
    await place.by(ben, "approve", "B-000003", "--by", "ben");
    const { stdout } = await place.by(place.dave, "approve", "B-000003", "--by", "dave");
    expect(stdout).toContain("1 payment released");
    expect(await revoke("ben")).toMatchObject({ exitCode: 0 });
    await place.run(["pay"]);
    const references = (await sandbox.creations()).map(({ reference }) => reference);
    expect(references).not.toContain("VOID-1");
    expect((await place.by(ben, "approve", "B-000003", "--by", "ben")).stderr).toContain("PERSON_UNKNOWN");
  });
});

/** As if the admin had run `people add` then. */
async function inviteNineHoursAgo(name: string): Promise<string> {
  const workplace = openWorkplace(join(place.folder, "paydrop.yaml"), place.variables, stderrLog("silent"));
  const { clock } = workplace.context;
  const context = {
    ...workplace.context,
    clock: { ...clock, now: () => shifted(clock.now(), -9 * 3_600_000) },
  };
  const sign: Sign = async ({ text }) => ({ text, signature: signBy(place.dave, text) });
  const then = { ...workplace, context, sign };
  const { invitation } = await addPersonStep(then, { name, roles: ["viewer"], person: "dave" });
  await workplace.close();
  return invitation?.code ?? "";
}

test("a key in ~/.ssh is found without being named, and what is no key is not used", async () => {
  const home = await emptyFolder();
  const { path } = makeKey();
  await cp(path, join(home, ".ssh", "id_ed25519"));
  await cp(`${path}.pub`, join(home, ".ssh", "id_ed25519.pub"));
  await cp(place.dave.path, join(home, ".ssh", "work"));
  await cp(`${place.dave.path}.pub`, join(home, ".ssh", "work.pub"));
  const add = ["people", "add", "jane", "--role", "viewer", "--by", "dave"];
  const added = await place.run(add, { HOME: home });
  expect(added).toMatchObject({ exitCode: 4, stderr: expect.stringContaining(join(home, ".ssh", "work")) });
  const noKey = await place.run(["--sign-with", "payouts.csv", ...add]);
  expect(noKey).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("SIGNING_FAILED") });
  const noFile = await place.run([...add, "--key", "nowhere.pub"]);
  expect(noFile).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("it does not exist") });
});

test("in a trial every answer about money says so; where people are proven, none does", async () => {
  const trial = "Trial: its keys sign for any person named; nobody's identity is proven.";
  const folder = await workFolder();
  await paydropInTurn(folder, ["submit", "payouts.csv", "--by", "ann"], place.variables);
  for (const command of ["status", "pay", "preview B-000001"]) {
    const inTrial = await paydropInTurn(folder, command.split(" "), place.variables);
    const proven = await place.run(command.split(" "));
    expect(
      [inTrial, proven].map(({ stdout }) => stdout.includes(trial)),
      command,
    ).toEqual([true, false]);
  }
  const { stdout } = await paydropInTurn(folder, ["--json", "status"], place.variables);
  expect(JSON.parse(stdout).isTrial).toBe(true);
});

test("a configuration that still believes names is opened, says what to write instead, and believes nobody", async () => {
  const folder = await workFolder();
  const path = join(folder, "paydrop.yaml");
  const text = readFileSync(path, "utf8")
    .replace(/^people:.*$/m, "")
    .replace("approval:", "approval:\n  identity: names");
  writeFileSync(path, text);
  const status = await paydropInTurn(folder, ["status"], place.variables);
  expect(status).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining("`approval.identity` no longer exists"),
  });
  expect(status.stderr).toContain("people: { trialKeys: trial-keys }");
  const submit = await paydropInTurn(folder, ["submit", "payouts.csv", "--by", "ann"], place.variables);
  expect(submit).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("PEOPLE_ROOT_MISSING") });
});

test("a roster that does not hold ends `pay` with 4, as whatever else was changed does", async () => {
  const other = await peoplePlace(sandbox.variables);
  const workplace = openWorkplace(join(other.folder, "paydrop.yaml"), other.variables, stderrLog("silent"));
  await workplace.store.write(() => run(sql`update statement set signature = 'none' where number = 1`));
  await workplace.close();
  const paid = await other.run(["pay"]);
  expect(paid).toMatchObject({ exitCode: 4, stderr: expect.stringContaining("ROSTER_BROKEN") });
});

test("a machine without OpenSSH takes a trial all the way to what is paid", async () => {
  const folder = await emptyFolder();
  const without = { ...sandbox.variables, PATH: folder };
  const init = await paydropInTurn(folder, ["init", "--sandbox"], without);
  expect(init).toMatchObject({ exitCode: 0 });
  for (const name of ["root.key", "people/ann.key"])
    expect(statSync(join(folder, "trial-keys", name)).mode & 0o777).toBe(0o600);
  await cp(join(SAMPLES, "payouts.csv"), join(folder, "payouts.csv"));
  await paydropInTurn(folder, ["submit", "payouts.csv", "--by", "somebody else"], without);
  for (const name of ["ben", "Zoë O'Neil"])
    await paydropInTurn(folder, ["approve", "B-000001", "--by", name, "--accept-repeats", "40"], without);
  const { stdout } = await paydropInTurn(folder, ["people", "list"], without);
  for (const name of ["ann", "somebody else", "Zoë O'Neil"]) expect(stdout).toContain(name);
  expect((await paydropInTurn(folder, ["status"], without)).stdout).toContain("40 payments");
});
