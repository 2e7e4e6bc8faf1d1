/**
 * Recognises content that makes a spreadsheet program fetch, send or run something because a workbook is opened,
 * edited or calculated. Allows content that waits for a click and shows its target (a hyperlink), or for consent to
 * an update (values of another workbook), because bookkeepers use both.
 */
import { type Attributes, isTrue } from "./xml-part.ts";

/** The first function or link of a formula that does more than calculate, in words; undefined if there is none. */
export function activeFormula(formula: string): string | undefined {
  const kept = Array.from(formula.matchAll(DUMMY_FUNCTION), ([, text = ""]) => text.replaceAll('""', '"'));
  for (const each of [formula, ...kept]) {
    const bare = each.replace(NAMES_AND_TEXTS, (found) => (isClosed(found) ? " " : found));
    const name = ACTIVE_FUNCTION.exec(bare)?.[1]?.toUpperCase();
    if (name !== undefined) return `the function ${name}`;
    if (bare.includes("|")) return "a link to another program (DDE)";
  }
  return undefined;
}

/** What an element does other than show something, in words; undefined for nearly all elements. */
export function activeElement(name: string, attributes: Attributes): string | undefined {
  switch (name) {
    case "Relationship":
      return activeRelation(attributes);
    case "ddeLink":
    case "oleLink":
      return "a link to another program (DDE, OLE)";
    case "workbookPr":
      return attributes["updateLinks"] === "always" ? "links that are updated without asking" : undefined;
    case "connection":
      return isTrue(attributes["refreshOnLoad"]) || Number(attributes["interval"] ?? 0) > 0
        ? "a data connection that is refreshed by itself"
        : undefined;
    case "queryTable":
      return isTrue(attributes["refreshOnLoad"]) ? "a data query that is refreshed by itself" : undefined;
    case "oleObject":
      return isTrue(attributes["autoLoad"]) ? "an embedded object that is loaded by itself" : undefined;
    default:
      return undefined;
  }
}

function activeRelation({ Type = "", TargetMode }: Attributes): string | undefined {
  const kind = Type.slice(Type.lastIndexOf("/") + 1);
  if (kind === "control") return "a control that is a program (ActiveX)";
  if (TargetMode !== "External" || PASSIVE_LINK.test(kind)) return undefined;
  return kind === "image" ? "a picture that is kept elsewhere" : `a part that is kept elsewhere (${kind})`;
}

/** A hyperlink, and the path of another workbook whose values are used (`externalLinkPath`, `xlPathMissing`). */
const PASSIVE_LINK = /^(?:hyperlink|externalLink(?:Long)?Path|xl[A-Z]\w*)$/;

/**
 * Texts, quoted names of sheets, and names in brackets (columns of tables, other workbooks), which may hold any
 * letters. One without its end extends to the formula's end, so that no text takes quadratic time.
 */
const NAMES_AND_TEXTS = /"[^"]*"?|'[^']*'?|\[(?:'.|[^'\]])*\]?/g;

function isClosed(found: string): boolean {
  return found.length > 1 && found.endsWith(found.startsWith("[") ? "]" : found.charAt(0));
}

/**
 * The form in which Google Sheets stores one of its own functions in a workbook, to restore it when it opens the
 * file.
 */
const DUMMY_FUNCTION = /__xludf\.DUMMYFUNCTION\("((?:[^"]|"")*)"/gi;

/**
 * Functions of Excel (CALL, EXEC and REGISTER belong to its macro language), LibreOffice (DDE) and Google Sheets
 * (IMPORT...).
 */
const ACTIVE_FUNCTION = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}_])(WEBSERVICE|IMAGE|RTD|DDE|CALL|EXEC|REGISTER(?:\.ID)?`,
    String.raw`|SQL\.REQUEST|IMPORT(?:TEXT|CSV|DATA|XML|HTML|FEED))`,
    String.raw`\s*\(`,
  ].join(""),
  "iu",
);
