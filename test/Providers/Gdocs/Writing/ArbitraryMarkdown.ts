import * as fc from "fast-check"

const word = fc.constantFrom(
  ..."plain a Ünïcode 🚀 👨‍👩‍👧 e\u0301 שלום مرحبا 日本 1986. * ** _ __init__ snake_case ` | \\ <b> &amp; & [x] ](".split(
    " "
  ),
  ..."! ~ ~~ + 1) > http://a.example/b_c www.example.com me@example.com $5 {++ \uE907 \u0007 = --- #".split(" "),
  ..."'quoted' “curly” a*b 5*6*7 x<y &#32; \uD83D".split(" "),
  ..."two words,# no,[ ],- ,12. ,<!-- c -->,\u00A0,\u202F,\t,\u000B".split(",")
)

const phrase: fc.Arbitrary<string> = fc.array(word, { minLength: 1, maxLength: 4 }).chain((words) =>
  fc.constantFrom("", " ").map((between) => words.join(between))
)

const span: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: phrase, weight: 5 },
  { arbitrary: phrase.map((text) => `**${text}**`), weight: 2 },
  { arbitrary: phrase.map((text) => `*${text}*`), weight: 2 },
  { arbitrary: phrase.map((text) => `***${text}***`), weight: 1 },
  { arbitrary: fc.tuple(phrase, phrase).map(([outer, inner]) => `**${outer} *${inner}* end**`), weight: 1 },
  { arbitrary: phrase.map((text) => `~~${text}~~`), weight: 1 },
  { arbitrary: phrase.map((text) => `\`${text}\``), weight: 1 },
  { arbitrary: phrase.map((text) => `x<sup>${text}</sup>y<sub>${text}</sub>`), weight: 1 },
  { arbitrary: phrase.map((text) => `[${text}](https://example.com/${encodeURI("ü")}?a=1&b=2)`), weight: 1 },
  { arbitrary: phrase.map((text) => `![${text}](https://example.com/i.png)`), weight: 1 },
  { arbitrary: phrase.map((text) => `[${text}](#heading=h.gone)`), weight: 1 },
  { arbitrary: fc.constantFrom("  \n", "\\\n", "\n", "<br>", "<https://example.com>"), weight: 1 }
)

const inline: fc.Arbitrary<string> = fc.array(span, { minLength: 1, maxLength: 4 }).chain((spans) =>
  fc.constantFrom("", " ").map((between) => spans.join(between))
)

const oneLine = inline.map((text) => text.replace(/\n/g, " "))

const indent = (text: string, by: string): string =>
  text.split("\n").map((line) => line === "" ? line : by + line).join("\n")

const code = fc.array(fc.oneof(phrase, fc.constant(""), fc.constant("\tindented")), { maxLength: 4 }).chain((lines) =>
  fc.constantFrom("", "js", "text").map((language) =>
    `\`\`\`\`${language}\n${lines.join("\n").replace(/`{3,}/g, "`")}\n\`\`\`\``
  )
)

const row = (cells: ReadonlyArray<string>): string =>
  `| ${cells.map((cell) => cell.replace(/\|/g, "\\|")).join(" | ")} |`

const table = fc.integer({ min: 1, max: 3 }).chain((columns) =>
  fc.array(fc.array(oneLine, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 3 }).chain((
    rows
  ) =>
    fc.array(fc.constantFrom("---", ":-:", "--:", ":--"), { minLength: columns, maxLength: columns }).map(
      (delimiters) => {
        const [head = [], ...body] = rows
        return [row(head), row(delimiters), ...body.map(row)].join("\n")
      }
    )
  )
)

const { block } = fc.letrec<{ block: string; list: string; quote: string }>((tie) => ({
  list: fc.tuple(
    fc.constantFrom("- ", "* ", "1. ", "1) ", "3. ", "- [ ] ", "- [x] ", "+ "),
    fc.array(fc.tuple(inline, fc.option(tie("block"), { nil: "" }), fc.constantFrom("\n", "\n\n")), {
      minLength: 1,
      maxLength: 3
    })
  ).map(([mark, items]) =>
    items.map(([text, below, gap], position) => {
      const own = /^\d/.test(mark) ? `${Number.parseInt(mark, 10) + position}${mark.slice(1)}` : mark
      const inside = below === "" ? "" : `${gap}${below}`
      return own + indent(`${text}${inside}`, "   ").trimStart()
    }).join("\n")
  ),
  quote: fc.array(tie("block"), { minLength: 1, maxLength: 2 }).map((blocks) =>
    indent(blocks.join("\n\n"), "> ").replace(/\n\n/g, "\n>\n")
  ),
  block: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    inline,
    fc.tuple(fc.integer({ min: 1, max: 6 }), oneLine).map(([level, text]) => `${"#".repeat(level)} ${text}`),
    fc.constantFrom("---", "***", "<div>html</div>", "<!-- comment -->", "[^1]: a note", "a note[^1]", "text\n==="),
    code,
    table,
    tie("list"),
    tie("quote")
  )
}))

export const markdown: fc.Arbitrary<string> = fc.array(block, { minLength: 1, maxLength: 4 }).chain((blocks) =>
  fc.constantFrom("\n\n", "\n\n", "\r\n\r\n", "\n", "\n\n\n").map((between) => blocks.join(between))
)
