/** What a command may print to: people get text and progress, machines get one JSON document on stdout. */
import { SingleBar } from "cli-progress";
import pc from "picocolors";
import { writeDocument } from "../wire/index.ts";

export interface OutputOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: boolean;
}

export type Colors = ReturnType<typeof pc.createColors>;

export interface Progress {
  step(): void;
  stop(): void;
}

export class Output {
  readonly json: boolean;
  readonly colors: Colors;
  private readonly quiet: boolean;

  constructor({ json, quiet, color }: OutputOptions) {
    this.json = json;
    this.quiet = quiet;
    this.colors = pc.createColors(color && !json);
  }

  /** A line for people; nothing under --json or --quiet. */
  say(text = ""): void {
    if (!this.json && !this.quiet) process.stdout.write(`${text}\n`);
  }

  /** The answer: `text` for people, `value` as the one JSON document for machines. */
  answer(value: unknown, text: () => string): void {
    process.stdout.write(this.json ? `${writeDocument(value)}\n` : `${text()}\n`);
  }

  /** What went wrong goes to stderr, also under --quiet. */
  complain(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** A progress bar on a terminal; elsewhere nothing. */
  progress(label: string, total: number): Progress {
    if (this.json || this.quiet || !process.stderr.isTTY || total === 0)
      return { step: nothing, stop: nothing };
    const bar = new SingleBar({
      format: `${label} {bar} {value}/{total} {duration_formatted}`,
      barCompleteChar: "█",
      barIncompleteChar: "░",
      hideCursor: true,
      stream: process.stderr,
    });
    bar.start(total, 0);
    return { step: () => bar.increment(), stop: () => bar.stop() };
  }
}

function nothing(): undefined {
  return undefined;
}
