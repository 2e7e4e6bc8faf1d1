/** Seeded randomness: the same seed draws the same numbers, on every machine. Not for secrets. */

export class Chance {
  private state: number;

  constructor(seed: number) {
    this.state = seed | 0;
    // Similar seeds start with similar draws, so the first ones are thrown away.
    for (let draw = 0; draw < 3; draw += 1) this.fraction();
  }

  /** From 0 up to 1 (mulberry32). */
  fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer, both ends included. */
  between(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  happens(probability: number): boolean {
    return this.fraction() < probability;
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.between(0, items.length - 1)] ?? items[0];
  }

  /** A UUID of version 4. */
  uuid(): string {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-8${this.hex(3)}-${this.hex(8)}${this.hex(4)}`;
  }

  private hex(digits: number): string {
    return this.between(0, 16 ** digits - 1)
      .toString(16)
      .padStart(digits, "0");
  }
}
