/** Writes text in the encoding of a sender's file or of an ERP's import. */
import { TextDecoder } from "node:util";
import type { SingleByteEncoding, TextEncoding } from "../model/index.ts";

/** A single-byte encoding may lack characters; they become question marks. */
export function encoderFor(label: TextEncoding): (text: string) => Buffer {
  switch (label) {
    case "utf-8":
      return (text) => Buffer.from(text);
    case "utf-16le":
      return (text) => Buffer.from(text, "utf16le");
    case "utf-16be":
      return (text) => Buffer.from(text, "utf16le").swap16();
    default: {
      const bytes = bytesOf(label);
      const unknown = "?".charCodeAt(0);
      return (text) => Buffer.from(Array.from(text, (character) => bytes.get(character) ?? unknown));
    }
  }
}

/** Finds the first character of a text that would become a question mark. */
export function unwritableIn(label: TextEncoding): (text: string) => string | undefined {
  if (isUnicode(label)) return () => undefined;
  const bytes = bytesOf(label);
  return (text) => Array.from(text).find((character) => !bytes.has(character));
}

function isUnicode(label: TextEncoding): label is Exclude<TextEncoding, SingleByteEncoding> {
  return label.startsWith("utf-");
}

function bytesOf(label: SingleByteEncoding): ReadonlyMap<string, number> {
  const characters = new TextDecoder(label).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  return new Map(Array.from(characters, (character, byte) => [character, byte]));
}
