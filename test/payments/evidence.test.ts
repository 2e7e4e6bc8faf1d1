/**
 * Everything about a paid and booked batch in one file: docs/verify-evidence.py believes it as it is, and nothing that
 * was changed in it, whatever else was changed to fit.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import JSZip from "jszip";
import { expect, test } from "vitest";
import { exportStep, ledgerStep } from "../../src/books/index.ts";
import {
  addPersonStep,
  approveStep,
  giveStopOrder,
  payStep,
  recallStep,
  revokeStep,
  submitFile,
  trackStep,
  type Workplace,
} from "../../src/index.ts";
import { reconcileStep } from "../../src/nights/index.ts";
import { evidenceFileStep } from "../../src/payments/evidence-file-step.ts";
import { MANIFEST, manifestText, README, SEAL } from "../../src/proof/rules/evidence.ts";
import { listSightingsAfter } from "../../src/store/observed.ts";
import { signBy } from "../people/keys.ts";
import { ecdsaPasskey, rsaPasskey, signByPasskey } from "../people/passkeys.ts";
import { INSTALLATION, KEYS, openProvenDesk, signing } from "../site/proven-desk.ts";
import { ADDRESS } from "../site/service.ts";

const SCRIPT = fileURLToPath(new URL("../../docs/verify-evidence.py", import.meta.url));
const PASSKEYS = { erin: ecdsaPasskey(), frank: rsaPasskey() };
const FOLDER = mkdtempSync(join(tmpdir(), "paydrop-evidence-"));

interface Given {
  readonly bytes: Buffer;
  readonly head: string;
}

/**
 * Ben signs by an SSH key, erin and frank by passkeys; two payments have arrived, and are booked and exported, a third
 * one was taken back; frank has left since.
 */
async function paidAndBooked(): Promise<Workplace> {
  const desk = await openProvenDesk({ PAYDROP_APPROVAL_RULES: "[{ people: 3 }]" });
  for (const [name, { credential }] of Object.entries(PASSKEYS))
    await addPersonStep(desk.workplace, { name, roles: ["approver"], credential, person: "dave" });
  const workplace = signing(desk.workplace, async ({ person, text }) => {
    const passkey = PASSKEYS[person as keyof typeof PASSKEYS];
    const signature = passkey
      ? signByPasskey(text, passkey)
      : signBy(KEYS[person as keyof typeof KEYS], text);
    return { text, signature };
  });
  const path = join(desk.folder, "Löhne ✓.csv");
  const rows = [`L-1,0.01,${ADDRESS},Zoë,`, `L-2,0.02,${ADDRESS},Zoë,`, `L-3,0.03,${ADDRESS},Zoë,2099-12-31`];
  writeFileSync(path, `reference,amount,destinationAddress,customerId,pay on\n${rows.join("\n")}\n`);
  const { digest = "" } = await submitFile(workplace, path, "ann");
  for (const person of ["ben", "erin", "frank"]) await approveStep(workplace, digest, person);
  expect(await payStep(workplace)).toMatchObject({ accepted: 2 });
  await recallStep(workplace, { reference: "L-3", person: "ben", reason: "not ours" });
  await revokeStep(workplace, { name: "frank", person: "dave", reason: "left" });
  const arrived = async () => {
    await trackStep(workplace);
    const shown = await workplace.store.read(() => listSightingsAfter("payout", "", 10));
    return shown.map(({ state }) => state);
  };
  await expect.poll(arrived, { timeout: 20_000 }).toEqual(["COMPLETED", "COMPLETED"]);
  await reconcileStep(workplace);
  await ledgerStep(workplace);
  await exportStep(workplace);
  return workplace;
}

async function given(workplace: Workplace): Promise<Given> {
  const archive = await evidenceFileStep(workplace, "B-000001", "ben");
  return { bytes: await buffer(archive.bytes), head: archive.sealed().head };
}

/** In one process, since a Python for each takes longer than the rest. */
const ONE_BY_ONE = `
import importlib.util, json, sys
spec = importlib.util.spec_from_file_location("script", sys.argv[1])
script = importlib.util.module_from_spec(spec)
spec.loader.exec_module(script)
for args in json.load(sys.stdin):
    sys.argv = args
    try:
        script.main()
        print("> holds")
    except SystemExit as end:
        print(">", str(end.code).replace("\\n", " "))`;

import { longTest } from "../slice.ts";

/** What the script says of each. */
function verdicts(all: readonly Given[]): string[] {
  const folder = mkdtempSync(join(FOLDER, "given-"));
  const asked = all.map(({ bytes, head }, at) => {
    const file = join(folder, `${at}.zip`);
    writeFileSync(file, bytes);
    return [SCRIPT, ...argsOf(file, head)];
  });
  const input = JSON.stringify(asked);
  const said = execFileSync("python3", ["-c", ONE_BY_ONE, SCRIPT], { input, encoding: "utf8" });
  return said.split("\n").flatMap((line) => (line.startsWith("> ") ? [line.slice(2)] : []));
}

function argsOf(file: string, head: string): string[] {
  const root = KEYS.dave.fingerprint;
  return [file, "--installation", INSTALLATION, "--root", root, "--head", head, "--approvals", "3"];
}

type Files = ReadonlyMap<string, Buffer>;

async function filesOf(bytes: Buffer): Promise<Files> {
  const zip = await JSZip.loadAsync(bytes);
  const names = Object.keys(zip.files);
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, (await zip.file(name)?.async("nodebuffer")) ?? Buffer.of()] as const),
    ),
  );
}

