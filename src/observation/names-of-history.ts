/** Records the transactions and names of everything ever seen, as each sighting does. */
import {
  listFormerAfter,
  listTextsAfter,
  type ObservedKind,
  recordNames,
  type Sighting,
  type StoredMeaning,
  sortPayoutNames,
} from "../store/observed.ts";
import { noteNames } from "../store/shared-names.ts";
import type { Store } from "../store/store.ts";
import { inWindows } from "../store/windows.ts";
import { deposit, parseJson, payout } from "../wire/index.ts";
import { DEPOSITS, PAYOUTS } from "./record.ts";

const SIGHTINGS_TOGETHER = 1_000;

/** Reads the whole history: after an upgrade from versions that did not record them, and to replace lost ones. */
export async function noteNamesOfHistory(store: Store): Promise<void> {
  await noteAll(store, "payout", (raw) => PAYOUTS.sightingOf(payout.parse(parseJson(raw))));
  await noteAll(store, "deposit", (raw) => DEPOSITS.sightingOf(deposit.parse(parseJson(raw))));
  await store.write(() => sortPayoutNames());
}

type Text = Pick<StoredMeaning, "id" | "raw">;
type Named = Pick<Sighting, "id" | "reference" | "callbackUrl" | "names">;

async function noteAll(store: Store, kind: ObservedKind, sightingOf: (raw: string) => Named): Promise<void> {
  const former = inWindows<Text & { readonly seq: number }>(store, (last = { id: "", seq: 0, raw: "" }) =>
    listFormerAfter(kind, last, SIGHTINGS_TOGETHER),
  );
  const latest = inWindows<Text>(store, (last) => listTextsAfter(kind, last?.id ?? "", SIGHTINGS_TOGETHER));
  for (const texts of [former, latest])
    for await (const window of texts) {
      const sightings = window.map(({ raw }) => sightingOf(raw));
      await store.write(function* () {
        yield* noteNames(sightings.flatMap(({ names }) => names ?? []));
        if (kind === "payout") yield* recordNames(sightings);
      });
    }
}
