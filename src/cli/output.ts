/** The output of a command: people get text and progress, machines get one JSON document on stdout. */
import { createRequire } from "node:module";
import pc from "picocolors";
import { printableLine, printableText } from "../model/printable-text.ts";
import { writeDocument } from "../wire/document.ts";

const require = createRequire(import.meta.url);

export type Colors = ReturnType<typeof pc.createColors>;

export interface Progress {
  step(): void;
  /** A line for people between two steps. */
  say(text: string): void;
  stop(): void;
}

export class Output {
  readonly json: boolean;
  readonly colors: Colors;
  /** Whether a person is watching, so that the answer should not be endless. */
  readonly isTerminal = process.stdout.isTTY === true;
  private readonly quiet: boolean;

  constructor({ json, quiet, color }: { json: boolean; quiet: boolean; color: boolean }) {
    this.json = json;
    this.quiet = quiet;
    this.colors = pc.createColors(color && !json);
  }

  /** A line for people; nothing under --json or --quiet. */
  say(text = ""): void {
    if (!this.json && !this.quiet) process.stdout.write(`${this.printable(text)}\n`);
  }

  /** Prints the answer: `value` as text for people, and as the JSON document for machines. */
  answer<Value>(value: Value, text: (value: Value, colors: Colors) => string): void {
    const answer = this.json ? writeDocument(value) : withoutForgery(text(value, this.colors), value);
    process.stdout.write(`${this.printable(answer)}\n`);
  }

  /** Prints a long answer in pieces, at the reader's pace; ends early if the reader quits. */
  async stream(pieces: AsyncIterable<string>): Promise<void> {
    let collected = "";
    for await (const piece of pieces) {
      collected += this.printable(piece);
      if (collected.length < STREAM_CHARACTERS_MIN) continue;
      if (!(await writeToStdout(collected))) return;
      collected = "";
    }
    await writeToStdout(collected);
  }

  /** Prints problems to stderr, even with --quiet. */
  complain(text: string): void {
    process.stderr.write(`${this.printable(text)}\n`);
  }

  /**
   * The last defence of the terminal, after the escaping of each text: control characters and marks that change the
   * direction of a text are written as escapes (those of JSON in a JSON document). Line feeds and our colours
   * remain.
   */
  private printable(text: string): string {
    const isOurs = (part: string) => part.startsWith(COLOUR_BEGINS) && this.colors.isColorSupported;
    const parts = text.split(COLOUR);
    return parts.map((part, at) => (at % 2 === 1 && isOurs(part) ? part : printableText(part))).join("");
  }

  /** A progress bar, only on a terminal. */
  progress(label: string, total: number): Progress {
    if (this.json || this.quiet || !process.stderr.isTTY || total === 0)
      return { step: nothing, say: (text) => this.say(text), stop: nothing };
    // Loaded only now, because few commands show one.
    const { SingleBar }: typeof import("cli-progress") = require("cli-progress");
    const bar = new SingleBar({
      format: `${label} {bar} {value}/{total} {duration_formatted}`,
      barCompleteChar: "█",
      barIncompleteChar: "░",
      hideCursor: true,
      stream: process.stderr,
    });
    let done = 0;
    bar.start(total, done);
    return {
      step: () => {
        done += 1;
        bar.increment();
      },
      say: (text) => {
        bar.stop();
        this.say(text);
        bar.start(total, done);
      },
      stop: () => bar.stop(),
    };
  }
}

const COLOUR = /(\p{Cc}\[\d{1,2}m)/u;
const COLOUR_BEGINS = "\u001b[";

/** Escapes line feeds and colours from members of `value`, so that they cannot forge parts of the text. */
function withoutForgery(text: string, value: unknown): string {
  const forged = [...new Set(forgeries(value))].sort((one, other) => other.length - one.length);
  return forged.reduce((rest, each) => rest.replaceAll(each, () => printableLine(each)), text);
}

function forgeries(value: unknown): string[] {
  if (typeof value === "string") return value.trim() !== "" && printableLine(value) !== value ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(forgeries) : [];
}

/** Fewer, larger writes. */
const STREAM_CHARACTERS_MIN = 64 * 1024;

/** False if the reader has quit. */
function writeToStdout(text: string): Promise<boolean> {
  return new Promise((resolve) => {
    process.stdout.write(text, (error) => resolve(error === undefined || error === null));
  });
}

function nothing(): undefined {
  return undefined;
}
