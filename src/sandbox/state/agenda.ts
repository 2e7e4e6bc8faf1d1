/**
 * What will happen, in order of time: the next step of a payout, funds that arrive, an expiry. Only in memory: it is
 * planned again from the rows at every start. Nothing is removed early: what no longer applies does nothing when due.
 */
/** `dueAt`: the instant for which it was planned; the present may be later. */
type Happening = (dueAt: number) => void;

interface Item {
  readonly dueAt: number;
  /** Of items due at one instant, those planned first come first. */
  readonly seq: number;
  readonly happen: Happening;
}

export function openAgenda() {
  const heap: Item[] = [];
  let lastSeq = 0;
  return {
    plan: (dueAt: number, happen: Happening): void => {
      lastSeq += 1;
      rise(heap, { dueAt, seq: lastSeq, happen });
    },
    /** Performs everything due until `nowMs`, what that plans included. */
    passUntil: (nowMs: number): void => {
      for (let [first] = heap; first !== undefined && first.dueAt <= nowMs; [first] = heap) {
        dropFirst(heap);
        first.happen(first.dueAt);
      }
    },
  };
}

/** Adds an item to a binary heap: from the end up to its place. */
function rise(heap: Item[], item: Item): void {
  let at = heap.length;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || isBefore(above, item)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = item;
}

/** Removes the first item: the last one takes its place and moves down to its own. */
function dropFirst(heap: Item[]): void {
  const item = heap.pop();
  if (item === undefined || heap.length === 0) return;
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const child = isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
    const below = heap[child];
    if (below === undefined || isBefore(item, below)) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = item;
}

function isBefore(item: Item | undefined, other: Item | undefined): boolean {
  if (item === undefined || other === undefined) return false;
  return item.dueAt === other.dueAt ? item.seq < other.seq : item.dueAt < other.dueAt;
}
