/** `paydrop breaks`: the register at the command line, with its exit codes, and one sentence for each mistake. */
import { expect, test } from "vitest";
import { openSite } from "../site/service.ts";
import { strangersAt } from "../site/strangers.ts";
import { paydropInTurn } from "./paydrop-in-turn.ts";

/** Two payouts at the service that no file asked for; settling one of them takes two people. */
async function siteWithStrangers() {
  const site = await openSite({}, { PAYDROP_RECONCILIATION_SETTLE_ALONE: '{ BTC: "0.01" }' });
  await strangersAt(site);
  const breaks = async (...line: string[]) => {
    const { exitCode, stdout, stderr } = await paydropInTurn(
      site.folder,
      ["breaks", ...line],
      site.environment,
    );
    return { exitCode, said: `${stdout}${stderr}` };
  };
  return { ...site, breaks };
}

test("lists, narrows and shows breaks, with what is at stake, since when, and who is on them", async () => {
  const { breaks } = await siteWithStrangers();
  const plain = await breaks();
  expect(plain).toMatchObject({ exitCode: 4, said: expect.stringContaining("BTC at stake:") });
  expect(await breaks("list")).toEqual(plain);
  const narrowed = await breaks("--kind", "unexpected", "--min", "0.01 BTC", "--account", "treasury-btc");
  expect(narrowed).toMatchObject({ exitCode: 4, said: expect.stringContaining('"EXT-1"') });
  expect(narrowed.said).not.toContain('"EXT-2"');
  expect(await breaks("assign", "EXT-1", "--to", "ben", "--by", "dave")).toMatchObject({
    exitCode: 0,
    said: expect.stringMatching(/^given to ben: BR-\d+, unexpected: /),
  });
  expect(await breaks("--owner", "carol")).toMatchObject({
    exitCode: 0,
    said: expect.stringContaining("No breaks."),
  });
  await breaks("note", "EXT-1", "--text", "Asked who holds a key.", "--by", "dave");
  const { said } = await breaks("show", "EXT-1");
  for (const part of [
    "at stake:   ",
    "0.015 BTC",
    "of 1 day allowed",
    "given to ben by dave",
    "dave: Asked who holds a key.",
  ])
    expect(said.replaceAll(/ {2,}/g, "   ")).toContain(part);
  const listed = JSON.parse((await breaks("list", "--owner", "ben", "--json")).said);
  expect(listed.open).toMatchObject([
    { reference: "EXT-1", amount: { value: "0.015" }, notes: 1, owner: "ben" },
  ]);
});

test("settles with a reason, above the limit by a second person, and reopens", async () => {
  const { breaks } = await siteWithStrangers();
  const why = ["--reason", "paid by the branch"];
  expect(await breaks("settle", "EXT-1", "EXT-2", ...why, "--by", "dave")).toMatchObject({
    exitCode: 4,
    said: expect.stringMatching(
      /settled: BR-\d+(?:.|\n)*proposed to settle: BR-\d+(?:.|\n)*another controller/,
    ),
  });
  expect(await breaks("settle", "EXT-1", ...why, "--by", "dave")).toMatchObject({
    exitCode: 4,
    said: expect.stringContaining("SETTLEMENT_PROPOSED"),
  });
  expect(await breaks("settle", "EXT-1", ...why, "--by", "carol")).toMatchObject({ exitCode: 0 });
  expect((await breaks("show", "EXT-1")).said).toContain("settled by dave, confirmed by carol");
  expect(await breaks("reopen", "EXT-2", "--reason", "it was not", "--by", "dave")).toMatchObject({
    exitCode: 0,
  });
  expect((await breaks("--kind", "unexpected")).said).toContain('"EXT-2"');
});

const MISTAKES: readonly (readonly [line: readonly string[], sentence: string])[] = [
  [["show", "EXT-9"], "there is no break EXT-9"],
  [["settle", "EXT-9", "--reason", "x"], "there is no open break for EXT-9"],
  [["settle", "EXT-1"], "required option '--reason <words>' not specified"],
  [["settle", "EXT-1", "--reason", " "], "expected a reason in words"],
  [["reopen", "EXT-1", "--reason", "x"], "there is no settled break for EXT-1"],
  [["assign", "EXT-1", "--to", "eve"], "eve is not on the roster"],
  [["list", "--owner", "eve"], "eve is not on the roster"],
  [["list", "--kind", "odd"], "Allowed choices are"],
  [["list", "--min", "much"], "expected an amount"],
  [["list", "--since", "yesterday"], "expected a day"],
  [["list", "--account", "petty"], "there is no custody account petty"],
];

test("each mistake gets one clear sentence, and decides nothing", async () => {
  const { breaks } = await siteWithStrangers();
  const before = await breaks("list", "--json");
  for (const [line, sentence] of MISTAKES) {
    const { exitCode, said } = await breaks(...line);
    expect([line, exitCode, said]).toEqual([line, expect.any(Number), expect.stringContaining(sentence)]);
    expect([line, exitCode]).not.toEqual([line, 0]);
  }
  const opened = ({ said }: { said: string }) =>
    JSON.parse(said).open.map(({ id, owner, notes }: Record<string, unknown>) => [id, owner, notes]);
  expect(opened(await breaks("list", "--json"))).toEqual(opened(before));
});
