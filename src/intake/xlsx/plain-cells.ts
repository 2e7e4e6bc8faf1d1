/**
 * A fast path for rows and cells written as nearly every program writes them, at a fraction of the cost of events: `<c
 * r="B2" s="1" t="s"><v>7</v></c>`, its attributes in any order, and `</row><row ...>` between two rows. It accepts
 * only what is certainly well-formed and in order; formulas, entities, comments, cells that span two chunks and all
 * mistakes are left to saxes.
 */
import type { RowWriter } from "./row-writer.ts";
import { type Attributes, codesOf, type XmlChunk } from "./xml-walker.ts";

export class PlainCells {
  private readonly rows: RowWriter;
  private readonly tags: ReturnType<typeof tagsOf>;
  private text = "";
  private codes: XmlChunk["codes"] = new Uint8Array();
  private index = 0;
  /** The attributes of the current cell; -1 and "" if absent. */
  private column = -1;
  private line = -1;
  private style = -1;
  private type = "";
  private otherAttributes = { written: "", ...attributesIn("") };

  /** `prefix`: the namespace prefix of all names, with its colon. */
  constructor(rows: RowWriter, prefix: string) {
    this.rows = rows;
    this.tags = tagsOf(prefix);
  }

  /** Reads from `start`, between cells of a row; returns the offset after the last plain token. */
  read({ text, codes }: XmlChunk, start: number): number {
    this.text = text;
    this.codes = codes;
    this.index = start;
    let end = start;
    do {
      end = this.index;
      while (isSpace(codes[this.index])) this.index += 1;
    } while (codes[this.index + 1] === SLASH ? this.readRowBreak() : this.readCell());
    return end;
  }

  private readCell(): boolean {
    const { tags } = this;
    if (!this.skip(tags.cell) || !this.readAttributes()) return false;
    if (this.skip(EMPTY)) return this.place();
    if (this.skip(tags.value)) return this.readContent(tags.valueEnd, false);
    const isInline = this.skip(tags.inline) || this.skip(tags.inlineWithSpace);
    return isInline && this.readContent(tags.inlineEnd, true);
  }

  /** Accepts only what means the same in XML 1.0 and 1.1. */
  private readContent(closing: Uint16Array, isInline: boolean): boolean {
    const start = this.index;
    while (isPlainText(this.codes[this.index])) this.index += 1;
    const end = this.index;
    if (!this.skip(closing) || !this.place()) return false;
    const style = Math.max(0, this.style);
    if (this.type === "s" && !isInline && this.rows.addShared(this.numberAt(start, end), style)) return true;
    const content = this.text.slice(start, end);
    this.rows.add({
      type: this.type === "" ? "n" : this.type,
      styleIndex: style,
      value: isInline ? undefined : content,
      inlineText: isInline ? content : undefined,
      runStyles: 0,
      formula: undefined,
    });
    return true;
  }

  private place(): boolean {
    if (this.column >= 0) return this.rows.moveTo(this.column, this.line);
    this.rows.openCell(undefined);
    return true;
  }

  private readAttributes(): boolean {
    const { codes } = this;
    this.column = -1;
    this.style = -1;
    this.type = "";
    while (codes[this.index] === SPACE && codes[this.index + 1] !== SLASH) {
      const name = codes[this.index + 1];
      if (codes[this.index + 2] !== EQUAL || codes[this.index + 3] !== QUOTE) return false;
      this.index += 4;
      if (!this.readAttribute(name) || codes[this.index] !== QUOTE) return false;
      this.index += 1;
    }
    if (codes[this.index] === SPACE) this.index += 1;
    return true;
  }

  /** Accepts each attribute at most once. */
  private readAttribute(name: number | undefined): boolean {
    const start = this.index;
    switch (name) {
      case LETTER_R:
        return this.column < 0 && this.readReference();
      case LETTER_S:
        if (this.style >= 0) return false;
        while (isDigit(this.codes[this.index])) this.index += 1;
        this.style = this.numberAt(start, this.index);
        return this.style >= 0;
      case LETTER_T:
        if (this.type !== "") return false;
        while (isLetter(this.codes[this.index])) this.index += 1;
        this.type = this.text.slice(start, this.index);
        return this.type !== "";
      default:
        return false;
    }
  }

  private readReference(): boolean {
    const { codes } = this;
    const start = this.index;
    let column = 0;
    for (let code = codes[start] ?? 0; code >= LETTER_A && code <= LETTER_Z; code = codes[this.index] ?? 0) {
      column = column * 26 + code - LETTER_A + 1;
      this.index += 1;
    }
    const lineStart = this.index;
    while (isDigit(codes[this.index])) this.index += 1;
    this.column = column - 1;
    this.line = this.numberAt(lineStart, this.index);
    return column > 0 && lineStart - start <= COLUMN_LETTERS_MAX && codes[lineStart] !== DIGIT_0;
  }

