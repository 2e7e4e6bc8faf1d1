/**
 * Keeps rows by the instant at which they are due: a binary heap. A row that leaves stays in the heap until it comes to the top, so that
 * a caller who takes the first one must ask whether it is still there.
 */
import type { Entry } from "./rows.ts";

export function dueIndex<Row extends { readonly dueAt: number }>() {
  const heap: Entry<Row>[] = [];
  return {
    /** The earliest row, in case of a tie the one that came first; perhaps one that has left. */
    first: () => heap[0],
    dropFirst: () => {
      const last = heap.pop();
      if (last !== undefined && heap.length > 0) sink(heap, last);
    },
    enter: (entry: Entry<Row>) => rise(heap, entry),
    leave: () => undefined,
  };
}

type Due = Entry<{ readonly dueAt: number }>;

/** Places an entry, from the end upwards. */
function rise<One extends Due>(heap: One[], entry: One): void {
  let at = heap.length;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || isBefore(above, entry)) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = entry;
}

/** Places an entry, from the top downwards. */
function sink<One extends Due>(heap: One[], entry: One): void {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    const child = isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
    const below = heap[child];
    if (below === undefined || isBefore(entry, below)) break;
    heap[at] = below;
    at = child;
  }
  heap[at] = entry;
}

function isBefore(one: Due | undefined, other: Due | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const difference = one.row.dueAt - other.row.dueAt;
  return difference === 0 ? one.seq < other.seq : difference < 0;
}
