/** Patterns of references: `*` stands for any text, `?` for one character. Compared as folded keys. */

export function isPattern(text: string): boolean {
  return /[*?]/.test(text);
}

/** The number of the pattern's fixed characters. */
export function literalsOf(pattern: string): number {
  return [...pattern.replace(/[*?]/g, "")].length;
}

/** The text before the first `*` or `?`. */
export function prefixOf(pattern: string): string {
  return pattern.slice(0, pattern.search(/[*?]|$/));
}

/** The text after the last `*` or `?`. */
export function suffixOf(pattern: string): string {
  return pattern.slice(Math.max(pattern.lastIndexOf("*"), pattern.lastIndexOf("?")) + 1);
}

/** Returns only to the last `*`, so that no pattern takes long. */
export function matcherOf(pattern: string): (text: string) => boolean {
  const wanted = [...pattern];
  return (text) => {
    const found = [...text];
    let [at, place] = [0, 0];
    let star: { readonly at: number; place: number } | undefined;
    while (place < found.length) {
      if (wanted[at] === "*") {
        at += 1;
        star = { at, place };
      } else if (wanted[at] === "?" || (at < wanted.length && wanted[at] === found[place])) {
        at += 1;
        place += 1;
      } else if (star === undefined) return false;
      else {
        star.place += 1;
        at = star.at;
        place = star.place;
      }
    }
    return wanted.slice(at).every((mark) => mark === "*");
  };
}

/** Whether some text fits both patterns. */
export function canBothMatch(one: string, other: string): boolean {
  const [left, right] = [[...one], [...other]];
  // reach[j]: whether the rest of `left` from here and the rest of `right` from j can match the same text.
  let below = endings(right);
  for (let i = left.length - 1; i >= 0; i -= 1) {
    const reach: boolean[] = new Array(right.length + 1).fill(false);
    reach[right.length] = left[i] === "*" && below[right.length] === true;
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const [a, b] = [left[i], right[j]];
      if (a === "*" || b === "*") reach[j] = below[j] === true || reach[j + 1] === true;
      else reach[j] = (a === b || a === "?" || b === "?") && below[j + 1] === true;
    }
    below = reach;
  }
  return below[0] === true;
}

/** Which endings of the pattern match the empty text. */
function endings(pattern: readonly string[]): boolean[] {
  const empty: boolean[] = new Array(pattern.length + 1).fill(false);
  empty[pattern.length] = true;
  for (let j = pattern.length - 1; j >= 0; j -= 1) empty[j] = pattern[j] === "*" && empty[j + 1] === true;
  return empty;
}
