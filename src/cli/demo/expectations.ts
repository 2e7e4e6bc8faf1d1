/** The demo's expectations: each is printed as it is checked, and the exit code says whether all held. */
import type { Output } from "../output.ts";

export class Expectations {
  private readonly output: Output;
  private readonly checked: { readonly promise: string; readonly holds: boolean }[] = [];

  constructor(output: Output) {
    this.output = output;
  }

  /** `found`: what was observed; printed only if the expectation failed. */
  expect(promise: string, holds: boolean, found: string): void {
    const { colors } = this.output;
    this.checked.push({ promise, holds });
    if (holds) this.output.say(`  ${colors.green("ok")} ${promise}`);
    else this.output.complain(`  ${colors.red("NOT MET")} ${promise}: ${found}`);
  }

  equal(promise: string, found: unknown, expected: unknown): void {
    const [seen, wanted] = [found, expected].map(String);
    this.expect(promise, seen === wanted, `${seen} instead of ${wanted}`);
  }

  get allHeld(): boolean {
    return this.checked.every(({ holds }) => holds);
  }

  get summary(): string {
    const failed = this.checked.filter(({ holds }) => !holds).length;
    return failed === 0
      ? `All ${this.checked.length} expectations held.`
      : `${failed} of ${this.checked.length} expectations did not hold.`;
  }

  /** For machines. */
  get report() {
    return { allHeld: this.allHeld, expectations: this.checked };
  }
}
