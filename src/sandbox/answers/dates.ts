/** Date-times as the interface writes them: yyyy-MM-dd'T'HH:mm:ss.SSSZ, whose Z is a literal or an offset by choice. */

export function wireDate(atMs: number, style: "Z" | "offset"): string {
  const text = new Date(atMs).toISOString();
  return style === "Z" ? text : text.replace("Z", "+0000");
}
