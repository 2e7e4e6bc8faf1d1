/** The part of paydrop.yaml about how movements are booked, and the additional export formats. */
import { z } from "zod";
import { USUAL_ANSWER } from "../model/erp-answer.ts";
import {
  FILE_FIELDS,
  isTemplateField,
  LEDGER_FIELDS,
  type LedgerColumn,
  type LedgerTable,
  templateParts,
} from "../model/ledger-table.ts";
import { present } from "../model/present.ts";
import { singleByteEncodings } from "../model/text-encoding.ts";
import { currencyScales } from "../money/index.ts";
import { type ErpPreset, erpPresetNames, erpPresets } from "./erp-presets.ts";
import { refuse, unique } from "./refinements.ts";

const column = z.strictObject({
  header: z.string(),
  value: z.string(),
  next: z.string().optional(),
  when: z
    .string()
    .refine(isTemplateField, `expected dimension.NAME, or one of ${LEDGER_FIELDS.join(", ")}`)
    .optional(),
  lengthMax: z.int().min(1).optional(),
  characters: z
    .string()
    .refine(isCharacters, "expected characters as between the brackets of a regular expression")
    .optional(),
  form: z.string().refine(isExpression, "expected a regular expression").optional(),
  isQuoted: z.boolean().optional(),
  staysText: z.boolean().optional(),
});

const answerWords = (usual: readonly string[]) =>
  z
    .array(z.string().min(1))
    .min(1)
    .default([...usual]);

/** How an ERP's answers are read: the names of columns, and what stands in the one of the status. */
const answers = z.strictObject({
  entry: z.string().min(1).default(USUAL_ANSWER.entry),
  document: z.string().min(1).default(USUAL_ANSWER.document),
  status: z.string().min(1).default(USUAL_ANSWER.status),
  reason: z.string().min(1).default(USUAL_ANSWER.reason),
  erpDocument: z.string().min(1).default(USUAL_ANSWER.erpDocument),
  posted: answerWords(USUAL_ANSWER.posted),
  refused: answerWords(USUAL_ANSWER.refused),
});

/** Of all export batches. */
export const exportSettings = z.strictObject({
  /** A target with `answers` that has not answered after so many hours is an alarm of the comparison. */
  answerWithinHours: z.int().min(1).max(8760).default(72),
});

const ledgerExport = z.strictObject({
  preset: z.enum(erpPresetNames).optional(),
  /** The end of the file names; default: the preset's. */
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,40}$/, "expected lower-case letters, digits and dashes")
    .refine(
      (name) => !["journal", "trial-balance", "exceptions"].includes(name),
      "every export batch has a file of this name",
    )
    .optional(),
  /** The company's own values for the templates: `{taxRate}`. */
  settings: z.record(z.string(), z.string()).default({}),
  columns: z.array(column).min(1).optional(),
  extension: z
    .string()
    .regex(/^[a-z]{1,8}$/, "expected letters, such as csv")
    .optional(),
  delimiter: z.enum([",", ";", "\t", "|"]).optional(),
  encoding: z.enum(["utf-8", "utf-8-bom", ...singleByteEncodings]).optional(),
  days: z.string().refine(isDayForm, 'expected a form such as "dd.mm.yyyy"').optional(),
  decimalMark: z.enum([".", ","]).optional(),
  linesMax: z.int().min(2).optional(),
  /** Lines before the header. */
  before: z.array(z.string()).optional(),
  rows: z.enum(["postings", "pairs"]).optional(),
  filePer: z.enum(["month"]).optional(),
  fiscalYearStart: z
    .string()
    .regex(/^(?:0[1-9]|1[0-2])-01$/, "expected the first of a month, such as 07-01")
    .optional(),
  /** The letters of {side}. */
  sides: z.strictObject({ debit: z.string().min(1), credit: z.string().min(1) }).optional(),
  /** What this ERP calls accounts, by their code in the chart. */
  accounts: z.record(z.string(), z.string().min(1)).optional(),
  /** Whom an account's lines are about, by its code: receivables in most ERPs need a customer. */
  parties: z
    .record(z.string(), z.strictObject({ type: z.string().default("Customer"), id: z.string().min(1) }))
    .optional(),
  answers: answers.optional(),
  /** Who has imported a file of this form: "A. Jones, into the test company, on 2026-11-02". Manifests say so. */
  confirmedBy: z.string().min(1).optional(),
  /** Entries booked on earlier days are not exported to it: it has them from elsewhere. */
  since: z.iso.date().optional(),
});

