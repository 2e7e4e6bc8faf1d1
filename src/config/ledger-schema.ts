/** The part of paydrop.yaml about how movements are booked, and the additional export formats. */
import { z } from "zod";
import { foldedAnswer, USUAL_ANSWER } from "../model/erp-answer.ts";
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
import { isExpression, refuse, unique } from "./refinements.ts";

const column = z.strictObject({
  header: z.string().describe("The column's name."),
  value: z.string().describe("A text with fields: `{memo} {reference}`."),
  next: z.string().optional().describe("The value on an entry's second and later lines."),
  when: z
    .string()
    .refine(isTemplateField, `expected dimension.NAME, or one of ${LEDGER_FIELDS.join(", ")}`)
    .optional()
    .describe("Empties the cell on lines without this field."),
  lengthMax: z.int().min(1).optional().describe("Longer sentences are cut; longer codes hold the entry."),
  characters: z
    .string()
    .refine(isCharacters, "expected characters as between the brackets of a regular expression")
    .optional()
    .describe("Every other character becomes a dash: `A-Za-z0-9-`."),
  form: z
    .string()
    .refine((text) => isExpression(text, "u"), "expected a regular expression")
    .optional()
    .describe("A regular expression for its cells; other payments are refused."),
  isQuoted: z.boolean().optional().describe("Puts its cells in quotes."),
  staysText: z.boolean().optional().describe("Keeps spreadsheets from reading numbers or days."),
});

const answerWords = (usual: readonly string[]) =>
  z
    .array(z.string().min(1))
    .min(1)
    .default([...usual]);

/** How an ERP's answers are read: the names of columns, and the values of the status column. */
const answers = z.strictObject({
  entry: z.string().min(1).default(USUAL_ANSWER.entry).describe("The column of the entry's id."),
  document: z.string().min(1).default(USUAL_ANSWER.document).describe("Or that of its document number."),
  status: z.string().min(1).default(USUAL_ANSWER.status).describe("The column of the result."),
  reason: z.string().min(1).default(USUAL_ANSWER.reason).describe("The column of the reason."),
  erpDocument: z
    .string()
    .min(1)
    .default(USUAL_ANSWER.erpDocument)
    .describe("The column of the ERP's own number."),
  posted: answerWords(USUAL_ANSWER.posted).describe("Words of the status for a posted entry."),
  refused: answerWords(USUAL_ANSWER.refused).describe("Words of the status for a refused entry."),
});

/** Settings of all export batches. */
export const exportSettings = z.strictObject({
  answerWithinHours: z
    .int()
    .min(1)
    .max(8760)
    .default(72)
    .describe("Hours until a missing answer is an alarm."),
});

