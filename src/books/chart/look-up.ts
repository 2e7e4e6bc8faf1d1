/** Finds the lines of the chart by indexes, so that a lookup costs no more in a chart of thousands of lines. */
import { GENERAL_LEDGER_FIELDS, type GeneralLedgerFields, type LedgerAccount } from "../../model/index.ts";
import { type ChartRole, type ChartRow, comparableKey, foldedKey } from "./chart.ts";
import { isPattern, literalsOf, matcherOf, prefixOf } from "./glob.ts";
import { WHOLE } from "./share.ts";

export interface Chart {
  readonly rows: readonly ChartRow[];
  /** The account for everything that no row maps. */
  readonly suspense: LedgerAccount;
  readonly index: ChartIndex;
}

interface ChartIndex {
  readonly generalLedger: GeneralLedgerIndex;
  readonly roles: ReadonlyMap<ChartRole, RoleIndex>;
}

export function indexOf(rows: readonly ChartRow[]): ChartIndex {
  const byRole = Map.groupBy(rows, ({ role }) => role);
  return {
    generalLedger: new GeneralLedgerIndex(byRole.get("gl") ?? []),
    roles: new Map([...byRole].map(([role, some]) => [role, new RoleIndex(some)])),
  };
}

type Field = keyof GeneralLedgerFields;

const CHART_COLUMNS = {
  generalLedgerName: "key",
  generalLedgerProject: "project",
  generalLedgerDistribution: "distribution",
} as const satisfies Record<Field, keyof ChartRow>;

/** A value that differs from the chart's only in case or spaces. */
export interface Respelt {
  readonly field: Field;
  readonly value: string;
  readonly inChart: string;
}

/**
 * The rows for a payout with these fields: several if the chart splits the amount by shares, none if no row fits.
 * The most specific match wins; name counts before project, project before distribution. If no row has the name, it
 * may be the code of an account in the chart; then that account takes the whole amount. A value may differ from the
 * chart's in case or spaces, unless several of the chart's values then fit.
 */
export function lookUpGeneralLedger({ index }: Chart, fields: GeneralLedgerFields): readonly ChartRow[] {
  return index.generalLedger.find(fields).rows;
}

/** The values that the chart has in another spelling. */
export function respeltIn({ index }: Chart, fields: GeneralLedgerFields): readonly Respelt[] {
  return index.generalLedger.find(fields).respelt;
}

/**
 * If no line fits the fields together: the fields whose values are in no line. A field that no line of the chart
 * uses is left out.
 */
export function unknownToChart({ index }: Chart, fields: GeneralLedgerFields): readonly Field[] {
  if (index.generalLedger.find(fields).rows.length > 0) return [];
  return GENERAL_LEDGER_FIELDS.filter((field) => index.generalLedger.isUnknown(field, fields[field]));
}

interface Found {
  readonly rows: readonly ChartRow[];
  readonly respelt: readonly Respelt[];
}

class GeneralLedgerIndex {
  private readonly spellings: Readonly<Record<Field, Spellings>>;
  private readonly codes: Spellings;
  private readonly byFields: ReadonlyMap<string, readonly ChartRow[]>;
  private readonly byCode = new Map<string, ChartRow>();

  constructor(rows: readonly ChartRow[]) {
    const spellingsOf = (field: Field) => new Spellings(rows.map((row) => row[CHART_COLUMNS[field]]));
    this.spellings = {
      generalLedgerName: spellingsOf("generalLedgerName"),
      generalLedgerProject: spellingsOf("generalLedgerProject"),
      generalLedgerDistribution: spellingsOf("generalLedgerDistribution"),
    };
    this.codes = new Spellings(rows.map(({ account }) => account.code));
    this.byFields = Map.groupBy(rows, ({ key, project, distribution }) =>
      JSON.stringify([key, project, distribution]),
    );
    for (const row of rows) if (!this.byCode.has(row.account.code)) this.byCode.set(row.account.code, row);
  }

  find(fields: GeneralLedgerFields): Found {
    const [name = "", project = "", distribution = ""] = GENERAL_LEDGER_FIELDS.map((field) =>
      this.spellings[field].of(fields[field] ?? ""),
    );
    for (const asked of combinations([name, project, distribution])) {
      const rows = this.byFields.get(JSON.stringify(asked));
      if (rows === undefined) continue;
      if (asked[0] === "") return this.ofCode(fields) ?? { rows, respelt: this.respelt(fields, asked) };
      return { rows, respelt: this.respelt(fields, asked) };
    }
    return this.ofCode(fields) ?? { rows: [], respelt: [] };
  }

  isUnknown(field: Field, value: string | undefined): boolean {
    const spellings = this.spellings[field];
    return value !== undefined && spellings.isAny() && !spellings.has(value);
  }

  private ofCode({ generalLedgerName: value = "" }: GeneralLedgerFields): Found | undefined {
    const code = this.codes.of(value);
    const row = this.byCode.get(code);
    if (row === undefined) return undefined;
    const {
      bookProject: _project,
      bookDistribution: _distribution,
      dimensions: _dimensions,
      ...others
    } = row;
    const whole = { ...others, share: WHOLE, bookProject: "", bookDistribution: "", dimensions: {} };
    const isRespelt = code !== comparableKey(value);
    const respelt = isRespelt ? [{ field: "generalLedgerName", value, inChart: code } as const] : [];
    return { rows: [whole], respelt };
  }

