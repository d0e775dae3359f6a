import { Option } from "effect"

/**
 * Translates RE2 syntax. None for an invalid pattern and for look-around and back-references, which RE2 does not have
 * (https://github.com/google/re2/wiki/Syntax).
 */
export const re2 = (pattern: string, flags = ""): Option.Option<RegExp> => {
  if (unsupported.test(pattern.replaceAll(String.raw`\\`, ""))) return Option.none()
  const leading = /^\(\?([ims]+)\)/.exec(pattern)
  const body = leading === null ? pattern : pattern.slice(leading[0].length)
  return compile(translate(body), new Set(`${flags}${leading?.[1] ?? ""}`))
}

const unsupported = /\(\?(?:[=!]|<[=!])|\\[1-9]|\\k</

const translate = (pattern: string): string =>
  pattern
    .replace(/\\Q(.*?)(?:\\E|$)/g, (_, literal: string) => RegExp.escape(literal))
    .replaceAll("(?P<", "(?<")
    .replaceAll(String.raw`\A`, "^")
    .replaceAll(String.raw`\z`, "$")
    .replace(/\[:(\w+):\]/g, (whole, name: string) => classes[name] ?? whole)
    .replace(/\\([pP])([A-Z])/g, String.raw`\$1{$2}`)
    .replace(/\\([pP])\{([A-Z][a-z]{2,})\}/g, String.raw`\$1{Script=$2}`)

const classes: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  digit: "0-9",
  lower: "a-z",
  upper: "A-Z",
  space: String.raw`\s`,
  word: String.raw`\w`
}

/** JavaScript needs flag `u` for `\p{…}`. Without it, escapes of any punctuation are valid, as in RE2. */
const compile = Option.liftThrowable((pattern: string, flags: ReadonlySet<string>) =>
  new RegExp(pattern, [...flags, ...(/\\[pP]\{/.test(pattern) ? ["u"] : [])].join(""))
)
