/** A folder that Paydrop cannot read or write is reported in plain words, and holds up nothing else. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Check, IntakeReport } from "../../src/index.ts";
import { SANDBOX_SECRETS } from "../cli/program.ts";
import { testWithFile } from "../postgres.ts";
import { NOBODY, type ProcessWithoutRights, startWithoutRights } from "../site/process-without-rights.ts";
import type { Order } from "../site/without-rights.ts";
import { openPlace } from "../site/workplace.ts";

let helper: ProcessWithoutRights;

beforeAll(() => {
  helper = startWithoutRights();
});

afterAll(() => helper.end());

/** A place with files to pay in these paths; all work there is done without root's rights. */
function placeWith(...paths: readonly string[]) {
  const { folder, environment } = openPlace();
  // The place has its own keys, which belong to the user who works there.
  const configuration = join(folder, "paydrop.yaml");
  const text = readFileSync(configuration, "utf8");
  writeFileSync(configuration, text.replace(/trialKeys: .*? \}/, "trialKeys: trial-keys }"));
  for (const name of ["inbox/acme", "inbox/zeta", "work", "outbox", "archive"])
    mkdirSync(join(folder, name), { recursive: true });
  for (const path of paths) writeFileSync(join(folder, path), payment(path.replaceAll("/", "-")));
  const senders = ["acme", "zeta"].map((name) => ({ name, folder: join(folder, "inbox", name) }));
  const given = { ...SANDBOX_SECRETS, ...environment, PAYDROP_FILES_SENDERS: JSON.stringify(senders) };
  const ask = async (step: Order["step"]) => {
    giveToNobody(folder);
    return helper.ask({ step, config: join(folder, "paydrop.yaml"), environment: given });
  };
  return {
    folder,
    close: (name: string, mode: number) => chmodSync(join(folder, name), mode),
    takeIn: async () => (await ask("intake")) as IntakeReport,
    doctor: async () => (await ask("doctor")) as readonly Check[],
  };
}

function payment(reference: string): string {
  return `reference,amount,destinationAddress\n${reference},0.01,bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4\n`;
}

