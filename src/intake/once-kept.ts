/** So that a file of two million cells fits in memory: most columns repeat a few texts. */

/** Keeps a text that a column repeats only once. A column of ever new texts is given up. */
export function onceKept(): (text: string, column: number) => string {
  const ofColumns: Map<string, string>[] = [];
  return (text, column) => {
    ofColumns[column] ??= new Map();
    const known = ofColumns[column];
    if (known.size >= REPEATED_TEXTS_MAX) return text;
    const kept = known.get(text);
    if (kept === undefined) known.set(text, text);
    return kept ?? text;
  };
}

const REPEATED_TEXTS_MAX = 1000;