  private respelt(fields: GeneralLedgerFields, asked: readonly string[]): Respelt[] {
    return GENERAL_LEDGER_FIELDS.flatMap((field, place) => {
      const [value = "", inChart = ""] = [fields[field], asked[place]];
      return inChart === "" || inChart === comparableKey(value) ? [] : [{ field, value, inChart }];
    });
  }
}

/** The combinations of fields that a row may have, most specific first. */
function combinations([name = "", project = "", distribution = ""]: readonly string[]): string[][] {
  const withOrWithout = (value: string) => (value === "" ? [""] : [value, ""]);
  return withOrWithout(name).flatMap((one) =>
    withOrWithout(project).flatMap((two) => withOrWithout(distribution).map((three) => [one, two, three])),
  );
}

/** How a column of the chart writes its values. */
class Spellings {
  private readonly exact: ReadonlySet<string>;
  /** By the folded value, its spelling; undefined if there are several. */
  private readonly folded = new Map<string, string | undefined>();

  constructor(values: Iterable<string>) {
    this.exact = new Set([...values].filter((value) => value !== ""));
    for (const value of this.exact) {
      const folded = foldedKey(value);
      this.folded.set(folded, this.folded.has(folded) ? undefined : value);
    }
  }

  /** The value in the column's spelling; unchanged if the column does not have it. */
  of(value: string): string {
    const key = comparableKey(value);
    if (key === "" || this.exact.has(key)) return key;
    return this.folded.get(foldedKey(key)) ?? key;
  }

  has(value: string): boolean {
    return this.exact.has(this.of(value));
  }

  isAny(): boolean {
    return this.exact.size > 0;
  }
}

/** The facts about a movement by which the line of a role is found. */
export interface RoleAsked {
  /** Custody account, currency, and for receivables the customer. The first one that the chart has counts. */
  readonly keys: readonly string[];
  /** Only for deposits. */
  readonly customer?: string | undefined;
  readonly reference?: string | undefined;
}

/**
 * The row of this role that fits the movement most closely. The exact reference counts first, then the pattern with
 * most characters, then the customer, then the first of `keys`, and last the row without any.
 */
export function lookUpRole(
  { index }: Chart,
  role: Exclude<ChartRole, "gl">,
  asked: RoleAsked,
): ChartRow | undefined {
  return index.roles.get(role)?.find(asked);
}

class RoleIndex {
  private readonly plain = new Map<string, ChartRow>();
  /** Rows with a reference, by the reference or by the beginning of its pattern. */
  private readonly byReference: ReadonlyMap<string, readonly ReferenceRow[]>;
  private readonly prefixLengths: readonly number[];
  private readonly askedPlaces = new Map<string, readonly string[]>();

  constructor(rows: readonly ChartRow[]) {
    for (const row of rows) {
      const key = placeKey(row.customer, row.key);
      if (row.reference === "" && !this.plain.has(key)) this.plain.set(key, row);
    }
    const withReference = rows.filter(({ reference }) => reference !== "").map(referenceRow);
    this.byReference = Map.groupBy(withReference, ({ prefix }) => prefix);
    this.prefixLengths = [...new Set(withReference.map(({ prefix }) => prefix.length))];
  }

  find({ keys, customer = "", reference = "" }: RoleAsked): ChartRow | undefined {
    const places = this.placesOf(keys, customer);
    const fitting = reference === "" ? [] : this.withReference(foldedKey(reference), places);
    if (fitting[0] !== undefined) return fitting[0].row;
    const place = places.find((each) => this.plain.has(each));
    return place === undefined ? undefined : this.plain.get(place);
  }

  /** From the closest place to the one without a key. Most movements ask for the same few. */
  private placesOf(keys: readonly string[], customer: string): readonly string[] {
    const asked = [customer, ...keys].join("\0");
    const known = this.askedPlaces.get(asked);
    if (known !== undefined) return known;
    const customers = customer === "" ? [""] : [foldedKey(customer), ""];
    const places = customers.flatMap((one) =>
      [...keys.map(comparableKey), ""].map((key) => placeKey(one, key)),
    );
    if (this.askedPlaces.size >= ASKED_PLACES_MAX) this.askedPlaces.clear();
    this.askedPlaces.set(asked, places);
    return places;
  }

  private withReference(reference: string, places: readonly string[]): readonly ReferenceRow[] {
    const begun = this.prefixLengths
      .filter((length) => length <= reference.length)
      .flatMap((length) => this.byReference.get(reference.slice(0, length)) ?? []);
    return begun
      .filter(({ matches, place }) => matches(reference) && places.includes(place))
      .sort((a, b) => b.weight - a.weight || places.indexOf(a.place) - places.indexOf(b.place));
  }
}

const ASKED_PLACES_MAX = 1_000;

interface ReferenceRow {
  readonly row: ChartRow;
  readonly prefix: string;
  readonly weight: number;
  readonly place: string;
  readonly matches: (reference: string) => boolean;
}

function referenceRow(row: ChartRow): ReferenceRow {
  const pattern = foldedKey(row.reference);
  return {
    row,
    prefix: prefixOf(pattern),
    weight: referenceWeight(pattern),
    place: placeKey(row.customer, row.key),
    matches: isPattern(pattern) ? matcherOf(pattern) : (reference) => reference === pattern,
  };
}

/** A whole reference counts before any pattern, and a pattern with more characters before one with fewer. */
export function referenceWeight(folded: string): number {
  return isPattern(folded) ? literalsOf(folded) : Number.POSITIVE_INFINITY;
}

function placeKey(customer: string, key: string): string {
  return JSON.stringify([foldedKey(customer), key]);
}