const OF_ONES_OWN: ErpPreset = {
  extension: "csv",
  delimiter: ",",
  encoding: "utf-8",
  decimalMark: ".",
  days: "yyyy-mm-dd",
  settings: {},
  columns: [],
};

/** The preset, overridden by the company's values, with its settings inserted into the templates. */
function tableOf(written: z.output<typeof ledgerExport>, context: z.RefinementCtx): LedgerTable {
  const { preset, name = preset ?? "", settings: own, ...changes } = written;
  checkKind(written, context);
  if (preset === undefined && (written.columns === undefined || name === ""))
    refuse(context, [], "expected a preset, or a name and columns");
  const { settings: known, ...table } = preset === undefined ? OF_ONES_OWN : erpPresets[preset];
  const filled: LedgerTable = { ...table, ...present(changes), name };
  checkSettings(known, own, filled, context);
  checkSides(filled, context);
  const settings = new Map<string, string | undefined>(Object.entries({ ...known, ...own }));
  const fill = (template: string, path: (string | number)[]) => {
    const whole = template.replace(/\{([^{}]*)\}/g, (part, key: string) =>
      settings.has(key) ? (settings.get(key) ?? "") : part,
    );
    for (const { text = "", field } of templateParts(whole)) {
      if (/[{}]/.test(text)) refuse(context, path, `"${template}" has a single brace`);
      if (field !== undefined && !isTemplateField(field))
        refuse(
          context,
          path,
          `{${field}} is neither a field nor one of the settings; ${namesThere(settings)}`,
        );
    }
    return whole;
  };
  const columns = filled.columns.map((column, index) => {
    const filledIn = Object.entries(templatesOf(column)).map(([key, text]) => [
      key,
      fill(text, ["columns", index, key]),
    ]);
    return { ...column, ...Object.fromEntries(filledIn) } as LedgerColumn;
  });
  const before = filled.before?.map((line, index) => filledLine(line, index, settings, context));
  return before === undefined ? { ...filled, columns } : { ...filled, columns, before };
}

/** A line before the header, with its settings; fields of entries have no meaning there. */
function filledLine(
  line: string,
  index: number,
  settings: ReadonlyMap<string, string | undefined>,
  context: z.RefinementCtx,
): string {
  return line.replace(/\{([^{}]*)\}/g, (part, key: string) => {
    if (settings.has(key)) return settings.get(key) ?? "";
    if (!FILE_FIELDS.some((field) => field === key))
      refuse(context, ["before", index], `{${key}} is not of a file; there are ${inBraces(FILE_FIELDS)}`);
    return part;
  });
}

/** A journal for beancount has no columns, and what is said of columns would be ignored. */
function checkKind(
  { preset, columns, linesMax }: z.output<typeof ledgerExport>,
  context: z.RefinementCtx,
): void {
  if (preset === undefined || erpPresets[preset].kind !== "beancount") return;
  for (const [key, value] of Object.entries({ columns, linesMax }))
    if (value !== undefined) refuse(context, [key], `${preset} has no columns`);
}

function templatesOf({ value, next, otherwise }: LedgerColumn): Readonly<Record<string, string>> {
  return { value, ...present({ next, otherwise }) };
}

function checkSettings(
  known: ErpPreset["settings"],
  own: Readonly<Record<string, string>>,
  { name, columns, before = [] }: LedgerTable,
  context: z.RefinementCtx,
): void {
  const templates = [...columns.flatMap((column) => Object.values(templatesOf(column))), ...before].join();
  for (const [key, value] of Object.entries(known))
    if (value === undefined && !own[key] && templates.includes(`{${key}}`))
      refuse(context, ["settings", key], `${name} needs it, and only you know it`);
  for (const key of Object.keys(own)) {
    if (isTemplateField(key)) refuse(context, ["settings", key], "this is the name of a field");
    else if (!templates.includes(`{${key}}`))
      refuse(context, ["settings", key], `no column has {${key}}; ${settingsIn(templates)}`);
  }
}

