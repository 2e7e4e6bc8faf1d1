/** What a configuration leaves out does not take the place of a default. */

export type Present<Value> = { readonly [Name in keyof Value]?: Exclude<Value[Name], undefined> };

/** The members that are there, typed without undefined. */
export function present<Value extends object>(value: Value): Present<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Present<Value>;
}
