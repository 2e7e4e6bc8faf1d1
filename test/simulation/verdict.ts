/** The judge's findings, each sentence once: broken promises, and separately what no client can prevent. */

export class Verdict {
  /** Empty if everything held. */
  readonly broken: string[] = [];
  readonly apart: string[] = [];

  break(sentence: string): void {
    if (!this.broken.includes(sentence)) this.broken.push(sentence);
  }

  note(sentence: string): void {
    if (!this.apart.includes(sentence)) this.apart.push(sentence);
  }
}
