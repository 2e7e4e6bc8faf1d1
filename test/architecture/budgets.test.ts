import { describe, expect, test } from "vitest";
import { configJsonSchema } from "../../src/config/json-schema.ts";
import { catalogue } from "../../src/faults/index.ts";
import {
  CONFIGURATION_KEYS,
  countKeys,
  FAULTS,
  FILE_ROOMS,
  FUNCTION_LINES,
  LINES,
  LINES_TOGETHER,
  LONG_FUNCTIONS,
  linesOf,
  longFunctionsChanged,
  overspentRooms,
} from "./budgets.ts";
import { longFunctions } from "./long-functions.ts";
import { sourceFile, sourceFiles } from "./source-files.ts";

const files = sourceFiles("src", "jobs");
const isFileRoom = (path: string) => FILE_ROOMS.rooms.some((room) => path.startsWith(`${room}/`));

describe("the budgets bite", () => {
  test("a room with too many lines, a room within another, and a room without a budget", () => {
    const planted = [
      sourceFile("src/store/a.ts", "a\nb\n"),
      sourceFile("src/store/engines/b.ts", "a\nb\nc\n"),
      sourceFile("src/cellar/c.ts", "a\n"),
    ];
    expect(overspentRooms(planted, { "src/store": 2, "src/store/engines": 2 })).toEqual([
      "src/store/engines has 3 lines, of at most 2",
      "src/cellar/c.ts is in no room with a budget",
    ]);
  });

  test("a long function that is new, one that grew, and one that is short now", () => {
    const listed = { "a.ts pay": 80, "a.ts book": 70, "a.ts look": 65 };
    expect(longFunctionsChanged({ "a.ts pay": 79, "a.ts book": 71, "b.ts open": 61 }, listed)).toEqual([
      "a.ts book has 71 lines",
      "b.ts open has 61 lines",
      "a.ts look is no longer long: take it off the list",
    ]);
  });

  test("a key within a key, and within the elements of a list", () => {
    const list = { items: { properties: { name: {}, folder: {} } } };
    expect(countKeys({ properties: { files: { properties: { senders: list } } } })).toBe(4);
  });
});

describe("the house keeps within its budgets:", () => {
  test("lines of each room", () => {
    const others = files.filter(({ path }) => !isFileRoom(path));
    expect(overspentRooms(others, LINES)).toEqual([]);
  });

  test("lines of the way of a file, and of all rooms together", () => {
    expect(linesOf(files.filter(({ path }) => isFileRoom(path)))).toBeLessThanOrEqual(FILE_ROOMS.lines);
    expect(linesOf(files)).toBeLessThanOrEqual(LINES_TOGETHER);
  });

  test("faults and configuration keys", () => {
    expect(Object.keys(catalogue).length).toBeLessThanOrEqual(FAULTS);
    expect(countKeys(configJsonSchema())).toBeLessThanOrEqual(CONFIGURATION_KEYS);
  });

  test("lines of a function", () => {
    const possible = files.filter((file) => linesOf([file]) > FUNCTION_LINES);
    const found = longFunctions(
      possible.map(({ path }) => path),
      FUNCTION_LINES,
    );
    expect(longFunctionsChanged(found, LONG_FUNCTIONS)).toEqual([]);
  });
});
