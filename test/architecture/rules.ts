/** The rules of the house, each as a function from source files to violations in words. */
import type { SourceFile } from "./source-files.ts";

const GROUND = ["money", "faults", "model", "wire", "config", "context"] as const;
const STORED = [...GROUND, "store", "gateway"] as const;
/** What every capability stands on. */
const WORK = [...STORED, "observation", "people", "workplace", "proof", "writing"] as const;

/** Which rooms of src/ a room may import, besides itself. From the ground up; none of them closes a circle. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  money: [],
  faults: [],
  model: ["money", "faults"],
  wire: ["money", "faults"],
  config: ["money", "faults", "model"],
  context: ["money", "faults", "model"],
  store: GROUND,
  gateway: GROUND,
  readers: ["money", "faults", "model", "config", "context"],
  writing: GROUND,
  people: GROUND,
  sandbox: ["money", "faults", "wire"],
  observation: STORED,
  workplace: [...STORED, "observation", "people", "readers"],
  proof: [...STORED, "people", "workplace"],
  reading: [...GROUND, "readers"],
  books: [...WORK, "readers"],
  files: [...WORK, "readers", "reading", "books"],
  sending: [...STORED, "observation"],
  payments: [...WORK, "reading", "files", "sending"],
  nights: WORK,
  expected: [...WORK, "readers", "reading", "files", "sending", "payments", "views", "books"],
  views: [...WORK, "reading", "files", "sending", "payments"],
  setup: [...WORK, "readers", "reading", "files", "sending", "payments", "views", "books"],
  retention: [...WORK, "readers", "reading", "files", "books", "expected"],
  notices: [...WORK, "reading", "files", "sending", "payments", "views", "books"],
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

const IMPURE: ReadonlySet<string> = new Set(["store", "gateway", "context", "workplace", "proof"]);

/**
 * Folders named `rules` or `formats` hold pure functions: nothing below them may reach what stores, asks or knows
 * the time.
 */
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
    pattern: /(?:from |\bimport\()"(?:undici|nodemailer|node:https?|node:net|node:tls)"|\bfetch\(/,
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
      ...["context", "config", "readers", "store", "workplace", "proof", "sandbox"],
      ...["files", "books", "expected", "payments", "views", "setup", "retention", "cli", "desk"],
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
 * "payments" of src/payments/pay-step.ts, "jobs" of jobs/pay.ts, "index.ts" of src/index.ts; empty for a package.
 * How a payout is sent, and how a sheet is read, are rooms of their own inside payments and files: neither knows
 * what a command opens.
 */
function roomOf(path: string): string {
  const [top = "", room = "", folder = ""] = path.split("/");
  if (top === "jobs") return "jobs";
  if (top !== "src") return "";
  return INNER_ROOMS.has(`${room}/${folder}`) ? folder : room;
}

const INNER_ROOMS: ReadonlySet<string> = new Set(["payments/sending", "files/reading"]);
