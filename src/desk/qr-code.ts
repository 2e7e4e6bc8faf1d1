/** A QR code as part of a page: drawn by the server, without a script or a picture of its own. */
import encodeQR from "qr";
import { type Html, html } from "./html.ts";

/** In modules: readers need four around a code. */
const QUIET = 4;

/** `spoken`: for screen readers. */
export function qrCode(text: string, spoken: string): Html {
  const rows = encodeQR(text, "raw", { ecc: "medium", border: QUIET });
  const size = rows.length;
  const path = rows
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return html`<svg class="qr" role="img" aria-label="${spoken}" viewBox="0 0 ${size} ${size}"
    shape-rendering="crispEdges"><rect class="paper" width="${size}" height="${size}"/><path d="${path}"/></svg>`;
}
