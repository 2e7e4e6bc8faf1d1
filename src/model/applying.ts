/** The parts of a list that apply: `condition && part` leaves one out. */
export function applying<Part>(...parts: readonly (Part | false | undefined)[]): Part[] {
  return parts.filter((part): part is Part => part !== false && part !== undefined);
}