/** "there are {documentNumber}, {entryId}, ... and, as settings, {taxRate}" */
function namesThere(settings: ReadonlyMap<string, unknown>): string {
  const own = settings.size === 0 ? "" : ` and, as settings, ${inBraces([...settings.keys()])}`;
  return `there are ${inBraces([...LEDGER_FIELDS.slice(0, -2), "dimension.NAME", ...LEDGER_FIELDS.slice(-2)])}${own}`;
}

function settingsIn(templates: string): string {
  const names = Array.from(templates.matchAll(/\{([^{}]+)\}/g), ([, name = ""]) => name);
  const settings = [...new Set(names)].filter((name) => !isTemplateField(name));
  return settings.length === 0 ? "the columns have no settings" : `they have ${inBraces(settings)}`;
}

function inBraces(names: readonly string[]): string {
  return names.map((name) => `{${name}}`).join(", ");
}

/** With only one of debit and credit, each line of the other side would be imported without its amount. */
function checkSides({ columns }: LedgerTable, context: z.RefinementCtx): void {
  const has = (field: string) => columns.some(({ value }) => value.includes(`{${field}}`));
  if (has("unsigned") && !has("side") && !has("amount"))
    refuse(
      context,
      ["columns"],
      "expected {side} beside {unsigned}: without it a debit cannot be told from a credit",
    );
  if (has("debit") !== has("credit") && !has("amount") && !has("unsigned"))
    refuse(
      context,
      ["columns"],
      "expected {debit} and {credit}, or {amount}: one side alone leaves lines without an amount",
    );
}

function isExpression(text: string): boolean {
  try {
    return new RegExp(text, "u").source !== "";
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function isCharacters(text: string): boolean {
  return text !== "" && isExpression(`[^${text}]`);
}

/** Whether each of yy or yyyy, mm and dd occurs once. */
function isDayForm(form: string): boolean {
  const parts = form.split(/[./ -]+|(?<=y)(?!y)|(?<=m)(?!m)|(?<=d)(?!d)/).filter((part) => part !== "");
  return ["dd,mm,yy", "dd,mm,yyyy"].includes(parts.sort().join());
}

export const ledger = z.strictObject({
  functionalCurrency: z
    .string()
    .regex(/^[A-Z]{3}$/, { error: "expected an ISO 4217 code, such as EUR", abort: true })
    .refine(isCurrency, "there is no such currency"),
  timeZone: z.string().refine(isTimeZone, "expected an IANA time zone, such as Europe/Madrid"),
  chart: z.string().min(1),
  /** For rows whose general-ledger fields are not in the chart: warn, or refuse before any money moves. */
  onUnmapped: z.enum(["warn", "refuse"]).default("warn"),
  confirmationsMin: z.int().min(0).default(1),
  /** For a fee borne by the payee: mentioned in the memo, or booked as an expense against a smaller payment. */
  subtractFee: z.enum(["memo", "expense"]).default("memo"),
  /** What fee a payout that shares its transaction shows: its own, or the whole transaction's. */
  batchFee: z.enum(["perPayout", "wholeTransaction"]).default("perPayout"),
  depositValuation: z.enum(["fixed", "market"]).default("fixed"),
  depositFee: z.enum(["memo", "deducted"]).default("memo"),
  depositLateBy: z.enum(["createdDate", "confirmedDate"]).default("createdDate"),
  depositShort: z.enum(["open", "write-off"]).default("open"),
  closedThrough: z.iso.date().optional(),
  /** Additional files of each export batch, for ERPs. */
  exports: z
    .array(ledgerExport.transform(tableOf))
    .superRefine(unique(["name"], "is the name of two exports"))
    .default([]),
});

/** Checked here, because no rate converts into a misspelt one, and nothing would be booked. */
function isCurrency(code: string): boolean {
  return currencyScales().scaleOf(code) !== undefined || Intl.supportedValuesOf("currency").includes(code);
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
