/** Time that passes only from event to event. Events at one instant happen in the order in which they were planned. */

interface Event {
  readonly atMs: number;
  readonly order: number;
  happen(): void;
}

export class VirtualTime {
  /** The service's clock, which is right: milliseconds since 1970. */
  nowMs: number;
  private readonly heap: Event[] = [];
  private planned = 0;

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  /** Nothing is planned. */
  get isIdle(): boolean {
    return this.heap.length === 0;
  }

  after(delayMs: number, happen: () => void): void {
    this.planned += 1;
    this.push({ atMs: this.nowMs + Math.max(0, delayMs), order: this.planned, happen });
  }

  /** Lets the next event happen; false when there is none. */
  step(): boolean {
    const next = this.pop();
    if (next === undefined) return false;
    this.nowMs = next.atMs;
    next.happen();
    return true;
  }

  /** Lets everything happen until then. */
  pass(durationMs: number): void {
    const untilMs = this.nowMs + durationMs;
    while (this.heap[0] !== undefined && this.heap[0].atMs <= untilMs) this.step();
    this.nowMs = untilMs;
  }

  private push(event: Event): void {
    const { heap } = this;
    let place = heap.push(event) - 1;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !isBefore(event, parent)) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = event;
  }

  private pop(): Event | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let place = 0;
    for (;;) {
      const left = heap[2 * place + 1];
      const right = heap[2 * place + 2];
      const [child, childPlace] =
        right !== undefined && left !== undefined && isBefore(right, left)
          ? [right, 2 * place + 2]
          : [left, 2 * place + 1];
      if (child === undefined || !isBefore(child, last)) break;
      heap[place] = child;
      place = childPlace;
    }
    heap[place] = last;
    return first;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order);
}
