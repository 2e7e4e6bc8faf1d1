/**
 * Files with a private key in every place where one could be pasted. All keys are published examples, worth nothing.
 */
import { sheetOf, workbook } from "../files/workbook-fixture.ts";

export interface PlantedKey {
  readonly text: string;
  /** Parts that suffice to recognise it, because a truncated text must not repeat its beginning either. */
  readonly traces: readonly string[];
}

/**
 * Bitcoin wiki, BIP-32 test vector 1, BIP-38, BIP-39 (Trezor's vectors), BIP-93 vector 1, RFC 9500, and a key file
 * of the Ethereum wiki.
 */
export const PLANTED_KEYS: Readonly<Record<string, PlantedKey>> = {
  "WIF, uncompressed": traced("5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ"),
  "WIF, compressed": traced("KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617"),
  "extended key": traced(
    "xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi",
  ),
  "encrypted key": traced("6PRVWUbkzzsbcVac2qwfssoUJAN1Xhrg6bNk8J7Nzm5H7kxEbn2Nh2ZoGg"),
  "mini key": traced("S6c56bnXQiBjk9mqSYE7ykVQ7NzrRy"),
  hexadecimal: {
    text: "private key 0c28fca386c7a227600b2fe50b7cae11ec86d3bf1fbe471be89827e19d72aa1d",
    traces: ["0c28fca386c7a227", "ec86d3bf1fbe471be89827e19d72aa1d"],
  },
  codex32: traced("ms10testsxxxxxxxxxxxxxxxxxxxxxxxxxx4nzvca9cmczlw"),
  "seed phrase": {
    text: "legal winner thank year wave sausage worth useful legal winner thank yellow",
    traces: ["legal winner thank", "worth useful legal"],
  },
  PEM: {
    text: "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIObLW92AqkWunJXowVR2Z5/+yVPBaFHnEedDk5WJxk/BoAoGCCqGSM49\nAwEHoUQDQgAEQiVI+I+3gv+17KN0RFLHKh5Vj71vc75eSOkyMsxFxbFsTNEMTLjV\n-----END EC PRIVATE KEY-----",
    traces: ["MHcCAQEEIObLW92A", "AwEHoUQDQgAEQiVI"],
  },
  "key file": {
    text: '{"crypto":{"cipher":"aes-128-ctr","ciphertext":"5318b4d5bcd28de64ee5559e671353e16f075ecae9f99c7a79a38af5f869aa46","kdfparams":{}}}',
    traces: ["5318b4d5bcd28de6", "79a38af5f869aa46"],
  },
};

function traced(text: string): PlantedKey {
  return { text, traces: [text.slice(0, 16), text.slice(-16)] };
}

/** A file, or its totals file, by name. */
export type PlantedFiles = Readonly<Record<string, string | Buffer>>;

const ADDRESS = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
const HEADER = "reference,amount,destinationAddress,customerId,note";

