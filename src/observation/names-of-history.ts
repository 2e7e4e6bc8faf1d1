/** Records the transactions of everything seen by versions that did not record them at each sighting. */
import { listFormerAfter, listTextsAfter, type ObservedKind, type StoredMeaning } from "../store/observed.ts";
import { type NamedBy, noteNames } from "../store/shared-names.ts";
import type { Store } from "../store/store.ts";
import { inWindows } from "../store/windows.ts";
import { deposit, parseJson, payout } from "../wire/index.ts";
import { DEPOSITS, PAYOUTS } from "./record.ts";

const SIGHTINGS_TOGETHER = 1_000;

/** Reads the whole history, once after an upgrade. */
export async function noteNamesOfHistory(store: Store): Promise<void> {
  await noteAll(store, "payout", (raw) => PAYOUTS.sightingOf(payout.parse(parseJson(raw))).names);
  await noteAll(store, "deposit", (raw) => DEPOSITS.sightingOf(deposit.parse(parseJson(raw))).names);
}

type Text = Pick<StoredMeaning, "id" | "raw">;

async function noteAll(
  store: Store,
  kind: ObservedKind,
  namesIn: (raw: string) => readonly NamedBy[] | undefined,
): Promise<void> {
  const former = inWindows<Text & { readonly seq: number }>(store, (last = { id: "", seq: 0, raw: "" }) =>
    listFormerAfter(kind, last, SIGHTINGS_TOGETHER),
  );
  const latest = inWindows<Text>(store, (last) => listTextsAfter(kind, last?.id ?? "", SIGHTINGS_TOGETHER));
  for (const texts of [former, latest])
    for await (const window of texts) {
      const names = window.flatMap(({ raw }) => namesIn(raw) ?? []);
      await store.write(() => noteNames(names));
    }
}
