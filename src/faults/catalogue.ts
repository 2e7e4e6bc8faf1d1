/** The catalogue of all problems, joined from one table per area. */
import { addressFaults } from "./address-faults.ts";
import { configFaults } from "./config-faults.ts";
import type { CatalogueEntry } from "./entry.ts";
import { executionFaults } from "./execution-faults.ts";
import { expectedFaults } from "./expected-faults.ts";
import { fileFaults } from "./file-faults.ts";
import { keptFaults } from "./kept-faults.ts";
import { ledgerFaults } from "./ledger-faults.ts";
import { peopleFaults } from "./people-faults.ts";
import { rowFaults } from "./row-faults.ts";
import { screeningFaults } from "./screening-faults.ts";
import { serviceFaults } from "./service-faults.ts";
import { storeFaults } from "./store-faults.ts";

export const catalogue = {
  ...fileFaults,
  ...rowFaults,
  ...addressFaults,
  ...screeningFaults,
  ...configFaults,
  ...serviceFaults,
  ...executionFaults,
  ...ledgerFaults,
  ...storeFaults,
  ...peopleFaults,
  ...expectedFaults,
  ...keptFaults,
} as const satisfies Readonly<Record<string, CatalogueEntry>>;

/** The tables by subject, in the order in which a payment meets them. */
export const catalogueAreas: Readonly<Record<string, Readonly<Record<string, CatalogueEntry>>>> = {
  Files: fileFaults,
  Rows: rowFaults,
  Addresses: addressFaults,
  "What may be paid": screeningFaults,
  "Configuration and usage": configFaults,
  "The service": serviceFaults,
  Sending: executionFaults,
  Books: ledgerFaults,
  Database: storeFaults,
  People: peopleFaults,
  "Expected receipts": expectedFaults,
  "Kept files and backups": keptFaults,
};

export type CatalogueCode = keyof typeof catalogue;

/** Problems of cells and names that hold a secret: it is never repeated, stored or logged. */
export const SECRET_CODES: ReadonlySet<CatalogueCode> = new Set<CatalogueCode>([
  "ADDRESS_IS_SECRET",
  "VALUE_IS_SECRET",
  "FILE_NAME_IS_SECRET",
]);

/** Problems whose messages never quote the cell: those of secrets, and of URLs, which may contain one. */
export const UNREPEATED_CODES: ReadonlySet<CatalogueCode> = new Set<CatalogueCode>([
  ...SECRET_CODES,
  "URL_NOT_PLAIN",
]);
