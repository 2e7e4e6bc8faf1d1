/** What is in flight under one client key: how many creations at once, and the lowest of their nonces. */
import type { Caller } from "./network.ts";

export class LaneTraffic {
  /** The maximum number of creations in flight at once. */
  busiest = 0;
  private onItsWay: { readonly caller: Caller; creations: number; readonly nonces: Set<bigint> } | undefined;

  /** Undefined if no other creation is in flight. */
  get lowestNonce(): bigint | undefined {
    let lowest: bigint | undefined;
    for (const nonce of this.onItsWay?.nonces ?? [])
      if (lowest === undefined || nonce < lowest) lowest = nonce;
    return lowest;
  }

  /**
   * Returns a function to call when the creation's exchange has ended. What a dead life had in flight belongs to
   * nobody.
   */
  depart(caller: Caller): () => void {
    if (this.onItsWay?.caller !== caller) this.onItsWay = { caller, creations: 0, nonces: new Set() };
    const { onItsWay } = this;
    onItsWay.creations += 1;
    this.busiest = Math.max(this.busiest, onItsWay.creations);
    return () => {
      onItsWay.creations -= 1;
    };
  }

  /** Its head is written. Returns a function to call when its exchange has ended. */
  write(nonce: bigint): () => void {
    const nonces = this.onItsWay?.nonces;
    nonces?.add(nonce);
    return () => nonces?.delete(nonce);
  }
}