function zipped(files: Files): Promise<Buffer> {
  const zip = new JSZip();
  for (const [name, bytes] of files) zip.file(name, bytes, { createFolders: false });
  return zip.generateAsync({ type: "nodebuffer" });
}

/** One bit of one byte in the middle; a line where there was none. */
function flipped(bytes: Buffer): Buffer {
  if (bytes.length === 0) return Buffer.from("{}\n");
  const changed = Buffer.from(bytes);
  const at = Math.floor(bytes.length / 2);
  changed[at] = (changed[at] ?? 0) ^ 1;
  return changed;
}

/** As somebody would who can compute hashes, but has no key of the roster's people. */
function listedAnew(files: Files): Files {
  const others = [...files].filter(([name]) => name !== README && name !== MANIFEST && name !== SEAL);
  const listed = others.map(([name, bytes]) => ({ name, size: bytes.length, sha256: hash("sha256", bytes) }));
  return new Map([...files, [MANIFEST, Buffer.from(manifestText("B-000001", listed))]]);
}

/** And the record's last entry too, which gives another head. */
function sealedAnew(files: Files): { readonly files: Files; readonly head: string } {
  const path = files.get("record/path.jsonl")?.toString().trimEnd().split("\n") ?? [];
  const before = JSON.parse(path.at(-1) ?? "[]").at(-1) as string;
  const [seq, at, person, action, subject] = JSON.parse(files.get(SEAL)?.toString() ?? "[]");
  const detail = JSON.stringify({ manifest: hash("sha256", files.get(MANIFEST) ?? "") });
  const head = hash("sha256", JSON.stringify([before, seq, at, person, action, subject, detail]));
  const line = `${JSON.stringify([seq, at, person, action, subject, detail, head])}\n`;
  return { files: new Map([...files, [SEAL, Buffer.from(line)]]), head };
}

/** What only somebody with a key of the roster could change, given the head of whoever changed it. */
const SIGNED =
  /^signed\/.*(?:json|sig)$|^file\/(?:sent\/|rows\.jsonl)|^service\/submissions|^record\/(?:entries|path)/;

let made: Promise<{ readonly workplace: Workplace; readonly good: Given; readonly files: Files }> | undefined;

/** Made by the first test that asks; its workplace is open until that test has ended. */
function evidence() {
  made ??= paidAndBooked().then(async (workplace) => {
    const good = await given(workplace);
    return { workplace, good, files: await filesOf(good.bytes) };
  });
  return made;
}

test("is believed by the script alone, and is the same again while nothing else happens", async () => {
  const { workplace, good, files } = await evidence();
  const reading = files.get("file/reading.json")?.toString() ?? "";
  expect(`${JSON.stringify(JSON.parse(reading), null, 2)}\n`).toBe(reading);
  const file = join(FOLDER, "evidence.zip");
  writeFileSync(file, good.bytes);
  const { stdout, stderr } = spawnSync("python3", [SCRIPT, ...argsOf(file, good.head)], { encoding: "utf8" });
  expect(stderr).toBe("");
  for (const said of [
    "approved by ben",
    "approved by erin",
    "approved by frank",
    "sent in by ann",
    "2 submissions",
  ])
    expect(stdout).toContain(said);
  expect(stdout).toMatch(/All of it holds\.\n$/);
  expect(await given(workplace)).toEqual(good);
  await giveStopOrder(workplace, "ben", "to have another entry");
  const later = await given(workplace);
  expect(later.head).not.toBe(good.head);
  expect(verdicts([later, { ...later, head: good.head }])).toEqual([
    "holds",
    expect.stringContaining("head"),
  ]);
});

test("is not believed once a byte of any file but the README is another one", async () => {
  const { good, files } = await evidence();
  const names = [...files.keys()].filter((name) => name !== README);
  expect(names.length).toBeGreaterThan(30);
  const changed = names.map(
    (name) => [name, new Map([...files, [name, flipped(files.get(name) ?? Buffer.of())]])] as const,
  );
  const asIs = await Promise.all(
    changed.map(async ([, each]) => ({ bytes: await zipped(each), head: good.head })),
  );
  const anew = await Promise.all(
    // Listed anew, the manifest itself is as it was.
    changed
      .filter(([name]) => name !== MANIFEST)
      .map(async ([, each]) => ({ bytes: await zipped(listedAnew(each)), head: good.head })),
  );
  const control = [{ bytes: await zipped(files), head: good.head }, good];
  const said = verdicts([...control, ...asIs, ...anew]);
  expect(said.slice(0, 2)).toEqual(["holds", "holds"]);
  const listed = names.slice(0, -2).map((name) => `DOES NOT HOLD: ${name} was changed`);
  expect(said.slice(2, 2 + listed.length)).toEqual(listed);
  expect(said).toHaveLength(2 + 2 * names.length - 1);
  expect(said.slice(2).filter((each) => !each.startsWith("DOES NOT HOLD"))).toEqual([]);
});

longTest("nor is what people signed, by the head of whoever changed it", async () => {
  const { files } = await evidence();
  const names = [...files.keys()].filter((name) => SIGNED.test(name));
  const forged = names.map((name) =>
    sealedAnew(listedAnew(new Map([...files, [name, flipped(files.get(name) ?? Buffer.of())]]))),
  );
  const untouched = sealedAnew(listedAnew(files));
  const all = await Promise.all(
    [...forged, untouched].map(async (each) => ({ bytes: await zipped(each.files), head: each.head })),
  );
  const said = verdicts(all);
  expect(said.at(-1)).toBe("holds");
  expect(names.filter((_, at) => !said[at]?.startsWith("DOES NOT HOLD"))).toEqual([]);
});
