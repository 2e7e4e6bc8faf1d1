/**
 * How a batch's file developed from the one that was sent: each repaired cell before and after, with links to both
 * files.
 */

import type { Lineage } from "../../files/repair/lineage.ts";
import { applying } from "../../model/applying.ts";
import type { Batch } from "../../model/index.ts";
import { type Html, html } from "../html.ts";
import type { Visit } from "../page.ts";
import { counted, panel, table, time } from "../parts.ts";

const CHANGES_SHOWN = 100;

/** A repaired cell, or a whole line that was left out because all its cells were emptied together. */
interface Changed {
  readonly what: string;
  readonly column: string;
  readonly before: string;
  readonly after: string;
  readonly isLine: boolean;
  readonly by: Html;
}

function changesOf(visit: Visit, { at, person, changes }: Lineage["repairs"][number]): Changed[] {
  const by = html`${person}, ${time(visit, at)}`;
  const lines = Map.groupBy(changes, ({ cell }) => cell.replace(/^[A-Z]+/, ""));
  return [...lines].flatMap(([line, cells]): Changed[] => {
    const isLine = cells.length > 1 && cells.every(({ to }) => to === "");
    const before = cells.map(({ from }) => from).join(" · ");
    if (isLine)
      return [{ what: `Line ${line}`, column: "the whole row", before, after: "left out", isLine, by }];
    return cells.map(({ cell, column, from, to }) => {
      return { what: cell, column, before: from, after: to, isLine, by };
    });
  });
}

export function lineagePanel(visit: Visit, batch: Batch, { repairs, sent }: Lineage): Html {
  const changes = repairs.flatMap((repair) => changesOf(visit, repair));
  const people = [...new Set(repairs.map(({ person }) => person))].join(" and ");
  const lines = changes.filter(({ isLine }) => isLine).length;
  const cells = changes.length - lines;
  const done = [
    cells > 0 && `${counted(cells, "cell")} repaired`,
    lines > 0 && `${counted(lines, "row")} left out`,
  ];
  const outside = "Corrected by its sender, after it came back";
  const title = changes.length > 0 ? `${applying(...done).join(" and ")} by ${people}` : outside;
  const rows = changes
    .slice(0, CHANGES_SHOWN)
    .map(({ what, column, before, after, isLine, by }) => [
      html`${what}<span class="sub">${column}</span><span class="sub">${by}</span>`,
      content(before),
      isLine ? html`<b>${after}</b>` : content(after),
    ]);
  const more = changes.length - CHANGES_SHOWN;
  const list =
    changes.length > 0
      ? html`${table("What was repaired", ["Cell", "Before", "After"], rows)}
        ${more > 0 && html`<div class="foot">and ${more} more; the files below hold them all</div>`}`
      : html`<div class="body"><p>It was corrected outside Paydrop: compare it with what was sent.</p></div>`;
  return panel("lineage", title, html`${list}${links(visit, batch, sent)}`);
}

function content(text: string): Html {
  return text === "" ? html`<span class="mute">nothing</span>` : html`<span class="addr">${text}</span>`;
}

function links(visit: Visit, { fileSha256 }: Batch, sent: Lineage["sent"]): Html {
  const first =
    sent === undefined
      ? "What was sent first is not in the archive any more."
      : html`<a href="/files/${sent.sha256}/sent">What was sent</a>, ${time(visit, sent.takenAt)}
        ${sent.submittedBy !== undefined && html` by ${sent.submittedBy}`}.`;
  return html`<div class="foot">${first} <a href="/files/${fileSha256}/sent">The file as it is now</a>.
    <a href="/files/${fileSha256}/answer">The answer</a>.</div>`;
}
