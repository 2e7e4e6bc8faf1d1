/** Search response envelope and Page of results (interface document, section Resources and their fields). */
import { writeJson } from "../../wire/index.ts";
import type { SearchRequest } from "../state/search.ts";

/** A body that is already JSON text. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * The envelope around elements given as JSON text. `filters`: the request's own text, so that the echo keeps its
 * exact digits. `firstPage`: the number of the first page.
 */
export function searchAnswer(
  filters: string,
  request: SearchRequest,
  content: readonly string[],
  totalElements: number,
  firstPage: number,
): JsonText {
  const { page, size } = request;
  const totalPages = Math.ceil(totalElements / size);
  const sort = request.sort.map(({ property, direction }) => ({
    direction,
    nullHandling: "NATIVE",
    ascending: direction === "ASC",
    property,
    ignoreCase: false,
  }));
  const rest = {
    totalPages,
    totalElements,
    size,
    number: page + firstPage,
    numberOfElements: content.length,
    first: page === 0,
    last: page >= totalPages - 1,
    empty: content.length === 0,
    sort,
    pageable: {
      offset: page * size,
      sort,
      unpaged: false,
      paged: true,
      pageNumber: page + firstPage,
      pageSize: size,
    },
  };
  const results = `{"content":[${content.join(",")}],${writeJson(rest).slice(1)}`;
  return new JsonText(`{"filters":${filters},"results":${results}}`);
}
