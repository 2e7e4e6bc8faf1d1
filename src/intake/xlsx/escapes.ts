/** The escapes `_xHHHH_` for characters that XML cannot hold (ECMA-376 part 1, 22.9.2.19, ST_Xstring). */

/** Leaves escapes of NUL and of lone surrogates as written: none of our texts may contain those characters. */
export function decodeEscapes(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (written, digits: string) => {
    const code = Number.parseInt(digits, 16);
    return code === 0 || (code >= 0xd800 && code <= 0xdfff) ? written : String.fromCharCode(code);
  });
}
