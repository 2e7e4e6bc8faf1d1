/** How a batch's file came from the one that was sent: each repaired cell before and after, with links to both files. */
import type { Batch } from "../../model/index.ts";
import type { Lineage } from "../../pipeline/repair/lineage.ts";
import { type Html, html } from "../html.ts";
import type { Visit } from "../page.ts";
import { counted, panel, table, time } from "../parts.ts";

const CELLS_SHOWN = 100;

export function lineagePanel(visit: Visit, batch: Batch, { repairs, sent }: Lineage): Html {
  const cells = repairs.flatMap(({ at, person, changes }) =>
    changes.map((each) => ({ at, person, ...each })),
  );
  const people = [...new Set(repairs.map(({ person }) => person))].join(" and ");
  const title =
    cells.length > 0
      ? `${counted(cells.length, "cell")} repaired by ${people}`
      : "Corrected by its sender, after it came back";
  const rows = cells
    .slice(0, CELLS_SHOWN)
    .map(({ at, person, cell, column, from, to }) => [
      html`${cell}<span class="sub">${column}</span>`,
      content(from),
      content(to),
      html`${person}<span class="sub">${time(visit, at)}</span>`,
    ]);
  const more = cells.length - CELLS_SHOWN;
  const list =
    cells.length > 0
      ? html`${table("Repaired cells", ["Cell", "Before", "After", "By"], rows)}${more > 0 && html`<div class="foot">and ${more} more; the files below hold them all</div>`}`
      : html`<div class="body"><p>It was corrected outside Paydrop: compare it with what was sent.</p></div>`;
  return panel("lineage", title, html`${list}${links(visit, batch, sent)}`);
}

function content(text: string): Html {
  return text === "" ? html`<span class="mute">nothing</span>` : html`<span class="mono">${text}</span>`;
}

function links(visit: Visit, { fileSha256 }: Batch, sent: Lineage["sent"]): Html {
  const first =
    sent === undefined
      ? "What was sent first is not in the archive any more."
      : html`<a href="/files/${sent.sha256}/sent">What was sent</a>, ${time(visit, sent.takenAt)}${sent.submittedBy !== undefined && html` by ${sent.submittedBy}`}.`;
  return html`<div class="foot">${first} <a href="/files/${fileSha256}/sent">The file as it is now</a>. <a href="/files/${fileSha256}/answer">The answer</a>.</div>`;
}