/** The files that contain the key in that place; `name` is without extension. */
export const PLACES: Readonly<Record<string, (key: string, name: string) => PlantedFiles>> = {
  "the address": csv((key) => [HEADER, `K-1,0.01,${key},Ann,`]),
  "the amount": csv((key) => [HEADER, `K-1,${key},${ADDRESS},Ann,`]),
  "the reference": csv((key) => [HEADER, `${key},0.01,${ADDRESS},Ann,`]),
  "a free text": csv((key) => [HEADER, `K-1,0.01,${ADDRESS},${key},`]),
  "a column of the sender's own": csv((key) => [HEADER, `K-1,0.01,${ADDRESS},Ann,${key}`]),
  "a cell without a column": csv((key) => [HEADER, `K-1,0.01,${ADDRESS},Ann,,${key}`]),
  "a broken row": csv((key) => [HEADER, `K-1,"0.01"x,${ADDRESS},Ann,${key}`]),
  "the name of a column": csv((key) => [`${HEADER},${key}`, `K-1,0.01,${ADDRESS},Ann,,`]),
  "the name of a corrected file": csv((key) => [
    `${HEADER},${quoted(`paydrop: problems (${unquoted(key)}.csv)`)}`,
    `K-1,0.01,${ADDRESS},Ann,,`,
  ]),
  "a line above the header": csv((key) => [`Payroll,${key}`, HEADER, `K-1,0.01,${ADDRESS},Ann,`]),
  "a line of totals": csv((key) => [HEADER, `K-1,0.01,${ADDRESS},Ann,`, `Total,0.01,,,${key}`]),
  "a total above the header": csv((key) => [`Total BTC,${key}`, HEADER, `K-1,0.01,${ADDRESS},Ann,`]),
  "the line of an average": csv((key) => [HEADER, `K-1,0.01,${ADDRESS},Ann,`, `Average,0.01,,,${key}`]),
  "the lines below": csv((key) => [HEADER, `K-1,0.01,${ADDRESS},Ann,`, ...unquoted(key).split("\n")]),
  "a file without a header": (key, name) => ({
    [`${name}.csv`]: `${"line,of,words\n".repeat(9000)}${key}\n`,
  }),
  "a text in UTF-16": (key, name) => ({
    [`${name}.csv`]: Buffer.from(`\ufeffAccounts\n${key}\n`, "utf16le"),
  }),
  "a document of another kind": (key, name) => ({
    [`${name}.xlsx`]: `%PDF-1.7\n${"0 0 m\n".repeat(12_000)}${key}\n`,
  }),
  "an old workbook": (key, name) => ({
    [`${name}.xls`]: Buffer.concat([
      Buffer.from("d0cf11e0a1b11ae1", "hex"),
      Buffer.alloc(600, 1),
      Buffer.from(key, "utf16le"),
    ]),
  }),
  "an archive without a workbook": (key, name) => ({
    [`${name}.xlsx`]: workbook({ sheets: [], parts: [{ name: "word/document.xml", data: xml(key) }] }),
  }),
  "a workbook that is cut off": (key, name) => ({
    [`${name}.xlsx`]: workbook({
      sheets: [sheetOf("")],
      parts: [{ name: "a.txt", data: `\n${key}\n`, isStored: true }],
    }).subarray(0, -30),
  }),
  "a totals file": (key, name) => ({
    [`${name}.csv`]: `${HEADER}\nK-1,0.01,${ADDRESS},Ann,\n`,
    [`${name}.totals.txt`]: `Rows: 1\n${key}\n`,
  }),
  "a total in a totals file": (key, name) => ({
    [`${name}.csv`]: `${HEADER}\nK-1,0.01,${ADDRESS},Ann,\n`,
    [`${name}.totals.csv`]: `Rows,1\nTotal BTC,${quoted(key)}\n`,
  }),
  "the totals file of an unreadable file": (key, name) => ({
    [`${name}.xlsx`]: "%PDF-1.7\n",
    [`${name}.totals.txt`]: `Rows: 1\n${key}\n`,
  }),
  "a cell of a workbook": book((key) => ({ sheets: [sheetOf(cells(2, "K-1", key))] })),
  "a line above the header of a workbook": book((key) => ({
    sheets: [
      {
        name: "Payouts",
        rows: cells(1, "Payroll", key) + cells(2, "reference", "amount") + cells(3, "K-1", "1"),
      },
    ],
  })),
  "a column of a workbook": book((key) => ({
    sheets: [{ name: "Payouts", rows: cells(1, "reference", "amount", key) + cells(2, "K-1", "1") }],
  })),
  "the lines below the payouts of a workbook": book((key) => ({
    sheets: [
      sheetOf(
        cells(2, "K-1", "1") +
          key
            .split("\n")
            .map((line, index) => cells(3 + index, line))
            .join(""),
      ),
    ],
  })),
  "a formula": book((key) => ({
    sheets: [sheetOf(`<row r="2"><c r="A2" t="str"><f>T("${xml(key)}")</f><v>K-1</v></c></row>`)],
  })),
  "the name of a sheet": book((key) => ({ sheets: [sheetOf(cells(2, "K-1", "1"), { name: xml(key) })] })),
  "another sheet": book((key) => ({
    sheets: [sheetOf(cells(2, "K-1", "1")), { name: "Notes", rows: cells(1, key) }],
  })),
  "a comment": book((key) => ({
    sheets: [sheetOf(cells(2, "K-1", "1"))],
    parts: [
      {
        name: "xl/comments1.xml",
        data: `<comments><comment ref="A2"><text><t>${xml(key)}</t></text></comment></comments>`,
      },
    ],
  })),
  "a property of the document": book((key) => ({
    sheets: [sheetOf(cells(2, "K-1", "1"))],
    parts: [
      { name: "docProps/core.xml", data: `<coreProperties><title>${xml(key)}</title></coreProperties>` },
    ],
  })),
};

function csv(lines: (quotedKey: string) => readonly string[]): (key: string, name: string) => PlantedFiles {
  return (key, name) => ({ [`${name}.csv`]: `${lines(quoted(key)).join("\n")}\n` });
}

function book(
  fixture: (key: string) => Parameters<typeof workbook>[0],
): (key: string, name: string) => PlantedFiles {
  return (key, name) => ({ [`${name}.xlsx`]: workbook(fixture(key)) });
}

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text;
}

function cells(line: number, ...texts: readonly string[]): string {
  const each = texts.map(
    (text, index) => `<c r="${"ABCDEF"[index]}${line}" t="inlineStr"><is><t>${xml(text)}</t></is></c>`,
  );
  return `<row r="${line}">${each.join("")}</row>`;
}

function xml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "&#10;");
}
