import { describe, expect, test } from "vitest";
import { remembered } from "../../src/initiation/remembered.ts";

function counting() {
  const read: string[] = [];
  const readText = remembered((text) => {
    read.push(text);
    return { text };
  });
  return { read, readText };
}

describe("remembered texts", () => {
  test("are read once, and every other text as itself", () => {
    const { read, readText } = counting();
    for (const text of ["a", "b", "a", "", "b", "A"]) expect(readText(text)).toEqual({ text });
    expect(read).toEqual(["a", "b", "", "A"]);
  });

  test("take bounded memory: neither long texts nor ever more of them are kept", () => {
    const { read, readText } = counting();
    for (let number = 0; number < 3000; number += 1) readText(`${number}`);
    const long = "x".repeat(5000);
    for (const text of ["0", "2999", long, long]) expect(readText(text)).toEqual({ text });
    expect(read.slice(3000)).toEqual(["2999", long, long]);
  });
});
