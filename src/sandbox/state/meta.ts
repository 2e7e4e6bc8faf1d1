/** Single values that a sandbox keeps over a restart: that its seed is planted, and how far its clock was moved. */
import type { RowKind } from "./rows.ts";
import type { Store } from "./store.ts";

export interface Meta {
  get(name: MetaName): string | undefined;
  set(name: MetaName, value: string): void;
}

type MetaName = "seeded" | "clock-offset-ms";

export function metaIn(store: Store): Meta {
  const values = store.rows(META);
  return {
    get: (name) => values.get(name)?.value,
    set: (name, value) => {
      const entry = values.entry(name);
      if (entry === undefined) values.insert({ name, value });
      else values.replace(entry, { name, value });
    },
  };
}

interface MetaValue {
  readonly name: MetaName;
  readonly value: string;
}

const META: RowKind<MetaValue, MetaValue> = {
  table: "meta",
  keyOf: ({ name }) => name,
  write: (value) => value,
  read: (value) => value,
};
