/**
 * The outbox: messages that are due, and how their delivery went. While the database takes nothing (the disk is full)
 * they are kept in memory, so that they are told all the same, and once.
 */
import type { Instant, NoticeChannel, NoticeMessage, Told } from "../model/index.ts";
import { keepMessages, listDueMessages, listTold, replaceTold } from "../store/notices.ts";
import type { Store } from "../store/store.ts";

export class Outbox {
  private told: readonly Told[] | undefined;
  private readonly unwritten = new Map<string, NoticeMessage>();

  /** What was told of so far. */
  async toldBefore(store: Store): Promise<readonly Told[]> {
    return this.told ?? store.read(() => listTold());
  }

  /** Both in one transaction. Throws what the store throws; then they are kept in memory. */
  async add(store: Store, told: readonly Told[], messages: readonly NoticeMessage[]): Promise<void> {
    this.told = told;
    for (const message of messages) this.unwritten.set(message.key, message);
    await this.write(store);
  }

  /** As `add`, of a message whose delivery was tried. */
  async update(store: Store, message: NoticeMessage): Promise<void> {
    this.unwritten.set(message.key, message);
    await this.write(store);
  }

  /** On a database that others write to as well, what could not be written is found again from there. */
  forgetNew(): void {
    this.told = undefined;
    for (const { key, attempts } of this.unwritten.values()) if (attempts === 0) this.unwritten.delete(key);
  }

  private async write(store: Store): Promise<void> {
    const { told } = this;
    const messages = [...this.unwritten.values()];
    await store.write(function* () {
      if (told !== undefined) yield* replaceTold(told);
      yield* keepMessages(messages);
    });
    if (this.told === told) this.told = undefined;
    for (const message of messages)
      if (this.unwritten.get(message.key) === message) this.unwritten.delete(message.key);
  }

  /** The longest waiting first. */
  async due(
    store: Store,
    channel: NoticeChannel,
    now: Instant,
    count: number,
  ): Promise<readonly NoticeMessage[]> {
    const stored = await store.read(() => listDueMessages(channel, now, count));
    const inMemory = [...this.unwritten.values()].filter(
      (message) => message.channel === channel && message.nextAt !== undefined && message.nextAt <= now,
    );
    return [...stored.filter(({ key }) => !this.unwritten.has(key)), ...inMemory];
  }
}
