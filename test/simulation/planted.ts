/**
 * Which planted violation is in force. module-doors.ts puts a door before each module of src that a violation replaces,
 * and with every call the door asks here, so that one process plants many, one after the other.
 */

/** What a door stands before: a function or a class. */
type Callable = ((...given: unknown[]) => unknown) & (new (...given: unknown[]) => object);

let inForce: string | undefined;

/** From now on calls go to this violation; without one, to the code under test. */
export function plant(violation: string | undefined): void {
  inForce = violation;
}

/** `planted`: by the names of violations, what each has in the place of `original`. */
export function door(original: Callable, planted: Readonly<Record<string, Callable>>): Callable {
  const chosen = () => planted[inForce ?? ""] ?? original;
  return new Proxy(original, {
    apply: (_, self, given) => Reflect.apply(chosen(), self, given),
    construct: (_, given) => Reflect.construct(chosen(), given),
  });
}
