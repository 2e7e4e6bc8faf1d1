/** An object without the members that have no value, for fields that are optional and may not be undefined. */
export type Present<Value> = { readonly [Name in keyof Value]?: Exclude<Value[Name], undefined> };

/** The members that are not undefined. */
export function present<Value extends object>(value: Value): Present<Value> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Present<Value>;
}
