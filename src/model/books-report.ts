/** The reports of the books, and the formats that they are written in. */

export const BOOKS_REPORTS = [
  "journal",
  "general-ledger",
  "trial-balance",
  "projects",
  "payees",
  "receivables",
  "rates",
  "held",
  "tie-out",
] as const;

export type BooksReportName = (typeof BOOKS_REPORTS)[number];

export const BOOKS_REPORT_FORMATS = ["xlsx", "csv", "html"] as const;

export type BooksReportFormat = (typeof BOOKS_REPORT_FORMATS)[number];
