import { assert, describe, it } from "@effect/vitest"
import { parseNumbers } from "../../../src/Domain/Json/ExactNumber.ts"
import { select } from "../../../src/Features/Results/Select/Select.ts"

const [less, more] = ["12345678901234567890", "12345678901234567891"]
const big = `{"d":[{"big":${more},"k":"b"},{"big":${less},"k":"a"},{"big":-${more},"k":"c"}],"one":1.0}`
const named = "{\"rows\":[{\"k\":\"__proto__\"},{\"k\":\"constructor\",\"__proto__\":{\"a\":1}}]}"
const wide = "{\"s\":\"😀a\",\"list\":[\"😀\",\"é\",\"z\",\"￮\"]}"
const cells = "[\"\",\" \",\"0x10\",\"12\",\"1.5\",\"-3e2\",\"n/a\",\"1.0\",true]"

const selections: ReadonlyArray<readonly [data: string, ...cases: ReadonlyArray<readonly [string, string]>]> = [
  [
    big,
    // A number that is passed on keeps its digits. What computes reads doubles.
    ["d[0].{a: big, b: $.one}", `{"a":${more},"b":1.0}`],
    [`\`${more}\``, more],
    [`\`{"\\\`\\\`":[${more}, "", 1.0]}\``, `{"\`\`":[${more},"",1.0]}`],
    ["[not_null(one), to_array(one), to_string(one), reverse(d)[0].big]", `[1.0,[1.0],"1.0",-${more}]`],
    ["sort(d[].big)", `[-${more},${more},${less}]`],
    ["[max_by(d, &big).k, min_by(d, &big).k, d[?big > `0`].k]", "[\"b\",\"c\",[\"b\",\"a\"]]"],
    ["[abs(one), sum([one, `2`]), avg([one]), one + one, -one, one == `1`, type(one)]", "[1,3,1,2,-1,true,\"number\"]"],
    ["[contains(d[].big, d[0].big), contains([one], `1`), contains(`[[1]]`, [one])]", "[true,true,true]"],
    ["contains(d, `{\"k\": \"x\"}`)", "false"],
    ["[max_by(d, &k).k, min_by(d, &k).k, max(d[].k), sort_by(d, &k)[].k]", "[\"c\",\"a\",\"c\",[\"a\",\"b\",\"c\"]]"],
    ["sort(`[10, 9, 100]`)", "[9,10,100]"],
    ["let $a = `false` in let $b = one in map(&[@, $a, $b], `[2]`)", "[[2,false,1.0]]"],
    ["['\\\\', '\\'', 'a\\b', '`\"']", "[\"\\\\\\\\\",\"'\",\"a\\\\b\",\"`\\\"\"]"]
  ],
  [
    named,
    ["[constructor, rows[*].toString, {a: `1`}.constructor]", "[null,[],null]"],
    ["[rows[].\"__proto__\".a, {\"__proto__\": rows[0].k}.\"__proto__\"]", "[[1],\"__proto__\"]"],
    ["merge(rows[1], {b: `2`})", "{\"k\":\"constructor\",\"__proto__\":{\"a\":1},\"b\":2}"],
    ["keys(group_by(rows, &k))", "[\"__proto__\",\"constructor\"]"]
  ],
  [
    wide,
    ["[length(s), reverse(s), s[0:1], s[::-1], s[-1:]]", "[2,\"a😀\",\"😀\",\"a😀\",\"a\"]"],
    ["[sort(list), [max(list), min(list)]]", "[[\"z\",\"é\",\"￮\",\"😀\"],[\"😀\",\"z\"]]"],
    [
      "[split(s, ''), split('a,b,c', ',', `1`), split('a,b', ',', `5`)]",
      "[[\"😀\",\"a\"],[\"a\",\"b,c\"],[\"a\",\"b\"]]"
    ],
    ["[find_first(s, 'a'), find_last('😀a😀', '😀'), find_first('😀a', '😀', `1`)]", "[1,2,null]"],
    ["[pad_left(s, `3`, '😀'), pad_right(s, `3`), pad_left('', `2`)]", "[\"😀😀a\",\"😀a \",\"  \"]"],
    ["[trim('😁😀😁', '😁'), trim_left(' a '), trim_right(' a '), trim(' ')]", "[\"😀\",\"a \",\" a\",\"\"]"],
    ["[replace('aa', 'a', '$&a', `1`), replace(s, '', '-')]", "[\"$&aa\",\"😀-a\"]"]
  ],
  ["[[1,2],[\"a\"]]", ["zip([0], [1])", "[[1,\"a\"]]"]],
  [cells, ["map(&to_number(@), @)", "[null,null,null,12,1.5,-3e2,null,1.0,null]"]]
]

describe("select", () => {
  it("keeps digits that nothing computes with, counts characters and compares values", () => {
    for (const [data, ...cases] of selections) {
      for (const [expression, expected] of cases) {
        assert.strictEqual(JSON.stringify(select(expression, parseNumbers(data))), expected, expression)
      }
    }
  })

  it("refuses what has no order, no such variable or no single character", () => {
    const expressions = [
      "max(`[1, \"a\"]`)",
      "sort(`[true]`)",
      "$x",
      "pad_left('a', `3`, '--')",
      "split('a', '', `-1`)",
      "zip(`[1]`, a)",
      "merge(`{}`, 'a')",
      "let $a = `1`, b in $a"
    ]
    for (const expression of expressions) {
      assert.throws(() => select(expression, null), /^(?:Invalid|Undefined|Syntax)/, undefined, expression)
    }
  })
})
