/** What the judge has found, each sentence once: promises that were not kept, and apart from them what no client can prevent. */

export class Verdict {
  /** Empty when everything held. */
  readonly broken: string[] = [];
  readonly apart: string[] = [];

  break(sentence: string): void {
    if (!this.broken.includes(sentence)) this.broken.push(sentence);
  }

  note(sentence: string): void {
    if (!this.apart.includes(sentence)) this.apart.push(sentence);
  }
}
