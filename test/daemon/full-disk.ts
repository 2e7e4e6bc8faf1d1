/** A database that takes nothing more while its disk is full, and is read all the same. */
import { fault } from "../../src/faults/index.ts";
import type { Store } from "../../src/store/store.ts";

export function onFullDisk(store: Store): { readonly store: Store; makeRoom(): void } {
  let isFull = true;
  const write: Store["write"] = (work) =>
    isFull
      ? Promise.reject(
          fault("DATABASE_UNUSABLE", { path: "paydrop.sqlite", reason: "database or disk is full" }),
        )
      : store.write(work);
  return {
    store: Object.create(store, { write: { value: write } }),
    makeRoom: () => {
      isFull = false;
    },
  };
}
