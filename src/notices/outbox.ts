/**
 * The outbox: messages, and how far their delivery is. While the database cannot be written (its disk is full), they
 * are kept in memory, so that each is still sent, and only once.
 */
import type { Instant, NoticeChannel, NoticedCase, NoticeMessage } from "../model/index.ts";
import { keepMessages, listCases, listDueMessages, replaceCases } from "../store/notices.ts";
import type { Store } from "../store/store.ts";

export class Outbox {
  private cases: readonly NoticedCase[] | undefined;
  private readonly unwritten = new Map<string, NoticeMessage>();

  async casesBefore(store: Store): Promise<readonly NoticedCase[]> {
    return this.cases ?? store.read(() => listCases());
  }

  /** Stores both in one transaction. Throws the store's error; both are then kept in memory. */
  async add(store: Store, cases: readonly NoticedCase[], messages: readonly NoticeMessage[]): Promise<void> {
    this.cases = cases;
    for (const message of messages) this.unwritten.set(message.key, message);
    await this.write(store);
  }

  /** As `add`, for a message after a delivery attempt. */
  async update(store: Store, message: NoticeMessage): Promise<void> {
    this.unwritten.set(message.key, message);
    await this.write(store);
  }

  /**
   * Forgets new messages that could not be stored. For a shared database: the process that writes it next finds
   * their causes again.
   */
  forgetNew(): void {
    this.cases = undefined;
    for (const { key, attempts } of this.unwritten.values()) if (attempts === 0) this.unwritten.delete(key);
  }

  private async write(store: Store): Promise<void> {
    const { cases } = this;
    const messages = [...this.unwritten.values()];
    await store.write(function* () {
      if (cases !== undefined) yield* replaceCases(cases);
      yield* keepMessages(messages);
    });
    if (this.cases === cases) this.cases = undefined;
    for (const message of messages)
      if (this.unwritten.get(message.key) === message) this.unwritten.delete(message.key);
  }

  /** Longest waiting first. */
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
