/** The rules of the house, each as a function from source files to violations in words. */
import type { SourceFile } from "./source-files.ts";

const STAGES = ["initiation", "approval", "people", "observation", "execution", "exports"] as const;

/** Which rooms of src/ a room may import, besides itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  money: [],
  faults: [],
  model: ["money", "faults"],
  wire: ["money", "faults"],
  config: ["money", "faults", "model"],
  context: ["money", "faults", "model"],
  store: ["money", "faults", "model", "wire", "config", "context"],
  gateway: ["money", "faults", "model", "wire", "config", "context"],
  intake: ["money", "faults", "model", "config", "context"],
  sandbox: ["money", "faults", "wire"],
  initiation: ["money", "faults", "model", "wire", "config", "context"],
  approval: ["money", "faults", "model", "wire", "config", "context"],
  people: ["money", "faults", "model", "wire", "config", "context"],
  exports: ["money", "faults", "model", "wire", "config", "context"],
  observation: ["money", "faults", "model", "wire", "config", "context", "store", "gateway"],
  execution: ["money", "faults", "model", "wire", "config", "context", "store", "gateway", "observation"],
  workplace: [
    ...["money", "faults", "model", "wire", "config", "context", "store", "gateway"],
    ...[...STAGES, "proof", "pipeline"],
  ],
  proof: [
    ...["money", "faults", "model", "wire", "config", "context", "store", "gateway"],
    ...["approval", "people", "workplace"],
  ],
  books: [
    ...["money", "faults", "model", "wire", "config", "context", "store", "gateway"],
    ...["intake", "initiation", "observation", "exports", "workplace", "proof"],
  ],
  pipeline: [
    ...["money", "faults", "model", "wire", "config", "context", "store", "gateway", "intake"],
    ...[...STAGES, "workplace", "proof", "books"],
  ],
  nights: [
    ...["money", "faults", "model", "wire", "config", "context", "store", "gateway"],
    ...["observation", "exports", "people", "workplace", "proof", "pipeline"],
  ],
};

/** index, daemon, jobs, cli and desk are above everything and may import whatever they need. */
const FACES = ["index.ts", "daemon", "cli", "desk", "jobs"];

export function layerViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, imports }) => {
    const room = roomOf(path);
    const allowed = MAY_IMPORT[room];
    const others = imports.map(roomOf).filter((other) => other !== room && other !== "");
    const wrong = others.filter((other) =>
      allowed === undefined ? !FACES.includes(room) : !allowed.includes(other),
    );
    return wrong.map((other) => `${path} imports ${other}`);
  });
}

const IMPURE: ReadonlySet<string> = new Set(["store", "gateway", "context", "workplace", "pipeline"]);

/** Folders named `rules` or `formats` hold pure functions: nothing below them may reach what stores, asks or knows the time. */
export function purityViolations(files: readonly SourceFile[]): string[] {
  const pure = files.filter(({ path }) => /\/(?:rules|formats)\//.test(path));
  return pure.flatMap(({ path, imports }) =>
    imports.filter((other) => IMPURE.has(roomOf(other))).map((other) => `${path} imports ${other}`),
  );
}

/** Each cycle once, starting at its alphabetically first file. Type imports count too. */
export function cycles(files: readonly SourceFile[]): string[] {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports]));
  const found = new Set<string>();
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]) => {
    const start = way.indexOf(path);
    if (start >= 0) {
      const cycle = way.slice(start);
      const first = cycle.indexOf([...cycle].sort()[0] ?? "");
      found.add([...cycle.slice(first), ...cycle.slice(0, first)].join(" -> "));
      return;
    }
    if (done.has(path)) return;
    for (const next of importsOf.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return [...found];
}

/** What only some rooms may touch, so that a simulation can replace it everywhere else. */
const DOORS: readonly {
  readonly what: string;
  readonly pattern: RegExp;
  readonly rooms: readonly string[];
}[] = [
  {
    what: "the network",
    pattern: /(?:from |\bimport\()"(?:undici|node:https?|node:net|node:tls)"|\bfetch\(/,
    rooms: ["context", "sandbox", "cli"],
  },
  {
    what: "the clock",
    pattern: /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(|(?:from |\bimport\()"node:timers/,
    rooms: ["context", "sandbox", "cli", "daemon"],
  },
  { what: "timers", pattern: /\bset(?:Timeout|Interval)\(/, rooms: ["context", "sandbox", "cli", "daemon"] },
  {
    what: "randomness",
    pattern: /\bMath\.random\(|\brandom(?:UUID|Bytes|Int)\b/,
    rooms: ["context", "sandbox"],
  },
  { what: "the environment", pattern: /\bprocess\.env\b/, rooms: ["cli"] },
  {
    what: "files",
    pattern: /(?:from |\bimport\()"node:fs/,
    rooms: [
      "context",
      "config",
      "intake",
      "store",
      "exports",
      "books",
      "pipeline",
      "proof",
      "workplace",
      "sandbox",
      "cli",
      "desk",
    ],
  },
  { what: "a database", pattern: /(?:from |\bimport\()"better-sqlite3"/, rooms: ["store", "sandbox"] },
  { what: "the terminal", pattern: /\bprocess\.(?:stdout|stderr)\b|\bconsole\./, rooms: ["cli"] },
];

export function doorViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    DOORS.filter(({ pattern, rooms }) => !rooms.includes(roomOf(path)) && pattern.test(text)).map(
      ({ what }) => `${path} touches ${what}`,
    ),
  );
}

const VAGUE_NAME = /(?:^|\/)(?:utils?|helpers?|common|types|interfaces|misc|manager)(?:\/|\.ts$)/;

export function shapeViolations(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => [
    ...(VAGUE_NAME.test(path) ? [`${path} has a name that says nothing`] : []),
    ...(isBarrel(text) || /^(?:#!.*\n)?\/\*\*/.test(text)
      ? []
      : [`${path} does not open by saying what it is`]),
  ]);
}

function isBarrel(text: string): boolean {
  return /^export\b/.test(text) && !/\b(?:const|function|class)\b/.test(text);
}

/**
 * "execution" of src/execution/submit.ts, "jobs" of jobs/pay.ts, "index.ts" of src/index.ts; empty for a package. What a
 * command opens, and how people prove what they decide, are rooms of their own inside the pipeline, below the books that the
 * pipeline's screening asks.
 */
function roomOf(path: string): string {
  const [top = "", room = "", folder = ""] = path.split("/");
  if (top === "jobs") return "jobs";
  if (top === "src" && room === "pipeline" && folder === "workplace") return "workplace";
  if (top === "src" && room === "pipeline" && folder === "people") return "proof";
  return top === "src" ? room : "";
}
