/** What a configuration leaves out does not take the place of a default. */

/** The members that are there, typed without undefined. */
export function present<Value extends object>(
  value: Value,
): { [Name in keyof Value]?: Exclude<Value[Name], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Name in keyof Value]?: Exclude<Value[Name], undefined>;
  };
}
