/** Drops undefined and null members, for optional fields that must not be undefined. */
export type Present<Value> = { readonly [Name in keyof Value]?: Exclude<Value[Name], undefined | null> };

/** The members that are neither undefined nor null. A loop, because it runs for every database row. */
export function present<Value extends object>(value: Value): Present<Value> {
  const kept: Partial<Value> = {};
  for (const name in value) {
    if (value[name] !== undefined && value[name] !== null) kept[name] = value[name];
  }
  return kept as Present<Value>;
}
