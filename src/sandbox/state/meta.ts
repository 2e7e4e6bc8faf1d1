/** Values that survive a restart: whether the seed is applied, the clock's offset, the number of starts. */
import { plainKind } from "./rows.ts";
import type { Store } from "./store.ts";

export type Meta = ReturnType<typeof metaIn>;

type MetaName = "seeded" | "clock-offset-ms" | "starts";

export function metaIn(store: Store) {
  const values = store.rows(META);
  return {
    get: (name: MetaName) => values.get(name)?.value,
    set: (name: MetaName, value: string) => {
      if (!values.change(name, () => ({ name, value }))) values.insert({ name, value });
    },
  };
}

export function startsBefore(meta: Meta): number {
  return Number.parseInt(meta.get("starts") ?? "0", 10);
}

export function countStart(meta: Meta): void {
  meta.set("starts", String(startsBefore(meta) + 1));
}

interface MetaValue {
  readonly name: MetaName;
  readonly value: string;
}

const META = plainKind<MetaValue>("meta", ({ name }) => name);
