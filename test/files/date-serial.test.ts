import { expect, test } from "vitest";
import { dateOfSerial } from "../../src/readers/xlsx/date-serial.ts";

// ECMA-376 part 1, 18.17.4.1 to 18.17.4.3, and what Excel shows for the neighbours of its 29 February 1900.
test.each([
  ["1", "1900-01-01"],
  ["59", "1900-02-28"],
  ["61", "1900-03-01"],
  ["3687.4207639", "1910-02-03T10:05:54"],
  ["1.5", "1900-01-01T12:00:00"],
  ["2958465.9999884", "9999-12-31T23:59:59"],
  ["45992", "2025-12-01"],
  ["45992.0", "2025-12-01"],
  ["4.5992E4", "2025-12-01"],
  ["45992.520833333336", "2025-12-01T12:30:00"],
  ["45991.99999999", "2025-12-01"],
])("takes serial %s for %s in the system of 1900", (serial, date) => {
  expect(dateOfSerial(serial, 1900)).toBe(date);
});

test.each([
  ["0", "1904-01-01"],
  ["1", "1904-01-02"],
  ["2225.4207639", "1910-02-03T10:05:54"],
  ["44530", "2025-12-01"],
])("takes serial %s for %s in the system of 1904", (serial, date) => {
  expect(dateOfSerial(serial, 1904)).toBe(date);
});

test.each([
  ["0", "00:00:00"],
  ["0.75", "18:00:00"],
  ["0.99999999", "1900-01-01"],
])("takes serial %s for %s, a time without a day", (serial, time) => {
  expect(dateOfSerial(serial, 1900)).toBe(time);
});

test.each(["60", "60.5", "-1", "2958466", "2958465.999999", "1e300", "x", ""])(
  "does not take %j for a day",
  (serial) => {
    expect(dateOfSerial(serial, 1900)).toBeUndefined();
  },
);
