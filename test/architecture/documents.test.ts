/** Documents refer to things that exist: pages and headings, tests, scripts, codes, and configuration keys. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { catalogue } from "../../src/faults/index.ts";

const BELOW_DOCS = ["docs", "docs/reference"].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .map((name) => join(folder, name)),
);

const PAGES = [...BELOW_DOCS, "README.md", "ARCHITECTURE.md", "DECISIONS.md", "GLOSSARY.md", "CHANGELOG.md"];

const WRITTEN = BELOW_DOCS.filter((path) => !path.startsWith("docs/reference"));

/** "page.md#heading" of `[text](page.md#heading)`, without those of other sites. */
function linksOf(text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = ""]) => link)
    .filter((link) => !/^https?:/.test(link));
}

/** Headings as GitHub makes anchors of them: lower case, spaces as hyphens, no punctuation. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

function brokenLinks(path: string, text: string): readonly string[] {
  return linksOf(text).filter((link) => {
    const [page = "", anchor] = link.split("#");
    const target = page === "" ? path : normalize(join(dirname(path), page));
    if (!existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, "utf8")).has(anchor);
  });
}

test("a link to a page or heading that is not there is found", () => {
  const text = "[a](files.md#five-rules) [b](files.md#six-rules) [c](gone.md) [d](https://example.com/x)";
  expect(brokenLinks("docs/books.md", text)).toEqual(["files.md#six-rules", "gone.md"]);
});

test.each(PAGES)("%s links to pages and headings that exist", (path) => {
  expect(brokenLinks(path, readFileSync(path, "utf8"))).toEqual([]);
});

test("each test that a document names exists", () => {
  const named = WRITTEN.flatMap(
    (path) => readFileSync(path, "utf8").match(/\btest\/[\w./-]+\.test\.ts/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

test("each script that a document names exists", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const named = WRITTEN.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = ""]) => name),
  );
  expect(named).toContain("simulate");
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

/** Words in capitals that are not codes of ours: variables, states and codes of the service, columns of ERPs. */
const OTHER_CAPITALS = new RegExp(
  [
    "^(?:PAYDROP|DATABASE_URL|HTTPS|NO_PROXY|NODE_EXTRA|TEST_ENGINE|KILL_RUNS|NO_COLOR",
    "|SEND_FAILED|CREATE_|CONFLICT_EXPIRED|PAYOUT_ID|DEPOSIT_ID|DEPT_ID|LOCATION_ID|GLENTRY_)",
  ].join(""),
);

test("each code that a document names is in the catalogue", () => {
  const codes = WRITTEN.flatMap(
    (path) => readFileSync(path, "utf8").match(/(?<=[`\s(])[A-Z]+(?:_[A-Z]+)+(?=[`\s),.;:])/g) ?? [],
  );
  const unknown = codes.filter((code) => !OTHER_CAPITALS.test(code) && !(code in catalogue));
  expect(codes).toContain("LANE_TAKEN");
  expect(unknown).toEqual([]);
});
