/** Search response envelope and Page of results (interface document, section Resources and their fields). */
import type { SearchRequest } from "../state/search.ts";

/** `filters` is what the request carried, unread, so that the echo keeps its very digits. */
export function searchAnswer(
  filters: unknown,
  request: SearchRequest,
  content: readonly unknown[],
  totalElements: number,
) {
  const { page, size } = request;
  const totalPages = Math.ceil(totalElements / size);
  const sort = request.sort.map(({ property, direction }) => ({
    direction,
    nullHandling: "NATIVE",
    ascending: direction === "ASC",
    property,
    ignoreCase: false,
  }));
  return {
    filters,
    results: {
      content,
      totalPages,
      totalElements,
      size,
      number: page,
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
        pageNumber: page,
        pageSize: size,
      },
    },
  };
}
