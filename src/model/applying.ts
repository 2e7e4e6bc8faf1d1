/** The parts of a list that apply: `condition && part` leaves one out. */
export function applying<Part>(...parts: readonly (Part | false | undefined)[]): Part[] {
  return parts.flatMap((part) => (part === false || part === undefined ? [] : [part]));
}
