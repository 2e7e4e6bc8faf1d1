/** The form of a catalogue entry. The placeholders `{name}` in its texts become the fault's typed parameters. */

/** The next step, and with it who acts. The command line derives its exit code from this. */
export type Next =
  | "correct-file" // the sender corrects the file and drops it again
  | "correct-usage" // the caller corrects the command or the configuration
  | "needs-person" // somebody with authority decides
  | "will-retry" // Paydrop tries again by itself, or may be started again
  | "service-refused" // the service said no
  | "stopped"; // an invariant broke; nothing is sent until it is understood

export interface CatalogueEntry {
  readonly message: string;
  /** The instruction for a person: "Rename column 3 to `amount`". */
  readonly fix: string;
  readonly next: Next;
  /**
   * The words of the placeholder `{reason}`, by the code that a caller gives as `reason`. Placeholders in them are
   * parameters of that reason.
   */
  readonly reasons?: Readonly<Record<string, string>>;
  /** Both in general, for codes whose texts are only placeholders. */
  readonly about?: { readonly message: string; readonly fix: string };
}

/** The entries of one area; `next` is the default for entries that do not set it. */
export function entriesOf<const Area extends Readonly<Record<string, AreaEntry>>>(next: Next, area: Area) {
  const entries = Object.entries(area).map(([code, entry]) => [code, { next, ...entry }]);
  return Object.fromEntries(entries) as {
    readonly [Code in keyof Area]: Area[Code] & { readonly next: Next };
  };
}

type AreaEntry = Omit<CatalogueEntry, "next"> & Partial<CatalogueEntry>;

/**
 * A text of several lines, joined by spaces. Its type is the whole text, as that of a single literal, so that its
 * placeholders are found; `"a " + "b"` is only a string.
 */
export function text<const Lines extends readonly string[]>(...lines: Lines): Joined<Lines> {
  return lines.join(" ") as Joined<Lines>;
}

type Joined<Lines extends readonly string[]> = Lines extends readonly [infer Line extends string]
  ? Line
  : Lines extends readonly [infer Line extends string, ...infer Others extends readonly string[]]
    ? `${Line} ${Joined<Others>}`
    : "";

/** The names between braces in a text: `Placeholders<"{a} is not {b}">` is `"a" | "b"`. */
export type Placeholders<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;
