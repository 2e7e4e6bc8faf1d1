/** The page that asks for a reason before a controller decides something about the books. */
import { type Html, html, type Part } from "../html.ts";
import type { Answer } from "../page.ts";
import { head, panel, words } from "../parts.ts";

export interface BooksQuestion {
  readonly title: string;
  /** The consequences of the decision. */
  readonly what: Part;
  /** The address to which its form is sent. */
  readonly path: string;
  /** Hidden fields that identify the subject of the decision. */
  readonly fields: Html;
  readonly button: string;
}

export function booksQuestion({ title, what, path, fields, button }: BooksQuestion): Answer {
  const crumbs = html`<a href="/books">Books</a> / ${title}`;
  const form = html`<form class="body stack" method="post" action="${path}">${fields}<p>${what}</p>
${words("reason", "Why")}
<p class="acts"><button class="btn main big">${button}</button><a class="btn" href="/books">Cancel</a></p></form>`;
  const content = html`${head(title, "Nothing has been done yet.", undefined, crumbs)}
${panel("question", "What this does", form)}`;
  return { title, content };
}
