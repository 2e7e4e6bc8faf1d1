/** The encodings of text files, by the labels of the Encoding Standard. */

/** In these encodings every byte is a character, so a file does not reveal which one it uses: a person must say. */
export const singleByteEncodings = [
  "windows-1250",
  "windows-1251",
  "windows-1252",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258",
  "windows-874",
  "iso-8859-2",
  "iso-8859-15",
  "koi8-r",
  "ibm866",
  "macintosh",
] as const;

export type SingleByteEncoding = (typeof singleByteEncodings)[number];

export type TextEncoding = "utf-8" | "utf-16le" | "utf-16be" | SingleByteEncoding;

/** Put before a text for programs that otherwise guess the encoding. */
export const BYTE_ORDER_MARK = "\uFEFF";
