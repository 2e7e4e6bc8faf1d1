/** What a number format makes of a number besides rounding it: a date, or an amount with a unit. */

/** Whether a format code shows a day or a time: `yyyy-mm-dd`, `[h]:mm`, but not `0.00 "days"` or `[Red]0`. */
export function isDateFormat(code: string): boolean {
  const bare = code
    .replace(/"[^"]*"/g, "")
    .replace(/\\./g, "")
    .replace(/[_*]./g, "")
    .replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]/gi, "")
    .replace(/general|standard/gi, "");
  return /[dmyhs]/i.test(bare);
}

/**
 * What stands beside the digits of a positive number, where it changes what they mean: `€`, `%`, `mBTC`, `thousands`,
 * `showing nothing`. Undefined for a plain number: spaces, brackets and signs are no unit, and neither is a colour or a language.
 */
export function unitOfFormat(code: string): string | undefined {
  if (code === "") return undefined;
  const sections = (code.match(SECTION) ?? [""]).filter((section) => !NEVER_POSITIVE.test(section));
  // A section with a condition may be chosen for any number; else the first is that of positive ones.
  const isConditional = sections.some((section) => CONDITION.test(section));
  const units = (isConditional ? sections : sections.slice(0, 1)).map(unitOfSection);
  return units.find((unit) => unit !== undefined);
}

/** Up to a `;` that is neither quoted nor escaped; not the empty ones, but for the first. */
const SECTION = /^(?=;|$)|(?:"[^"]*"|\\.|[^;"\\])+/g;
const CONDITION = /\[[<>=]/;
const NEVER_POSITIVE = /\[(?:=|<|<=)-?0\.?0*\]/;

/** What is shown as it is written, and what only moves it: colours, conditions and languages, widths, fillings. */
const LITERALS = /"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|[_*]./g;

function unitOfSection(section: string): string | undefined {
  const literals: string[] = [];
  const bare = section.replace(LITERALS, (_, quoted = "", escaped = "", currency = "") => {
    literals.push(quoted, escaped, currency);
    return " ";
  });
  const beside = `${literals.join("")} ${bare.replace(NUMBER_CODES, " ")}`;
  const unit = beside.replace(NO_UNIT, " ").replace(/ +/g, " ").trim();
  if (!NUMBER_SHOWN.test(bare)) return unit === "" ? "showing nothing" : `the text ${unit}`;
  if (unit !== "") return unit;
  return /[0#?],+(?:[^0#?,]|$)/.test(bare) ? "thousands" : undefined;
}

/** "General" also as East Asian programs call it: `G/標準`. */
const NUMBER_SHOWN = /[0#?@]|general|standard|g\/\p{L}/iu;
const NUMBER_CODES = /general|standard|g\/\p{L}+|e[+-]|[@0#?.,/]/giu;
/** All but letters and digits, currency signs, parts of a hundred or a thousand. */
const NO_UNIT = /[^\p{L}\p{N}\p{Sc}%‰]/gu;

/** ECMA-376 part 1, 18.8.30: those of all languages, then those of East Asian ones. */
export const BUILT_IN_DATE_FORMATS: readonly string[] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
].flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, index) => String(from + index)));

/** Percentages, and the currency of whatever country the program runs in. */
export const BUILT_IN_UNITS: readonly (readonly [id: string, unit: string])[] = [
  ["9", "%"],
  ["10", "%"],
  ...["5", "6", "7", "8", "42", "44"].map((id) => [id, "a national currency"] as const),
];