function giveToNobody(folder: string): void {
  if (process.getuid?.() !== 0) return;
  for (let above = dirname(folder); above.startsWith(tmpdir()); above = dirname(above))
    chmodSync(above, 0o711);
  for (const name of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
    chownSync(join(folder, name), NOBODY, NOBODY);
}

const taken = ({ files }: IntakeReport) => files.map(({ file, verdict }) => `${file} ${verdict}`);

test("a file that we may not read stays in the inbox, where whoever dropped it can permit it; the others are taken", async () => {
  const { folder, close, takeIn } = placeWith("inbox/a.csv", "inbox/b.csv", "inbox/c.csv");
  writeFileSync(join(folder, "inbox", "c.totals.txt"), "Rows: 1\n");
  for (const name of ["inbox/a.csv", "inbox/c.totals.txt"]) close(name, 0);
  const first = await takeIn();
  expect(taken(first)).toEqual(["b.csv accepted"]);
  expect(first.waiting).toEqual([
    {
      file: "c.csv",
      why: expect.stringMatching(/^c\.totals\.txt: .* cannot be read: permission is missing$/),
    },
  ]);
  expect(first.problems).toMatchObject([
    { code: "FILE_UNREADABLE", file: "a.csv", message: expect.stringContaining("permission is missing") },
    { code: "FILE_UNREADABLE", file: "c.totals.txt" },
  ]);
  for (const name of ["inbox/a.csv", "inbox/c.totals.txt"]) close(name, 0o600);
  expect(taken(await takeIn())).toEqual(["a.csv accepted", "c.csv accepted"]);
});

test("a private key in the name of a file that we may not read is not repeated", async () => {
  const name = "5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ.csv";
  const { close, takeIn } = placeWith(`inbox/${name}`);
  close(`inbox/${name}`, 0);
  const { problems } = await takeIn();
  expect(problems).toMatchObject([{ code: "FILE_UNREADABLE", file: "name-withheld" }]);
  expect(JSON.stringify(problems)).not.toContain(name.slice(0, 20));
});

test("a sender's folder that we may not read does not hold up the inbox and the other senders", async () => {
  const { close, takeIn } = placeWith("inbox/a.csv", "inbox/acme/b.csv", "inbox/zeta/c.csv");
  close("inbox/acme", 0);
  const first = await takeIn();
  expect(taken(first)).toEqual(["a.csv accepted", "zeta/c.csv accepted"]);
  expect(first.problems).toMatchObject([{ code: "OUTPUT_UNWRITABLE", key: "files.senders.0.folder" }]);
  close("inbox/acme", 0o700);
  expect(taken(await takeIn())).toEqual(["acme/b.csv accepted"]);
});

test.each(["inbox", "work", "archive"])(
  "a folder that may be written to and not be read is named, and what lies in the inbox is taken later: %s",
  async (name) => {
    const { folder, close, takeIn } = placeWith("inbox/a.csv");
    close(name, 0o300);
    const first = await takeIn();
    expect(first.files).toEqual([]);
    expect(first.problems).toMatchObject([
      { code: "FILE_UNREADABLE", message: `${join(folder, name)} cannot be read: permission is missing` },
    ]);
    close(name, 0o700);
    expect(taken(await takeIn())).toEqual(["a.csv accepted"]);
  },
);

test("an outbox that may not be entered is told before a batch is stored whose answer could not be written", async () => {
  const { close, takeIn } = placeWith("inbox/a.csv");
  close("outbox", 0o600);
  expect((await takeIn()).problems).toMatchObject([{ code: "OUTPUT_UNWRITABLE", file: "a.csv" }]);
  close("outbox", 0o700);
  expect(taken(await takeIn())).toEqual(["a.csv accepted"]);
});

testWithFile(
  "the doctor names a file of the database that we may not write to, which SQLite does not",
  async () => {
    const { folder, close, takeIn, doctor } = placeWith("inbox/a.csv");
    expect(taken(await takeIn())).toEqual(["a.csv accepted"]);
    const whatIsWrong = async () =>
      (await doctor())
        .flatMap(({ problems }) => problems)
        .filter(({ code }) => code === "DATABASE_UNUSABLE")
        .map(({ message }) => message.split("cannot be used: ")[1]);
    for (const [name, mode] of [
      ["paydrop.sqlite", 0o400],
      ["paydrop.sqlite", 0],
      ["paydrop.sqlite.anchor", 0],
    ] as const) {
      expect(await whatIsWrong()).toEqual([]);
      close(name, mode);
      expect(await whatIsWrong()).toEqual([`permission is missing for ${join(folder, name)}`]);
      close(name, 0o600);
    }
  },
);

testWithFile("a damaged database is called damaged, also if we may not write to it", async () => {
  const { folder, close, takeIn, doctor } = placeWith("inbox/a.csv");
  expect(taken(await takeIn())).toEqual(["a.csv accepted"]);
  for (const name of ["paydrop.sqlite", "paydrop.sqlite-wal"])
    writeFileSync(join(folder, name), "nothing of a database".repeat(1000));
  close("paydrop.sqlite", 0o400);
  const messages = (await doctor()).flatMap(({ problems }) => problems.map(({ message }) => message));
  expect(messages).toContainEqual(expect.stringContaining("file is not a database"));
  expect(messages.join("\n")).not.toContain("permission");
});

testWithFile("a stop order that we may not read is one, and says so", async () => {
  const { folder, close, takeIn, doctor } = placeWith("inbox/a.csv");
  await takeIn();
  writeFileSync(join(folder, "paydrop.sqlite.stop"), "the key has leaked\n");
  close("paydrop.sqlite.stop", 0);
  const { problems = [] } = (await doctor()).find(({ what }) => what === "stop order") ?? {};
  const unread = expect.stringContaining("the stop order cannot be read: permission is missing");
  expect(problems).toMatchObject([{ code: "SENDING_STOPPED", message: unread }]);
});

test("a process without rights that cannot load the program is not waited for: its own words are the failure", async () => {
  const without = startWithoutRights(mkdtempSync(join(tmpdir(), "no-clone-")));
  const order: Order = { step: "doctor", config: "paydrop.yaml", environment: {} };
  for (const _ of ["while it starts", "after its end"])
    await expect(without.ask(order)).rejects.toThrow(/has ended: 1, [\s\S]*Cannot find module/);
});
