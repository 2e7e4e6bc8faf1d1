/** A page without its known elements is valid exactly if the whole page is, and nothing else is left out. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutPage, parseJson } from "../../src/wire/index.ts";
import { Chance } from "../simulation/chance.ts";
import { runsOf } from "../slice.ts";

/** Elements whose ends are hard to find. */
const ELEMENTS = [
  '{"payoutId":"1","note":"a ] } , [ { in a text"}',
  '{"quote":"\\"},{\\"","backslash":"\\\\"}',
  '{ "content" : [ {"content":[]} , [1,2 , 3] ], "results":{"content":[1]} }',
  "[]",
  "{}",
  '"text, with a comma"',
  "-1.50e3",
  "null",
];

const BLANK = fc.constantFrom("", "", " ", "\n\t", "\r\n  ");

const page = fc
  .record({
    elements: fc.array(fc.constantFrom(...ELEMENTS), { maxLength: 6 }),
    blanks: fc.array(BLANK, { minLength: 16, maxLength: 16 }),
    before: fc.constantFrom(
      "",
      '"filters":{"content":["decoy"],"results":{"content":[1]}},',
      '"results ":[{}],',
    ),
    within: fc.constantFrom("", '"totalPages":1,', '"pageable":{"content":[9]},'),
    after: fc.constantFrom("", ',"totalElements":2', ',"sort":[{"content":[]}]'),
  })
  .map(({ elements, blanks, before, within, after }) => {
    const [b = "", ...around] = blanks;
    const content = elements
      .map((element, index) => `${around[index]}${element}${around[index + 7]}`)
      .join(",");
    return {
      elements,
      text: `${b}{${before}${b}"results"${b}:${b}{${within}"content"${b}:${b}[${content}]${after}}}`,
    };
  });

function contentOf(text: string): unknown {
  return (parseJson(text, "refused") as { readonly results: { readonly content: unknown } }).results.content;
}

function isAccepted(text: string): boolean {
  try {
    parseJson(text, "refused");
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return false;
  }
}

test("the elements of a page are cut out as they were sent, and any of them can be left out", () => {
  const property = fc.property(
    page,
    fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
    (sent, isKept) => {
      const cut = cutPage(sent.text);
      expect(cut?.elements).toEqual(sent.elements);
      expect(contentOf(cut?.withOnly(sent.elements) ?? "")).toEqual(contentOf(sent.text));
      const kept = sent.elements.filter((_, index) => isKept[index]);
      expect(contentOf(cut?.withOnly(kept) ?? "")).toEqual(kept.map((element) => parseJson(element)));
    },
  );
  fc.assert(property, runsOf(166, 500));
});

/** Loses, doubles or replaces one character. */
function damaged(text: string, chance: Chance): string {
  const at = chance.between(0, text.length - 1);
  const other = chance.pick(['"', "\\", "{", "}", "[", "]", ",", ":", "x", " "]);
  const [before, after] = [text.slice(0, at), text.slice(at + 1)];
  return chance.pick([
    `${before}${after}`,
    `${before}${other}${text[at]}${after}`,
    `${before}${other}${after}`,
  ]);
}

test("a damaged page is refused whichever of its undamaged elements are known and left out", () => {
  let refused = 0;
  const property = fc.property(page, fc.integer(), (sent, seed) => {
    const text = damaged(sent.text, new Chance(seed));
    const cut = cutPage(text);
    if (cut === undefined) return;
    const unknown = cut.elements.filter((element) => !sent.elements.includes(element));
    expect(isAccepted(cut.withOnly(unknown))).toBe(isAccepted(text));
    refused += isAccepted(text) ? 0 : 1;
  });
  fc.assert(property, runsOf(666, 2000));
  expect(refused).toBeGreaterThan(100);
});

describe("a page is left whole", () => {
  test.each([
    ["whose list has a comma too many", '{"results":{"content":[{},]}}'],
    ["whose list begins with a comma", '{"results":{"content":[,{}]}}'],
    ["in which elements are missing", '{"results":{"content":[{},,{}]}}'],
    ["without results", '{"content":[{}]}'],
    ["whose content is no list", '{"results":{"content":{"content":[{}]}}}'],
    ["whose names are spelt with escapes", '{"results":{"conten\\u0074":[{}]}}'],
    ["that is a list", '[{"results":{"content":[{}]}}]'],
  ])("%s", (_what, text) => {
    expect(cutPage(text)).toBeUndefined();
  });
});

test.each(["content", "results"])("a page with two members named %s is refused, whichever is cut", (name) => {
  const text =
    name === "content"
      ? '{"results":{"content":[{"a":1}],"content":[{"a":2}]}}'
      : '{"results":{"content":[{"a":1}]},"results":{"content":[{"a":2}]}}';
  expect(isAccepted(cutPage(text)?.withOnly([]) ?? "")).toBe(false);
});
