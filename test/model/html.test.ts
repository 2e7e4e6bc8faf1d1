/** Templates of pages: what is escaped, and how their layout is read. */
import { expect, test } from "vitest";
import { html } from "../../src/model/index.ts";

test("a value never becomes a tag or leaves its attribute, and names what it hides", () => {
  const value = `<b>"a" & 'b'\u200b`;
  expect(html`<td title="${value}">${value}</td>`.source).not.toMatch(/<b>|"a"|\u200b/);
  expect(html`${value}`.source).toContain("[hidden character]");
});

test("an indented line is layout: nothing between tags and values, a space beside text and in a tag", () => {
  const [a, b] = [html`<i>a</i>`, html`<i>b</i>`];
  const laidOut = html`<p class="x"
    id="y">One
    two ${a}
    ${b}
    <b>three</b> four
    <b>five</b></p>`;
  expect(laidOut.source).toBe(
    '<p class="x" id="y">One two <i>a</i><i>b</i><b>three</b> four <b>five</b></p>',
  );
});

test("a value keeps its lines, and so does a line that is not indented", () => {
  expect(
    html`<pre>${"a\n  b"}
</pre>`.source,
  ).toBe("<pre>a\n  b\n</pre>");
});
