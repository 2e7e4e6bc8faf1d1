/**
 * Every text that was written anywhere, to be searched for secrets: the planted ones at once, one-time codes when all
 * are known.
 */

/** Six separate digits. */
const CODE_LIKE = /(?<![0-9A-Za-z.])\d{6}(?![0-9A-Za-z])/g;

/** Searching many texts together costs less than many searches. */
const SEARCHED_AT_ONCE = 100_000;

export class WrittenTexts {
  private readonly secrets: readonly string[];
  private readonly found = new Set<string>();
  /** With the text around each. */
  private readonly codeLike = new Map<string, string>();
  private waiting: string[] = [];
  private waitingLength = 0;

  constructor(secrets: readonly string[]) {
    this.secrets = secrets;
  }

  take(text: string): void {
    this.waiting.push(text);
    this.waitingLength += text.length;
    if (this.waitingLength >= SEARCHED_AT_ONCE) this.search();
  }

  secretsFound(codes: readonly string[]): string[] {
    this.search();
    const written = new Set(codes.filter((code) => this.codeLike.has(code)));
    return [...this.found, ...[...written].map((code) => `${code} in ${this.codeLike.get(code)}`)];
  }

  private search(): void {
    const text = this.waiting.join("\n");
    this.waiting = [];
    this.waitingLength = 0;
    for (const secret of this.secrets) if (text.includes(secret)) this.found.add(secret);
    for (const { 0: digits, index } of text.matchAll(CODE_LIKE)) {
      this.codeLike.set(digits, text.slice(Math.max(0, index - 40), index + 20));
    }
  }
}