const ledgerExport = z.strictObject({
  preset: z.enum(erpPresetNames).optional().describe("The import file of an ERP."),
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,40}$/, "expected lower-case letters, digits and dashes")
    .refine(
      (name) => !["journal", "trial-balance", "exceptions"].includes(name),
      "every export batch has a file of this name",
    )
    .optional()
    .describe("Its name, and the end of its files' names; otherwise the preset's."),
  settings: z
    .record(z.string(), z.string())
    .default({})
    .describe("Your own values for columns: `{taxRate}`."),
  columns: z.array(column).min(1).optional().describe("In place of the preset's columns."),
  extension: z
    .string()
    .regex(/^[a-z]{1,8}$/, "expected letters, such as csv")
    .optional()
    .describe("Its files' ending; otherwise the preset's, as for the following keys."),
  delimiter: z.enum([",", ";", "\t", "|"]).optional().describe("Between cells."),
  encoding: z
    .enum(["utf-8", "utf-8-bom", ...singleByteEncodings])
    .optional()
    .describe("Of its files."),
  days: z
    .string()
    .refine(isDayForm, 'expected a form such as "dd.mm.yyyy"')
    .optional()
    .describe("How days are written, such as `dd.mm.yyyy`."),
  decimalMark: z.enum([".", ","]).optional().describe("Before the decimals."),
  linesMax: z.int().min(2).optional().describe("Lines in one file; more become several files."),
  before: z.array(z.string()).optional().describe("Lines before the header."),
  rows: z.enum(["postings", "pairs"]).optional().describe("A row a posting, or a debit and a credit."),
  filePer: z.enum(["month"]).optional().describe("Begins a file with each month."),
  fiscalYearStart: z
    .string()
    .regex(/^(?:0[1-9]|1[0-2])-01$/, "expected the first of a month, such as 07-01")
    .optional()
    .describe("When the fiscal year begins, such as 07-01."),
  sides: z
    .strictObject({
      debit: z.string().min(1).describe("For a debit."),
      credit: z.string().min(1).describe("For a credit."),
    })
    .optional()
    .describe("The letters of `{side}`."),
  accounts: z
    .record(z.string(), z.string().min(1))
    .optional()
    .describe("What this ERP calls an account, by its code in the chart."),
  parties: z
    .record(
      z.string(),
      z.strictObject({
        type: z.string().default("Customer").describe("What they are there."),
        id: z.string().min(1).describe("Their id there."),
      }),
    )
    .optional()
    .describe("Whom an account's lines are about, by its code."),
  answers: answers.optional().describe("How the ERP's answers are read; each entry must be answered."),
  confirmedBy: z
    .string()
    .min(1)
    .optional()
    .describe("Who has imported such a file, where and when; for manifests."),
  since: z.iso.date().optional().describe("Entries before this day are not exported to it."),
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
  checkAnswers(filled, context);
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

/** A journal for beancount has no columns, so settings of columns would be ignored. */
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

/** A word for both would count as posted, and a posted entry is never exported again. */
function checkAnswers({ answers: form }: LedgerTable, context: z.RefinementCtx): void {
  const posted = form?.posted.map(foldedAnswer) ?? [];
  const [both] = form?.refused.filter((word) => posted.includes(foldedAnswer(word))) ?? [];
  if (both !== undefined)
    refuse(context, ["answers", "refused"], `"${both}" is a word for posted entries as well`);
}

function isCharacters(text: string): boolean {
  return text !== "" && isExpression(`[^${text}]`, "u");
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
    .refine(isCurrency, "there is no such currency")
    .describe("The currency of the books; fixed once something is booked."),
  timeZone: z
    .string()
    .refine(isTimeZone, "expected an IANA time zone, such as Europe/Madrid")
    .describe("Days of bookings, limits and schedules."),
  chart: z.string().min(1).describe("The chart of accounts, a CSV file or a workbook."),
  onUnmapped: z
    .enum(["warn", "refuse"])
    .default("warn")
    .describe("Rows that the chart does not map, or an ERP's file cannot hold."),
  confirmationsMin: z
    .int()
    .min(0)
    .default(1)
    .describe("Confirmations of the network before a movement is booked."),
  subtractFee: z
    .enum(["memo", "expense"])
    .default("memo")
    .describe("A fee that the payee bore: mentioned, or an expense beside a smaller payment."),
  batchFee: z
    .enum(["perPayout", "wholeTransaction"])
    .default("perPayout")
    .describe("The fee of a payout in a shared transaction: its own, or the whole one."),
  depositValuation: z
    .enum(["fixed", "market"])
    .default("fixed")
    .describe("A deposit counts at its fixed rate, or its receipts'."),
  depositFee: z
    .enum(["memo", "deducted"])
    .default("memo")
    .describe("A fee on a receipt: mentioned, or deducted."),
  depositLateBy: z
    .enum(["createdDate", "confirmedDate"])
    .default("createdDate")
    .describe("Money is late if this is after its fixed rate expired."),
  depositShort: z
    .enum(["open", "write-off"])
    .default("open")
    .describe("What a completed deposit lacks stays on the receivable, or is written off."),
  closedThrough: z.iso
    .date()
    .optional()
    .describe("Nothing is booked up to this day; `paydrop ledger close` replaces it."),
  exports: z
    .array(ledgerExport.transform(tableOf))
    .superRefine(unique(["name"], "is the name of two exports"))
    .default([])
    .describe("Import files for ERPs, with each export batch."),
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
