/** The comments of an earlier answer are removed with their shapes, however many there are. */
import { expect, test } from "vitest";
import { commentParts, REMARKS_MAX } from "../../../src/exports/answers/xlsx/comments.ts";

test("are replaced in the next answer and in those behind it", () => {
  const remarks = Array.from({ length: REMARKS_MAX }, (_, index) => ({
    column: 1,
    line: index + 2,
    text: "amount is empty",
  }));
  let parts = commentParts({}, remarks, "urn:sheet");
  for (let answer = 0; answer < 3; answer += 1) parts = commentParts(parts, remarks, "urn:sheet");
  expect(parts.comments.split("<comment ")).toHaveLength(REMARKS_MAX + 1);
  expect(parts.drawing.split("<v:shape ")).toHaveLength(REMARKS_MAX + 1);
  const last = commentParts(parts, remarks.slice(0, 1), "urn:sheet");
  expect(last.drawing.split("<v:shape ")).toHaveLength(2);
});