  private readRowBreak(): boolean {
    const { codes, rows, tags } = this;
    if (!this.skip(tags.rowEnd)) return false;
    while (isSpace(codes[this.index])) this.index += 1;
    if (!this.skip(tags.row)) return false;
    ROW_ATTRIBUTES.lastIndex = this.index;
    const [all, line, others = ""] = ROW_ATTRIBUTES.exec(this.text) ?? [];
    if (all === undefined) return false;
    // Most rows differ from the one above only by their number.
    if (others !== this.otherAttributes.written)
      this.otherAttributes = { written: others, ...attributesIn(others) };
    const { attributes, isPlain } = this.otherAttributes;
    if (!isPlain || (line !== undefined && attributes["r"] !== undefined)) return false;
    this.index += all.length;
    rows.closeRow();
    rows.openRow(line === undefined ? attributes : { ...attributes, r: line });
    return true;
  }

  /** Skips this tag if it is next; returns whether it was. */
  private skip(tag: Uint16Array): boolean {
    for (let at = 0; at < tag.length; at += 1) if (this.codes[this.index + at] !== tag[at]) return false;
    this.index += tag.length;
    return true;
  }

  /** -1 unless all are digits, and few enough. */
  private numberAt(start: number, end: number): number {
    if (end === start || end - start > DIGITS_MAX) return -1;
    let number = 0;
    for (let index = start; index < end; index += 1) {
      const code = this.codes[index];
      if (!isDigit(code)) return -1;
      number = number * 10 + (code ?? 0) - DIGIT_0;
    }
    return number;
  }
}

function tagsOf(prefix: string) {
  const tag = (written: string) => codesOf(written.replace(/<\/?/g, (bracket) => bracket + prefix));
  return {
    cell: tag("<c"),
    value: tag("><v>"),
    valueEnd: tag("</v></c>"),
    inline: tag("><is><t>"),
    inlineWithSpace: tag('><is><t xml:space="preserve">'),
    inlineEnd: tag("</t></is></c>"),
    row: tag("<row"),
    rowEnd: tag("</row>"),
  };
}

const EMPTY = codesOf("/>");

/** A row's number, if first, and its attributes, without entities, line ends and namespaces. */
const ROW_ATTRIBUTES =
  /(?: r="(\d+)")?((?: (?!xmlns)[A-Za-z_][\w.:-]*="[ !#-%'-;=-~\u00a0-\u2027\u2029-\ud7ff]*")*) ?>/y;

/** Parses attributes; not plain if a name occurs twice. */
function attributesIn(written: string): { readonly attributes: Attributes; readonly isPlain: boolean } {
  const pairs = Array.from(written.matchAll(/ ([^=]+)="([^"]*)"/g), ([, name = "", value = ""]) => [
    name,
    value,
  ]);
  const attributes: Attributes = Object.fromEntries(pairs);
  return { attributes, isPlain: Object.keys(attributes).length === pairs.length };
}

const COLUMN_LETTERS_MAX = 3;
const DIGITS_MAX = 9;

const SPACE = 0x20;
const QUOTE = 0x22;
const AMPERSAND = 0x26;
const SLASH = 0x2f;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const LESS = 0x3c;
const EQUAL = 0x3d;
const LETTER_A = 0x41;
const LETTER_Z = 0x5a;
const CLOSING_BRACKET = 0x5d;
const LETTER_R = 0x72;
const LETTER_S = 0x73;
const LETTER_T = 0x74;

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= DIGIT_0 && code <= DIGIT_9;
}

function isLetter(code: number | undefined): boolean {
  const upper = (code ?? 0) & ~0x20;
  return upper >= LETTER_A && upper <= LETTER_Z;
}

/** A carriage return is not plain: XML makes a line feed of it. */
function isSpace(code: number | undefined): boolean {
  return code === SPACE || code === 0x0a || code === 0x09;
}

/** Without `]` (a text has no `]]>`), surrogates, and what XML 1.1 restricts or takes for a line end. */
function isPlainText(code: number | undefined): boolean {
  if (code === undefined) return false;
  if (code < 0x7f)
    return (
      (code >= SPACE && code !== LESS && code !== AMPERSAND && code !== CLOSING_BRACKET) || isSpace(code)
    );
  return code >= 0xa0 && code < 0xd800 && code !== 0x2028;
}
