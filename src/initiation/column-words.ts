/** What the names of columns mean: to everybody, and to one sender. */
import { isAnswerColumn } from "../model/answer-columns.ts";
import { columnSynonyms } from "../model/column-synonyms.ts";
import { type ColumnMeanings, type ColumnName, columnNames } from "../model/columns.ts";
import type { FoundBy } from "../model/sheet-reading.ts";
import { wordOf } from "../model/words.ts";
import { cryptocurrencies } from "../money/index.ts";

export interface Meaning {
  /** `ignore`: the configuration, a person or an answer of ours excludes the column. Undefined for an unknown name. */
  readonly column: ColumnName | "ignore" | undefined;
  readonly foundBy: FoundBy;
  /** How much the name decides: the configuration 4, an accepted layout 3, the interface's own name 2, a synonym 1. */
  readonly rank: number;
  /** For "Amount (BTC)", "BTC amount", "amount in BTC" and "Amount ₿". */
  readonly currency?: string;
}

/** `configured`: the sender's own headers; `accepted`: those of a layout that a person has accepted. */
export function columnWords(configured: ColumnMeanings, accepted: ColumnMeanings = {}) {
  const own = wordsOf(configured);
  const layout = wordsOf(accepted);
  return { meaningOf };

  function meaningOf(heading: string): Meaning {
    const word = wordOf(heading);
    const configuredAs = own.get(word);
    if (configuredAs !== undefined) return { column: configuredAs, foundBy: "configuration", rank: 4 };
    if (isAnswerColumn(heading)) return { column: "ignore", foundBy: "name", rank: 4 };
    const acceptedAs = layout.get(word);
    if (acceptedAs !== undefined) return { column: acceptedAs, foundBy: "layout", rank: 3 };
    const named = OWN_NAMES.get(word);
    if (named !== undefined) return { column: named, foundBy: "name", rank: 2 };
    const currency = currencyBeside(word);
    if (currency !== undefined) return { column: "amount", foundBy: "name", rank: 2, currency };
    return { column: SYNONYMS.get(word), foundBy: "name", rank: 1 };
  }
}

export type ColumnWords = ReturnType<typeof columnWords>;

function wordsOf(columns: ColumnMeanings): ReadonlyMap<string, ColumnName | "ignore"> {
  return new Map(Object.entries(columns).map(([heading, column]) => [wordOf(heading), column]));
}

const OWN_NAMES: ReadonlyMap<string, ColumnName> = new Map(columnNames.map((name) => [wordOf(name), name]));

const SYNONYMS: ReadonlyMap<string, ColumnName> = new Map(
  [...columnSynonyms].flatMap(([name, texts]) => texts.map((text) => [wordOf(text), name] as const)),
);

/** The cryptocurrency before or after a word for the amount. */
function currencyBeside(word: string): string | undefined {
  const isAmount = (rest: string) => rest === "amount" || SYNONYMS.get(rest) === "amount";
  return cryptocurrencies.find((code) => {
    const small = code.toLowerCase();
    if (word.startsWith(small)) return isAmount(word.slice(small.length));
    return (
      word.endsWith(small) && isAmount(word.slice(0, -small.length).replace(/(?<=.)(?:in|en|em|w)$/, ""))
    );
  });
}
