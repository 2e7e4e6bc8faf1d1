/** Formats date-times like the interface: yyyy-MM-dd'T'HH:mm:ss.SSSZ, with Z as a literal or an offset. */

export function wireDate(atMs: number, style: "Z" | "offset"): string {
  const text = new Date(atMs).toISOString();
  return style === "Z" ? text : text.replace("Z", "+0000");
}
