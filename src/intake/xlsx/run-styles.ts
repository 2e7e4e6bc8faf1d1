/**
 * The styles of the runs of a rich text, which may change what it says as a whole: a part that is struck out or
 * invisible, or digits raised like a footnote mark.
 */
import { type Theme, WHITE } from "./colours.ts";
import { addToFont, type Font, isUnseenOn, newFont } from "./font-visibility.ts";
import type { Attributes } from "./xml-walker.ts";

/** Bits, so that many texts can store them cheaply. */
export const RUN_STYLES = {
  struck: 4,
  /** White, and so invisible except on a coloured background. */
  white: 8,
  tiny: 16,
  raised: 32,
} as const;

/** Is shown the elements and texts of one text after another. */
export class RunStyles {
  /** The marks of the current text so far. */
  marks = 0;
  private readonly theme: Theme;
  private font: Font | undefined;
  private isRaised = false;
  private isBehindDigit = false;

  constructor(theme: Theme) {
    this.theme = theme;
  }

  start(): void {
    this.marks = 0;
    this.isBehindDigit = false;
    this.startRun();
  }

  open(name: string, attributes: Attributes): void {
    if (name === "r") this.startRun();
    else if (name === "vertAlign") this.isRaised = /^(?:super|sub)script$/.test(attributes["val"] ?? "");
    else if (name === "strike" || name === "color" || name === "sz") {
      this.font ??= newFont();
      addToFont(this.font, name, attributes);
    }
  }

  /** Adds a part of the text, with the style in effect. */
  text(text: string): void {
    const { font } = this;
    if (this.isRaised && this.isBehindDigit && /^\d/.test(text)) this.marks |= RUN_STYLES.raised;
    if (text !== "") this.isBehindDigit = /\d$/.test(text);
    if (font === undefined || text.trim() === "") return;
    if (font.isStruck) this.marks |= RUN_STYLES.struck;
    if (font.isTiny) this.marks |= RUN_STYLES.tiny;
    if (isUnseenOn(font, WHITE, this.theme)) this.marks |= RUN_STYLES.white;
  }

  private startRun(): void {
    this.font = undefined;
    this.isRaised = false;
  }
}
