/** What is on its way under one client key: how many creations at once, and how low the lowest of their nonces is. */
import type { Caller } from "./network.ts";

export class LaneTraffic {
  /** The most creations that were on their way at once. */
  busiest = 0;
  private onItsWay: { readonly caller: Caller; creations: number; readonly nonces: Set<bigint> } | undefined;

  /** Undefined where no other creation is on its way. */
  get lowestNonce(): bigint | undefined {
    let lowest: bigint | undefined;
    for (const nonce of this.onItsWay?.nonces ?? [])
      if (lowest === undefined || nonce < lowest) lowest = nonce;
    return lowest;
  }

  /** Returns what is to be called when the creation's exchange has ended. What a dead life had on its way is nobody's any more. */
  depart(caller: Caller): () => void {
    if (this.onItsWay?.caller !== caller) this.onItsWay = { caller, creations: 0, nonces: new Set() };
    const { onItsWay } = this;
    onItsWay.creations += 1;
    this.busiest = Math.max(this.busiest, onItsWay.creations);
    return () => {
      onItsWay.creations -= 1;
    };
  }

  /** Its head is written. Returns what is to be called when its exchange has ended. */
  write(nonce: bigint): () => void {
    const nonces = this.onItsWay?.nonces;
    nonces?.add(nonce);
    return () => nonces?.delete(nonce);
  }
}
